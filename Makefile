# The recipes. Only git, python3 (3.11 or newer) and make have to be on the machine.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
EVAL_DATA := packages/recollect-eval-data

.PHONY: help demo test coverage test-deep test-mutation docs wheel bench bench-hook bench-recall bench-start bench-capture bench-client bench-compare clean

help:            ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(VENV)/.runs: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.data: $(VENV)/.runs $(EVAL_DATA)/pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e $(EVAL_DATA)
	@touch $@

$(VENV)/.tests: $(VENV)/.data
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(VENV)/.runs   ## show the main job on a throw-away HOME and repository
	@$(BIN)/python scripts/demo.py

test: $(VENV)/.tests  ## format, lint, types, imports, docs and every test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/reference.py --check
	$(BIN)/pytest

coverage: $(VENV)/.tests  ## every test once more, with the branch coverage of each folder; tracing takes half as long again
	$(BIN)/pytest --cov=recollect --cov-report= --cov-fail-under=0
	@$(BIN)/python scripts/coverage_folders.py

test-deep: $(VENV)/.tests  ## every property with 2,000 examples, many fuzzed folders, the table of secrets; takes hours
	$(BIN)/python scripts/secrets_table.py --check
	HYPOTHESIS_PROFILE=deep RECOLLECT_FUZZ_FOLDERS=400 $(BIN)/pytest

test-mutation: $(VENV)/.tests  ## change write, store and recall in small ways and show what no test notices
	$(BIN)/python scripts/mutation_sample.py --number $(or $(NUMBER),20) --seed $(or $(SEED),0)

docs: $(VENV)/.tests  ## write docs/reference anew from the tables
	$(BIN)/python scripts/reference.py
	$(BIN)/python scripts/secrets_table.py
	$(BIN)/python scripts/picture.py

wheel: $(VENV)/.tests  ## build both wheels into dist/ and check what is in them
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist . $(EVAL_DATA)
	$(BIN)/python scripts/check_wheel.py dist

bench: $(VENV)/.runs  ## measure, as ratios in one run
	$(BIN)/python bench/run.py

bench-hook: $(VENV)/.runs  ## what hooks cost, as ratios to a bare interpreter start
	$(BIN)/python bench/hook.py

bench-recall: $(VENV)/.runs  ## what recall costs as a store grows
	$(BIN)/python bench/recall.py

bench-start: $(VENV)/.runs  ## what light commands cost, as ratios to an empty click program
	$(BIN)/python bench/start.py

bench-capture: $(VENV)/.data  ## events drained a second, with all that is made of them
	$(BIN)/python bench/capture.py

bench-client: $(VENV)/.tests  ## a turn of the real Claude Code, with hooks and without
	$(BIN)/python bench/client.py

bench-compare: $(VENV)/.runs  ## what hooks cost beside another checkout: make bench-compare OTHER=../before
	$(BIN)/python bench/compare.py $(OTHER)

clean:           ## remove what was made
	rm -rf $(VENV) dist .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
