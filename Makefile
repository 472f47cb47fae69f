# The recipes. Only git, python3 (3.11 or newer) and make have to be on the machine.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
EVAL_DATA := packages/recollect-eval-data

.PHONY: help demo test coverage test-deep test-mutation docs screens wheel browser bench bench-hook
.PHONY: bench-page bench-recall bench-start bench-capture bench-mcp bench-verdicts bench-year
.PHONY: bench-client bench-compare bench-upkeep clean

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

$(VENV)/.page: $(VENV)/.runs
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[page]'
	@touch $@

demo: $(VENV)/.page   ## show the main job on a throw-away HOME and repository
	@$(BIN)/python scripts/demo.py

browser:  ## install Chromium for the page's tests, where it is missing and can be installed
	@{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null 2>&1 || { \
	  command -v apt-get >/dev/null && { [ "$$(id -u)" = 0 ] || [ -n "$$CI" ]; } && \
	  as_root=$$([ "$$(id -u)" = 0 ] || echo "sudo -n") && \
	  { $$as_root apt-get update -qq && \
	    $$as_root apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1; } || \
	  echo "no Chromium: the tests of the page in a browser are skipped, which CI does not accept"

test: $(VENV)/.tests browser  ## format, lint, types, imports, docs and every test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/reference.py --check
	OPENBLAS_NUM_THREADS=1 $(BIN)/pytest  # each core runs tests of its own already

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

screens: $(VENV)/.tests browser  ## take the pictures of docs/page.md anew
	$(BIN)/python scripts/screens.py

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

bench-page: $(VENV)/.tests  ## what a search on the page costs, as a ratio to the same recall through the library
	$(BIN)/python bench/page.py

bench-start: $(VENV)/.runs  ## what light commands cost, as ratios to an empty click program
	$(BIN)/python bench/start.py

bench-capture: $(VENV)/.data  ## events drained a second, with all that is made of them
	$(BIN)/python bench/capture.py

bench-mcp: $(VENV)/.runs  ## the MCP server: start, warm recall, memory, many clients at once
	$(BIN)/python bench/mcp.py

bench-verdicts: $(VENV)/.tests  ## verdicts on labelled histories: accuracy over ten seeds
	$(BIN)/python bench/verdicts.py

bench-year: $(VENV)/.data  ## a simulated year of sessions, with upkeep and without, and its plot
	$(BIN)/recollect eval --dataset year --plot docs/year.svg

bench-upkeep: $(VENV)/.runs  ## what weighing, compressing and forgetting cost, as ratios to reading every memory once
	$(BIN)/python bench/upkeep.py

bench-client: $(VENV)/.tests  ## a turn of the real Claude Code, with hooks and without
	$(BIN)/python bench/client.py

bench-compare: $(VENV)/.runs  ## what hooks cost beside another checkout: make bench-compare OTHER=../before
	$(BIN)/python bench/compare.py $(OTHER)

clean:           ## remove what was made
	rm -rf $(VENV) dist .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
