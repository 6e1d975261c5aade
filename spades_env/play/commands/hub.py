"""`spades push` and `spades pull`: levels to and from repositories of the Hugging Face Hub.

spades push runs/quick/level.safetensors me/spades-quick
spades push standard me/spades-standard --card            shows the card, and sends nothing
spades pull me/spades-quick                               into spades-quick.safetensors
spades pull me/spades-quick@v2 --out old.safetensors      a branch, tag or commit
"""

import argparse
from pathlib import Path

from spades_env.agents.agent_name import AgentName
from spades_env.agents.network.hub import HubError, parsed, pull, push
from spades_env.agents.network.level import Level
from spades_env.agents.network.model_card import model_card
from spades_env.agents.roster import SUFFIX
from spades_env.play.commands.parsing import FINE


def add_push_arguments(parser: argparse.ArgumentParser) -> None:
    """Add which level, into which repository."""
    parser.add_argument("level", metavar="LEVEL", help="a level's file, or the name of one that comes with the package")
    parser.add_argument("repository", metavar="OWNER/NAME", help="where to; it is made if there is none")
    parser.add_argument("--private", action="store_true", help="nobody else may see a repository that is made now")
    parser.add_argument("--card", action="store_true", help="print the model card, and send nothing")


def add_pull_arguments(parser: argparse.ArgumentParser) -> None:
    """Add which repository, into which file."""
    parser.add_argument("repository", metavar="OWNER/NAME", help="where from; OWNER/NAME@REVISION for an older one")
    parser.add_argument("--out", type=Path, help=f"the level's file (default: NAME{SUFFIX})")


def run_push(options: argparse.Namespace) -> int:
    """Send a level and its card."""
    path = AgentName.parse(options.level).level
    repository, revision = parsed(options.repository)
    if path is None or revision:
        what = "a revision" if revision else f"{options.level!r}"
        raise HubError(f"{what} cannot be pushed: spades push takes a level's file or name, and OWNER/NAME")
    if options.card:
        print(model_card(Level.read(path), repository), end="")
        return FINE
    address = push(path, repository, options.private)
    print(f"{address}: {Level.read(path)!r}; hf:{repository} is its name wherever an agent is named")
    return FINE


def run_pull(options: argparse.Namespace) -> int:
    """Fetch a level, check it and keep it in a file."""
    repository, revision = parsed(options.repository)
    out = options.out or Path(repository.rpartition("/")[2] + SUFFIX)
    level = pull(repository, out, revision)
    print(f"{out}: {level!r}; its path is its name wherever an agent is named")
    return FINE
