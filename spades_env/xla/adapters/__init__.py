"""The environment by the words of other libraries: as_pgx, as_jaxmarl, as_gymnax; each is imported by its name."""
