"""A level as an ONNX file computes what the level computes."""

import random
from pathlib import Path

import numpy as np
import pytest
from support.agents.levels import assert_same_numbers, random_level
from support.game.tables import random_position
from support.strategies import scaled

from spades_env.agents.base import Batch
from spades_env.agents.network.forward import think
from spades_env.agents.network.level import Level
from spades_env.agents.network.player import masks, sights
from spades_env.agents.network.rows import rows_mark
from spades_env.agents.roster import LEVELS
from spades_env.game.observe import NUM_FEATURES, layout_mark
from spades_env.game.rules import CHOICES

onnx = pytest.importorskip("onnx")

from spades_env.training.onnx_file import write_onnx  # noqa: E402


def checked_against_the_runtime(level: Level, path: Path, trumps: str, rows: int) -> None:
    """At random moments under such trumps."""
    runtime = pytest.importorskip("onnxruntime")
    write_onnx(level, path)
    rng = random.Random(rows)
    games = [random_position(rng, trumps=trumps, max_hands=99, target=None, floor=None) for _ in range(rows)]
    batch = Batch.of([game.view(game.turn) for game in games if not game.over])
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    x = sights(batch)
    (found,) = session.run(None, {"observation": x[:, :NUM_FEATURES].astype(np.float32)})
    assert_same_numbers(think(level.network, x), found, masks(batch))


@pytest.mark.parametrize("trumps", CHOICES["trumps"])
@pytest.mark.parametrize(("widths", "rows"), [((1, 1), 1), ((40, 24), 9)])
def test_the_same_numbers_as_ours(tmp_path, widths, rows, trumps):
    checked_against_the_runtime(random_level(3, *widths), tmp_path / "x.onnx", trumps, rows)


@pytest.mark.parametrize("trumps", CHOICES["trumps"])
def test_the_shipped_level_gives_the_same_numbers(tmp_path, trumps):
    checked_against_the_runtime(Level.read(LEVELS / "standard.safetensors"), tmp_path / "x.onnx", trumps, scaled(40))


def test_the_file_is_whole_and_says_what_it_is(tmp_path):
    write_onnx(random_level(), tmp_path / "x.onnx")
    assert [path.name for path in tmp_path.iterdir()] == ["x.onnx"]
    model = onnx.load(str(tmp_path / "x.onnx"))
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    assert (metadata["env"], metadata["layout"], metadata["rows"]) == ("spades_v0", layout_mark(), rows_mark())
    assert metadata["name"] == "anyhow"
    assert [value.name for value in model.graph.input] == ["observation"]
    assert [value.name for value in model.graph.output] == ["logits"]
