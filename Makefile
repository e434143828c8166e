# Two commands are enough: `make play` and `make test`. Both set up what they need by themselves.
.DEFAULT_GOAL := help
.PHONY: help play play-here web test check format coverage bench lock clean

BIN := .venv/bin
export PYTHONDONTWRITEBYTECODE ?=

help: ## What can be done here
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

play: ## Set everything up and play in the browser
	@tools/setup play
	@tools/build-web
	@$(BIN)/cartagena serve --open $(ARGS)

play-here: ## Set everything up and play in the terminal
	@tools/setup play
	@$(BIN)/cartagena play $(ARGS)

web: ## Build the browser table into the package
	@tools/setup play
	@tools/build-web

test: ## Set everything up and run all tests
	@tools/setup dev
	@tools/test

check: ## Formatting, lint, strict typing and the import contract
	@tools/setup dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@tools/build-web
	cd web && npm run --silent check && npm run --silent lint

format: ## Format the code
	@tools/setup dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: ## Compile requirements/*.txt anew (needs uv)
	tools/lock

clean: ## Remove what was set up
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .coverage dist build
