"""What a worker compiles ahead is what training calls later: nothing is compiled twice."""

import os
import subprocess
import sys

import pytest
from support.paths import ROOT

from spades_env._jit import JIT_ON

RUN = """
import sys
from pathlib import Path
from support.train.runs import STAGE, tiny, trainer, training
from spades_env.agents.network import forward, player
from spades_env.training.run.precompile import compile_ahead

kernels = player._write_sights, player._write_masks, forward._think_all
def ready(): return [len(kernel.signatures) for kernel in kernels]

trainer.draw_curves = lambda run: None
run = training(tiny(stage=[STAGE | {"iterations": 2}], evaluate={"every": 2, "games": 4}), Path(sys.argv[1]))
assert ready() == [0, 0, 0], ready()
compile_ahead(run.recipe, run.state.player())
assert ready() == [1, 1, 1], ready()
run.finish()
assert ready() == [1, 1, 1], ready()
"""


@pytest.mark.skipif(not JIT_ON, reason="nothing is compiled")
def test_training_compiles_no_second_form(tmp_path):
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    command = [sys.executable, "-c", RUN, str(tmp_path / "run")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
