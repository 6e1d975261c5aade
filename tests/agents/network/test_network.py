"""Learned players: the network computed as torch does, the manners of every agent, and the strings that name them."""

import random
import sys

import numpy as np
import pytest
from support.agents.levels import level_file, random_level
from support.game.redeals import redealt
from support.game.tables import moments, random_game
from support.strategies import scaled

from spades_env import Game, Rules, SpadesVectorEnv, agents
from spades_env.agents.agent_name import KINDS
from spades_env.agents.base import Batch
from spades_env.agents.network import player as network
from spades_env.agents.network.forward import think
from spades_env.agents.network.level import COLDEST, Level
from spades_env.agents.network.options import FINISHER
from spades_env.agents.network.player import NetworkAgent, log_probs, masks, sights
from spades_env.agents.network.rows import LANES, NUM_SIGHT, PLACES, POLICY_LANE, SIGHT, mode_of
from spades_env.agents.pair import Pair
from spades_env.game.cards import NUM_ACTIONS
from spades_env.game.observe import NUM_FEATURES
from spades_env.game.rules import CHOICES
from spades_env.game.state import compile_rules
from spades_env.game.view import View

CAREFUL, BOLD = 0.0, 1.5  # temperatures


def learned(temperature: float = CAREFUL, seed: int = 5) -> NetworkAgent:
    return NetworkAgent("anyhow", random_level(1, width=12, suit_width=8), temperature, seed)


def views_of(games: list[Game]) -> list[View]:
    return [game.view(game.turn) for game in games]


def first_view() -> View:
    game = Game("classic", seed=2)
    return game.view(game.turn)


# The network


def checked_against_torch(level: Level, x: np.ndarray) -> None:
    """Whatever the sights say."""
    torch = pytest.importorskip("torch")
    weights = {name: torch.tensor(tensor) for name, tensor in level.tensors.items()}

    def layer(name: str, *inputs):
        return torch.nn.functional.linear(torch.cat(inputs, -1), weights[f"{name}.weight"], weights[f"{name}.bias"])

    modes = [mode_of(row) for row in x]
    with_one_and_zero = np.pad(np.pad(x, ((0, 0), (0, 1)), constant_values=1), ((0, 0), (0, 1)))
    arranged = torch.tensor(np.take_along_axis(with_one_and_zero, SIGHT[modes], 1), dtype=torch.float32)
    lanes = arranged[:, : LANES * POLICY_LANE].reshape(-1, LANES, POLICY_LANE)
    others = arranged[:, LANES * POLICY_LANE :]
    suits = layer("suits", lanes).relu()
    table = layer("table", others, suits[:, 3], suits[:, :3].sum(1)).relu()
    table = layer("table2", table).relu()
    cards = layer("cards", lanes, suits, table[:, None].expand(-1, LANES, -1)).relu()
    cards = layer("cards2", cards).relu()
    expected = torch.cat([layer("places", cards).flatten(1), layer("bids", table)], 1).numpy()
    expected = np.take_along_axis(expected, PLACES[modes], 1)
    assert np.abs(think(level.network, x) - expected).max() <= 1e-5 * max(1, np.abs(expected).max())


@pytest.mark.parametrize("widths", [(1, 1), (7, 3), (24, 16), (33, 20)])
def test_the_same_numbers_as_torch(widths):
    rng = np.random.default_rng(3)
    for rows in (1, 4, scaled(50)):
        x = rng.integers(-2, 3, (rows, NUM_SIGHT)) * (rng.random((rows, NUM_SIGHT)) < 0.2)
        checked_against_torch(random_level(2, *widths), x.astype(np.int8))


@pytest.mark.parametrize("trumps", CHOICES["trumps"])
def test_the_same_numbers_as_torch_in_real_moments(trumps):
    views = views_of(moments("torch", scaled(60), trumps=trumps))
    checked_against_torch(random_level(3), sights(Batch.of(views)))


def test_a_row_gives_the_same_bits_alone_and_among_others():
    net = random_level(4, 50, 30).network
    x = sights(Batch.of(views_of(moments("bits", scaled(70)))))
    together = think(net, x)
    for rows in (1, 3, 17):
        for i in range(0, len(x), rows):
            assert think(net, x[i : i + rows]).tobytes() == together[i : i + rows].tobytes()


def test_sights_and_masks_are_those_of_the_views():
    views = views_of(moments("sights", scaled(200)))
    batch = Batch.of(views)
    assert (sights(batch)[:, :NUM_FEATURES] == [view.features for view in views]).all()
    assert (masks(batch) == [view.action_mask for view in views]).all()


def test_sights_and_masks_are_those_of_the_vector_environment():
    rules = [Rules.preset(name) for name in Rules.presets()] * 3
    env = SpadesVectorEnv(len(rules), rules, seed=2)
    step = env.reset()
    for _ in range(scaled(60)):
        batch = Batch(env.views(), *env.compiled_rules)
        assert (sights(batch)[:, :NUM_FEATURES] == step.observation).all()
        assert (masks(batch) == step.mask).all()
        step = env.step(env.random_actions())
    env.close()


def test_log_probs():
    mask = np.zeros((2, NUM_ACTIONS), np.int8)
    mask[0, [1, 5]], mask[1, 7] = 1, 1
    numbers = np.full((2, NUM_ACTIONS), 99, np.float32)
    numbers[0, [1, 5]] = 1000, 1000 + np.log(3)
    found = log_probs(numbers, mask)
    assert np.exp(found[0, [1, 5]]) == pytest.approx([0.25, 0.75], abs=1e-4)
    assert found[1, 7] == 0
    assert (found[mask == 0] == -np.inf).all()


# The manners


@pytest.mark.parametrize("temperature", [CAREFUL, BOLD])
def test_legal_under_random_rules(temperature):
    rng = random.Random(6)
    agent = learned(temperature)
    for _ in range(scaled(20)):
        game = random_game(rng)
        while not game.over and not game.results:
            game.apply(agent.act(game.view(game.turn)))


@pytest.mark.parametrize("temperature", [CAREFUL, BOLD])
@pytest.mark.parametrize("at_once", [3, 4096])
def test_a_batch_answers_as_one_by_one(monkeypatch, temperature, at_once):
    monkeypatch.setattr(network, "MOST_AT_ONCE", at_once)
    views = views_of(moments("batch", scaled(40)))
    agent = learned(temperature)
    one_by_one = [agent.act(view) for view in views]
    assert agent.act_batch(views).tolist() == one_by_one
    assert learned(temperature).act_batch(views[::-1]).tolist() == one_by_one[::-1]
    assert agent.act_batch([]).tolist() == []


@pytest.mark.parametrize("temperature", [CAREFUL, BOLD])
def test_hidden_cards_do_not_change_an_answer(temperature):
    rng = random.Random(7)
    agent = learned(temperature)
    for game in moments("hidden", scaled(40)):
        view = game.view(game.turn)
        for _ in range(2):
            table = redealt(game, game.turn, rng)
            other = View(game.rules, table, game.turn, game.results, game._compiled)
            assert agent.act(other) == agent.act(view)
            assert agent.hint(other) == agent.hint(view)
            open_table = Batch(table, compile_rules(game.rules), np.zeros(1, np.int32))
            assert (sights(open_table) == sights(Batch.of([view]))).all()


def test_careful_is_the_highest_legal_logit():
    agent = learned()
    batch = Batch.of(views_of(moments("best", scaled(60))))
    masked = np.where(masks(batch), think(agent.level.network, sights(batch)), -np.inf)
    assert agent.act_batch(batch).tolist() == masked.argmax(axis=1).tolist()


def test_bold_draws_by_its_chances():
    view = first_view()
    draws = scaled(4000)
    drawn = [learned(BOLD, seed).act(view) for seed in range(draws)]
    hint = learned(BOLD).hint(view)
    assert sum(chance for _, chance in hint) == pytest.approx(1)
    for action, chance in hint:
        scatter = np.sqrt(chance * (1 - chance) / draws)
        assert abs(drawn.count(action) / draws - chance) < 5 * scatter + 1 / draws


def test_chance_is_a_function_of_seed_and_view():
    views = views_of(moments("seed", scaled(40)))
    one, again, other = (learned(BOLD, seed).act_batch(views).tolist() for seed in (1, 1, 2))
    assert one == again
    assert len(views) < 10 or one != other
    nearly_zero = learned(COLDEST).act_batch(views).tolist()
    assert nearly_zero == learned().act_batch(views).tolist()


@pytest.mark.parametrize("temperature", [CAREFUL, BOLD])
def test_hints_are_the_chances_of_all_legal_actions(temperature):
    agent = learned(temperature)
    for game in moments("hint", scaled(20)):
        actions, weights = zip(*agent.hint(game.view(game.turn)), strict=True)
        assert sorted(actions) == game.legal_actions()
        assert sum(weights) == pytest.approx(1)
        assert list(weights) == sorted(weights, reverse=True)
        assert temperature or actions[0] == agent.act(game.view(game.turn))


# The strings


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to stand in, with files where a string could be misread, and a shipped level called gold."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.modules["spades_env.agents.agent_name"], "LEVELS", tmp_path / "shipped")
    for number, path in enumerate(("x.safetensors", "bis/x.safetensors", "a:b+c/x.safetensors")):
        level_file(tmp_path, path, number, name=path)
    level_file(tmp_path, "shipped/gold.safetensors", 3, name="shipped/gold.safetensors", temperature=0.75)
    return tmp_path


def level_of(agent: agents.Agent) -> str:
    assert isinstance(agent, NetworkAgent)
    return agent.level.name


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("x.safetensors", "x.safetensors"),
        ("./x.safetensors", "x.safetensors"),
        ("./bis/x.safetensors", "bis/x.safetensors"),
        ("a:b+c/x.safetensors", "a:b+c/x.safetensors"),
        ("gold", "shipped/gold.safetensors"),
    ],
)
def test_one_level(folder, text, level):
    agent = agents.load(text, seed=3)
    assert level_of(agent) == level
    assert (agent.name, agent.seed) == (text, 3)
    assert eval(repr(agent)).name == text
    assert level_of(agents.load(str(folder / "x.safetensors"))) == "x.safetensors"


def test_the_temperature_is_the_levels_own_unless_given(folder):
    for text, temperature in (("gold", 0.75), ("gold+temperature:0", 0), ("x.safetensors+temperature:0.5", 0.5)):
        agent = agents.load(text)
        assert isinstance(agent, NetworkAgent)
        assert agent.temperature == temperature


@pytest.mark.parametrize(
    ("text", "bidder", "player"),
    [
        ("gold/rule", "gold", "rule"),
        ("rule/gold+temperature:1", "rule", "gold+temperature:1"),
        ("bis/x.safetensors", "bis", "x.safetensors"),
        ("bis/bis/x.safetensors", "bis", "bis/x.safetensors"),
        ("bis/../x.safetensors+temperature:1", "bis", "../x.safetensors+temperature:1"),
        ("mc:2x2+rule/./x.safetensors", "mc:2x2+rule", "./x.safetensors"),
        ("x.safetensors/bis", "x.safetensors", "bis"),
        ("./bis/x.safetensors+temperature:2/gold", "./bis/x.safetensors+temperature:2", "gold"),
        ("a:b+c/x.safetensors/x.safetensors", "a:b+c/x.safetensors", "x.safetensors"),
    ],
)
def test_pairs(folder, monkeypatch, text, bidder, player):
    (folder / "deeper").mkdir()
    monkeypatch.chdir(folder / "deeper" if ".." in text else folder)
    agent = agents.load(text)
    assert isinstance(agent, Pair)
    assert (agent.name, agent.first.name, agent.second.name) == (text, bidder, player)


def test_a_pair_with_an_absolute_path(folder):
    path = folder / "x.safetensors"
    for text, bidder, player in ((f"bis/{path}", "bis", str(path)), (f"{path}/{path}", str(path), str(path))):
        agent = agents.load(text)
        assert isinstance(agent, Pair)
        assert (agent.first.name, agent.second.name) == (bidder, player)
        view = first_view()
        assert agent.act(view) == agents.load(bidder).act(view)


@pytest.mark.parametrize("tricks", [1, 3, 13])
def test_the_last_tricks_may_be_calculated(folder, tricks):
    text = f"gold+ending:{tricks}+temperature:0"
    agent, level, finisher = (agents.load(name, seed=4) for name in (text, "gold+temperature:0", FINISHER))
    assert agent.name == text
    games = moments("ending", scaled(60))
    late = np.array([game.phase == "play" and 13 - sum(game.tricks) <= tricks for game in games])
    views = views_of(games)
    expected = np.where(late, finisher.act_batch(views), level.act_batch(views))
    assert late.any() or len(games) < 60
    assert (agent.act_batch(views) == expected).all()
    assert [agent.hint(view)[0][0] for view in views[:6]] == expected[:6].tolist()


def test_cards_may_be_tried_while_a_nil_of_the_others_stands(folder):
    text = "gold+ending:2+hunt:4"
    agent, level, hunter = (agents.load(name, seed=4) for name in (text, "gold+ending:2", "gold+trial:4"))
    games = moments("hunt", scaled(100))
    hunts = np.array([game.phase == "play" and stands(game) for game in games])
    views = views_of(games)
    plain, tried = level.act_batch(views), hunter.act_batch(views)
    late = np.array([game.phase == "play" and 13 - sum(game.tricks) <= 2 for game in games])
    expected = np.where(hunts, tried, plain)
    assert (agent.act_batch(views) == expected)[~(hunts & late)].all()
    assert (hunts & ~late).any() or len(games) < 100


def stands(game) -> bool:
    """Has somebody of another side than the one to move bid nil, and taken no trick yet?"""
    foes = [seat for seat in range(4) if seat != game.turn and (not game.rules.partners or seat != game.turn ^ 2)]
    return any(game.state.nils[0, seat] and not game.tricks[seat] for seat in foes)


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("ending", "tricks must be a whole number from 1 to 13"),
        ("ending:", "tricks must be a whole number from 1 to 13"),
        ("ending:14", "tricks must be a whole number from 1 to 13"),
        ("ending:3+ending:3", "unknown or repeated"),
        ("ending:3+trial:4", "goes with no other option"),
        ("hunt", "determinizations must be a whole number from 1 to"),
        ("hunt:0", "determinizations must be a whole number from 1 to"),
        ("hunt:8+trial:8", "goes with no other option"),
    ],
)
def test_endings_that_cannot_be(folder, option, reason):
    with pytest.raises(agents.AgentError, match=reason):
        agents.load(f"gold+{option}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("y.safetensors", "cannot read level y.safetensors: no such file"),
        ("runs/x.safetensors", "cannot read level runs/x.safetensors"),
        ("bis/x.safetensors/rule", "unknown agent 'x.safetensors/rule'"),
        ("x.safetensors/", "unknown agent ''"),
        ("x.safetensors:3", "takes no setting"),
        ("x.safetensors+fast", r"unknown or repeated \+fast"),
        ("x.safetensors+temperature", "it takes 0 or a number from 1e-09"),
        ("x.safetensors+temperature:-1", "it takes 0 or a number from 1e-09"),
        ("gold+temperature:1+temperature:1", "unknown or repeated"),
        (
            "gold:3",
            r"takes no setting; expected gold, alone or with \+temperature:T, .*, \+against:rule:K",
        ),
        ("golf", "did you mean 'gold'.*oracle, gold, FILE.safetensors, FILE.onnx, .*MODULE:NAME, .*or A/B"),
    ],
)
def test_strings_that_name_no_level(folder, text, reason):
    with pytest.raises(agents.AgentError, match=reason) as error:
        agents.load(text)
    assert "\n" not in str(error.value)


def test_shipped_levels_are_listed(folder):
    assert agents.names()[len(KINDS) :] == ("gold",)


def test_a_file_that_changes_is_read_again(folder):
    assert agents.load("x.safetensors") is not agents.load("x.safetensors")
    level_file(folder, "x.safetensors", seed=9, name="a longer name")
    assert level_of(agents.load("x.safetensors")) == "a longer name"


def test_what_we_ship_can_be_played():
    names = agents.names()[len(KINDS) :]
    assert not set(names) & set(KINDS)
    for name in names:
        assert name.isidentifier()
        view = first_view()
        assert agents.load(name).act(view) in view.legal_actions()
