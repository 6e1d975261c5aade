"""Start the workers of a run on this machine: this process is the first, and starts the others with the same options.

    with launched(2, ["quick", "--out", "runs/quick"]):
        train(recipe, folder)                          in this process; the same in the others

Two workers with a thread each are faster than one worker with two threads, and other programs slow them down less. They
share a recipe's tables and minibatches; under torchrun each worker has as many as the recipe says.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from spades_env.checks import usable_cores, whole
from spades_env.training.data_parallel import SHARE
from spades_env.training.parallel import usable_threads
from spades_env.training.run.checkpoints import RunError

MOST = 64
USUAL = 2  # workers on a CPU: more are untested
GRACE_S = 5.0  # for the first worker to fail by itself, before it is ended because another has failed
FAILED = 1
ROOT = Path(__file__).resolve().parents[3]  # where the package lies


def worker_count(wanted: int | None, device: str | None) -> int:
    """Return how many workers to start here: by default two on a CPU with two cores, one on a GPU or under torchrun."""
    on_gpu = torch.cuda.is_available() if device is None else device.partition(":")[0] != "cpu"
    if wanted is None:
        return 1 if on_gpu or "RANK" in os.environ else min(USUAL, usable_cores())
    count = whole("workers", wanted, 1, MOST)
    if count > 1 and "RANK" in os.environ:
        raise RunError("torchrun starts the workers: leave out --workers, or start `spades train` without torchrun")
    if count > 1 and on_gpu:
        raise RunError("--workers are for CPUs: torchrun starts a worker for each GPU, or add --device cpu")
    return count


@contextlib.contextmanager
def launched(count: int, arguments: Sequence[str], threads: int | None = None) -> Iterator[None]:
    """Run the other workers beside this process, each with these arguments of `spades train`; end them with it.

    threads: of each worker, if that was said; else they share the cores. Without others nothing is done.
    """
    if is_follower():
        _follow(threads)
    if count == 1:
        yield
        return
    before = dict(os.environ)
    common = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(_free_port()), SHARE: "1"}
    common |= {"WORLD_SIZE": str(count), "LOCAL_WORLD_SIZE": str(count)}
    with tempfile.TemporaryDirectory() as folder:
        others = [_start(rank, common, arguments, Path(folder)) for rank in range(1, count)]
        os.environ.update(common, RANK="0", LOCAL_RANK="0")
        if threads is None:
            torch.set_num_threads(usable_threads())
        done = threading.Event()
        threading.Thread(target=_watch, args=(others, Path(folder), done), daemon=True).start()
        try:
            yield
            for one in others:
                one.wait()
        except RuntimeError:
            if failure := _failure(others, Path(folder)):
                raise RunError(failure) from None
            raise
        finally:
            done.set()
            for one in others:
                one.kill()
                one.communicate()
            os.environ.clear()
            os.environ.update(before)


def _follow(threads: int | None) -> None:
    """Make this worker, which another process has started, end with that process."""
    if threads is None:
        torch.set_num_threads(usable_threads())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the first worker ends the others
    threading.Thread(target=_end_with_parent, daemon=True).start()


def is_follower() -> bool:
    return SHARE in os.environ and os.environ.get("RANK") != "0"


def _start(rank: int, common: dict[str, str], arguments: Sequence[str], folder: Path) -> subprocess.Popen:
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | common | {"RANK": str(rank), "LOCAL_RANK": str(rank), "PYTHONPATH": path}
    with _errors(folder, rank).open("wb") as errors:
        command = [sys.executable, "-P", "-m", "spades_env.training", *arguments]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": errors}
        return subprocess.Popen(command, env=environment, **pipes)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()  # ends when the parent does
    os._exit(FAILED)


def _watch(others: Sequence[subprocess.Popen], folder: Path, done: threading.Event) -> None:
    """End this process if another worker has failed, for it may wait for that one for hours."""
    while not done.wait(0.5):
        if any(one.poll() for one in others):
            break
    if done.wait(GRACE_S):
        return
    print(f"spades: {_failure(others, folder)}", file=sys.stderr, flush=True)
    os._exit(FAILED)


def _failure(others: Sequence[subprocess.Popen], folder: Path) -> str:
    """Return a sentence on the first worker that failed; nothing if none did."""
    time.sleep(0.2)  # a worker whose connection has closed is about to end
    for rank, one in enumerate(others, 1):
        if code := one.poll():
            lines = _errors(folder, rank).read_text(errors="replace").strip().splitlines()
            said = lines[-1].removeprefix("train: ") if lines else f"it said nothing (exit code {code})"
            return f"worker {rank} of {len(others) + 1} ended: {said}; continue from the last checkpoint with --resume"
    return ""


def _errors(folder: Path, rank: int) -> Path:
    return folder / f"worker-{rank}.txt"


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
