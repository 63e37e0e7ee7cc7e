# Everything runs inside .venv, which `make install` creates.

PYTHON ?= $(shell python3.11 -c 'import sys; print(sys.executable)' 2>/dev/null || echo python3)
EXTRAS ?= all,dev
WORKERS ?= 2

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
BENCH_INSTALLED := $(VENV)/.installed-bench
RAY_INSTALLED := $(VENV)/.installed-ray
BROWSER_INSTALLED := $(VENV)/.installed-browser
DOCS_INSTALLED := $(VENV)/.installed-docs
MUTATION_INSTALLED := $(VENV)/.installed-mutation
RELEASE_INSTALLED := $(VENV)/.installed-release

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

SOURCES = impulse_env agents training tests notebooks
# Tests with a target of their own.
APART = peers or ray or interop or browser or notebooks or package
# The files that have them: to read all tests takes half a minute.
BROWSER_TESTS = $(sort $(shell grep -rl --include="test_*.py" "pytest.mark.browser" tests))
TOOL = PYTHONPATH=tests/support $(BIN)/python tests/tools
# Neighbours stay in one process, which makes once what a module shares.
PYTEST = $(BIN)/python -m pytest -n auto --maxprocesses $(WORKERS) --dist worksteal

# Only files that requirements.lock has the hashes of.
INSTALL_LOCKED = $(BIN)/python tests/tools/install_locked.py
# A line for each package instead of pip's several; errors come through whole.
BRIEFLY = awk '/^Collecting/ { sub(/[^A-Za-z0-9._-].*/, "", $$2); print "  " $$2; fflush() } \
	/^Installing collected/ { print "  unpacking and linking"; fflush() } \
	/^ERROR/ { print; fflush() }'

.PHONY: help install demo play test test-slow test-gpu test-ray test-browser test-package test-interop test-installed test-notebooks mutants wheel sbom bench load soak notebooks answers explanations claims pictures approve docs docs-serve lint format typecheck coverage lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(INSTALLED)  ## create .venv with the project and its tools
	@:

$(INSTALLED): pyproject.toml requirements.lock
	@echo "Installing into $(VENV) with $$($(PYTHON) --version); the first time takes a few minutes."
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL_LOCKED) '$(EXTRAS)' | $(BRIEFLY)
	@touch $@
	@echo "Installed."

$(BENCH_INSTALLED): $(INSTALLED)
	@echo "Installing the environments to compare with."
	@$(INSTALL_LOCKED) '$(EXTRAS),bench' | $(BRIEFLY)
	@touch $@

$(RAY_INSTALLED): $(INSTALLED)
	@echo "Installing Ray."
	@$(INSTALL_LOCKED) '$(EXTRAS),ray' | $(BRIEFLY)
	@touch $@

$(BROWSER_INSTALLED): $(INSTALLED)
	@echo "Installing what drives a browser."
	@$(INSTALL_LOCKED) '$(EXTRAS),browser-tests' | $(BRIEFLY)
	@touch $@

$(DOCS_INSTALLED): $(INSTALLED)
	@echo "Installing what builds the documentation."
	@$(INSTALL_LOCKED) '$(EXTRAS),docs' | $(BRIEFLY)
	@touch $@

$(MUTATION_INSTALLED): $(INSTALLED)
	@echo "Installing what makes mutants."
	@$(INSTALL_LOCKED) '$(EXTRAS),mutation' | $(BRIEFLY)
	@touch $@

$(RELEASE_INSTALLED): $(INSTALLED)
	@echo "Installing what writes a bill of materials."
	@$(INSTALL_LOCKED) 'release' | $(BRIEFLY)
	@touch $@

demo: install  ## play a game, train for three minutes, compare the agents; writes runs/
	@$(BIN)/impulse demo

play: install  ## play in the browser, against agents or people
	@$(BIN)/impulse play

test: install  ## run the tests of the code
	@$(PYTEST) -m "not slow and not docs and not ($(APART))"

test-slow: install  ## run only the slow tests
	@$(PYTEST) -m "slow and not ($(APART))"
	@$(BIN)/python -m pytest -m "slow and package" tests/package

test-gpu: install  ## compare games on an NVIDIA GPU with those on the processor
	@$(BIN)/python -m pytest -m gpu tests/env/gpu
	@if command -v compute-sanitizer >/dev/null; then \
		compute-sanitizer --error-exitcode 1 $(BIN)/python tests/tools/gpu_play.py; \
	fi

test-ray: $(RAY_INSTALLED)  ## test tournaments and training on a small Ray cluster
	@$(BIN)/python -m pytest -m ray

test-browser: $(BROWSER_INSTALLED)  ## test the web pages in a real Chromium; QUICK=1: without the slow tests
	@$(TOOL)/chromium.py
	@$(PYTEST) --dist loadfile -m "browser$(if $(QUICK), and not slow)" $(BROWSER_TESTS)

test-package: install  ## test the wheel, the sdist, and another author's project with the wheel
	@$(BIN)/python -m pytest -m "package and not slow" tests/package

test-interop: install  ## test the pages on other libraries, each in its own environment; ONLY=name: one page
	@$(TOOL)/interop.py $(ONLY)

test-installed: install  ## run the fast tests against the installed wheel
	@rm -rf build/installed && mkdir -p build/installed
	@$(BIN)/python -m build --no-isolation --outdir build/installed/dist . >build/installed/log
	@$(TOOL)/installed.py build/installed "$(EXTRAS)"

test-notebooks: install  ## run the notebooks with small settings; QUICK=1: without the long ones
	@$(PYTEST) -m "notebooks$(if $(QUICK), and not slow)" tests/notebooks/test_notebooks.py

mutants: $(MUTATION_INSTALLED)  ## find small changes of the engine that no test notices; takes hours and resumes
	@$(TOOL)/mutants.py $(MUTANTS)

wheel: install  ## build the sdist and the wheels, one with machine code for this platform, in dist/
	@$(TOOL)/build_wheels.py dist

sbom: $(RELEASE_INSTALLED)  ## write the bill of materials (CycloneDX) of requirements.lock to build/
	@mkdir -p build
	@$(BIN)/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml \
		--output-reproducible --output-file build/impulse-env.cdx.json

bench: $(BENCH_INSTALLED)  ## compare the speed with other environments
	@$(BIN)/impulse bench --peers

load: install  ## measure how many tables with people one server can serve
	@$(TOOL)/load.py $(LOAD)

soak: install  ## play 10^8 random decisions and check every state; resumes after Ctrl-C
	@$(BIN)/impulse tools soak --workers $(WORKERS)

notebooks: install  ## run the notebooks with full settings and save their outputs; ONLY=06: one notebook
	@for notebook in notebooks/$(ONLY)*.ipynb; do $(BIN)/jupyter execute --inplace --timeout=-1 $$notebook; done

answers: install  ## update the table of notebooks/README.md from the outputs of the notebooks
	@PYTHONPATH=notebooks:tests/support $(BIN)/python tests/tools/answers_table.py

explanations: install  ## measure the explanations of the analysis board, of MISTAKES=500; resumes
	@$(TOOL)/explained.py --mistakes $(or $(MISTAKES),500)

claims: install  ## update the tables of the pages from docs/claims.toml
	@$(TOOL)/claims_tables.py

approve: $(BROWSER_INSTALLED)  ## update the pictures that tests compare pages with; check them by eye
	@$(TOOL)/chromium.py
	@APPROVE=1 $(BIN)/python -m pytest -m browser -k "not differs" \
		tests/table/web/test_approved_pictures_in_chromium.py

pictures: $(BROWSER_INSTALLED)  ## update the pictures of the table and its boards in docs/, in Chromium
	@$(TOOL)/chromium.py
	@$(BIN)/python -m pytest -m browser tests/table/web \
		-k "stranger_plays or closes_the_page or documented_boards or are_practised or (axe_finds and laptop and dark)"
	@$(TOOL)/docs_pictures.py

docs: $(DOCS_INSTALLED)  ## build the documentation into build/site, check its links, run its examples
	@$(BIN)/zensical build --clean --strict --config-file mkdocs.yml
	@$(TOOL)/play_page.py build/site
	@$(TOOL)/check_site.py build/site
	@$(PYTEST) -m "docs and not slow and not ($(APART))" tests/docs

docs-serve: $(DOCS_INSTALLED)  ## serve the documentation in a browser while you edit it
	@$(BIN)/zensical serve --config-file mkdocs.yml

lint: install  ## check style, layout, imports, spelling and prose
	@$(BIN)/python -m ruff check $(SOURCES)
	@$(BIN)/python -m ruff format --check $(SOURCES)
	@PYTHONPATH=notebooks $(BIN)/lint-imports --no-logo
	@$(BIN)/codespell
	@$(BIN)/python tests/tools/prose.py

format: install  ## reformat the sources
	@$(BIN)/python -m ruff check --fix-only $(SOURCES)
	@$(BIN)/python -m ruff format $(SOURCES)

typecheck: install  ## check the types
	@$(BIN)/python -m mypy

coverage: install  ## measure the coverage of the tests; slow, because nothing is compiled
	@NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow and not ($(APART))" --cov --cov-report=term

lock:  ## update requirements.lock from pyproject.toml; UPGRADE=1: the newest versions
	@$(PYTHON) -m venv build/lock
	@build/lock/bin/python tests/tools/renew_lock.py $(if $(UPGRADE),--upgrade)

clean:  ## remove build outputs, except .venv and runs/
	@rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.*
	@find . -path ./$(VENV) -prune -o -path ./runs -prune -o -type d \
		\( -name __pycache__ -o -name '*.egg-info' \) -print0 | xargs -0 rm -rf
