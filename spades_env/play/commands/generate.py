"""`spades generate`: agents play each other; their decisions are written to Parquet files.

spades generate --agent rule --hands 100000 --out data
spades generate --agent standard --agent rule --rules showdown --hands 5000 --out data   the sides
spades generate --agent a --agent b --agent c --agent d …                                South, West, North, East
"""

import argparse
import json
import sys
from pathlib import Path

from spades_env import agents
from spades_env.play.commands.parsing import FINE, STOPPED
from spades_env.play.commands.shared import add_ray_argument, add_rules_arguments, progress_bar, rules_of, workers_of
from spades_env.training.data.dataset import generate
from spades_env.training.data.generate import SHARD_HANDS, DatasetPlan
from spades_env.training.data.shards import DECISIONS


def add_generate_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the agents, the number of hands, the rules, and where the files go."""
    parser.add_argument(
        "--agent",
        action="append",
        required=True,
        metavar="AGENT",
        help=f"once: at every seat; twice: South and North, West and East; four times: one for each. "
        f"{', '.join(agents.names())}, or bidder/player",
    )
    parser.add_argument("--hands", type=int, required=True, help="how many hands")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the dataset's folder; it may already exist"
    )
    add_rules_arguments(parser)
    parser.add_argument("--seed", type=int, default=0, help="decides all deals and moves (default: 0)")
    parser.add_argument("--shard-hands", type=int, default=SHARD_HANDS, help=f"in a file (default: {SHARD_HANDS})")
    parser.add_argument(
        "--epsilon",
        type=float,
        default=0.0,
        metavar="E",
        help="share of the decisions that are random legal actions instead of the agent's (default: 0)",
    )
    parser.add_argument("--jobs", type=int, help="threads (default: one for each core)")
    add_ray_argument(parser)
    parser.add_argument("--json", action="store_const", const="-", help="only the manifest, as JSON")


def run_generate(options: argparse.Namespace) -> int:
    """Play the missing hands, and print what the dataset holds."""
    settings = (options.hands, options.seed, options.shard_hands, options.epsilon)
    plan = DatasetPlan.of(options.agent, rules_of(options), *settings)
    try:
        with workers_of(options) as jobs, progress_bar(options) as progress:
            manifest = generate(plan, options.out, jobs, progress)
    except KeyboardInterrupt:
        print(f"spades: stopped; {options.out} keeps whole files: the same command continues", file=sys.stderr)
        return STOPPED
    if options.json == "-":
        print(json.dumps(manifest))
    else:
        rows = manifest["rows"][DECISIONS]
        print(f"{options.out}: {manifest['hands']:,} hands, {rows:,} decisions in {manifest['shards']:,} shards")
    return FINE
