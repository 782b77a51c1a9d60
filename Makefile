PYTHON ?= python3

.PHONY: check test bench

check: ## formatting, lint, types
	ruff format --check .
	ruff check .
	mypy

test: ## every test
	$(PYTHON) -m pytest

bench: ## the figures of benchmarks/README.md
	$(PYTHON) benchmarks/run_cost.py
	$(PYTHON) benchmarks/grade_cost.py
