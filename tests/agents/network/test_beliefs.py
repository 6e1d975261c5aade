"""The belief network: its predictions, and the worlds that a search deals by them."""

import re
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
from spades_env.agents.base import AgentError, Batch
from spades_env.agents.network import beliefs
from spades_env.agents.network.beliefs import FLOOR, OTHERS, chances, read_beliefs, shipped_beliefs
from spades_env.agents.network.forward import read_places
from spades_env.agents.network.player import sights
from spades_env.agents.network.rows import POLICY, POLICY_ROW, write_rows
from spades_env.agents.network.trial import BelievingTrial
from spades_env.agents.worlds.likely import prepare_worlds
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
        found, me = chances(shipped_beliefs(), Batch.of([view]))[0], view.seat
        assert not found[me].any()
        for place in range(64):
            may = [seat for seat in range(4) if seat != me and not int(view.state[0].voids[seat]) >> (place // 16) & 1]
            assert found[:, place].sum() == pytest.approx(1 if may else 0)
            assert all(found[seat, place] >= FLOOR / len(may) for seat in may)
            assert all(found[seat, place] == 0 for seat in range(4) if seat not in may)


@many_hands
def test_the_network_tells_where_the_cards_of_a_held_out_bot_are():
    """The geometric mean of the true holders' chances is above a third; `club` was at no table of the training."""
    env, club = SpadesVectorEnv(24, "match", "hand", seed=3, autoreset=False), agents.load("club")
    env.reset()
    tables, true = np.arange(24), []
    for move in range(4 + 4 * 9):
        if move > 4:
            found, at = chances(shipped_beliefs(), Batch.at(env)), env.tables
            for table in tables:
                may = found[table].max(axis=0) < 1  # where there is a doubt
                for seat in {0, 1, 2, 3} - {int(at.turn[table])}:
                    held = [place for place in np.flatnonzero(may) if int(at.hands[table, seat]) >> int(place) & 1]
                    true += np.log(found[table, seat, held]).tolist()
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


def test_a_search_deals_its_worlds_by_the_chances():
    agent, gaps = BelievingTrial("believes", agents.load("rule"), 64), []
    for _, view in card_moments("odds", 20):
        pool, batch = agent._new_pool(), Batch.of([view])
        agent._believe(batch, 0, pool)
        prepare_worlds(view.state, 0, view.compiled_rules[0], True, pool, np.uint64(7))
        others, found = [seat for seat in range(4) if seat != view.seat], pool.plan[0].chances
        by_odds = np.mean([log_chance(world.hands, found, others) for world in pool.worlds])
        pool.plan[0].by_odds = False
        prepare_worlds(view.state, 0, view.compiled_rules[0], True, pool, np.uint64(7))
        at_random = np.mean([log_chance(world.hands, found, others) for world in pool.worlds])
        gaps.append(by_odds - at_random)
    assert np.mean(gaps) > 1


def log_chance(hands: np.ndarray, found: np.ndarray, others: list[int]) -> float:
    held = [found[seat, place] for seat in others for place in range(64) if int(hands[seat]) >> place & 1]
    return float(np.log(held).sum())


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
    with pytest.raises(AgentError, match=r"beliefs\.safetensors cannot be read: it is damaged"):
        read_beliefs(path)


def test_a_file_that_is_missing_or_made_for_other_inputs_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "beliefs.safetensors"
    beliefs.shipped_beliefs.cache_clear()
    monkeypatch.setattr(beliefs, "FILE", path)
    with pytest.raises(AgentError, match=r"beliefs\.safetensors cannot be read: .*No such file"):
        agents.load("zofia+believe:2")
    monkeypatch.setattr(beliefs, "MARKS", beliefs.MARKS | {"rows": "others"})
    beliefs.write_beliefs(path, {}, {})
    monkeypatch.undo()
    with pytest.raises(AgentError, match="its rows is 'others', this package plays"):
        read_beliefs(path)


@many_hands
def test_training_writes_a_network_that_has_learned(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(script, "TABLES", ((("rule",) * 4, 24),))
    settings = replace(script.Settings(), minutes=0.05, width=16, suit_width=8, minibatch=256)
    assert read_beliefs(script.train(settings, tmp_path))
    nats = [float(found) for found in re.findall(r"([\d.]+) nats a card", capsys.readouterr().out)]
    assert nats[-1] < 0.98 * np.log(OTHERS)
