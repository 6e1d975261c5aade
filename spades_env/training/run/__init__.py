"""The folder of a run: its checkpoints, metrics and curves."""

RUN_LOCK = ("run.lock", "{folder} is in use by {holder}: wait until that ends, or name another folder with --out")
