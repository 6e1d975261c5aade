"""A level as an ONNX file computes what the level computes."""

import random
from pathlib import Path

import numpy as np
import pytest
from support.agents.levels import assert_same_numbers, random_level
from support.game.tables import random_position
from support.strategies import scaled

from spades_env.agents.base import Batch
from spades_env.agents.network.insight import insight_mark
from spades_env.agents.network.level import Level
from spades_env.agents.network.player import features, logits, masks, values
from spades_env.agents.roster import LEVELS
from spades_env.game.observe import layout_mark
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
    x = features(batch)
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    found, value = session.run(["logits", "value"], {"observation": x.astype(np.float32)})
    assert_same_numbers((logits(level, x), values(level, x)), (found, value[:, 0]), masks(batch))


@pytest.mark.parametrize("widths", [(1, 1), (7, 9), (40, 24)])
@pytest.mark.parametrize("trumps", CHOICES["trumps"])
@pytest.mark.parametrize(("rows", "heed"), [(1, 0.0), (9, 2.5)])
def test_the_same_numbers_as_ours(tmp_path, widths, rows, heed, trumps):
    level = random_level(3, *widths, heed=heed, heed_blind=3 * heed, nil_doubt=2 * heed)
    checked_against_the_runtime(level, tmp_path / "x.onnx", trumps, rows)


@pytest.mark.parametrize("trumps", CHOICES["trumps"])
def test_the_shipped_level_gives_the_same_numbers(tmp_path, trumps):
    checked_against_the_runtime(Level.read(LEVELS / "standard.safetensors"), tmp_path / "x.onnx", trumps, scaled(40))


def test_the_file_is_whole_and_says_what_it_is(tmp_path):
    write_onnx(random_level(), tmp_path / "x.onnx")
    assert [path.name for path in tmp_path.iterdir()] == ["x.onnx"]
    model = onnx.load(str(tmp_path / "x.onnx"))
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    assert (metadata["env"], metadata["layout"], metadata["insight"]) == ("spades_v0", layout_mark(), insight_mark())
    assert metadata["name"] == "anyhow"
    assert [value.name for value in model.graph.input] == ["observation"]
    assert [value.name for value in model.graph.output] == ["logits", "value"]
