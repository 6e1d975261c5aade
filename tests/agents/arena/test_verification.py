"""A verification: repeated to the digit, refused when anything of it was changed, shown as a mark."""

import copy
import hashlib
import math
from pathlib import Path

import pytest
from support.paths import ROOT

from spades_env._jit import JIT_ON
from spades_env.agents import load
from spades_env.agents.arena import benchmark, entry, leaderboard
from spades_env.agents.arena.entries import commitment, pool, verification
from spades_env.agents.arena.entry import EntryError
from spades_env.agents.base import AgentError
from spades_env.agents.digest import sealed_json
from spades_env.play.commands.cli import main

pytestmark = pytest.mark.skipif(not JIT_ON, reason="vectors need the compiler")
SECRET = "00112233445566778899aabbccddeeff"


@pytest.fixture(autouse=True)
def quick_panel(monkeypatch):
    """A panel of two that don't search."""
    monkeypatch.setattr(benchmark, "PANEL", ("rb", "club"))
    monkeypatch.setattr(benchmark, "HELD_OUT", ("club",))


@pytest.fixture
def claimed() -> entry.Entry:
    return entry.make_entry(benchmark.run("bis", games=8, jobs=1), "bis", "computed", "nothing trained", None)


@pytest.fixture
def report(claimed) -> verification.Report:
    return verification.verify(claimed, load("bis"), SECRET, {}, "none", games=8, jobs=1)


def test_a_verification_is_the_same_to_the_digit_whenever_it_is_run(claimed, report):
    again = verification.verify(claimed, load("bis"), SECRET, {}, "none", games=8, jobs=2)
    assert verification.same(report, again)
    assert again == report | {"date": again["date"]}
    other = verification.verify(claimed, load("bis"), SECRET[::-1], {}, "none", games=8, jobs=1)
    assert not verification.same(report, other)


def test_each_opponent_has_deals_of_its_own_that_follow_from_the_secret(report):
    seeds = [one["seed"] for one in report["against"].values()]
    assert seeds == [commitment.seed_of(SECRET, name) for name in ("rb", "club")]
    assert len(set(seeds)) == 2
    assert report["commitment"] == hashlib.sha256(SECRET.encode()).hexdigest()


WRONG = {
    "secret": (SECRET[::-1], "the secret does not have the hash that was published"),
    "commitment": (64 * "0", "the secret does not have the hash that was published"),
    "pool": (64 * "0", "pool must be the digest of the frozen pool of benchmark 4"),
    "score": (0.99, "score is 0.99, but the deals make it"),
    "difference": (0.0, "difference is 0.0, but the deals make it"),
    "games": (6, "against rb: deals must have 3 digits, one for each"),
    "isolation": ("chroot", "isolation must be one of podman, bwrap, none, not 'chroot'"),
    "agent": ("rb", "against must have club, in this order, and nothing else"),
    "claimed": ({"score": 2, "score_ci": [0, 1]}, "claimed: score must be a number from 0 to 1, not 2"),
}


@pytest.mark.parametrize("field", WRONG)
def test_a_changed_report_is_refused_in_a_sentence(report, field, tmp_path):
    value, words = WRONG[field]
    (tmp_path / "x.json").write_bytes(sealed_json(report | {field: value}))
    with pytest.raises(EntryError) as error:
        verification.read_report(tmp_path / "x.json")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [("seed", 7, "seed does not follow from the secret"), ("deals", "4444", "win_rate is")],
)
def test_a_changed_match_is_refused(report, key, value, words):
    bent = copy.deepcopy(report)
    bent["against"]["rb"][key] = value
    with pytest.raises(EntryError, match=f"against rb: {words}"):
        verification.checked_report(bent, "x")


def test_a_pool_that_plays_otherwise_is_refused(claimed, monkeypatch):
    monkeypatch.setitem(pool.PLAYS, "club", "0123456789abcdef")
    with pytest.raises(AgentError, match="club plays differently here from the frozen pool of benchmark 4"):
        verification.verify(claimed, load("bis"), SECRET, {}, "none", games=2, jobs=1)


def test_another_file_than_that_of_the_claim_is_refused(claimed):
    with pytest.raises(EntryError, match=r"bis: its file bot\.py is not the one that the results file was made with"):
        verification.verify(claimed, load("bis"), SECRET, {"bot.py": 64 * "0"}, "none", games=2, jobs=1)


# Marks


def published(folder: Path, report: verification.Report, date: str = "2000-01-01", name: str = "bis.json") -> None:
    verification.write_report(folder / name, report)
    row = f'[{{"sha256": "{commitment.hash_of(SECRET)}", "date": "{date}"}}]'
    (folder / commitment.LIST).write_text(row, encoding="utf-8")


def test_an_entry_gets_its_mark(claimed, report, tmp_path):
    published(tmp_path, report)
    marks = verification.marks(tmp_path, [claimed])
    assert marks == [("bis", report)]
    assert report["agrees"]
    lines = leaderboard.verifications(marks).splitlines()
    assert "`bis` ✓" in lines[-1]
    assert report["claim"][:12] in lines[-1]
    assert "| `bis` ✓ |" in leaderboard.table([claimed], marks)


@pytest.mark.parametrize("agree", [(True, False), (False, True), (False,)])
def test_one_report_that_does_not_agree_takes_the_mark(claimed, report, agree):
    """All reports are shown: nobody can verify until it agrees."""
    reports = [("bis", report | {"agrees": one}) for one in agree]
    lines = leaderboard.verifications(reports).splitlines()[2:]
    assert ["it does not agree" in line for line in lines] == [not one for one in agree]
    assert "| `bis` |" in leaderboard.table([claimed], reports)


def test_a_mark_is_for_one_claim(claimed, report, tmp_path):
    published(tmp_path, report)
    other = copy.deepcopy(claimed)
    other["against"]["rb"]["deals"] = claimed["against"]["rb"]["deals"].translate(str.maketrans("01234", "12340"))
    assert entry.claim_of(other) != entry.claim_of(claimed) == entry.claim_of(claimed | {"compute": "a core"})
    assert verification.marks(tmp_path, [other]) == verification.marks(tmp_path, [claimed | {"name": "copy"}]) == []
    with pytest.raises(EntryError, match="claimed: score is"):
        verification.marks(tmp_path, [claimed | {"score": 0.5 * claimed["score"]}])


def test_a_hash_must_have_been_published_before_and_a_secret_serves_once(claimed, report, tmp_path):
    published(tmp_path, report, date="9998-01-01")
    with pytest.raises(EntryError, match="the hash of its secret was not published before"):
        verification.marks(tmp_path, [claimed])
    published(tmp_path, report, name="again.json")
    with pytest.raises(EntryError, match="has opened this secret: commit to a new one"):
        verification.check_unopened(SECRET, tmp_path)
    with pytest.raises(EntryError, match="a secret serves once"):
        verification.marks(tmp_path, [claimed])
    (tmp_path / commitment.LIST).write_text('[{"sha256": "00"}]', encoding="utf-8")
    with pytest.raises(EntryError, match="must be a list of objects with sha256"):
        verification.marks(tmp_path, [claimed])


def test_the_reports_that_are_published_hold(monkeypatch):
    monkeypatch.undo()
    entries = leaderboard.read_entries(ROOT / "docs" / "results", ROOT / "entries")
    reports = verification.marks(ROOT / "docs" / "results" / "verified", entries)
    assert [report["agrees"] for name, report in reports if name == "counter"] == [True]


# The difference of two shares


def wilson(wins: int, games: int) -> tuple[float, tuple[float, float]]:
    z, p = 1.959964, wins / games
    middle, width = p + z * z / (2 * games), z * math.sqrt(p * (1 - p) / games + (z / (2 * games)) ** 2)
    return p, ((middle - width) / (1 + z * z / games), (middle + width) / (1 + z * z / games))


def test_the_interval_of_a_difference_is_newcombes():
    apart, ends = verification.difference(*wilson(56, 70), *wilson(48, 80))
    assert apart == pytest.approx(0.2)
    assert ends == pytest.approx((0.0524, 0.3339), abs=1e-4)  # his example


# The command


def test_from_a_commitment_to_a_checked_report(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(benchmark, "LEAST_GAMES", 4)
    made = ["benchmark", "bis", "--compute", "nothing trained", "--games", "4", "--jobs", "1", "--out", "bis.json"]
    assert main(made) == 0
    assert main(["benchmark", "--commit", "secret", "--out", "commitments.json"]) == 0
    assert Path("secret").stat().st_mode & 0o077 == 0
    assert commitment.read_secret("secret") not in Path("commitments.json").read_text(encoding="utf-8")
    Path("reports").mkdir()
    Path("reports/commitments.json").write_bytes(Path("commitments.json").read_bytes())
    verify = ["benchmark", "--verify", "bis.json", "--jobs", "1"]
    assert main([*verify, "--secret", "secret", "--out", "reports/bis.json"]) == 0
    assert "it agrees" in capsys.readouterr().out
    assert verification.read_report("reports/bis.json")["games"] == 4  # as many as were claimed
    assert main(["benchmark", "--check", "reports/bis.json"]) == 0
    assert main([*verify, "--check", "reports/bis.json"]) == 0
    assert "The report: reports/bis.json" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name an agent, or one of --commit, --verify, --check"),
        (["rule", "--check", "x"], "leave out rule: --commit, --verify and --check take no agent"),
        (["rule", "--isolate", "bwrap"], "--secret goes with --verify, and --isolate with that or with a bot's folder"),
        (["--check", "x", "--limit-ms", "1"], "leave out --limit-ms: --commit, --verify and --check don't take it"),
        (["--verify", "x"], "--verify needs --secret FILE, or --check REPORT"),
        (["--commit", "x", "--check", "y"], "--commit stands alone"),
        (["--verify", "x", "--secret", "y", "--out"], "--out needs a file here"),
        (["--check", "x.json"], "x.json cannot be read: No such file"),
        (["--check", "x.json", "--games", "8"], "--check takes no --out and no --games"),
        (["--check", "x.json", "--isolate", "bwrap"], "--isolate and --jobs go with --verify, which plays"),
        ([f"cmd:python3 -c '{300 * 'x'}'", "--out"], "name must be a line of 1 to 60 characters"),
    ],
)
def test_wrong_usage_is_named(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["benchmark", *words]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_secret_is_never_overwritten_or_misread(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["benchmark", "--commit", "secret"]) == 0
    before = Path("secret").read_bytes()
    assert main(["benchmark", "--commit", "secret"]) == 2
    assert Path("secret").read_bytes() == before
    Path("other").write_text("nothing", encoding="utf-8")
    with pytest.raises(EntryError, match="other has no secret: it must be 32 hexadecimal digits"):
        commitment.read_secret("other")
