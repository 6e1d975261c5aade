"""`spades generate`: what is written is what was played, hidden cards stay apart, a kill leaves nothing half done."""

import importlib.util
import json
import shlex
import shutil
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from support.agents.levels import level_file
from support.flips import assert_noticed, flipped, places
from support.paths import ROOT

from spades_env import Game, Rules, agents
from spades_env.agents import Batch, digest
from spades_env.agents.arena.benchmark import SEED
from spades_env.agents.arena.lockstep import derived_seed
from spades_env.game.cards import PHASES
from spades_env.game.observe import NUM_FEATURES
from spades_env.play.commands.cli import main, parser
from spades_env.training.data.dataset import asked_for, read_manifest
from spades_env.training.data.generate import HANDS_OF_TABLE, UNKNOWN, Columns, DatasetPlan, PlanError, play_shard
from spades_env.training.data.likelihood import likelihood
from spades_env.training.data.shards import MEANINGS, is_as_written

pq = pytest.importorskip("pyarrow.parquet", reason="datasets need pyarrow")

RULES = "classic target=100 blind_nil_deficit=0 blind_nil_pass=1"
HANDS, SHARD = 21, 18


def generated(folder: Path, *words: str) -> Path:
    given = ["--agent", "rule", "--agent", "bis", "--hands", str(HANDS), "--shard-hands", str(SHARD), "--seed", "5"]
    assert main(["generate", *given, "--rules", RULES, "--out", str(folder), *words]) == 0
    return folder


@pytest.fixture(scope="module")
def dataset(tmp_path_factory) -> Path:
    return generated(tmp_path_factory.mktemp("data") / "set")


def rows(folder: Path, table: str) -> list[dict]:
    return [row for path in sorted((folder / table).glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def games(folder: Path) -> list[tuple[dict, dict, list[dict]]]:
    """Each hand with its deal and its decisions."""
    decisions: dict[int, list[dict]] = {}
    for row in rows(folder, "decisions"):
        decisions.setdefault(row["hand_id"], []).append(row)
    return [
        (h, d, decisions[h["hand_id"]])
        for h, d in zip(rows(folder, "hands"), rows(folder, "hidden_deals"), strict=True)
    ]


def test_every_hand_plays_again_as_it_is_told(dataset):
    rules = Rules.parse(RULES)
    found = games(dataset)
    assert [hand["hand_id"] for hand, _, _ in found] == list(range(HANDS))
    for hand, deal, decisions in found:
        sides = {name: hand[f"{name}_before"][: rules.sides] for name in ("scores", "bags")}
        game = Game(rules, seed=hand["seed"], dealer=hand["dealer"], hand_number=hand["hand_number"], **sides)
        assert [sorted(cards) for cards in game.hands] == [
            sorted(deal[seat]) for seat in ("south", "west", "north", "east")
        ]
        for step, row in enumerate(decisions):
            view = game.view(game.turn)
            assert (row["step"], row["seat"], row["phase"]) == (step, game.turn, game.phase)
            assert np.array_equal(np.frombuffer(row["mask"], np.int8), view.action_mask)
            assert len(row["observation"]) == NUM_FEATURES
            assert np.array_equal(np.frombuffer(row["observation"], np.int8), observation_of(game))
            game.apply(row["action"])
        result = game.results[0]
        assert result.bids == hand["bids"]
        assert result.tricks == hand["tricks"]
        assert result.points == hand["points"][: rules.sides]
        assert result.scores == hand["scores_after"][: rules.sides]
        assert {row["seat"]: row["tricks"] for row in decisions} == dict(enumerate(hand["tricks"]))
        assert hand["reward"][0] == result.points[0] - result.points[1] == -hand["reward"][1]
        assert {row["reward"] for row in decisions if row["seat"] == 1} == {hand["reward"][1]}


def observation_of(game: Game) -> np.ndarray:
    from spades_env.game.observe import OF_RULES, rules_features, write_features
    from spades_env.game.state import compile_rules

    out = np.zeros(NUM_FEATURES, np.int8)
    write_features(game.view(game.turn).state[0], compile_rules(game.rules)[0], game.turn, out)
    out[OF_RULES] = rules_features(game.rules)
    return out


def test_the_agents_decided_it(dataset):
    bots = [agents.load(name) for name in ("rule", "bis")]
    rules = Rules.parse(RULES)
    for hand, _, decisions in games(dataset)[:5]:
        sides = {name: hand[f"{name}_before"][: rules.sides] for name in ("scores", "bags")}
        game = Game(rules, seed=hand["seed"], dealer=hand["dealer"], hand_number=hand["hand_number"], **sides)
        for row in decisions:
            bot = bots[row["seat"] % 2]
            assert row["agent"] == bot.name
            assert row["action"] == bot.act(game.view(game.turn))
            game.apply(row["action"])


# Behaviour


def decided(names: list[str], epsilon: float = 0.0, hands: int = 20) -> Columns:
    plan = DatasetPlan.of(names, Rules.parse("classic blind_nil_deficit=0"), hands, epsilon=epsilon)
    played = play_shard(plan, 0, plan.agents())
    assert played
    return played["decisions"]


def test_a_bot_that_always_answers_the_same_was_sure_of_it():
    rows = decided(["rule"])
    assert (rows["probability"] == 1).all()
    assert (rows["choice"] == rows["action"]).all()


def test_with_epsilon_other_actions_are_played_too():
    rows = decided(["rule"], epsilon=0.25, hands=100)
    legal, chosen = rows["mask"].sum(axis=1), rows["choice"] == rows["action"]
    assert rows["mask"][np.arange(len(legal)), rows["action"]].all()
    expected = np.where(chosen, 0.75, 0) + 0.25 / legal
    assert rows["probability"] == pytest.approx(expected)
    away = np.mean(0.25 * (1 - 1 / legal))
    assert np.mean(~chosen) == pytest.approx(away, abs=4 * np.sqrt(away / len(legal)))


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_the_random_player_takes_any_action_alike(epsilon):
    rows = decided(["random"], epsilon)
    assert rows["probability"] == pytest.approx(1 / rows["mask"].sum(axis=1))


@pytest.mark.parametrize("name", ["milly+temperature:0.5", "random/milly+temperature:2"])
def test_a_level_that_samples_says_how_likely_each_action_was(name):
    game, agent = Game("classic", seed=4), agents.load(name)
    while game.phase != "play":
        game.apply(game.legal_actions()[-1])
    view = game.view(game.turn)
    for action, chance in agent.hint(view):
        taken, legal = np.array([action]), view.action_mask[None].astype(bool)
        assert likelihood(agent, Batch.of([view]), legal, taken, taken) == pytest.approx(chance)


def test_a_search_cannot_say(tmp_path):
    folder = generated(tmp_path / "set", "--agent", "mc:1x1", "--agent", "rb", "--hands", "1", "--epsilon", "0.1")
    told = {row["agent"]: row["probability"] for row in rows(folder, "decisions")}
    assert told["mc:1x1"] is None
    assert 0 < told["rb"] <= 1


@pytest.mark.parametrize("epsilon", ["1.5", "-0.1", "nan"])
def test_a_share_is_from_0_to_1(epsilon, tmp_path, capsys):
    words = ["--agent", "rule", "--hands", "1", "--epsilon", epsilon, "--out", str(tmp_path / "x")]
    assert main(["generate", *words]) == 2
    assert "epsilon must be from 0 to 1" in capsys.readouterr().err


# Games


def test_games_go_on_from_hand_to_hand_and_are_decided(dataset):
    hands = rows(dataset, "hands")
    for before, after in pairwise(hands):
        if after["hand_number"]:
            assert (after["seed"], after["hand_number"]) == (before["seed"], before["hand_number"] + 1)
            assert after["scores_before"] == before["scores_after"]
            assert after["winner"] == before["winner"]
        else:
            assert after["hand_id"] % SHARD % HANDS_OF_TABLE == 0 or max(before["scores_after"]) >= 100
    assert {hand["winner"] for hand in hands} <= {0, 1, -1, None}
    for row in rows(dataset, "decisions"):
        winner = hands[row["hand_id"]]["winner"]
        assert row["won"] == (None if winner is None else 0 if winner < 0 else 1 if row["seat"] % 2 == winner else -1)


def test_decisions_tell_no_hidden_cards(dataset):
    """No column holds hidden cards or the seed of the deal, so models may train on every column."""
    names = set(pq.read_schema(next((dataset / "decisions").glob("*"))).names)
    assert not names & {"south", "west", "north", "east", "hands", "deal", "seed"}
    for row in rows(dataset, "decisions"):
        assert row["phase"] in PHASES


def test_the_manifest_tells_what_there_is(dataset):
    manifest = json.loads((dataset / "manifest.json").read_text())
    assert (manifest["complete"], manifest["hands"], manifest["agents"]) == (
        True,
        HANDS,
        ["rule", "bis", "rule", "bis"],
    )
    assert manifest["rows"] == {table: len(rows(dataset, table)) for table in ("hidden_deals", "hands", "decisions")}


def test_the_card_tells_how_it_was_made(dataset):
    card = (dataset / "README.md").read_text(encoding="utf-8")
    told = json.loads((dataset / "manifest.json").read_text())
    assert card.startswith("---\nlicense: mit\n")
    for table, columns in MEANINGS.items():
        assert f"| `{table}` | {told['rows'][table]:,} |" in card
        assert f"  - config_name: {table}\n    data_files: {table}/*.parquet" in card
        assert all(f"| `{name}` | `{kind}` |" in card for name, (kind, _) in columns.items())
    command = next(line for line in card.splitlines() if line.startswith("    spades generate"))
    made = parser("generate").parse_args(shlex.split(command)[1:])
    plan = DatasetPlan.of(made.agent, Rules.of(made.rules), made.hands, made.seed, made.shard_hands, made.epsilon)
    assert asked_for(plan).items() <= told.items()


def test_policies_of_others_play_too(tmp_path, monkeypatch):
    """They are asked with views, which need the rules by name."""
    (tmp_path / "mine.py").write_text("def policy(view):\n    return view.legal_actions()[0]\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = generated(tmp_path / "set", "--agent", "mine:policy", "--agent", "rule")
    assert {row["agent"] for row in rows(folder, "decisions")} >= {"mine:policy"}


def contents(folder: Path) -> dict[str, bytes]:
    """What a reader of the folder finds."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_any_number_of_threads_writes_the_same(dataset, tmp_path):
    assert contents(generated(tmp_path / "one", "--jobs", "1")) == contents(dataset)


def test_what_is_missing_is_played_to_the_same_bytes(dataset, tmp_path):
    folder = generated(tmp_path / "again")
    (folder / "decisions" / "00001.parquet").unlink()
    (folder / "hands" / "00001.parquet").unlink()
    (folder / "decisions" / ".00001.parquet.1-1.part").write_bytes(b"half of it")
    assert contents(generated(folder)) == contents(dataset)


DAMAGE = {
    "emptied": lambda whole, other: b"",
    "one byte changed": lambda whole, other: flipped(whole, 200),
    "another shard": lambda whole, other: other,
}


@pytest.mark.parametrize("table", ["decisions", "hands", "hidden_deals"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_shard_is_played_again(dataset, tmp_path, table, damage, caplog):
    folder = Path(shutil.copytree(dataset, tmp_path / "set"))
    path, other = (folder / table / f"{number:05}.parquet" for number in (1, 0))
    path.write_bytes(DAMAGE[damage](path.read_bytes(), other.read_bytes()))
    assert contents(generated(folder)) == contents(dataset)
    assert caplog.messages == [f"{path} is damaged: its hands are played again"]


def test_a_changed_byte_anywhere_in_a_shard_is_noticed(dataset):
    whole = (dataset / "hands" / "00000.parquet").read_bytes()
    said = pq.read_metadata(dataset / "hands" / "00000.parquet").metadata[b"shard"].decode()
    assert json.loads(said).items() >= {"table": "hands", "number": 0, "hands": HANDS, "seed": 5}.items()
    assert is_as_written(whole, said)
    assert [at for at in places(len(whole)) if is_as_written(flipped(whole, at), said)] == []
    assert digest.main([str(dataset / "hands" / "00000.parquet")]) == 0


def test_a_damaged_manifest_is_refused(dataset, tmp_path):
    path = Path(shutil.copy(dataset / "manifest.json", tmp_path))
    assert_noticed(path, lambda: read_manifest(tmp_path), PlanError)


def test_a_kill_at_any_moment_harms_nothing(tmp_path):
    short = ["--set", "target=off", "--set", "max_hands=1"]
    words = ["--agent", "rule", "--hands", "120", "--shard-hands", "10", "--jobs", "1", *short]
    command = [sys.executable, "-m", "spades_env.play.commands.cli", "generate", *words, "--out"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main(["generate", *words, "--out", str(whole)]) == 0
    for least in (1, 5):
        with subprocess.Popen([*command, str(killed)], cwd=ROOT, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and len(list(killed.glob("decisions/*.parquet"))) < least:
                time.sleep(0.005)
            process.kill()  # unless it has just ended
    assert main(["generate", *words, "--out", str(killed)]) == 0
    assert contents(killed) == contents(whole)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--hands", "22"], "holds a dataset with hands 21, not 22"),
        (["--seed", "6"], "holds a dataset with seed 5, not 6"),
        (["--rules", "solo"], "holds a dataset with rules"),
        (["--epsilon", "0.5"], "holds a dataset with epsilon 0.0, not 0.5"),
    ],
)
def test_another_plan_needs_another_folder(words, message, dataset, capsys):
    given = ["--agent", "rule", "--agent", "bis", "--hands", str(HANDS), "--shard-hands", str(SHARD), "--seed", "5"]
    assert main(["generate", *given, "--rules", RULES, "--out", str(dataset), *words]) == 2
    assert message in capsys.readouterr().err


def test_an_earlier_dataset_does_not_go_on(dataset, tmp_path, capsys):
    path = Path(shutil.copy(dataset / "manifest.json", tmp_path))
    earlier = json.loads(path.read_text()) | {"format": 4}
    del earlier["digest"]
    path.write_text(json.dumps(earlier))
    assert main(["generate", "--agent", "rule", "--hands", "1", "--out", str(tmp_path)]) == 2
    assert f"{path} is damaged: name a new folder" in capsys.readouterr().err


def test_agents_that_have_changed_need_another_folder(tmp_path, capsys):
    level = level_file(tmp_path, seed=1)
    words = ["--agent", str(level), "--hands", "1", "--out", str(tmp_path / "set")]
    assert main(["generate", *words]) == 0
    shutil.copy(level_file(tmp_path, "other.safetensors", seed=2), level)
    assert main(["generate", *words]) == 2
    assert "holds a dataset with behind" in capsys.readouterr().err


def test_no_match_of_the_same_seed_has_its_deals(dataset):
    of_match = {int(derived_seed(np.uint64(5), number)) for number in range(2 * HANDS)}
    assert not of_match & {row["seed"] for row in rows(dataset, "hands")}


def test_a_first_file_that_a_kill_left_is_no_other_file(tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / ".manifest.json.7-7.part").write_text("{")
    generated(tmp_path / "set")


def test_a_folder_of_something_else_is_left_alone(tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("mine")
    assert main(["generate", "--agent", "rule", "--hands", "1", "--out", str(tmp_path)]) == 2
    assert "holds other files" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_json_is_the_manifest(tmp_path, capsys):
    words = ["--agent", "random", "--rules", "solo", "--hands", "2", "--out", str(tmp_path / "x"), "--json"]
    assert main(["generate", *words]) == 0
    assert json.loads(capsys.readouterr().out)["agents"] == ["random"] * 4


def test_without_pyarrow_it_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["generate", "--agent", "rule", "--hands", "1", "--out", str(tmp_path / "x")]) == 2
    assert 'pip install "spades-env[data]"' in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_seats_and_sides():
    assert DatasetPlan.of(["a", "b"], Rules(), 1).names == ("a", "b", "a", "b")
    assert DatasetPlan.of(list("abcd"), Rules(), 1).names == ("a", "b", "c", "d")
    with pytest.raises(PlanError, match="not 3"):
        DatasetPlan.of(list("abc"), Rules(), 1)


def test_the_deals_of_the_benchmark_are_refused():
    with pytest.raises(PlanError, match="seeds from 4000000 to 4999999 are the benchmark's"):
        DatasetPlan.of(["rule"], Rules(), 1, seed=SEED)


def test_a_game_that_is_cut_has_no_winner():
    plan = DatasetPlan.of(["random"], Rules(target=10_000, blind_nil_deficit=None), 2)
    played = play_shard(plan, 0, plan.agents())
    assert played
    assert set(played["hands"]["winner"]) == {UNKNOWN}
    assert set(played["decisions"]["won"]) == {UNKNOWN}


def test_a_cheat_is_shown_all_cards(tmp_path):
    assert main(["generate", "--agent", "oracle", "--agent", "rule", "--hands", "1", "--out", str(tmp_path / "x")]) == 0
    assert {row["agent"] for row in rows(tmp_path / "x", "decisions")} == {"oracle", "rule"}


def test_the_example_learns_from_it(tmp_path):
    spec = importlib.util.spec_from_file_location("read_dataset", ROOT / "examples" / "read_dataset.py")
    assert spec
    assert spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    assert main(["generate", "--agent", "rule", "--hands", "400", "--out", str(tmp_path / "x")]) == 0
    found = example.fit(tmp_path / "x")
    assert found["loss_last"] < found["loss_first"]
    assert found["agreement"] > found["agreement_by_guessing"] + 0.1
