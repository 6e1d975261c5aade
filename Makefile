PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: quickstart test lint bench clean

quickstart: $(VENV)/core.done  ## set up, watch a seeded game of random players, see the first speeds
	$(BIN)/python -m spades_env --seed 7 --set target=off --set max_hands=8
	$(BIN)/python benchmarks/run.py --quick

test: $(VENV)/dev.done  ## everything; then a sample with the compiler off, and one with bounds checks
	$(BIN)/python -m pytest -q -n 2
	NUMBA_DISABLE_JIT=1 SPADES_TEST_SCALE=0.01 $(BIN)/python -m pytest -q -n 2
	NUMBA_BOUNDSCHECK=1 SPADES_TEST_SCALE=0.1 $(BIN)/python -m pytest -q -n 2

lint: $(VENV)/dev.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

bench: $(VENV)/dev.done  ## measure everything into docs/benchmarks.md; with open-spiel installed, it is measured beside us
	$(BIN)/python benchmarks/run.py --write

$(VENV)/core.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt --editable .
	touch $@

$(VENV)/dev.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt --editable ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info
