"""A verification: an entry's bot, run by somebody else on deals that follow from a secret.

    found = verification.verify(claimed, player, secret, files=digests, way="bwrap", games=200)
    write_report(path, found)
    read_report(path)                      checked: the secret fits its hash, the figures follow from the deals
    marks(folder, entries)                 the reports that hold for these entries, each with the entry's name

The hash of the secret was published before (commitment.py), and the report opens the secret. So anybody can see that
the deals weren't chosen, and play them again. A report holds for one claim: another file or figure has another digest.
"""

import math
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from spades_env._version import __version__
from spades_env.agents.arena import benchmark, entry
from spades_env.agents.arena.entries import commitment, isolation, pool
from spades_env.agents.arena.entries.beside import match_figures
from spades_env.agents.arena.entry import CHECKS, Check, Entry, EntryError, checked_fields, compare
from spades_env.agents.arena.match import Jobs
from spades_env.agents.atomic_files import write_whole
from spades_env.agents.base import Agent
from spades_env.agents.digest import DamagedError, read_sealed_json, sealed_json
from spades_env.game.secret_deals import SECRET

FORMAT = "spades benchmark verification 1"
Report = dict[str, Any]


def verify(
    claimed: Entry,
    player: Agent,
    secret: str,
    files: dict[str, str],
    way: str,
    games: int = benchmark.GAMES,
    jobs: Jobs = None,
    progress: benchmark.Progress | None = None,
) -> Report:
    """Play an entry's bot on the deals of the secret and compare the score with the claimed one.

    files: the SHA-256 of each file behind the player, which must be those of the claim
    way: how the player is isolated, one of `isolation.WAYS`
    """
    pool.check()
    check_files(claimed, files)
    seeds = {name: commitment.seed_of(secret, name) for name in benchmark.opponents_of(claimed["agent"])}
    results = benchmark.meet_panel(player, games, seeds.__getitem__, jobs, progress)
    row = benchmark.PanelRow(claimed["agent"], player.cheats, tuple(claimed["seen"]), games, None, results)
    deals = {name: benchmark.digits_of(one) for name, one in results.items()}
    against = {name: {"seed": seeds[name], **match_figures(one), "deals": one} for name, one in deals.items()}
    facts = {"format": FORMAT, "benchmark": benchmark.VERSION, "version": __version__}
    facts |= {"date": today(), "name": claimed["name"], "agent": claimed["agent"]}
    facts |= {"claim": entry.claim_of(claimed), "isolation": way, "pool": pool.digest()}
    facts |= {"commitment": commitment.hash_of(secret), "secret": secret, "games": games}
    facts |= {"faults": sum(row.failures.values()), "points_per_hand": row.points_per_hand}
    facts |= {"claimed": {key: claimed[key] for key in ("score", "score_ci")}}
    return checked_report(facts | _conclusion(facts, against) | {"against": against}, "the report")


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def check_files(claimed: Entry, files: dict[str, str]) -> None:
    """Raise an EntryError if the bot's files are not those of the claim."""
    for name in sorted({*files, *claimed["files"]}):
        if files.get(name) != claimed["files"].get(name):
            raise EntryError(f"{claimed['name']}: its file {name} is not the one that the results file was made with")


def difference(a: float, a_ci: Sequence[float], b: float, b_ci: Sequence[float]) -> tuple[float, tuple[float, float]]:
    """Return a − b of two independent shares and its 95 % interval (Newcombe), from their own intervals."""
    low = math.hypot(a - a_ci[0], b_ci[1] - b)
    high = math.hypot(a_ci[1] - a, b - b_ci[0])
    return a - b, (max(-1.0, a - b - low), min(1.0, a - b + high))


def write_report(path: str | os.PathLike, report: Report) -> None:
    write_whole(path, sealed_json(report, indent=1, ensure_ascii=False, allow_nan=False))


def read_report(path: str | os.PathLike) -> Report:
    """Read a report and check all of it that can be checked without playing."""
    try:
        return checked_report(read_sealed_json(path), os.fspath(path))
    except OSError as error:
        raise EntryError(f"{os.fspath(path)} cannot be read: {error.strerror}") from None
    except DamagedError as error:
        raise EntryError(f"{os.fspath(path)} cannot be read: {error}") from None


def check_published(secret: str, date: str, path: str | os.PathLike) -> None:
    """Raise an EntryError unless the list beside a report has the hash of its secret, from its date or before."""
    published = Path(path).parent / commitment.LIST
    if commitment.read_list(published).get(commitment.hash_of(secret), "9999") > date:
        raise EntryError(f"{os.fspath(path)}: the hash of its secret was not published before in {published}")


def check_unopened(secret: str, folder: Path) -> None:
    """Raise an EntryError if a report in a folder has opened this secret."""
    for path in reports_in(folder):
        if read_report(path)["secret"] == secret:
            raise EntryError(f"{path} has opened this secret: commit to a new one, as a secret serves once")


def reports_in(folder: Path) -> list[Path]:
    return sorted(set(folder.glob(f"*{entry.SUFFIX}")) - {folder / commitment.LIST})


def marks(folder: Path, entries: Iterable[Entry]) -> list[tuple[str, Report]]:
    """Return the reports in a folder that hold for these entries, each with the entry's name."""
    claims = {(entry.claim_of(one), one["name"]): one for one in entries}
    found, opened = list[tuple[str, Report]](), set[str]()
    for path in reports_in(folder):
        report = read_report(path)
        check_published(report["secret"], report["date"], path)
        if report["secret"] in opened:
            raise EntryError(f"{path}: its secret was opened by another report: a secret serves once")
        opened.add(report["secret"])
        if one := claims.get((report["claim"], report["name"])):
            if report["games"] < (least := min(benchmark.LEAST_GAMES, one["games"])):
                raise EntryError(f"{path}: games must be {least} at least: fewer agree with any claim")
            compare(report["claimed"], {key: one[key] for key in report["claimed"]}, f"{path}: claimed")
            found.append((one["name"], report))
    return found


def same(report: Report, again: Report) -> bool:
    """Return whether two runs gave the same results to the digit."""
    return all(report[key] == again[key] for key in ("claim", "secret", "games", "score", "against"))


HEX = ("64 hexadecimal digits", lambda x: isinstance(x, str) and len(x) == 64 and not set(x) - set("0123456789abcdef"))
SIGNED = ("two numbers from -1 to 1, the lower first", lambda x: CHECKS["points_per_hand_ci"][1](x) and None not in x)
OBJECT = ("an object", lambda x: isinstance(x, dict))
REPORT_CHECKS: dict[str, Check] = {
    "format": (f'"{FORMAT}"', lambda x: x == FORMAT),
    **{key: CHECKS[key] for key in ("benchmark", "version", "date", "name", "agent")},
    "claim": HEX,
    "isolation": (f"one of {', '.join(isolation.WAYS)}", lambda x: x in tuple(isolation.WAYS)),
    "pool": (f"the digest of the frozen pool of benchmark {benchmark.VERSION}", lambda x: x == pool.digest()),
    "commitment": HEX,
    "secret": ("32 hexadecimal digits", lambda x: isinstance(x, str) and bool(SECRET.fullmatch(x))),
    "games": CHECKS["games"],
    "faults": ("a whole number from 0 on", CHECKS["seed"][1]),
    "points_per_hand": CHECKS["points_per_hand"],
    "claimed": OBJECT,
    **{key: CHECKS[key] for key in ("score", "score_ci", "held_out", "held_out_ci")},
    "difference": CHECKS["points_per_hand"],
    "difference_ci": SIGNED,
    "agrees": CHECKS["cheats"],
    "against": OBJECT,
}
AGAINST_CHECKS: dict[str, Check] = {
    "seed": CHECKS["seed"],
    **{key: entry.CHECKS_AGAINST[key] for key in ("win_rate", "win_rate_ci", "deals")},
}


def checked_report(found: Any, where: str) -> Report:
    """Return a report if its secret fits the hash, its seeds the secret, and its figures the deals."""
    report = checked_fields(found, REPORT_CHECKS, where)
    checked_fields(report["claimed"], {key: CHECKS[key] for key in ("score", "score_ci")}, f"{where}: claimed")
    if commitment.hash_of(report["secret"]) != report["commitment"]:
        raise EntryError(f"{where}: the secret does not have the hash that was published: commitment is another")
    if tuple(report["against"]) != (opponents := benchmark.opponents_of(report["agent"])):
        raise EntryError(f"{where}: against must have {', '.join(opponents)}, in this order, and nothing else")
    for name, one in report["against"].items():
        checked_fields(one, AGAINST_CHECKS, f"{where}: against {name}")
        if one["seed"] != commitment.seed_of(report["secret"], name):
            raise EntryError(f"{where}: against {name}: seed does not follow from the secret")
        if len(one["deals"]) != report["games"] // 2:
            raise EntryError(f"{where}: against {name}: deals must have {report['games'] // 2} digits, one for each")
        compare(one, match_figures(one["deals"]), f"{where}: against {name}")
    compare(report, _conclusion(report, report["against"]), where)
    return report


def _conclusion(facts: Report, against: dict[str, dict]) -> dict[str, Any]:
    """Return what follows from the deals and the claimed score."""
    found = benchmark.scores({name: benchmark.shares_of(one["deals"]) for name, one in against.items()})
    apart, ends = difference(found["score"], found["score_ci"], facts["claimed"]["score"], facts["claimed"]["score_ci"])
    return found | {"difference": apart, "difference_ci": list(ends), "agrees": ends[0] <= 0 <= ends[1]}
