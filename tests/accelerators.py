"""Compile a step of many tables for an H100 and a TPU v5e without either: nothing is run.

    pip install --no-deps jax-cuda12-plugin jax-cuda12-pjrt nvidia-cuda-nvcc-cu12 libtpu   # of jax's version
    PYTHONPATH=. python tests/accelerators.py              # both; daily in CI
    PYTHONPATH=. python tests/accelerators.py h100

It fails if the compiled step has more kernels than MOST: each is a launch, which is what a step costs at few tables.
"""

import importlib
import os
import re
import sys
import time
from collections import Counter
from typing import Any

H100 = """
gpu_device_info {
  threads_per_block_limit: 1024 threads_per_warp: 32 shared_memory_per_block: 49152 shared_memory_per_core: 233472
  threads_per_core_limit: 2048 core_count: 132 fpus_per_core: 128 block_dim_limit_x: 2147483647
  block_dim_limit_y: 65535 block_dim_limit_z: 65535 memory_bandwidth: 3352320000000 l2_cache_size: 52428800
  clock_rate_ghz: 1.98 device_memory_size: 84929347584 shared_memory_per_block_optin: 232448
  cuda_compute_capability { major: 9 } registers_per_core_limit: 65536 registers_per_block_limit: 65536
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 7 }
runtime_version { major: 12 minor: 8 patch: 0 }
device_description_str: "NVIDIA H100 80GB HBM3"
"""
TABLES = 8192
MOST = {"h100": 36, "v5e": 110}  # kernels of a step
KINDS = ("fusion", "custom-call", "copy", "sort", "while", "conditional", "reduce", "scatter", "gather", "convolution")
KERNEL = re.compile(rf"^\s*(?:ROOT )?%?[\w.\-]+ = .*? ({'|'.join(KINDS)})\(", re.MULTILINE)


def topology(name: str) -> Any:
    """Return the description of a device that need not be there."""
    from jax.experimental import topologies

    if name == "v5e":
        return topologies.get_topology_desc("v5e:1x1", "tpu", chips_per_host_bounds=[1, 1, 1])
    plugin: Any = importlib.import_module("jax_plugins.xla_cuda12")
    plugin._check_cuda_versions = lambda *_, **__: None  # there is no driver, and none is needed to compile
    return topologies.get_topology_desc(platform="cuda", target_config=H100, topology="1x1x1")


def compiled_step(name: str) -> str:
    """Return the compiled step of TABLES tables as text."""
    import jax
    import jax.numpy as jnp
    from jax.experimental import topologies
    from jax.sharding import NamedSharding, PartitionSpec

    from spades_env.xla import Spades

    env = Spades("classic", auto_reset=True, trusted=True)
    mesh = topologies.make_mesh(topology(name), (1,), ("tables",))
    there = NamedSharding(mesh, PartitionSpec())
    state = jax.eval_shape(jax.vmap(env.init_seed), jax.ShapeDtypeStruct((TABLES, 2), jnp.uint32))
    arguments = jax.tree.map(
        lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=there),
        (state, jax.ShapeDtypeStruct((TABLES,), jnp.int32)),
    )
    return str(jax.jit(jax.vmap(env.step)).lower(*arguments).compile().as_text())


def kernels(text: str) -> Counter:
    """Count the kernels of a program's entry by kind."""
    entry = text[text.index("\nENTRY ") :]
    return Counter(KERNEL.findall(entry[: entry.index("\n}")]))


def main(names: list[str]) -> int:
    """Return 1 if a device's step has too many kernels."""
    os.environ |= {"JAX_PLATFORMS": "cpu", "TPU_SKIP_MDS_QUERY": "1", "TPU_WORKER_HOSTNAMES": "localhost"}
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_gpu_autotune_level=0"
    too_many = False
    for name in names or list(MOST):
        began = time.process_time()
        found = kernels(compiled_step(name))
        total = sum(found.values())
        too_many |= total > MOST[name]
        print(f"{name}: {total} kernels of at most {MOST[name]}: {dict(found)}; {time.process_time() - began:.0f} s")
    return int(too_many)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
