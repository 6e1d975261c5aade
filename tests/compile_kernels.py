"""Compile the kernels that many tests call, each of them once: python tests/compile_kernels.py

Tests run in several processes. With an empty cache, each would compile the bots for itself.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from spades_env import Game, SpadesVectorEnv, agents
from spades_env._jit import JIT_ON
from spades_env.play.cold_start import OTHERS, TABLE, compile_part
from spades_env.play.table.choices import default_adviser

PARTS = [  # a process each; the second seldom compiles what the first is compiling
    ["rule", "mc:3x2", "pimc:3"],
    ["vector", "standard", "oracle", "ismcts:40", "training"],
]


def call(name: str) -> None:
    """Call the kernels of the vector environment, of training, or of an agent."""
    if name == "vector":
        env = SpadesVectorEnv(2, seed=1)
        env.reset()
        env.step(env.random_actions())
    elif name == "training":
        from support.train.runs import run_here, tiny

        with tempfile.TemporaryDirectory() as folder:
            run_here(tiny(), Path(folder) / "run")
    else:
        ask(agents.load(name, seed=1))


def ask(agent: agents.Agent) -> None:
    """Let an agent bid, and ask it about the first card in every way."""
    game = Game("classic", seed=1)
    while game.phase != "play":
        game.apply(agent.act(game if agent.cheats else game.view(game.turn)))
    seen = game if agent.cheats else game.view(game.turn)
    agent.act(seen)
    agent.hint(seen)
    agent.weigh_batch([seen])


def main(names: list[str]) -> None:
    sys.path.insert(0, str(Path(__file__).parent))
    for name in names:
        began = time.perf_counter()
        call(name)
        print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        main(sys.argv[1:])
    elif JIT_ON:
        running = [subprocess.Popen([sys.executable, __file__, *names]) for names in PARTS]
        code = max(process.wait() for process in running)
        for part in (TABLE, OTHERS) if code == 0 else ():
            compile_part(part, default_adviser())
        sys.exit(code)
