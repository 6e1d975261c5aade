"""`spades push` and `spades pull`: levels and networks to and from repositories of the Hugging Face Hub.

spades push runs/quick/level.safetensors me/spades-quick
spades push mine.onnx me/spades-mine                      a network of any framework
spades push standard me/spades-standard --card            shows the card, and sends nothing
spades pull me/spades-quick                               into spades-quick.safetensors
spades pull me/spades-quick@v2 --out old.safetensors      a branch, tag or commit
"""

import argparse
from pathlib import Path

from spades_env.agents.agent_name import ONNX, AgentName
from spades_env.agents.network.hub import HubError, card_of, parsed, player_in, pull, push
from spades_env.agents.roster import SUFFIX
from spades_env.play.commands.parsing import FINE


def add_push_arguments(parser: argparse.ArgumentParser) -> None:
    """Add which level, into which repository."""
    parser.add_argument("level", metavar="LEVEL", help="a level's file, a shipped level's name, or an ONNX file")
    parser.add_argument("repository", metavar="OWNER/NAME", help="where to; it is made if there is none")
    parser.add_argument("--private", action="store_true", help="nobody else may see a repository that is made now")
    parser.add_argument("--card", action="store_true", help="print the model card, and send nothing")


def add_pull_arguments(parser: argparse.ArgumentParser) -> None:
    """Add which repository, into which file."""
    parser.add_argument("repository", metavar="OWNER/NAME", help="where from; OWNER/NAME@REVISION for an older one")
    parser.add_argument("--out", type=Path, help=f"the file (default: NAME{SUFFIX} or NAME{ONNX})")


def run_push(options: argparse.Namespace) -> int:
    """Send a level and its card."""
    name = AgentName.parse(options.level)
    path = Path(options.level) if options.level.endswith(ONNX) else name.level
    repository, revision = parsed(options.repository)
    if path is None or revision or name.setting or name.options:
        what = "a revision" if revision else f"{options.level!r}"
        raise HubError(
            f"{what} cannot be pushed: spades push takes a level's file or name, an ONNX file, and OWNER/NAME"
        )
    if options.card:
        print(card_of(path, repository), end="")
        return FINE
    address = push(path, repository, options.private)
    print(f"{address}: {player_in(path)!r}; hf:{repository} is its name wherever an agent is named")
    return FINE


def run_pull(options: argparse.Namespace) -> int:
    """Fetch a level or a network, check it and keep it in a file."""
    repository, revision = parsed(options.repository)
    out = pull(repository, options.out, revision)
    print(f"{out}: {player_in(out)!r}; its path is its name wherever an agent is named")
    return FINE
