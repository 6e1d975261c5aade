"""The same game with 64-bit numbers on, on two devices, and lowered for machines that are not here."""

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import pytest
from support.paths import ROOT
from support.strategies import scaled

from spades_env.xla import Spades


def test_two_devices_and_64_bits():
    """In a process of its own, as both are decided when JAX starts."""
    environment = os.environ | {
        "JAX_ENABLE_X64": "1",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=2",
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}",
    }
    command = [sys.executable, "tests/many_hands.py", str(scaled(300)), "--tables", "64", "--modes", "1"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "on 2 × cpu, x64 on" in done.stdout


@pytest.mark.parametrize("platform", ["cuda", "tpu"])
def test_a_step_is_lowered_for_an_accelerator(platform):
    env = Spades("classic", auto_reset=True)
    state = jax.eval_shape(jax.vmap(env.init_seed), jax.ShapeDtypeStruct((8192, 2), jnp.uint32))
    action = jax.ShapeDtypeStruct((8192,), jnp.int32)
    exported = jax.export.export(jax.jit(jax.vmap(env.step)), platforms=[platform])(state, action)
    assert exported.platforms == (platform,)
    assert "custom_call" not in exported.mlir_module(), "a step needs nothing but plain operations"
