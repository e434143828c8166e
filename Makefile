# Two commands are enough: `make play` and `make test`. Both set up what they need.
.DEFAULT_GOAL := help
.PHONY: help play play-here web wasm site test test-all test-quick fuzz check format docs docs-serve dist release dataset-release audit pythons coverage learn recipes screenshots bench conformance endurance soak lowest newest lock clean

BIN := .venv/bin
INNER := tests/kernel tests/rulesets tests/game tests/properties tests/fuzz tests/perft/test_perft_files.py
export PYTHONDONTWRITEBYTECODE ?=

help: ## List the targets
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

play: ## Set everything up and play in the browser
	@tools/programs play
	@tools/setup play
	@tools/build-web --without-engine
	@tools/play $(ARGS)

play-here: ## Set everything up and play in the terminal
	@tools/setup play
	@$(BIN)/cartagena play $(ARGS)

web: ## Build the browser table into the package
	@tools/setup play
	@tools/build-web

wasm: ## Build the engine for browsers (cartagena.wasm) into the package
	@tools/setup play
	@tools/build-wasm

site: ## Write the browser table as a folder for a static host; OUT=site names it
	@tools/setup play
	@tools/build-web
	@$(BIN)/cartagena site $(or $(OUT),site)

test: ## Set everything up and run all tests
	@tools/programs test
	@tools/setup dev
	@tools/test

test-all: ## Run all tests with whole games and every screen in every theme, language and size, as before a release
	@tools/programs test
	@tools/setup dev
	@tools/test --whole

test-quick: ## Run the tests of the inner rooms, without browser, server or compiler (90 seconds)
	@tools/setup dev
	@$(BIN)/python -m pytest -q -n $(shell nproc 2>/dev/null || echo 2) --dist worksteal $(INNER)

fuzz: ## Run the property tests with fresh random examples for some minutes: MINUTES=10
	@tools/setup dev
	@$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),10)

check: ## Check formatting, lint, types and the import contract
	@tools/setup dev
	@tools/check

format: ## Format the code
	@tools/setup dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	@tools/web-packages
	@tools/node web format

docs: ## Build the documentation site and the table without a server into build/site
	@tools/setup dev
	@tools/build-web
	@tools/build-docs

docs-serve: ## Show the documentation site while you write
	@tools/setup dev
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve $(ARGS)

dist: ## Build the source distribution, the wheel and its bill of materials into dist/
	@tools/setup dev
	@tools/build-wasm
	@tools/build-web
	@rm -f dist/cartagena-*.whl dist/cartagena-*.tar.gz
	@$(BIN)/python -m build --no-isolation --outdir dist .
	@$(BIN)/python tools/bill_of_materials.py >dist/cartagena.cdx.json
	@sha256sum dist/cartagena*

release: ## Check, test and build a release, date the changelog and tag it: VERSION=0.2.0 (docs/releasing.md)
	@tools/setup dev
	@$(BIN)/python tools/release.py $(VERSION)

dataset-release: ## Play the data set of a release: 10,000 games of the levels with card and checksums, dist/cartagena-games.tar
	@tools/setup dev
	@$(BIN)/python tools/dataset_release.py

audit: ## Compare all locked packages with published advisories (ARGS=--allow-unaudited: also without a connection)
	@$(or $(PYTHON),python3) tools/audit.py $(ARGS)

pythons: ## Try the wheel with every Python from 3.11 that this machine has
	@tools/setup dev
	@tools/build-wasm
	@tools/build-web
	@$(BIN)/python tools/pythons.py

learn: ## Train the learner of examples/ from nothing, and let it meet sailor in 200 games (5 minutes)
	@tools/setup play
	@$(BIN)/python examples/learner.py --games 200
	@$(BIN)/cartagena arena learner sailor --code examples/learner.py --games 200

recipes: ## Train the recipes for PyTorch, sb3-contrib and RLlib in an environment of their own, and write their scores
	@tools/recipes $(ONLY)

bench: ## Measure this package and comparable libraries in one run
	@tools/setup bench
	@$(BIN)/python bench/run.py
	@$(BIN)/python bench/micro.py

conformance: ## Compare plain and compiled rules in 10,000 games of each rule set (wasm 15 minutes, then hours)
	@tools/setup dev
	@tools/build-wasm
	@$(BIN)/python -m tests.conformance.run_wasm
	@$(BIN)/python -m tests.conformance.run

endurance: ## Compare pooled players with fresh ones in 200 games each, and ask an engine 10,000 times (10 minutes); SHARE=0.1 for a part
	@tools/setup dev
	@$(BIN)/python -m tests.endurance --share $(or $(SHARE),1)

coverage: ## Measure the line coverage of every package (at least 90 %)
	@tools/setup dev
	@tools/coverage

screenshots: ## Take pictures of every screen in every language into screenshots/
	@tools/setup dev
	@tools/build-web
	@$(BIN)/python -m tests.web.screenshots $(ARGS)

soak: ## Measure the server's targets (1 to 2 hours); SHARE=0.1 for a part, ONLY=kills-sqlite for one trial
	@tools/setup dev
	$(BIN)/python bench/soak_server.py --share $(or $(SHARE),1) $(if $(ONLY),--only $(ONLY),--fresh)

lowest: ## Run the core tests with the lowest versions of all direct dependencies
	@tools/bounds lowest

newest: ## Run the core tests with the newest allowed versions of all direct dependencies
	@tools/bounds newest

lock: ## Compile requirements/*.txt again (needs uv)
	tools/lock

clean: ## Remove everything that was set up
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .coverage dist build site
