"""The club player: bids and plays by eye, and is held out of all training."""
