# Everything a person or CI runs. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed-$(shell cat setup.cfg constraints.txt | cksum | cut -d' ' -f1)
PACKAGES := tripleo_ui devcloud
PYTEST := $(BIN)/python -m pytest
# Test targets take more arguments for pytest: make test-unit ARGS='-k hot'
ARGS ?=
# What to measure, space-separated; empty: everything.
SUITE ?=

.PHONY: help venv system-packages demo test lint bench docs screenshots clean \
	test-unit test-panels test-devcloud test-faults test-browser test-wheel

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

venv: $(STAMP) ## create .venv with every pinned package

$(STAMP): setup.cfg constraints.txt
	@echo "== Installing pinned packages into $(VENV) (a few minutes the first time)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/it"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "Install the venv module first: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --progress-bar off --disable-pip-version-check \
		--constraint constraints.txt setuptools wheel
	@$(BIN)/python -m pip install --quiet --progress-bar off --disable-pip-version-check --no-build-isolation \
		--constraint constraints.txt --editable '.[devcloud,test]'
	@rm -f $(VENV)/.installed-* && touch $@

demo: venv ## boot the embedded cloud with the dashboard, print URL and login
	@$(BIN)/python -m devcloud up

system-packages: ## install what the tests need from the distribution
	@bash tools/system-packages

# The suite boots one cloud, which the last line takes down again, unless it was running before.
test: venv system-packages ## everything that must pass
	@$(MAKE) --no-print-directory lint
	@bash tools/test $(ARGS)

test-unit test-panels test-devcloud test-faults test-browser: test-%: venv
	$(PYTEST) tests/$* $(ARGS)

lint: venv ## ruff, djLint, mypy, import contracts, spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djlint --quiet --lint templates
	$(BIN)/codespell

bench: venv ## measure; JSON on standard output; SUITE=orchestration measures a part
	@$(BIN)/python -m benchmarks $(SUITE)

docs: venv ## the guides as HTML in docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

screenshots: venv ## take the user guide's pictures again
	$(PYTEST) tests/browser -k screenshots --screenshots docs/user/images $(ARGS)

clean: ## stop the cloud, remove everything that was built
	@test ! -d .devcloud -o ! -x $(BIN)/python || $(BIN)/python -m devcloud down
	rm -rf $(VENV) .devcloud build dist docs/_build artefacts ./*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
