"""Levels of any weights that load play legal actions by finite numbers; weights too large for that are refused."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save
from support.agents.levels import random_level, random_tensors

from spades_env import Game, agents
from spades_env.agents.digest import sealed
from spades_env.agents.network.forward import think
from spades_env.agents.network.insight import NUM_INPUTS
from spades_env.agents.network.level import (
    LARGEST,
    LARGEST_INPUT,
    LEAST_NUMBER,
    MOST_NUMBER,
    Level,
    LevelError,
    largest,
)
from spades_env.agents.network.player import logits, values

ABSURD = 3e38  # float32 holds numbers up to 3.4e38
RULES = "classic target=off max_hands=1 blind_nil_deficit=0"


def written(path: Path, tensors: dict[str, np.ndarray], **words: str) -> str:
    """A level's file with these tensors, written past the checks."""
    path.write_bytes(sealed(save(tensors, random_level().metadata | words)))
    return str(path)


def as_large_as_allowed(reads_rows: bool = False) -> dict[str, np.ndarray]:
    """The tensors of a random network, so large that a little more would be refused."""
    tensors = random_tensors(5, 8, 8, reads_rows)
    while largest(more := {name: tensor * np.float32(1.02) for name, tensor in tensors.items()}) <= LARGEST:
        tensors = more
    return tensors


@pytest.mark.parametrize(
    ("reads_rows", "name"), [(rows, name) for rows in (False, True) for name in (*random_tensors(0, 1, 1, rows), "all")]
)
def test_absurd_weights_are_refused(tmp_path, reads_rows, name):
    tensors = random_tensors(0, 8, 8, reads_rows)
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
    features = rng.integers(-most, most + 1, (50, NUM_INPUTS)).astype(np.int8)
    for seed in range(5):
        level = random_level(seed, 8, 8)
        assert max(np.abs(numbers).max() for numbers in think(level.network, features)) <= largest(level.tensors)


@pytest.mark.parametrize("temperature", [0, LEAST_NUMBER])
@pytest.mark.parametrize("option", ["", "+trial:8", "+against:rule:4"])
def test_the_largest_weights_that_load_play_legal_actions(tmp_path, option, temperature):
    path = written(
        tmp_path / "x.safetensors", as_large_as_allowed(), temperature=repr(temperature),
        heed=repr(MOST_NUMBER), heed_blind=repr(MOST_NUMBER), nil_doubt=repr(MOST_NUMBER),
    )  # fmt: skip
    assert_plays(path + option)


@pytest.mark.parametrize("temperature", [0, LEAST_NUMBER])
@pytest.mark.parametrize("option", ["", "+trial:8"])
def test_so_do_the_largest_of_a_level_that_reads_rows(tmp_path, option, temperature):
    level = replace(random_level(), tensors=as_large_as_allowed(reads_rows=True), temperature=temperature)
    level.write(tmp_path / "x.safetensors")
    assert_plays(f"{tmp_path / 'x.safetensors'}{option}")


def assert_plays(name: str) -> None:
    bot, game = agents.load(name, seed=3), Game(RULES, seed=4)
    while not game.results:
        view = game.view(game.turn)
        assert all(np.isfinite(weight) and 0 <= weight <= 1 for _, weight in bot.hint(view))
        game.apply(bot.act(view))  # raises an error if it is illegal


def test_their_logits_and_values_are_finite(tmp_path):
    level = Level.read(written(tmp_path / "x.safetensors", as_large_as_allowed()))
    features = np.full((4, NUM_INPUTS), LARGEST_INPUT, np.int8)
    for numbers in (logits(level, features), values(level, features)):
        assert np.isfinite(numbers).all()
        assert np.abs(numbers).max() > 1e10
