"""Compile the kernels that many tests call, each of them once: python tests/compile_kernels.py

Tests run in several processes. With an empty cache, each would compile the bots for itself.
"""

import subprocess
import sys
import time

import agents
from spades_env import Game, SpadesVectorEnv
from spades_env._jit import JIT_ON

PARTS = [  # a process each; the second seldom compiles what the first is compiling
    ["rule", "mc:3x2", "pimc:3"],
    ["vector", "standard", "oracle", "ismcts:40"],
]
HINTED = ("rule", "mc:3x2", "standard")


def call(name: str) -> None:
    """Call the kernels of an agent, or those of the vector environment."""
    if name == "vector":
        env = SpadesVectorEnv(2, seed=1)
        env.reset()
        env.step(env.random_actions())
        return
    game, agent = Game("classic", seed=1), agents.load(name, seed=1)
    while game.phase != "play":
        seen = game if agent.cheats else game.view(game.turn)
        game.apply(agent.act(seen))
    seen = game if agent.cheats else game.view(game.turn)
    agent.act(seen)
    if name in HINTED:
        agent.hint(seen)


def main(names: list[str]) -> None:
    for name in names:
        began = time.perf_counter()
        call(name)
        print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        main(sys.argv[1:])
    elif JIT_ON:
        running = [subprocess.Popen([sys.executable, __file__, *names]) for names in PARTS]
        sys.exit(max(process.wait() for process in running))
