"""A level as an ONNX file computes what the level computes."""

import random

import numpy as np
import pytest
from levels import random_level
from tables import random_position

from agents.base import Batch
from agents.insight import insight_mark
from agents.network import features, logits, values
from spades_env.observe import layout_mark
from spades_env.rules import CHOICES

onnx = pytest.importorskip("onnx")

from train.onnx_file import write_onnx  # noqa: E402


@pytest.mark.parametrize("widths", [(1, 1), (7, 9), (40, 24)])
@pytest.mark.parametrize("trumps", CHOICES["trumps"])
@pytest.mark.parametrize(("rows", "heed"), [(1, 0.0), (9, 2.5)])
def test_the_same_numbers_as_ours(tmp_path, widths, rows, heed, trumps):
    runtime = pytest.importorskip("onnxruntime")
    level = random_level(3, *widths, heed=heed, heed_blind=3 * heed, nil_doubt=2 * heed)
    write_onnx(level, tmp_path / "x.onnx")
    rng = random.Random(rows)
    games = [random_position(rng, trumps=trumps, max_hands=99, target=None, floor=None) for _ in range(rows)]
    x = features(Batch.of([game.view(game.turn) for game in games]))
    session = runtime.InferenceSession(tmp_path / "x.onnx", providers=["CPUExecutionProvider"])
    told = dict(
        zip(["logits", "value"], session.run(["logits", "value"], {"observation": x.astype(np.float32)}), strict=True)
    )
    scale = max(1, np.abs(told["logits"]).max())
    assert np.abs(told["logits"] - logits(level, x)).max() <= 1e-5 * scale
    assert np.abs(told["value"][:, 0] - values(level, x)).max() <= 1e-5 * scale


def test_the_file_is_whole_and_says_what_it_is(tmp_path):
    write_onnx(random_level(), tmp_path / "x.onnx")
    assert [path.name for path in tmp_path.iterdir()] == ["x.onnx"]
    model = onnx.load(str(tmp_path / "x.onnx"))
    told = {entry.key: entry.value for entry in model.metadata_props}
    assert (told["env"], told["layout"], told["insight"]) == ("spades_v0", layout_mark(), insight_mark())
    assert told["name"] == "anyhow"
    assert [value.name for value in model.graph.input] == ["observation"]
    assert [value.name for value in model.graph.output] == ["logits", "value"]
