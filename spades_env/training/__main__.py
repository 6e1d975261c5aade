"""`python -m spades_env.training RECIPE`: what `spades train` does, where the command is not installed."""

import argparse
import sys

from spades_env.errors import SpadesError
from spades_env.training.train_command import add_train_arguments, run_train

if __name__ == "__main__":
    try:
        parser = argparse.ArgumentParser("python -m spades_env.training", description="Follow a training recipe.")
        add_train_arguments(parser)
        sys.exit(run_train(parser.parse_args()))
    except (SpadesError, OSError) as error:
        print(f"train: {error}", file=sys.stderr)
        sys.exit(2)
