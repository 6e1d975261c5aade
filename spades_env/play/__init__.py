"""What a person touches: the `spades` command."""
