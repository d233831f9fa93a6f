# Every task of the repository; `make` lists them.
PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
BIN := $(CURDIR)/.venv/bin
export PATH := $(BIN):$(PATH)
COMPILE = uv pip compile pyproject.toml --extra redis --universal --generate-hashes --exclude-newer $(shell date -u -d '7 days ago' +%F 2>/dev/null || date -u -v-7d +%F) -q --no-emit-index-url --no-annotate --no-header
OWN_COMPILE = $(subst pip compile pyproject.toml --extra redis,pip compile - --python-version 3.11,$(COMPILE))

.DEFAULT_GOAL := help
.PHONY: help setup tools demo serve dev test test-long test-all wheel check check-server check-web check-security check-reliability accessibility-report sbom fix api bench lock hooks clean

help: ## list the tasks
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

setup: ## make .venv and build the web, where out of date
	@$(PYTHON) scripts/bootstrap.py

tools: ## the same, with what tests and checks need
	@$(PYTHON) scripts/bootstrap.py --tools

demo: setup ## run the demo firm on http://127.0.0.1:8000
	@exec $(BIN)/tarazu demo --host $(HOST) --port $(PORT)

serve: setup ## serve your own installation from ./data
	@exec $(BIN)/tarazu serve --host $(HOST) --port $(PORT)

dev: setup ## serve the demo, and the web with reload on port 5173
	@trap 'kill 0' EXIT; $(BIN)/tarazu demo --port $(PORT) & cd web && npm run dev

test: tools ## run the short suite (ONLY=server, web or browser: that part alone)
	@python scripts/run_tests.py short $(ONLY)

test-long: tools ## run what the short suite leaves out (ONLY=server or browser)
	@python scripts/run_tests.py long $(ONLY)

test-all: tools ## run both (ONLY=server, web or browser)
	@python scripts/run_tests.py all $(ONLY)

check: tools ## format, lint, types, contracts, generated files
	@$(MAKE) --no-print-directory -j2 check-server check-web

check-server:
	cd server && ruff format --check . && ruff check . && mypy && lint-imports
	python -m ruff check --isolated --select E,F scripts bench --ignore E402,E501
	cd server && python -m tarazu.openapi 2>/dev/null | diff -q - openapi.json >/dev/null || { echo "openapi.json is stale: run make api"; exit 1; }
	python scripts/check_tree.py
	python scripts/check_words.py
	python scripts/check_specification.py
	python -m pytest -q -p no:cacheprovider scripts

check-web:
	cd web && npm run --silent format && npm run --silent lint && npm run --silent types
	cd web && npm run --silent api -- --check >/dev/null || { echo "web/src/api/schema.d.ts is stale: run make api"; exit 1; }

check-security: tools ## run the security checks and print their figures
	@failed=0; for check in security api supply; do python scripts/check_$$check.py || failed=1; done; exit $$failed

check-reliability: tools ## kills, power cuts, lost neighbours, load (LONG=1: long; ONLY=R1,R5: some)
	@python scripts/check_reliability.py

accessibility-report: setup ## look at every screen with axe and write the report that the next wheel ships
	@python scripts/accessibility_report.py

wheel: setup ## build dist/tarazu-*.whl with the web in it
	@rm -f dist/tarazu-*.whl && uv build --quiet --wheel --no-build-isolation --out-dir dist server && ls dist/tarazu-*.whl

sbom: ## write what the product is made of to build/
	@$(PYTHON) scripts/make_sbom.py

fix: tools ## mend what a tool can
	cd server && ruff format . && ruff check --fix .
	cd web && npx prettier --write --log-level warn . && npx eslint . --fix

api: tools ## write openapi.json and the web's types
	cd server && python -m tarazu.openapi 2>/dev/null > openapi.json.new && mv openapi.json.new openapi.json
	cd web && npm run --silent api

bench: setup ## measure; writes bench/results.md
	@$(PYTHON) bench/run.py

lock: ## update the Python locks, with versions at least a week old
	cd server && $(COMPILE) -o requirements.lock
	cd server && $(COMPILE) --extra build -c requirements.lock -o requirements-build.lock
	cd server && $(COMPILE) --extra build --extra dev -c requirements-build.lock -o requirements-dev.lock
	cd server && $(COMPILE) --extra build --extra bench -c requirements-dev.lock -o requirements-bench.lock
	cd server && echo schemathesis | $(OWN_COMPILE) -o requirements-schemathesis.lock
	cd server && printf '%s\n' bandit detect-secrets pip-audit | $(OWN_COMPILE) -o requirements-checks.lock

hooks: tools ## install the commit hooks
	prek install

clean: ## remove what was built and installed, and the demo's data
	rm -rf .venv .venv-schemathesis .venv-checks web/node_modules server/src/tarazu/web data-demo
