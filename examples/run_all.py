"""Run the examples, each framework in its own virtual environment, and write docs/log/frameworks_output.md.

    python examples/run_all.py                  # all: minutes, and some GB under runs/frameworks
    python examples/run_all.py sb3 torchrl      # these groups; the other parts of the page stay as they are
    python examples/run_all.py --no-install     # the environments are there already

An example fails if it ends with an error, which an illegal action is at these tables, or if what it was paid did not
rise. `tests/project/test_examples.py` runs shorter forms of those whose framework is installed.
"""

import argparse
import os
import re
import subprocess
import sys
import time
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "log" / "frameworks_output.md"
HEAD = """# What the examples printed

Written by `python examples/run_all.py`: each framework in a virtual environment of its own, installed with
`constraints.txt`. The machine has two cores, no GPU, and other work to do, so the seconds are an upper bound. What is
paid are points a hand, own side less the other side; players at random are paid 0. In the examples for TorchRL and
RLlib both partners learn, in the others one seat whose partner plays at random: their points do not compare. OpenEnv's
is paid the chance to win that its moves lose, in points of a hundred.
"""
LAST_LINE = re.compile(r"reward: ([+-][\d.]+) at first, ([+-][\d.]+) at last")
REPORTED = ("numpy", "gymnasium", "pettingzoo", "torch")


@dataclass(frozen=True)
class Example:
    """A file, the optional groups and the module it needs, and its arguments: in tests, and here."""

    name: str
    group: str
    module: str
    package: str
    short: str
    long: str
    folder: str = "examples"

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.name}.py"


EXAMPLES = (
    Example("numpy_reinforce", "core", "numpy", "numpy", "--updates 12", "--updates 60"),
    Example("text_agent", "core", "numpy", "numpy", "--hands 30", "--hands 100", "agents/bots"),
    Example("cleanrl_ppo", "torch", "torch", "torch", "--updates 8", "--updates 20"),
    Example("sb3_maskable_ppo", "sb3", "sb3_contrib", "sb3-contrib", "--updates 12", "--updates 20"),
    Example("torchrl_ppo", "torchrl", "torchrl", "torchrl", "--updates 24", "--updates 40"),
    Example("rllib_ppo", "rllib", "ray.rllib", "ray", "--updates 6", "--updates 12"),
    Example("tianshou_ppo", "tianshou", "tianshou", "tianshou", "--updates 12", "--updates 24"),
    Example("agilerl_ppo", "agilerl", "agilerl", "agilerl", "--updates 10", "--updates 20"),
    Example("mctx_search", "mctx", "mctx", "mctx", "--hands 8 --simulations 8", "--hands 16 --simulations 16"),
    Example("openspiel_game", "openspiel,torch", "pyspiel", "open-spiel", "--hands 200", "--hands 300"),
    Example("openenv_client", "openenv", "openenv", "openenv", "--hands 1", "--hands 4"),
    Example("verifiers_seats", "verifiers", "verifiers", "verifiers", "--hands 1", "--hands 1"),
    Example("openspiel_bots", "openspiel,torch", "pyspiel", "open-spiel", "--hands 6", "--hands 10"),
)


def run(example: Example, arguments: str, python: str = sys.executable) -> str:
    """Run an example and return what it prints; raise an error if it fails."""
    command = [python, "-u", str(ROOT / example.path), *arguments.split()]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    if done.returncode:
        raise RuntimeError(f"{example.name} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def rewards(printed: str) -> tuple[float, float]:
    """Return the first and the last reward, from an example's last line."""
    found = LAST_LINE.fullmatch(printed.strip().splitlines()[-1])
    if not found:
        raise RuntimeError(f"no rewards in the last line of:\n{printed}")
    return float(found[1]), float(found[2])


def install(folder: Path, group: str) -> None:
    """Make a virtual environment with this project and the group's packages."""
    venv.create(folder, with_pip=True)
    wanted = "." if group == "core" else f".[{group}]"
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q", "-c", "constraints.txt", "-e", wanted]
    subprocess.run(command, cwd=ROOT, check=True)


def versions(python: str, package: str) -> str:
    """Return the versions of Python, the framework, and shared packages."""
    code = (
        "import sys, importlib.metadata as m; have = {d.name.lower() for d in m.distributions()}; "
        "print('Python', sys.version.split()[0], *(f'· {p} {m.version(p)}' for p in sys.argv[1:] if p in have))"
    )
    names = dict.fromkeys((package, *REPORTED))
    return subprocess.run([python, "-c", code, *names], capture_output=True, text=True, check=True).stdout.strip()


def section(example: Example, python: str) -> str:
    """Run an example; return its section of the page."""
    start = time.monotonic()
    printed = run(example, example.long, python)
    seconds = time.monotonic() - start
    first, last = rewards(printed)
    if last <= first:
        raise RuntimeError(f"{example.name} did not learn: {first} at first, {last} at last")
    print(f"{example.name}: {first:+.1f} at first, {last:+.1f} at last, {seconds:.0f} s", flush=True)
    command = f"python {example.path} {example.long}"
    body = f"{versions(python, example.package)}; {seconds:.0f} s, imports and compiling included\n\n"
    return f"## {example.name}\n\n{body}```\n$ {command}\n{printed.strip()}\n```\n"


def parts_of(page: str) -> dict[str, str]:
    """Return the page's sections by name."""
    return {part.split("\n", 1)[0]: f"## {part.rstrip()}\n" for part in page.split("\n## ")[1:]}


def keep(name: str, part: str) -> None:
    """Put a section into the page, in the order of the examples."""
    parts = parts_of(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    parts[name] = part
    PAGE.write_text("\n".join([HEAD, *(parts[one.name] for one in EXAMPLES if one.name in parts)]), encoding="utf-8")


def main(groups: list[str], venvs: Path, installs: bool) -> None:
    for group in dict.fromkeys(example.group for example in EXAMPLES):
        if groups and group.split(",")[0] not in groups:
            continue
        folder = venvs / group.split(",")[0]
        if installs:
            install(folder, group)
        for example in EXAMPLES:
            if example.group == group:
                keep(example.name, section(example, str(folder / "bin" / "python")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = dict.fromkeys(example.group.split(",")[0] for example in EXAMPLES)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"{', '.join(known)} (default: all)")
    parser.add_argument("--venvs", type=Path, default=ROOT / "runs" / "frameworks")
    parser.add_argument("--no-install", dest="installs", action="store_false")
    options = parser.parse_args()
    if unknown := next((group for group in options.groups if group not in known), None):
        parser.error(f"unknown group {unknown!r}; expected {', '.join(known)}")
    main(**vars(options))
