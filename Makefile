PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
WORKERS ?= auto
# A worker that dies ends the run and names its test: pytest-xdist 3.8 would wait for ever for the one in its place.
PARALLEL = -n $(WORKERS) --dist loadgroup --max-worker-restart=0
# What is installed, down to the last library; `make test LOCK=` takes what is newest today.
LOCK   ?= requirements/lock.txt

# Bytecode on all cores, and none of the dependencies' own tests: pip compiles everything, a file at a time.
# Both leave a file that does not compile, such as a template, to whoever imports it.
define install
$(BIN)/python -m pip install -q --disable-pip-version-check --no-compile $(addprefix -c ,$(LOCK)) -e ".$(if $(1),[$(1)])"
$(BIN)/python -m compileall -qq -j 0 -x '/tests/' $(VENV)/lib boundcheck || true
endef

# Where nobody may write bytecode, every process compiles the package and its tests anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: docs report ledger findings experiments leaderboard test test-slow test-lowest test-ends lock coq lint bench sample check-sample derived check-derived check-wheel clean

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
	$(BIN)/python -m pytest $(PARALLEL)

test-slow: $(VENV)/.dev
	$(BIN)/python -m pytest $(PARALLEL) -m "slow and not derived"

# What every lower bound in pyproject.toml has to run: imports, checks, worst cases, proofs, recipes, a PDF.
ENDS = tests/test_ends.py tests/bounds/test_bounds_contract.py tests/evidence/test_evidence_check.py \
	tests/worst/test_worst_values.py tests/proofs/claims/test_lemma_provers.py tests/sweep/test_sweep_run.py \
	tests/report/test_report_figures.py tests/cli/test_cli_errors.py

test-ends: $(VENV)/.dev
	$(BIN)/python -m pytest $(PARALLEL) $(ENDS)

test-lowest:
	$(MAKE) VENV=build/lowest LOCK=requirements/lowest.txt test-ends

# Both lists hold for every Python from 3.11 on; markers say where versions differ.
# torch is no part of them: its wheels take gigabytes, and who wants it chooses one for a machine.
EXTRAS = benchmarks dask docs jax mcp notebooks parquet solvers dev
COMPILE = $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 -q --no-annotate --no-emit-index-url \
	$(addprefix --extra ,$(EXTRAS)) --custom-compile-command "make lock"

lock: $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check uv
	$(COMPILE) --upgrade -o requirements/lock.txt
	$(COMPILE) --upgrade --resolution lowest-direct -o requirements/lowest.txt

coq: $(VENV)/.dev
	$(BIN)/python -m pytest -m slow tests/proofs/test_coq_pages.py tests/proofs/test_coq_rounds.py \
		tests/proofs/certificates/test_coq.py tests/proofs/certificates/test_hilbert.py

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
	$(BIN)/python -m pytest $(PARALLEL) -m "derived and not slow"

# A wheel in an empty environment, run from an empty folder.
check-wheel: $(VENV)/bin/python
	rm -rf build/wheel
	$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps -w build/wheel .
	$(BIN)/python -m venv build/wheel/venv
	build/wheel/venv/bin/python -m pip install -q --disable-pip-version-check $(addprefix -c ,$(LOCK)) build/wheel/*.whl
	mkdir build/wheel/empty
	cp scripts/tiny.toml build/wheel/empty
	cd build/wheel/empty && ../venv/bin/boundcheck report tiny.toml -o tiny.pdf --html tiny.html --yes && test -s tiny.pdf
	cd build/wheel/empty && ../venv/bin/boundcheck check momentum-fl.theorem11 logistic-cancer --N 2 --K 1 --T 64
	cd build/wheel/empty && ../venv/bin/boundcheck findings > /dev/null && ../venv/bin/boundcheck show momentum-fl.theorem11

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "boundcheck needs Python 3.11 or newer; set PYTHON=..."'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.report: pyproject.toml $(LOCK) | $(VENV)/bin/python
	$(call install,)
	touch $@

$(VENV)/.docs: pyproject.toml $(LOCK) | $(VENV)/bin/python
	$(call install,docs)
	touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(call install,benchmarks)
	touch $@

$(VENV)/.dev: pyproject.toml $(LOCK) | $(VENV)/bin/python
	$(call install,dev)
	touch $@ $(VENV)/.report
