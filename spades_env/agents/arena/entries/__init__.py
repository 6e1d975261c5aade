"""Entries of the benchmark: bots in folders, run apart from everything else, and checked on deals that nobody knew."""
