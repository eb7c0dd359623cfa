# Every command of the project. `make help` lists them; ARGS goes on to the program behind a target.

PYTHON ?= python3
ARGS ?=
APP ?=
BIN := .venv/bin
# An optimised Python is taken instead of one that is not, unless PYTHON is named.
BOOTSTRAP = $(PYTHON) bootstrap.py $(if $(filter file,$(origin PYTHON)),--any-python)

.DEFAULT_GOAL := help
.PHONY: help run install test test-all generators faults check bench eval pictures requirements fmt clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name what; do printf '  make %-14s %s\n' "$$name" "$$what"; done

run: ## start everything, from nothing; Ctrl-C stops it
	@$(BOOTSTRAP) run
	@exec $(BIN)/python -m launcher.run

install: ## make the virtualenv and install what the service, the tests and the checks need
	@$(BOOTSTRAP) dev

test: ## run the tests, on servers of their own (APP=kb: of one app, about a minute; ARGS="tests/chats -k close")
	@$(BOOTSTRAP) dev --for-tests
	@exec $(BIN)/python -m tests $(if $(APP),--app $(APP)) -m "not slow" $(ARGS)

test-all: ## run everything: `make test`, what it leaves out (generated clients, fuzzing), `make faults`; over an hour
	@$(BOOTSTRAP) dev --for-tests --for-generators
	@$(BIN)/python -m tests
	@$(MAKE) faults ARGS=

generators: ## try the OpenAPI documents and clients/ with generators and linters of others (Java, Node.js, npm)
	@$(BOOTSTRAP) dev --for-tests --for-generators
	@exec $(BIN)/python -m tests tests/contract/generators tests/clients -n 1 $(ARGS)

faults: ## kill, stop and flood the parts of the service for half an hour, and print the figures (docs/reliability.md)
	@$(BOOTSTRAP) dev --for-tests
	@PARLEY_FAULTS=long exec $(BIN)/python -m tests tests/faults -n 0 --timeout 3600 $(ARGS)

CHECKS := check lint types scripts layers migrations documents translations deployment
# All that the checks take from the shell, and their settings. None needs a server: the addresses lead nowhere.
CHECKED_WITH := PATH="$$PATH" HOME="$$HOME" LANG=C.UTF-8 PARLEY_HOME=var/checks \
	SECRET_KEY=checks-only-9f2c51d7e8b04a63a1d5c0e7f4b8926d3a7e5c1f \
	FIELD_ENCRYPTION_KEYS=Y2hlY2tzLW9ubHktY2hlY2tzLW9ubHktY2hlY2tzLW8= \
	DATABASE_URL=postgresql://nobody@127.0.0.1:1/none REDIS_URL=redis://127.0.0.1:1/0 \
	PUBLIC_URL=https://chat.example.com REALTIME_URL=wss://chat.example.com \
	PYTHONWARNINGS="ignore:Got an error checking a consistent migration history:RuntimeWarning"
run_check = @echo '$(1)' && env -i $(CHECKED_WITH) $(1)
check: lint types scripts layers migrations documents translations deployment ## lint, types (the page's, too), layers, migrations, documents, texts, settings (-k: go on after a failure)

TSC := tests/contract/typescript/node_modules/.bin/tsc
PAGES := tests/console/frontend/tsconfig.json tests/widget/frontend/tsconfig.json

.PHONY: $(CHECKS)
lint: install
	$(call run_check,$(BIN)/ruff check .)
	$(call run_check,$(BIN)/ruff format --check .)
types: install
	$(call run_check,$(BIN)/mypy)
scripts: install
	@$(BOOTSTRAP) dev --for-checks
	@if [ -x $(TSC) ] && command -v node >/dev/null; then for page in $(PAGES); do echo "$(TSC) -p $$page" && $(TSC) -p $$page || exit 1; done; \
		else echo 'skipped: the types of the pages'"'"' scripts are checked with Node.js and npm, which are not here'; fi
layers: install
	$(call run_check,$(BIN)/lint-imports --no-cache)
migrations: install
	$(call run_check,$(BIN)/python manage.py makemigrations --check --dry-run)
documents: install
	$(call run_check,$(BIN)/python manage.py generate_docs --check)
	$(call run_check,$(BIN)/python manage.py generate_tokens --check)
	$(call run_check,$(BIN)/python clients/generate.py --check)
translations: install
	$(call run_check,$(BIN)/python manage.py makemessages --check)
deployment: install
	$(call run_check,$(BIN)/python manage.py check --deploy --fail-level WARNING)

bench: install ## run the benchmarks, each beside its reference (ARGS="--help")
	@exec $(BIN)/python -m bench $(ARGS)

eval: install ## ask a real model the questions of bench/questions.py: EVAL_BASE_URL's, else a small one that runs here (ARGS="--limit 3")
	@exec $(BIN)/python -m bench.evaluation $(ARGS)

pictures: ## take the README's pictures anew, and the sheet of all surfaces in var/sheet (ARGS=folder)
	@$(BOOTSTRAP) dev --for-tests
	@exec $(BIN)/python -m tests.e2e.pictures $(ARGS)

requirements: install ## compile requirements/*.in to pinned requirements/*.txt (ARGS=--upgrade)
	for name in production run dev embedder generators; do \
		$(BIN)/uv pip compile --quiet --no-emit-index-url --no-header $(ARGS) requirements/$$name.in -o requirements/$$name.txt || exit 1; \
	done

fmt: install ## format the code and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove the virtualenv and caches; var/ with its data stays
	rm -rf var/tests .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache tests/contract/typescript/node_modules tests/contract/generators/npm/node_modules var/generators
	find apps bench config launcher tests -name __pycache__ -type d -prune -exec rm -rf {} +
