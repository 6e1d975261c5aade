"""`python -m train RECIPE`: what `spades train` does, where the command is not installed."""

import argparse
import sys

from spades_env.shadows import check_shadows

if __name__ == "__main__":
    try:
        check_shadows()
        from train.command import add_train_arguments, run_train  # these import `agents`, which may be hidden

        parser = argparse.ArgumentParser("python -m train", description="Follow a training recipe.")
        add_train_arguments(parser)
        sys.exit(run_train(parser.parse_args()))
    except (ValueError, OSError) as error:
        print(f"train: {error}", file=sys.stderr)
        sys.exit(2)
