"""What every agent promises: legal answers under all rules, the same ones to the same question, no hidden card read."""

import random

import gymnasium
import numpy as np
import pytest
from support.game.redeals import redealt
from support.game.reference import BLIND_NIL
from support.game.tables import moments, play, random_game, random_rules
from support.strategies import scaled

from spades_env import Game, Rules, SpadesVectorEnv, agents, spades_v0
from spades_env._jit import JIT_ON
from spades_env.agents.agent_name import KINDS, AgentName
from spades_env.agents.base import AgentError, Batch
from spades_env.agents.compiled import STYLES, Compiled, choose
from spades_env.game.cards import TRUMP_ORDERS
from spades_env.game.view import View

COMPILED = (*STYLES, "rb/rule", "rule/rb", "club/bis")
SEARCHES = ("mc:3x2", "mc:2x2+rule+likely+loyal", "mc:2x2+free", "ismcts:40", "ismcts:20+rule+likely", "pimc:3")
PAIRS = ("bis/mc:2x2", "rule/ismcts:30", "bis/pimc:2")
LEVELS = ("milly+temperature:0.5", "milly+trial:3", "milly+believe:2+solver", "milly+ending:2+hunt:3")
SEARCH = (*SEARCHES, *PAIRS, *LEVELS) if JIT_ON else ()  # minutes a hand without it
DRAWING = ("milly+temperature:0.5",)  # their answer need not be the likeliest action
HONEST = (*COMPILED, *SEARCH)
ALL = (*HONEST, *(["oracle"] if JIT_ON else []))


def hands_to_play(name: str) -> int:
    """The number of hands to play in a test."""
    return scaled(6 if name in COMPILED else 2)


def ask(agent: agents.Agent, game: Game) -> int:
    return agent.act(game if agent.cheats else game.view(game.turn))


def play_hands(game: Game, agent: agents.Agent, hands: int) -> None:
    """Every answer is applied, so an illegal one raises."""
    while not game.over and len(game.results) < hands:
        game.apply(ask(agent, game))


# Legal under all rules


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("rules", [*Rules.presets(), *(f"classic trumps={mode}" for mode in TRUMP_ORDERS)])
def test_whole_hands_under_every_preset_and_trump_mode(name, rules):
    play_hands(Game(rules, seed=11), agents.load(name, seed=3), 1 if name not in COMPILED else hands_to_play(name))


@pytest.mark.parametrize("name", ALL)
def test_random_legal_rules(name):
    rng = random.Random(name)
    for _ in range(hands_to_play(name)):
        play_hands(random_game(rng), agents.load(name, seed=rng.getrandbits(60)), 1)


@pytest.mark.parametrize("name", ALL)
def test_passing_with_blind_nils(name):
    for passing in (1, 2, 3):
        game = Game(Rules(blind_nil_deficit=0, blind_nil_pass=passing, trumps="nyc"), seed=passing)
        agent = agents.load(name)
        while game.phase in ("blind", "bid"):
            game.apply(BLIND_NIL if game.phase == "blind" and game.turn in (1, 2) else ask(agent, game))
        assert game.phase == "pass"
        play_hands(game, agent, 1)


@pytest.mark.parametrize("name", ["mc:2x1", "ismcts:4", "pimc:2", "oracle"])
def test_the_end_of_a_hand(name):
    """Short enough for the kernels as plain Python."""
    game = Game("pagat", seed=8)
    play_hands(game, agents.load("rule"), 1)
    game.undo(9)
    assert game.cards_played == 43
    play_hands(game, agents.load(name), 1)


@pytest.mark.parametrize("name", COMPILED)
def test_whole_games(name):
    game = Game("showdown max_hands=12", seed=4)
    play_hands(game, agents.load(name), 60)
    assert game.over


# The same answer to the same question


@pytest.mark.parametrize("name", HONEST)
def test_hidden_cards_do_not_change_an_answer(name):
    rng = random.Random(f"{name} hidden")
    for game in moments(f"{name} hidden", scaled(40 if name in COMPILED else 12)):
        agent = agents.load(name, seed=5)
        view = game.view(game.turn)
        answer = agent.act(view)
        for _ in range(2):
            other = View(game.rules, redealt(game, game.turn, rng), game.turn, game.results, game._compiled)
            assert agent.act(other) == answer
            assert agent.hint(other) == agent.hint(view)


@pytest.mark.parametrize("name", HONEST)
def test_a_batch_answers_as_one_by_one(name):
    views = [game.view(game.turn) for game in moments(f"{name} batch", scaled(12))]
    agent = agents.load(name, seed=7)
    one_by_one = [agent.act(view) for view in views]
    assert agent.act_batch(views).tolist() == one_by_one
    assert agents.load(name, seed=7).act_batch(views[::-1]).tolist() == one_by_one[::-1]
    assert agent.act_batch(Batch.of(views).take(np.arange(len(views)) % 2 == 0)).tolist() == one_by_one[::2]


@pytest.mark.parametrize("name", [*HONEST, "oracle", "Milly", "bis/./some.safetensors", "mine:policy", "mc:30x30+rule"])
def test_names_that_are_some_agents(name):
    agents.check_name(name)  # whether or not there is such a file or module


@pytest.mark.parametrize("name", ["", "nobody", "rule/", "/rule", "rule/nobody", "bis/rulle+fast"])
def test_names_that_are_no_agents(name):
    with pytest.raises(AgentError, match="unknown agent ") as checked:
        agents.check_name(name)
    with pytest.raises(AgentError) as loaded:
        agents.load(name)
    assert str(checked.value) == str(loaded.value)


@pytest.mark.parametrize(
    "which", [np.array([4, 1, 1]), np.array([True, False] * 3), slice(1, 6, 2), slice(0, 0)], ids=str
)
def test_a_part_of_a_batch(which):
    env = SpadesVectorEnv(6, ["classic", "pagat", "showdown", "solo", "house", "whiz"], seed=3)
    env.reset()
    whole = Batch.at(env)
    part = whole.take(which)
    assert part.tables.tobytes() == whole.tables[which].tobytes()
    assert part.tables.flags.aligned
    assert part.rules_of.tolist() == whole.rules_of[which].tolist()
    assert [view.rules for view in part.views()] == list(np.array(env.rules, object)[which])


@pytest.mark.parametrize("name", COMPILED)
def test_kernels_play_alike_on_views_and_on_whole_tables(name):
    agent = agents.load(name)
    if name == "random":
        return
    assert isinstance(agent, Compiled)
    for game in moments(f"{name} tables", scaled(60)):
        whole = choose(game.state[0], game.view(0).compiled_rules[0], agent.bidding, agent.playing, np.uint64(0))
        assert whole == agent.act(game.view(game.turn))


def test_another_seed_is_another_player():
    views = []
    for seed in range(scaled(30)):
        game = Game(seed=seed)
        views.append(game.view(game.turn))
    one, other = agents.load("random", seed=1).act_batch(views), agents.load("random", seed=2).act_batch(views)
    assert len(views) < 10 or (one != other).any()


@pytest.mark.parametrize("name", ALL)
def test_hints_name_legal_actions(name):
    agent = agents.load(name, seed=1)
    for game in moments(f"{name} hint", scaled(8)):
        hint = agent.hint(game if agent.cheats else game.view(game.turn))
        actions, weights = zip(*hint, strict=True)
        assert set(actions) <= set(game.legal_actions())
        assert len(set(actions)) == len(actions)
        assert all(0 <= weight <= 1 for weight in weights)
        assert list(weights) == sorted(weights, reverse=True)
        assert actions[0] == ask(agent, game) or name in DRAWING


# Names


def test_names_and_errors():
    for name, kind in zip(agents.names(), KINDS, strict=False):
        assert AgentName.parse(name).name == kind
    for wrong in (
        "",
        "rul",
        "random:3",
        "rule+fast",
        "mc",
        "mc:30",
        "mc:0x3",
        "ismcts:-1",
        "ismcts:",
        "pimc:",
        "club:2",
        "bis/nobody",
        7,
    ):
        with pytest.raises(agents.AgentError) as error:
            agents.load(wrong)  # pyright: ignore[reportArgumentType]
        assert "expected" in str(error.value)
        assert "\n" not in str(error.value)
    with pytest.raises(agents.AgentError, match="did you mean 'rule'"):
        agents.load("rul")
    with pytest.raises(ValueError, match="seed must be"):
        agents.load("rule", seed=-1)
    for seed in (np.array(5), np.int64(5)):
        assert repr(agents.load("rule", seed=seed).loaded_as) == "('rule', 5)"  # pyright: ignore[reportArgumentType]


def test_a_representation_loads_the_agent():
    agent = agents.load("bis/rule", seed=4)
    assert eval(repr(agent)).name == agent.name == "bis/rule"
    assert eval(repr(agent)).seed == 4


def test_questions_that_cannot_be_asked():
    game = Game(seed=1)
    rule, oracle = agents.load("rule"), agents.load("oracle")
    with pytest.raises(agents.AgentError, match="not to move"):
        rule.act(game.view((game.turn + 1) % 4))
    with pytest.raises(agents.AgentError, match="rule takes a view"):
        rule.act(game)
    with pytest.raises(agents.AgentError, match="all cards open"):
        oracle.act(game.view(game.turn))
    assert rule.act_batch([]).tolist() == []
    over = Game("classic max_hands=1", seed=1)
    play(over, random.Random(1), 200)
    with pytest.raises(agents.AgentError, match="over"):
        rule.act(over.view(0))


@pytest.mark.skipif(not JIT_ON, reason="minutes without the compiler")
def test_a_pair_bids_as_one_and_plays_as_the_other():
    both, bidder, player = agents.load("rb/mc:2x2", seed=2), agents.load("rb", seed=2), agents.load("mc:2x2", seed=2)
    for game in moments("pair", scaled(30)):
        view = game.view(game.turn)
        assert both.act(view) == (bidder if game.phase in ("blind", "bid") else player).act(view)


@pytest.mark.skipif(not JIT_ON, reason="minutes without the compiler")
def test_an_honest_half_of_a_cheating_pair_sees_only_its_view():
    rng = random.Random(2)
    pair, honest = agents.load("random/oracle", seed=3), agents.load("random", seed=3)
    for _ in range(scaled(10)):
        game = random_game(rng, first_hand="bid")  # the honest half bids
        assert pair.act(game) == honest.act(game.view(game.turn))


# In the environments


@pytest.mark.parametrize("name", ["rule", "bis/mc:2x2"] if JIT_ON else ["rule"])
def test_opponents_of_the_gymnasium_environment(name):
    env = gymnasium.make("Spades-v0", rules="classic", episode="hand", opponents=name, partner="rb")
    observation, _ = env.reset(seed=3)
    done = False
    while not done:
        action = int(np.flatnonzero(observation["action_mask"])[0])
        observation, _, terminated, truncated, _ = env.step(action)
        done = terminated or truncated


def test_a_pettingzoo_loop():
    env = spades_v0.env("classic", episode="hand")
    env.reset(seed=5)
    bot = agents.load("rule")
    for _ in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        seat_view = env.unwrapped.view(env.agent_selection)  # pyright: ignore[reportAttributeAccessIssue]
        env.step(None if terminated or truncated else bot.act(seat_view))


@pytest.mark.skipif(not JIT_ON, reason="two games are enough without the compiler")
def test_random_rules_in_numbers():
    """Many more games for the compiled agents, in batches."""
    rng = random.Random(8)
    for name in COMPILED:
        agent = agents.load(name, seed=1)
        games = [Game(random_rules(rng), seed=rng.getrandbits(60)) for _ in range(scaled(40))]
        for _ in range(60):
            live = [game for game in games if not game.over]
            for game, action in zip(live, agent.act_batch([game.view(game.turn) for game in live]), strict=True):
                game.apply(int(action))
