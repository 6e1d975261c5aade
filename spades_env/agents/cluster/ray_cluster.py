"""Give out pieces of work on a Ray cluster, and take in their results.

    with Cluster("auto") as cluster:
        arena.play("rule", "bis", games=100_000, jobs=cluster)

    local              a Ray of this machine, started here and ended with the command
    auto               the cluster that this machine belongs to, or that RAY_ADDRESS names
    HOST:6379          the cluster with this head
    ray://HOST:10001   … through Ray's client, from a machine outside

Each piece counts once: a piece whose worker or node dies is done again elsewhere, and the caller sees one result.
Ray is imported, and asked, only when there is work. This is the only module that imports it.
"""

import logging
import os
import re
import socket
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import gettempdir
from types import TracebackType
from typing import Any

from spades_env._version import __version__
from spades_env.agents.base import AgentError
from spades_env.agents.cluster.shipment import Shipment, pack, pack_for_here
from spades_env.agents.cluster.versions import versions
from spades_env.agents.cluster.worker import DIFFERS, DONE, Work, run
from spades_env.checks import usable_cores, whole
from spades_env.errors import one_line
from spades_env.extras import OWN_PACKAGE, needed

NEEDED = 'a cluster needs {missing}: pip install "spades-env[ray]"'
LOCAL, AUTO = "local", "auto"
ADDRESS = re.compile(r"(ray://)?(?P<host>[\w.-]+|\[[0-9A-Fa-f:]+\]):(?P<port>\d{1,5})", re.ASCII)
ALLOWED = "auto, local, HOST:6379 or ray://HOST:10001"
RETRIES = 3  # of a piece whose worker or node died
REACH_S, LOOK_S = 5.0, 0.5
STARTS = 3  # of a local Ray, which gives up after 30 seconds where other programs keep the machine busy
WAITING_A_CORE = 2  # pieces that Ray knows of for each core, so that none waits for the next one
STORE_BYTES = 256 << 20  # of a local Ray's memory for results, which are small
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # no advice about GPUs
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".?",  # no news of retries, which Ray prints between the figures
}
LACKING = re.compile(rf"No module named '{OWN_PACKAGE}\b")  # a node without the package, or an older one
TOKENS = "RAY_AUTH_MODE"  # the environment variable that says whether this side shows a token
LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}  # on any system: a local Ray listens to this machine alone


class ClusterError(AgentError):
    """A cluster that cannot be used, or a piece of work that no node could do."""


class Cluster:
    """A Ray cluster. at_once: the most pieces that are given out together, by default enough for each core."""

    def __init__(self, address: str, at_once: int | None = None):
        if address not in (LOCAL, AUTO) and not ADDRESS.fullmatch(address):
            raise ClusterError(f"invalid address of a Ray cluster {address!r}; expected {ALLOWED}")
        self.address = address
        self.at_once = at_once if at_once is None else whole("jobs", at_once, 1, 1_000_000)
        self._ray: Any = None
        self._is_ours = False

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster, which drops what it still does for us; a local Ray ends."""
        if self._ray is not None and self._is_ours:
            self._ray.shutdown()
        self._ray, self._is_ours = None, False

    @property
    def cores(self) -> int:
        """How many pieces can be worked on together: `at_once` if given, as a cluster may grow, else one a core."""
        ray = self._connected()
        return self.at_once or max(1, int(ray.cluster_resources().get("CPU", 1)))

    def run(self, work: Work, pieces: Sequence[tuple], names: Sequence[str]) -> Iterator[tuple[int, Any]]:
        """Yield the number and the result of each piece, in the order in which they are done.

        names: of the agents that the work loads; the files behind them are sent to the nodes.
        """
        ray = self._connected()
        task = ray.remote(run).options(num_cpus=1, max_retries=RETRIES)
        shipment: Shipment = pack_for_here() if self.address == LOCAL else pack(names)
        given = versions(), ray.put(tuple(shipment)), work
        left, running = enumerate(pieces), dict[Any, int]()
        try:
            while True:
                most = self.at_once or WAITING_A_CORE * self.cores
                for number, piece in islice(left, max(0, most - len(running))):
                    running[task.remote(*given, piece)] = number
                if not running:
                    return
                done, _ = ray.wait(list(running), timeout=LOOK_S)
                for reference in done:
                    yield running.pop(reference), self._result(reference)
        except ConnectionError as error:
            raise ClusterError(f"the connection to the Ray cluster was lost: {one_line(error)}") from error
        finally:
            with suppress(Exception):  # the connection may be what has failed
                for reference in running:
                    ray.cancel(reference, force=True)

    def _result(self, reference: Any) -> Any:
        """Return what a piece found; raise an error if it failed, or if no node could do it."""
        errors = self._ray.exceptions
        try:
            kind, found = self._ray.get(reference)
        except errors.RayTaskError as error:
            if LACKING.search(str(error)):
                raise ClusterError(
                    f"a node of the cluster lacks spades-env {__version__}: install it on every node"
                ) from error
            raise
        except errors.RayError as error:
            raise ClusterError(f"a piece of work failed, also after {RETRIES} retries: {one_line(error)}") from error
        if kind == DONE:
            return found
        if kind == DIFFERS:
            raise ClusterError(f"{found}: install the same on every node")
        raise AgentError(found)

    def _connected(self) -> Any:
        if self._ray is None:
            self._ray = self._connect()
        return self._ray

    def _connect(self) -> Any:
        """Return the library, connected to the cluster; a connection that the program already has is used."""
        for name, value in (QUIET | LOOPBACK if self.address == LOCAL else QUIET).items():
            os.environ.setdefault(name, value)
        ray = needed("ray", NEEDED)
        if ray.is_initialized():
            return ray
        _check_reach(self.address)
        for left in reversed(range(STARTS if self.address == LOCAL else 1)):
            try:
                self._join(ray)
                break
            except Exception as error:  # of many kinds, by the way that leads to the cluster
                ray.shutdown()
                if not left:
                    raise ClusterError(self._why_not(error)) from error
        self._is_ours = True
        return ray

    def _join(self, ray: Any) -> None:
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if self.address == LOCAL:
            settings |= {"num_cpus": self.at_once or usable_cores(), "num_gpus": 0}
            settings |= {"include_dashboard": False, "object_store_memory": STORE_BYTES}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(address=self.address, **settings)

    def _why_not(self, error: Exception) -> str:
        """Return the sentence for an error of Ray's start."""
        if self.address == AUTO and isinstance(error, ConnectionError) and not _found_by_ray():
            return f"this machine belongs to no Ray cluster that runs: an address is {ALLOWED}"
        asks = ADDRESS.fullmatch(self.address) and TOKENS not in os.environ
        hint = f" (if it asks for a token, set {TOKENS}=token)" if asks else ""
        return f"the Ray cluster {self.address!r} cannot be used: {one_line(error)}{hint}"


def _check_reach(address: str) -> None:
    """Raise ClusterError if nothing answers at HOST:PORT, where Ray itself would try for minutes."""
    found = ADDRESS.fullmatch(_found_by_ray() if address == AUTO else address)
    if not found:
        return
    host, port = found["host"].strip("[]"), int(found["port"])
    try:
        socket.create_connection((host, port), REACH_S).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(
            f"no Ray cluster answers at {host}:{port}: {one_line(error)}; an address is {ALLOWED}"
        ) from None


def _found_by_ray() -> str:
    """Return the address that `auto` leads to, as far as one can tell: a cluster that was killed leaves its own."""
    kept = Path(os.environ.get("RAY_TMPDIR") or gettempdir()) / "ray" / "ray_current_cluster"
    try:
        return os.environ.get("RAY_ADDRESS") or kept.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""
