"""The belief network: its predictions, and the prior they give to a search's worlds."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from support.agents.levels import level_file
from support.game.tables import moments
from support.paths import ROOT
from support.strategies import scaled

from spades_env import SpadesVectorEnv, agents
from spades_env._jit import JIT_ON
from spades_env.agents.base import Batch
from spades_env.agents.digest import DamagedError
from spades_env.agents.network import beliefs
from spades_env.agents.network.beliefs import OTHERS, priors, read_beliefs, shipped_beliefs
from spades_env.agents.network.forward import read_places
from spades_env.agents.network.player import sights
from spades_env.agents.network.rows import POLICY, POLICY_ROW, write_rows
from spades_env.agents.worlds.likely import new_pool, prepare_worlds
from spades_env.agents.worlds.weight import NOBODY, weigh_world
from spades_env.game.state import PLAY

torch = pytest.importorskip("torch")
many_hands = pytest.mark.skipif(not JIT_ON, reason="many hands need the compiler")
sys.path.insert(0, str(ROOT / "train"))
import beliefs as script  # noqa: E402  # pyright: ignore[reportMissingImports]


def card_moments(seed: str, count: int):
    """Views in which a card is to be played, under random rules."""
    games = moments(seed, scaled(count), wanted=lambda game: game._s.phase == PLAY)
    return [(game, game.view(game.turn)) for game in games]


def test_chances_of_the_others_that_may_hold_a_card_add_up_to_one():
    for _, view in card_moments("chances", 60):
        found, me = priors(shipped_beliefs(), Batch.of([view]))[0], view.seat
        assert not found[me].any()
        for place in range(64):
            may = [seat for seat in range(4) if seat != me and not int(view.state[0].voids[seat]) >> (place // 16) & 1]
            assert sum(np.exp(found[seat, place]) for seat in may) == pytest.approx(1 if may else 0)
            assert all(found[seat, place] == 0 for seat in range(4) if seat not in may)


@many_hands
def test_the_network_tells_where_the_cards_of_a_held_out_bot_are():
    """The geometric mean of the true holders' chances is above a third; `club` was at no table of the training."""
    env, club = SpadesVectorEnv(24, "match", "hand", seed=3, autoreset=False), agents.load("club")
    env.reset()
    tables, true = np.arange(24), []
    for move in range(4 + 4 * 9):
        if move > 4:
            found, at = priors(shipped_beliefs(), Batch.at(env)), env.tables
            for table in tables:
                may = found[table].min(axis=0) < 0  # where there is a doubt
                for seat in {0, 1, 2, 3} - {int(at.turn[table])}:
                    held = [place for place in np.flatnonzero(may) if int(at.hands[table, seat]) >> int(place) & 1]
                    true += found[table, seat, held].tolist()
        env.step(club.act_at_tables(env, tables))
    assert np.mean(true) > np.log(1 / 3) + 0.02


def test_kernels_and_torch_read_the_same(tmp_path):
    torch.manual_seed(3)
    net = script.Beliefs(24, 12)
    with torch.no_grad():
        for tensor in net.parameters():
            tensor.copy_(tensor.half().float() if tensor.ndim < 2 else tensor + 0.05 * torch.randn_like(tensor))
    beliefs.write_beliefs(tmp_path / "x.safetensors", script.level_tensors(net), {})
    batch = Batch.of([view for _, view in card_moments("same", 30)])
    seen = sights(batch)
    rows = np.empty((len(seen), POLICY_ROW), np.int8)
    write_rows(seen, np.arange(len(seen)), POLICY, rows)
    with torch.no_grad():
        expected = net(torch.from_numpy(rows).float()).numpy()
    found = read_places(read_beliefs(tmp_path / "x.safetensors"), seen).reshape(len(seen), 64, OTHERS)
    assert np.allclose(found, expected, atol=0.02)  # the file has half the digits


def test_a_prior_adds_its_chances_to_the_weight_of_a_world():
    rng = np.random.default_rng(2)
    for _, view in card_moments("prior", 20):
        s, r = view.state, view.compiled_rules[0]
        weights = []
        prior = rng.normal(size=(4, 64))
        for added in (np.zeros((4, 64)), prior):
            pool = new_pool(4)
            pool.kept[0].prior[:] = added
            prepare_worlds(s, 0, r, True, pool, np.uint64(7))
            world = pool.worlds[0]
            weights.append(weigh_world(world, r, pool.past[0], pool.kept[0], NOBODY, -np.inf, pool.hands))
        others = [seat for seat in range(4) if seat != view.seat]
        held = [(seat, place) for seat in others for place in range(64) if int(world.hands[seat]) >> place & 1]
        assert weights[1] - weights[0] == pytest.approx(sum(prior[seat, place] for seat, place in held))


def test_it_plays_the_same_in_a_batch_and_alone(tmp_path):
    agent = agents.load(f"{level_file(tmp_path, width=12, suit_width=8)}+believe:4", seed=3)
    views = [view for _, view in card_moments("batch", 20)]
    together = agent.act_batch(views)
    assert [agent.act(view) for view in views] == together.tolist()
    assert agent.hint(views[0])[0][0] in views[0].legal_actions()


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "beliefs.safetensors"
    content = bytearray(beliefs.FILE.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedError, match=r"beliefs\.safetensors: it is damaged"):
        read_beliefs(path)


@many_hands
def test_training_writes_a_network_that_has_learned(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(script, "TABLES", ((("rule",) * 4, 24),))
    settings = replace(script.Settings(), minutes=0.05, width=16, suit_width=8, minibatch=256)
    assert read_beliefs(script.train(settings, tmp_path))
    assert "nats a card" in capsys.readouterr().out
