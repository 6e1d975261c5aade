"""Results files of the benchmark: written whole, read with every field checked, shown by track."""

import copy

import pytest
from support.agents.levels import level_file
from support.paths import ROOT

from spades_env._jit import JIT_ON
from spades_env.agents.arena import benchmark, entry, leaderboard, tracks
from spades_env.agents.arena.entry import EntryError
from spades_env.agents.arena.tracks import Times
from spades_env.agents.base import AgentError
from spades_env.agents.digest import sealed_json
from spades_env.play.commands.cli import main

pytestmark = pytest.mark.skipif(not JIT_ON, reason="searches and vectors need the compiler")
TIMES = Times(decisions=200, mean=0.4, median=0.3, within=0.9)


@pytest.fixture(scope="module")
def found() -> entry.Entry:
    """The entry of `bis`, of four games."""
    row = benchmark.run("bis", games=4, seen=["rule"])
    return entry.make_entry(row, "bis", "computed", "nothing trained", TIMES, limit_ms=1, name="Bis")


def test_what_is_written_is_read(found, tmp_path):
    entry.write_entry(tmp_path / "bis.json", found)
    assert entry.read_entry(tmp_path / "bis.json") == found
    assert [path.name for path in tmp_path.iterdir()] == ["bis.json"]
    assert (found["name"], found["agent"], found["track"], found["track_known"]) == ("Bis", "bis", "computed", True)
    assert found["files"] == {}


WRONG = {
    "score": (0.9, "score is 0.9, but the deals make it"),
    "score_ci": ([0.0, 1.0], "score_ci is"),
    "held_out": ("half", "held_out must be a number from 0 to 1, not 'half'"),
    "track": ("fast", "track must be one of raw, computed, search, words, not 'fast'"),
    "track_known": (False, "belongs to"),
    "points_per_hand": (99.0, "points_per_hand is 99.0, but the deals make it"),
    "limit_ms": (7, "limit_ms must be one of 1, 10, 100, or null, not 7"),
    "benchmark": (3, "benchmark must be 4: others are not comparable, not 3"),
    "games": (6, "against rb: deals must have 3 digits, one for each"),
    "date": ("2026-11-31", "date must be a date, written YYYY-MM-DD, not '2026-11-31'"),
    "compute": (" ", "compute must be a line of 1 to 300 characters"),
    "files": ({"x": "12"}, "files must be an object: the SHA-256 of each file by its name"),
    "ms": (None, "limit_ms is 1, but ms.within is not within it"),
    "seen": (["standard"], "seen must be a list of rb"),
    "by_protocol": (True, "by_protocol is True, but the deals make it False"),
    "agent": ("rb", "against must have bis, club"),
    "name": ("a | b", "name must be a line of 1 to 60 characters without | and `, not 'a | b'"),
    "stats": ({}, "stats must be an object with mean_bid"),
    "machine": ({}, "machine must be an object with processor"),
    "more": (1, "unknown field more; expected format"),
    "tokens": ({"prompt_tokens": 7}, "tokens must be an object with prompt_tokens, completion_tokens of a decision"),
    "failures": (
        {"illegal": -1, "unreadable": 0, "timeouts": 0, "crashes": 0},
        "failures must be an object with illegal",
    ),
}
OUT_OF_BOUNDS = (10**30, -(10**30), 10**400, float("inf"), float("nan"), 1e300)


def numbers_in(part, path: tuple = ()):
    """Yield the path of every number."""
    if isinstance(part, int | float):
        yield path
    for key, inner in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
        yield from numbers_in(inner, (*path, key))


def test_numbers_out_of_bounds_are_refused_wherever_they_stand(found, tmp_path):
    """In `machine` they are words."""
    paths: list[tuple] = [path for path in numbers_in(found) if "machine" not in path and "club" not in path]
    assert len(paths) > 100
    for path in paths:
        for number in OUT_OF_BOUNDS:
            bent = copy.deepcopy(found)
            part = bent
            for key in path[:-1]:
                part = part[key]
            part[path[-1]] = number
            with pytest.raises(EntryError) as error:
                entry.checked_entry(bent, "x.json")
            assert str(error.value).startswith("x.json: ")
            assert len(str(error.value)) < 400


@pytest.mark.parametrize("field", WRONG)
def test_a_wrong_field_is_named(found, field, tmp_path):
    value, words = WRONG[field]
    (tmp_path / "x.json").write_bytes(sealed_json(found | {field: value}))
    with pytest.raises(EntryError) as error:
        entry.read_entry(tmp_path / "x.json")
    assert words in str(error.value)
    assert "x.json" in str(error.value)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("win_rate", 0.123, "against rule: win_rate is 0.123"),
        ("win_rate_ci", [0.2, 0.1], "against rule: win_rate_ci must be two numbers from 0 to 1, the lower first"),
        ("deals", "45", "against rule: deals must be a digit from 0 to 4 for each deal"),
        ("seen", False, "against rule: seen is False"),
        ("illegal", -1, "against rule: illegal must be a whole number from 0 on"),
    ],
)
def test_a_wrong_figure_of_a_match_is_named(found, key, value, words, tmp_path):
    bent = copy.deepcopy(found)
    bent["against"]["rule"][key] = value
    with pytest.raises(EntryError, match=words.replace(".", r"\.")):
        entry.checked_entry(bent, "x")


def test_what_is_no_entry_at_all_is_refused(found, tmp_path):
    refused = {
        b"[]": "it is not a JSON object",
        b"{": "it is not JSON",
        b"{}": "it is damaged, or never had a digest",
    }
    for content, words in (refused | {sealed_json({}): "format is missing"}).items():
        (tmp_path / "x.json").write_bytes(content)
        with pytest.raises(EntryError, match=words):
            entry.read_entry(tmp_path / "x.json")
    with pytest.raises(EntryError, match="cannot be read"):
        entry.read_entry(tmp_path / "y.json")


def test_the_leaderboard_sorts_by_track_and_score(found, tmp_path):
    other = found | {"name": "Other", "track": "raw", "limit_ms": None}
    shown = leaderboard.markdown([found, other])
    assert shown.index("### Track raw") < shown.index("`Other`") < shown.index("### Track computed")
    assert "### Track search" not in shown
    assert shown.count("`Other`") == 1
    assert "| 1 ms | `Bis` | computed |" in shown[shown.index("### Time limits") :]
    head, line = leaderboard.header().split("\n")[0], leaderboard.row(found)
    assert head.count("|") == line.count("|")
    assert "±" not in line
    assert line.count(leaderboard.SEEN) == 1
    assert leaderboard.markdown([]) == leaderboard.about([]) == leaderboard.NOTHING


def test_two_entries_are_compared_deal_by_deal(found):
    better = copy.deepcopy(found)
    for one in better["against"].values():
        one["deals"] = "".join(str(min(4, int(digit) + 1)) for digit in one["deals"])
    apart, (low, high) = leaderboard.difference(better, found)
    gained = [int(x) < 4 for one in found["against"].values() for x in one["deals"]]
    assert apart == pytest.approx(sum(gained) / 4 / 2 / 6)
    assert low is not None
    assert high is not None
    assert low <= apart <= high
    assert leaderboard.difference(found, found) == (0.0, (0.0, 0.0))
    shorter = found | {"games": 2}
    assert leaderboard.difference(found, shorter) == (0.0, (None, None))


def test_a_trial_has_no_place_on_it(found, tmp_path):
    entry.write_entry(tmp_path / "bis.json", found)
    with pytest.raises(EntryError, match="is a trial"):
        leaderboard.read_entries(tmp_path)
    assert leaderboard.read_entries(tmp_path / "none") == []


def test_texts_of_strangers_are_nothing_but_text(found):
    bent = found | {"compute": "<script> *a* | [b](c)"}
    assert r"&lt;script&gt; \*a\* \| \[b\](c)" in leaderboard.about([bent])


def test_shares_are_printed_with_both_ends():
    assert leaderboard.share(0.95, (0.776, 0.9881)) == "95.0 [77.6, 98.8]"
    assert leaderboard.points(-1.26, (-2.0, 0.5)) == "-1.3 [-2.0, +0.5]"
    assert leaderboard.points(3.0, (None, None)) == "+3.0"


def test_the_entries_that_are_shipped_can_be_read():
    entries = leaderboard.read_entries(ROOT / "docs" / "results")
    assert {"rule", "club", "standard", "zofia", "random"} <= {one["name"] for one in entries}
    assert all(one["track_known"] for one in entries)


def test_the_entries_that_are_shipped_state_the_training_that_their_levels_record():
    for one in leaderboard.read_entries(ROOT / "docs" / "results"):
        recorded, _ = tracks.training_of(one["agent"])
        assert one["compute"].startswith(recorded or "")


# Tracks


@pytest.mark.parametrize(
    ("name", "track"),
    [
        ("random", "raw"),
        ("rule", "computed"),
        ("rule/club", "computed"),
        ("standard", "raw"),
        ("milly", "raw"),
        ("rule/standard", "computed"),
        ("nowhere/x.onnx", "raw"),
        ("zofia", "search"),
        ("standard+ending:3", "search"),
        ("standard+against:rule:64", "search"),
        ("standard+temperature:0.5", "raw"),
        ("bis/mc:30x30", "search"),
        ("pimc:20/rule", "search"),
        ("ismcts:100", "search"),
        ("mine:policy", None),
        ("cmd:python3 bot.py", None),
        ("rule/cmd:python3 bot.py", None),
        ("mc:8x8/mine:policy", "search"),
    ],
)
def test_what_a_string_tells(name, track):
    assert tracks.track_of(name) == track


def test_a_track_that_the_string_belies_is_refused():
    assert tracks.checked_track("mine:policy", "raw") == ("raw", False)
    assert tracks.checked_track("rule", None) == ("computed", True)
    with pytest.raises(AgentError, match="zofia belongs to the track search, not to raw: search tries actions out"):
        tracks.checked_track("zofia", "raw")
    with pytest.raises(AgentError, match="unknown track 'fast'; expected raw, computed, search"):
        tracks.checked_track("rule", "fast")


def test_files_behind_a_string_are_named_with_their_digests(tmp_path):
    path = level_file(tmp_path, "x.safetensors")
    digests = entry.digests_of(f"bis/{path}")
    assert list(digests) == ["x.safetensors"]
    assert digests == entry.digests_of(str(path))
    zofia = ["zofia.safetensors", "beliefs.safetensors", "zofia in roster.toml"]  # all by which she plays
    assert list(entry.digests_of("zofia")) == zofia
    (tmp_path / "other").mkdir()
    twice = level_file(tmp_path / "other", "x.safetensors", seed=1)
    assert list(entry.digests_of(f"{path}/{twice}")) == ["x.safetensors", "x.safetensors#2"]


# The command


def test_the_command_writes_a_results_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["benchmark", "rb/bis", "--games", "2", "--jobs", "1", "--compute", "nothing trained"]
    assert main([*words, "--limit-ms", "100", "--out"]) == 0
    out = capsys.readouterr().out
    assert "The results file: rb-bis.json" in out
    assert "Limit: 100 ms a decision." in out
    found = entry.read_entry("rb-bis.json")
    assert (found["agent"], found["limit_ms"], found["ms"]["decisions"]) == ("rb/bis", 100, 200)
    assert main([*words, "--out"]) == 2
    assert "rb-bis.json is there already" in capsys.readouterr().err


def test_a_level_says_itself_what_its_training_took(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    trained = {"decisions": 25_941_255, "seconds": 8394}
    path = level_file(tmp_path, "x.safetensors", trained=trained, recipe='{"start": ""}')
    assert tracks.training_of(f"{path}+temperature:1") == ("25.9 M decisions in 2 h 20 min", True)
    monkeypatch.setattr(benchmark, "PANEL", ("rb", "club"))
    monkeypatch.setattr(benchmark, "HELD_OUT", ("club",))
    words = ["--games", "2", "--jobs", "1", "--name", "x", "--out"]
    assert main(["benchmark", str(path), *words, "x.json"]) == 0
    assert entry.read_entry("x.json")["compute"] == "25.9 M decisions in 2 h 20 min"
    assert main(["benchmark", f"rule/{path}", *words, "y.json", "--compute", "two cores"]) == 0
    assert entry.read_entry("y.json")["compute"] == "25.9 M decisions in 2 h 20 min; two cores"


@pytest.mark.parametrize(
    ("level", "told"),
    [
        ({"trained": {"decisions": 500, "seconds": 3}}, ("500 decisions in 1 min", True)),
        (
            {"trained": {"decisions": 500, "seconds": 3}, "recipe": '{"start": "a/run"}'},
            ("500 decisions in 1 min from a/run", False),
        ),
        ({"trained": {"decisions": "many", "seconds": 3}}, (None, False)),
        ({"trained": {}}, (None, False)),
    ],
)
def test_a_level_may_say_less_than_all(level, told, tmp_path):
    assert tracks.training_of(str(level_file(tmp_path, "x.safetensors", **level))) == told
    assert tracks.training_of("rule/cmd:python3 bot.py") == (None, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rule", "--out"], "--out needs --compute"),
        (
            ["noor", "--out"],
            "--out needs --compute: decisions, hours and hardware beside 11.1 M decisions in 5 min from",
        ),
        (["standard", "--compute", 280 * "x", "--out"], "compute must be a line of 1 to 300 characters"),
        (["cmd:true", "--compute", "none", "--out"], "--out needs --track, as nothing is known of cmd:true"),
        (["rule", "--compute", "", "--out"], "compute must be a line of 1 to 300 characters"),
        (["rule", "--compute", "none", "--name", "x" * 61, "--out"], "name must be a line of 1 to 60 characters"),
        (["bis/" * 16 + "bis", "--compute", "none", "--out"], "name must be a line of 1 to 60 characters"),
        (["rule", "--compute", "none", "--out", "x.txt"], "a file that ends with .json, not to x.txt"),
        (["rule", "--compute", "none", "--out", "no/x.json"], "there is no folder no to write the results to"),
        (["rule", "--track", "raw"], "rule belongs to the track computed, not to raw"),
        (["zofia+trial:500", "--limit-ms", "1"], "zofia+trial:500 does not keep to 1 ms: 95 of 100 decisions take up"),
        (["oracle", "--limit-ms", "1"], "oracle sees all cards: no limit of time applies to it"),
    ],
)
def test_what_is_missing_is_said_before_a_game(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["benchmark", *words]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
