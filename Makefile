PYTHON ?= python3
VENV ?= .venv
RUN ?= runs/quick
LEVEL = $(RUN)/quick.safetensors
SCALE ?= 0.3
WORKERS ?= 3
FUZZ_SECONDS ?= 60
HANDS ?= 1000000
FUZZ_TARGETS ?= action completion level_file message recipe_file record rules rules_file saved_game sitting
BIN := $(VENV)/bin
KERNELS := tests/game tests/vector tests/envs tests/show tests/package tests/agents \
    tests/train/test_rewards.py tests/train/recipe/test_situations.py \
    tests/train/fit/test_fit_bis.py tests/train/fit/test_fit_worlds.py \
    --ignore=tests/agents/command --ignore=tests/agents/cluster --ignore=tests/agents/arena/test_gaps.py \
    --ignore=tests/agents/arena/test_benchmark.py --ignore=tests/agents/arena/test_entry.py
SLOW := --ignore=tests/agents/network/test_network.py --ignore=tests/agents/network/test_bounds.py \
    --ignore=tests/agents/arena/test_manners.py  # without the compiler
TEST_ENV = SPADES_TEST_SCALE=$(SCALE) OMP_NUM_THREADS=1  # threads would wait for each other, as other tests use the cores
AGAIN = { [ $$? = 1 ] && echo "What failed beside other tests runs once more, alone:" && \
    $(TEST_ENV) $(BIN)/python -m pytest -q --last-failed --last-failed-no-failures=none; }
TRAINING := tests/train/self_play/test_self_play.py tests/train/stages
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: quickstart watch test test-kernels test-interpreted test-bounds test-install lint coverage fuzz bench gpu docs site examples baselines dist sbom audit browser version clean

quickstart: $(VENV)/train.done  ## set up; train a small policy, measure it, export it as a level; say how to play it
	$(BIN)/spades train quick --out $(RUN) $(if $(wildcard $(RUN)/config.json),--resume)
	$(BIN)/spades export $(RUN) --out $(LEVEL)
	$(BIN)/spades arena $(LEVEL) random --games 2000 --rules match
	$(BIN)/spades arena $(LEVEL) rule --games 1000 --rules match
	$(BIN)/spades arena $(LEVEL) standard --games 400 --rules match
	@echo
	@echo "The level is $(LEVEL), and its path is its name wherever an agent is named:"
	@echo "    $(BIN)/spades arena $(LEVEL) bis/mc:30x30 --games 100"
	@echo "    gymnasium.make('spades_env:Spades-v0', opponents='$(LEVEL)')"
	@echo "Play with it and against it, in a terminal or in the browser (there it is among the players of New game):"
	@echo "    $(BIN)/python -m pip install --constraint constraints.txt --editable '.[play]'"
	@echo "    $(BIN)/spades play --new --partner $(LEVEL) --left $(LEVEL) --right $(LEVEL)"
	@echo "    $(BIN)/spades table --also $(LEVEL)"
	@echo "How it learned: $(RUN)/curves.svg, and tensorboard --logdir $(RUN)/tensorboard"

watch: $(VENV)/core.done  ## a seeded game of random players in the terminal, and the first speeds
	$(BIN)/python -m spades_env --seed 7 --set target=off --set max_hands=8
	$(BIN)/python benchmarks/run.py --quick

test: $(VENV)/dev.done  ## every test in WORKERS processes, with SCALE of the hands of those that play many (all: SCALE=1)
	$(BIN)/python tests/compile_kernels.py
	$(TEST_ENV) $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder || $(AGAIN)

test-kernels: test-interpreted test-bounds  ## a sample with the compiler off, and one with bounds checks

test-interpreted: $(VENV)/dev.done
	NUMBA_DISABLE_JIT=1 SPADES_TEST_SCALE=0.01 $(BIN)/python -m pytest -q -n $(WORKERS) $(KERNELS) $(SLOW)

test-bounds: $(VENV)/dev.done
	NUMBA_BOUNDSCHECK=1 $(BIN)/python tests/compile_kernels.py
	NUMBA_BOUNDSCHECK=1 SPADES_TEST_SCALE=0.1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile $(KERNELS) $(TRAINING)

test-install: $(VENV)/dev.done  ## the wheel alone in empty environments, with every Python from 3.11 to 3.13 that is here
	SPADES_INSTALL_TESTS=1 $(BIN)/python -m pytest -q -rs tests/project/test_install.py

lint: $(VENV)/dev.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

docs: $(VENV)/dev.done  ## tables and pictures from the code; the site into build/site, every link checked
	$(BIN)/python docs/tools/make.py
	$(BIN)/python -m mkdocs build

site: $(VENV)/core.done  ## the table as a static page in build/play, which any web host can serve; needs npm and lld
	$(BIN)/python -m web.build $(SITE)

coverage: $(VENV)/dev.done  ## which branches of the environment and the server the tests reach: without the compiler, then the server with it
	rm -f .coverage .coverage.*
	NUMBA_DISABLE_JIT=1 SPADES_TEST_SCALE=0.01 $(BIN)/coverage run -m pytest -q -n $(WORKERS) $(KERNELS) $(SLOW)
	$(BIN)/coverage run -m pytest -q -n $(WORKERS) tests/server tests/docs/test_site.py tests/commands/test_play.py
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

fuzz: $(VENV)/dev.done  ## what strangers can hand in, made up by a fuzzer: a minute for each kind of input
	$(PIP) install --constraint constraints.txt --editable ".[fuzz]"
	status=0; for target in $(FUZZ_TARGETS); do $(BIN)/python tests/fuzz/run.py $$target --seconds $(FUZZ_SECONDS) || status=1; done; exit $$status

bench: $(VENV)/dev.done  ## measure everything into docs/benchmarks.md; with open-spiel installed, it is measured beside us
	$(BIN)/python benchmarks/run.py --write

gpu: $(VENV)/gpu.done  ## on a machine with an NVIDIA GPU: the speeds of the JAX game and of its learner, then a million hands beside the compiled one
	$(BIN)/python benchmarks/xla.py --tables 1024 8192 65536 262144
	$(BIN)/python train/jax_ppo.py --minutes 1 --evaluations 1 --games 20 --tables 4096 --out runs/gpu
	PYTHONPATH=.:tests $(BIN)/python tests/many_hands.py $(HANDS) --tables 8192

dist: build/release/done  ## wheel and sdist into dist/, checked: made by tools of which each is pinned by its hash
	rm -rf dist
	build/release/bin/python -m build --no-isolation
	build/release/bin/twine check --strict dist/*

sbom: $(VENV)/dev.done  ## a bill of materials of the package with all that it can use at run time: build/sbom.cdx.json
	rm -rf build/sbom
	$(PYTHON) -m venv build/sbom
	build/sbom/bin/python -m pip --quiet install --constraint constraints.txt ".[all]"
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-file build/sbom.cdx.json build/sbom/bin/python

audit: $(VENV)/dev.done  ## known vulnerabilities: of all that is installed here, of the release's tools, of what npm fetches
	$(PIP) install --constraint constraints.txt --editable ".[audit]"
	mkdir -p build
	$(BIN)/python -m pip freeze --exclude-editable > build/installed.txt
	$(BIN)/pip-audit --strict --disable-pip --no-deps --requirement build/installed.txt
	$(BIN)/pip-audit --strict --disable-pip --require-hashes --requirement requirements-release.txt
	npm audit --prefix web

browser: $(VENV)/dev.done  ## a Chrome for the tests of the page
	$(BIN)/playwright install --with-deps chrome

version:  ## the one that is worked on
	@sed -n 's/^__version__ = "\(.*\)"/\1/p' spades_env/_version.py

examples:  ## slow: every framework in an environment of its own; writes docs/log/frameworks_output.md
	$(PYTHON) examples/run_all.py

baselines: $(VENV)/dev.done  ## about seven hours of one core: PPO, DQN, NFSP and behaviour cloning, three lengths; goes on where it was stopped
	$(BIN)/python train/run_all.py baselines --docs

$(VENV)/core.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt --editable .
	touch $@

$(VENV)/train.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt --editable ".[train]"
	touch $@

$(VENV)/gpu.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt --editable ".[jax,train]" "jax[cuda13]" hypothesis pgx
	touch $@

$(VENV)/dev.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt --editable ".[dev]"
	touch $@

build/release/done: requirements-release.txt
	rm -rf build/release
	$(PYTHON) -m venv build/release
	build/release/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement $<
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info
