PYTHON ?= python3

.PHONY: check test soak bench

check: ## formatting, lint, types
	ruff format --check .
	ruff check .
	mypy

test: ## every test
	$(PYTHON) -m pytest

soak: ## the tests that take minutes
	$(PYTHON) -m pytest -m soak

bench: ## the figures of benchmarks/README.md
	$(PYTHON) benchmarks/run_cost.py
	$(PYTHON) benchmarks/grade_cost.py
	$(PYTHON) benchmarks/minimality.py
	$(PYTHON) benchmarks/fairness.py
	$(PYTHON) benchmarks/endurance.py
	$(PYTHON) benchmarks/class_cost.py
	$(PYTHON) benchmarks/peers/run.py
