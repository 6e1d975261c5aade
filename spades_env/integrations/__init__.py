"""Spades for the tools that train and test language models, one module each; each needs an extra of the package."""
