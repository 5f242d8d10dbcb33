# make paper         set everything up and run the main job
# make test          set everything up and run all tests
# make lint          style, types, layers, and what people expect of a package
# make types         the same types as pyright sees them
# make test-oldest   the tests with the oldest dependencies that pyproject.toml allows
# make image         build the container and try it (needs a Docker engine)
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
OLDEST := .venv-oldest
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check

.PHONY: paper test test-oldest lint types bench docs image clean

paper: $(READY)
	$(BIN)/goodarm paper

test: $(READY)
	@tools/system-packages.sh
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/repo-review .

types: $(READY)
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python tools/type_completeness.py

bench: $(READY)
	$(BIN)/goodarm bench

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

image:
	tools/try-image.sh

# The environment is made anew when the dependencies change. Dependency groups need pip 25.1.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "goodarm needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP_INSTALL) "pip>=25.1"
	$(BIN)/python $(PIP_INSTALL) --constraint constraints.txt --group dev --editable .
	@touch $@

# Direct dependencies at their lower bounds; what the tests themselves use is as new as it fits.
# Old packages warn of what newer ones have put right: here that is no failure.
test-oldest: $(OLDEST)/.ready
	$(OLDEST)/bin/python -m pytest -n 2 --dist loadfile -W default -W error::RuntimeWarning $(TESTS)

$(OLDEST)/.ready: pyproject.toml
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python $(PIP_INSTALL) uv
	$(OLDEST)/bin/uv pip compile --quiet --no-deps --extra all --resolution lowest --no-header \
		--python $(OLDEST)/bin/python --output-file $(OLDEST)/constraints.txt pyproject.toml
	$(OLDEST)/bin/uv pip install --python $(OLDEST)/bin/python \
		--constraint $(OLDEST)/constraints.txt --group test --editable ".[all]"
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) build dist report
	find . -name __pycache__ -prune -exec rm -rf {} +
