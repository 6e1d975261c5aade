"""A results file of the benchmark: one agent's figures and what the rules ask for beside them, as JSON.

    found = entry.make_entry(row, agent="mine:policy", track="raw", compute="3 h on 8 cores, no GPU")
    entry.write_entry("mine.json", found)
    entry.read_entry("mine.json")          checked; an EntryError says what is wrong

A file has a digest (agents/digest.py) and the share of every deal. So shares, scores and their intervals are computed
again when a file is read. One that is damaged, or whose figures don't follow from its deals, is refused.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Collection
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from spades_env.agents.arena import benchmark, tracks
from spades_env.agents.arena.benchmark import shares_of
from spades_env.agents.arena.entries import beside
from spades_env.agents.arena.entries.machine import machine
from spades_env.agents.arena.match_result import share_interval
from spades_env.agents.arena.tracks import LIMITS, TRACKS, Times
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.base import FAILURES, TOKENS, AgentError
from spades_env.agents.digest import DamagedError, read_sealed_json, sealed_json
from spades_env.agents.figures import STATS
from spades_env.agents.registry import files_of
from spades_env.agents.roster import character_named
from spades_env.checks import LARGEST_SEED

FORMAT = "spades benchmark results 2"
SUFFIX = ".json"
LONGEST = {"name": 60, "compute": 300}  # characters
MACHINE = ("processor", "cores", "system", "python", "numpy", "numba")
MOST = 1e15  # of any figure, far beyond what a match can give
NEAR = 1e-9  # within which figures must agree with those computed again
Entry = dict[str, Any]
Check = tuple[str, Callable[[Any], bool]]  # what is allowed, and whether a value is


class EntryError(AgentError):
    """A results file that cannot be written or read; the message names the field and what is allowed."""


def make_entry(
    row: benchmark.PanelRow,
    agent: str,
    track: str,
    compute: str,
    times: Times | None,
    limit_ms: int | None = None,
    name: str | None = None,
    files: dict[str, str] | None = None,
    partners: dict[str, Any] | None = None,
) -> Entry:
    """Return what the results file of a row says.

    Args:
        row: What `benchmark.run` returned.
        agent: The string that it was loaded by.
        track: What the agent reads and computes: raw, computed, search or words.
        compute: What its training took, in words.
        times: Of its decisions, if they were measured.
        limit_ms: The time that all decisions kept to, if any.
        name: To be listed by, if not the agent's.
        files: The SHA-256 of each file behind it, if not those that the string names.
        partners: What `beside.run` returned, if it was asked.

    Raises:
        EntryError: A value is wrong; the message names the field and what is allowed.

    Examples:
        >>> from spades_env.agents import benchmark
        >>> from spades_env.agents.arena.entry import make_entry
        >>> row = benchmark.run("rule", games=2)  # a trial; an entry has 50 games at least
        >>> entry = make_entry(row, "rule", track="computed", compute="none: written by hand", times=None)
        >>> entry["name"], entry["by_protocol"]
        ('rule', False)
    """
    _, known = tracks.checked_track(agent, track)
    facts = {"format": FORMAT, "name": name or row.agent, "date": datetime.now(UTC).date().isoformat()}
    facts |= {"track": track, "track_known": known, "limit_ms": limit_ms, "compute": compute, "seen": list(row.seen)}
    facts |= {
        "files": digests_of(agent) if files is None else files,
        "ms": asdict(times) if times else None,
        "machine": machine(),
    }
    facts |= {"beside": partners} if partners else {}
    return checked_entry(facts | row.as_dict(), "the results")


def write_entry(path: str | os.PathLike, entry: Entry) -> None:
    write_whole(path, sealed_json(entry, indent=1, ensure_ascii=False, allow_nan=False))


def read_entry(path: str | os.PathLike) -> Entry:
    """Read a results file and check all of it.

    Args:
        path: Where `spades benchmark --out` has written it.

    Raises:
        EntryError: It can't be read, or a value in it is wrong.

    Examples:
        >>> from spades_env.agents.arena.entry import read_entry
        >>> entry = read_entry("entries/counter/results.json")
        >>> entry["name"], entry["track"], entry["games"]
        ('counter', 'raw', 100)
    """
    try:
        found = read_sealed_json(path)
    except OSError as error:
        raise EntryError(f"{os.fspath(path)} cannot be read: {error.strerror}") from None
    except DamagedError as error:
        raise EntryError(f"{os.fspath(path)} cannot be read: {error}") from None
    return checked_entry(found, os.fspath(path))


def check_new(path: str) -> None:
    """Raise an EntryError if results can't be written there, before hours of play."""
    if not path.endswith(SUFFIX):
        raise EntryError(f"results are written to a file that ends with {SUFFIX}, not to {path}")
    if Path(path).exists():
        raise EntryError(f"{path} is there already: name another file, or remove it")
    if not Path(path).absolute().parent.is_dir():
        raise EntryError(f"there is no folder {Path(path).parent} to write the results to")


def check_words(name: str, value: str) -> None:
    """Raise an EntryError if a text of the entrant is empty or too long."""
    words, fits = CHECKS[name]
    if not fits(value):
        raise EntryError(f"{name} must be {words}, not {value!r:.80}")


def file_name(name: str) -> str:
    """Return the usual name of an agent's results file."""
    return (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "agent") + SUFFIX


def claim_of(entry: Entry) -> str:
    """Return the SHA-256 of what an entry claims: its agent with the files behind it, and each deal's result."""
    deals = {name: one["deals"] for name, one in entry["against"].items()}
    claimed = [entry["agent"], entry["files"], entry["games"], entry["seed"], deals]
    return hashlib.sha256(json.dumps(claimed, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def digests_of(agent: str) -> dict[str, str]:
    """Return the SHA-256 of each file behind an agent's string by the file's name, and of a character's own string."""
    found = dict[str, str]()
    for path in files_of(agent):
        name = path.name if path.name not in found else f"{path.name}#{len(found) + 1}"
        found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    if character := character_named(agent):
        found[f"{character.key} in roster.toml"] = hashlib.sha256(character.agent.encode()).hexdigest()
    return found


# Checks


def _text(longest: int) -> Check:
    return (
        f"a line of 1 to {longest} characters",
        lambda x: isinstance(x, str) and bool(x.strip()) and len(x) <= longest and x.isprintable(),
    )


def _number(x: Any) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool) and -MOST <= x <= MOST


def _whole(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool) and 0 <= x <= LARGEST_SEED


def _pair(x: Any) -> bool:
    return isinstance(x, list) and len(x) == 2 and all(map(_number, x)) and x[0] <= x[1]


def _date(x: Any) -> bool:
    try:
        return isinstance(x, str) and datetime.strptime(x, "%Y-%m-%d").date().isoformat() == x
    except ValueError:
        return False


def _object(keys: Collection[str], fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return a function that tells whether a value is an object with these keys, each of whose values fits."""
    return lambda x: isinstance(x, dict) and set(x) == set(keys) and all(map(fits, x.values()))


def _either(words: str, allowed: tuple) -> Check:
    return words, lambda x: type(x) in map(type, allowed) and x in allowed


STATISTICS = (
    f"an object with {', '.join(STATS)}, each a number or null",
    _object(STATS, lambda x: x is None or _number(x)),
)
TRUTH = ("true or false", lambda x: isinstance(x, bool))
SHARE = ("a number from 0 to 1", lambda x: _number(x) and 0 <= x <= 1)
SHARES = ("two numbers from 0 to 1, the lower first", lambda x: _pair(x) and x[0] >= 0 and x[1] <= 1)
NUMBER = ("a number", _number)
PAIR = ("two numbers, the lower first", _pair)
CHECKS: dict[str, Check] = {
    "format": _either(f'"{FORMAT}"', (FORMAT,)),
    "name": (
        f"a line of 1 to {LONGEST['name']} characters without | and `",
        lambda x: _text(LONGEST["name"])[1](x) and not set("|`") & set(x),
    ),
    "date": ("a date, written YYYY-MM-DD", _date),
    "track": _either(f"one of {', '.join(TRACKS)}", tuple(TRACKS)),
    "track_known": TRUTH,
    "limit_ms": _either(f"one of {', '.join(map(str, LIMITS))}, or null", (*LIMITS, None)),
    "compute": _text(LONGEST["compute"]),
    "seen": (
        f"a list of {', '.join(benchmark.PANEL)}, or empty",
        lambda x: isinstance(x, list) and all(name in benchmark.PANEL for name in x),
    ),
    "files": (
        "an object: the SHA-256 of each file by its name",
        lambda x: (
            isinstance(x, dict) and all(isinstance(v, str) and re.fullmatch("[0-9a-f]{64}", v) for v in x.values())
        ),
    ),
    "ms": (
        "an object of decisions, mean, median and within, all above 0; or null",
        lambda x: x is None or _object(Times.__annotations__, lambda v: _number(v) and v > 0)(x),
    ),
    "machine": (f"an object with {', '.join(MACHINE)}", _object(MACHINE, lambda x: _whole(x) or _text(200)[1](x))),
    "benchmark": _either(f"{benchmark.VERSION}: others are not comparable", (benchmark.VERSION,)),
    "version": _text(40),
    "agent": _text(1000),
    "cheats": TRUTH,
    "rules": _either(f'"{benchmark.RULES}"', (benchmark.RULES,)),
    "games": ("an even number from 2 on", lambda x: _whole(x) and x >= 2 and x % 2 == 0),
    "seed": ("a whole number from 0 on", _whole),
    "by_protocol": TRUTH,
    "score": SHARE,
    "score_ci": SHARES,
    "held_out": SHARE,
    "held_out_ci": SHARES,
    "points_per_hand": NUMBER,
    "points_per_hand_ci": ("two numbers, the lower first; or two nulls", lambda x: _pair(x) or x == [None, None]),
    "failures": (f"an object with {', '.join(FAILURES)}", _object(FAILURES, _whole)),
    "tokens": (
        f"an object with {', '.join(TOKENS)} of a decision; or null",
        lambda x: x is None or _object(TOKENS, lambda v: _number(v) and v >= 0)(x),
    ),
    "stats": STATISTICS,
    "against": ("an object with the opponents", lambda x: isinstance(x, dict)),
}
CHECKS_AGAINST: dict[str, Check] = {
    "win_rate": SHARE,
    "win_rate_ci": SHARES,
    "points_per_hand": NUMBER,
    "points_per_hand_ci": CHECKS["points_per_hand_ci"],
    **dict.fromkeys((*FAILURES, "cut"), ("a whole number from 0 on", _whole)),
    "seen": TRUTH,
    "deals": ("a digit from 0 to 4 for each deal", lambda x: isinstance(x, str) and bool(re.fullmatch("[0-4]+", x))),
    "stats": STATISTICS,
}
CHECKS_BESIDE: dict[str, Check] = {
    "pair": _either(f'"{beside.PAIR}"', (beside.PAIR,)),
    **{key: CHECKS[key] for key in ("games", "seed", "score", "score_ci", "points_per_hand")},
    "with": ("an object with the partners", lambda x: isinstance(x, dict)),
}
OPTIONAL: dict[str, Check] = {"beside": ("an object with the score beside strangers", lambda x: isinstance(x, dict))}


def checked_entry(found: Any, where: str) -> Entry:
    """Return an entry if each field is as it should be and its figures follow from its deals."""
    optional = OPTIONAL if isinstance(found, dict) and "beside" in found else {}
    entry = checked_fields(found, CHECKS | optional, where)
    opponents = benchmark.opponents_of(entry["agent"])
    if tuple(entry["against"]) != opponents:
        raise EntryError(f"{where}: against must have {', '.join(opponents)}, in this order, and nothing else")
    deals = {}
    for name, one in entry["against"].items():
        checked_fields(one, CHECKS_AGAINST, f"{where}: against {name}")
        if len(one["deals"]) != entry["games"] // 2:
            raise EntryError(f"{where}: against {name}: deals must have {entry['games'] // 2} digits, one for each")
        deals[name] = shares_of(one["deals"])
        again = {"win_rate": float(deals[name].mean()), "win_rate_ci": list(share_interval(deals[name]))}
        compare(one, again | {"seen": name in entry["seen"]}, f"{where}: against {name}")
    by_protocol = benchmark.is_by_protocol(entry["games"], entry["seed"])
    compare(entry, benchmark.scores(deals) | {"by_protocol": by_protocol}, where)
    _check_sums(entry, where)
    _check_track(entry, where)
    if "beside" in entry:
        _check_beside(entry["beside"], opponents, f"{where}: beside")
        protocol = {"games": entry["games"], "seed": beside.SEED} if by_protocol else {}
        if any(entry["beside"][key] != value for key, value in protocol.items()):
            raise EntryError(f"{where}: beside must have the entry's games and the seed {beside.SEED}")
    if entry["limit_ms"] and not (entry["ms"] and entry["ms"]["within"] <= entry["limit_ms"]):
        raise EntryError(f"{where}: limit_ms is {entry['limit_ms']}, but ms.within is not within it")
    return entry


def _check_sums(entry: Entry, where: str) -> None:
    """Check the figures that follow from those against each opponent."""
    matches = entry["against"].values()
    points = sum(one["points_per_hand"] for one in matches) / len(benchmark.PANEL)
    compare(entry, {"points_per_hand": points}, where)
    compare(entry["failures"], {reason: sum(one[reason] for one in matches) for reason in FAILURES}, where)


def _check_track(entry: Entry, where: str) -> None:
    """Check the track where the agent's string tells it."""
    known = tracks.track_of(entry["agent"])
    if (known or entry["track"], known is not None) != (entry["track"], entry["track_known"]):
        raise EntryError(f"{where}: track is {entry['track']}, but {entry['agent']} belongs to {known or 'any'}")


def _check_beside(found: Any, partners: tuple[str, ...], where: str) -> None:
    """Check the score beside strangers as the main one is checked."""
    checked_fields(found, CHECKS_BESIDE, where)
    if tuple(found["with"]) != partners:
        raise EntryError(f"{where}: with must have {', '.join(partners)}, in this order, and nothing else")
    for name, one in found["with"].items():
        checked_fields(one, {key: CHECKS_AGAINST[key] for key in (*beside.KEPT, "deals")}, f"{where} {name}")
        if len(one["deals"]) != found["games"] // 2:
            raise EntryError(f"{where} {name}: deals must have {found['games'] // 2} digits, one for each")
        compare(one, beside.match_figures(one["deals"]), f"{where} {name}")
    compare(found, beside.scores(found["with"]), where)


def checked_fields(found: Any, checks: dict[str, Check], where: str) -> dict[str, Any]:
    """Return an object that has exactly these fields, each as allowed."""
    if not isinstance(found, dict):
        raise EntryError(f"{where}: it must be an object")
    for key in found:
        if key not in checks:
            raise EntryError(f"{where}: unknown field {key}; expected {', '.join(checks)}")
    for key, (words, fits) in checks.items():
        if key not in found:
            raise EntryError(f"{where}: {key} is missing: it must be {words}")
        if not fits(found[key]):
            raise EntryError(f"{where}: {key} must be {words}, not {found[key]!r:.80}")
    return found


def compare(found: dict[str, Any], again: dict[str, Any], where: str) -> None:
    """Raise an EntryError if a figure is not what it is computed to be."""
    for key, value in again.items():
        if not np.allclose(np.array(found[key], float), np.array(value, float), rtol=0, atol=NEAR):
            raise EntryError(f"{where}: {key} is {found[key]}, but the deals make it {value}")
