"""Levels of any weights that load play legal actions by finite numbers; weights too large for that are refused."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save
from support.agents.levels import random_level, random_tensors

from spades_env import Game, agents
from spades_env.agents.digest import sealed
from spades_env.agents.network.forward import think
from spades_env.agents.network.level import COLDEST, LARGEST, LARGEST_INPUT, Level, LevelError, largest
from spades_env.agents.network.rows import NUM_SIGHT

ABSURD = 3e38  # float32 holds numbers up to 3.4e38
RULES = "classic target=off max_hands=1 blind_nil_deficit=0"


def written(path: Path, tensors: dict[str, np.ndarray], **words: str) -> str:
    """A level's file with these tensors, written past the checks."""
    path.write_bytes(sealed(save(tensors, random_level().metadata | words)))
    return str(path)


def as_large_as_allowed() -> dict[str, np.ndarray]:
    """The tensors of a random network, so large that a little more would be refused."""
    tensors = random_tensors(5, 8, 8)
    while largest(more := {name: tensor * np.float32(1.02) for name, tensor in tensors.items()}) <= LARGEST:
        tensors = more
    return tensors


@pytest.mark.parametrize("name", [*random_tensors(0, 1, 1), "all"])
def test_absurd_weights_are_refused(tmp_path, name):
    tensors = random_tensors(0, 8, 8)
    if name == "all":
        tensors = {one: np.full_like(tensor, ABSURD) for one, tensor in tensors.items()}
    else:
        tensors[name].flat[0] = ABSURD
    path = written(tmp_path / "x.safetensors", tensors)
    with pytest.raises(LevelError) as refused:
        agents.load(path)
    words = "cannot be played: its weights are too large: its numbers could exceed 1e+24"
    assert str(refused.value) == f"{path} {words}"


def test_no_number_exceeds_what_is_said():
    rng = np.random.default_rng(1)
    most = int(LARGEST_INPUT)
    sights = rng.integers(-most, most + 1, (50, NUM_SIGHT)).astype(np.int8)
    for seed in range(5):
        level = random_level(seed, 8, 8)
        assert np.abs(think(level.network, sights)).max() <= largest(level.tensors)


@pytest.mark.parametrize("temperature", [0, COLDEST])
@pytest.mark.parametrize("option", ["", "+trial:8", "+believe:4+solver", "+against:rule:4"])
def test_the_largest_weights_that_load_play_legal_actions(tmp_path, option, temperature):
    path = written(tmp_path / "x.safetensors", as_large_as_allowed(), temperature=repr(temperature))
    bot, game = agents.load(path + option, seed=3), Game(RULES, seed=4)
    while not game.results:
        view = game.view(game.turn)
        assert all(np.isfinite(weight) and 0 <= weight <= 1 for _, weight in bot.hint(view))
        game.apply(bot.act(view))  # raises an error if it is illegal


def test_their_logits_are_finite(tmp_path):
    level = Level.read(written(tmp_path / "x.safetensors", as_large_as_allowed()))
    logits = think(level.network, np.full((4, NUM_SIGHT), LARGEST_INPUT, np.int8))
    assert np.isfinite(logits).all()
    assert np.abs(logits).max() > 1e10
