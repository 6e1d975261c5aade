"""Play pieces of a match or a dataset on a Ray cluster: docs/install.md."""
