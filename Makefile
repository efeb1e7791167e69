PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
WORKERS ?= auto
comma  := ,

# Bytecode on all cores, and none of the dependencies' own tests: pip compiles everything, a file at a time.
# Both leave a file that does not compile, such as a template, to whoever imports it.
define install
$(BIN)/python -m pip install -q --disable-pip-version-check --no-compile -e ".[$(1)]"
$(BIN)/python -m compileall -qq -j 0 -x '/tests/' $(VENV)/lib boundcheck || true
endef

.PHONY: docs report ledger findings experiments leaderboard test test-slow coq lint bench sample check-sample derived check-derived clean

report: $(VENV)/.report
	$(BIN)/boundcheck report overview -o build/overview.pdf --store build/results --yes

ledger: $(VENV)/.report
	$(BIN)/boundcheck prove

findings: $(VENV)/.report
	$(BIN)/boundcheck report findings -o build/findings.pdf --store build/results --yes

experiments: $(VENV)/.report
	$(BIN)/boundcheck report experiments -o build/experiments.pdf --store build/results --yes $(if $(QUICK),--quick)

leaderboard: $(VENV)/.report
	$(BIN)/boundcheck report leaderboard -o build/leaderboard.pdf --store build/results --yes $(if $(QUICK),--quick)

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

test-slow: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "slow and not derived"

coq: $(VENV)/.dev
	$(BIN)/python -m pytest -m slow tests/certificates/test_coq.py tests/certificates/test_hilbert.py

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -n auto

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.gram
	$(BIN)/python -m benchmarks.memory

sample: $(VENV)/.report
	$(BIN)/python -m boundcheck.report.sample reports/sample --store build/results

check-sample: $(VENV)/.report
	$(BIN)/python -m boundcheck.report.sample reports/sample --check

# What is made of the source and kept beside it: stale files anew (ROWS="status tightness" for some of them).
derived: $(VENV)/.dev
	$(BIN)/python -m boundcheck.derived $(ROWS)

check-derived: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "derived and not slow"

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "boundcheck needs Python 3.11 or newer; set PYTHON=..."'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.report: pyproject.toml | $(VENV)/bin/python
	$(call install,data$(comma)html)
	touch $@

$(VENV)/.docs: pyproject.toml | $(VENV)/bin/python
	$(call install,docs)
	touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(call install,benchmarks)
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(call install,dev)
	touch $@ $(VENV)/.report
