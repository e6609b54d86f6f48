# surespray: everything starts here. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# Builds and environments that tests need live outside the tree, keyed by content.
export SURESPRAY_TEST_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/surespray-dev
export CGO_ENABLED ?= 0

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X github.com/surespray/surespray/cmd.buildVersion=$(VERSION)
GOLANGCI := $(SURESPRAY_TEST_CACHE)/lint/$(shell cksum < test/lint/go.sum | tr ' ' -)/golangci-lint
LAB := go run ./test/lab/cmd/lab
LAB_DIR ?= $(SURESPRAY_TEST_CACHE)/lab

.PHONY: help
help: ## This list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' Makefile

.PHONY: build
build: ## bin/surespray for this machine
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/surespray ./cmd/surespray

.PHONY: dist
dist: ## Static binaries for linux and darwin, amd64 and arm64
	@for os in linux darwin; do for arch in amd64 arm64; do \
	  echo "dist/surespray-$$os-$$arch"; \
	  GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags '$(LDFLAGS)' -o dist/surespray-$$os-$$arch ./cmd/surespray || exit 1; \
	done; done

.PHONY: demo
demo: build ## The story in one screen, on a real control plane (first time: builds it)
	@test/demo.sh

.PHONY: test
test: build tools venvs ## All tests, on real parts
	go vet ./...
	source $(SURESPRAY_TEST_CACHE)/venvs.env && go test -timeout 30m ./...

.PHONY: test-unit
test-unit: ## Go tests that need no other part, under a minute
	go test -short ./...

.PHONY: test-race
test-race: ## Go tests under the race detector (needs a C compiler)
	CGO_ENABLED=1 go test -race -short ./...

.PHONY: test-kubespray
test-kubespray: build ## Tests on a real tree: make test-kubespray KUBESPRAY_DIR=/path/to/kubespray
	@test -n "$(KUBESPRAY_DIR)" || { echo "usage: make test-kubespray KUBESPRAY_DIR=/path/to/kubespray" >&2; exit 64; }
	playbook=$$(XDG_CACHE_HOME=$(SURESPRAY_TEST_CACHE) bin/surespray setup --kubespray $(KUBESPRAY_DIR)) && \
	KUBESPRAY_DIR=$(abspath $(KUBESPRAY_DIR)) SURESPRAY_TEST_ANSIBLE=$${playbook%/bin/ansible-playbook} \
	  go test -timeout 30m -count=1 -run 'TestKubespray|TestTree' -v ./internal/kubespray ./test

.PHONY: bench-verify
bench-verify: tools ## All read-only checks on 1,000 nodes beside one paged list (takes minutes)
	SURESPRAY_BENCH_VERIFY=1 go test ./test -run '^$$' -bench BenchmarkVerify -benchtime 3x -timeout 40m

.PHONY: bench-audit
bench-audit: venvs ## The audit beside ansible-inventory; KUBESPRAY_DIR=… for a real tree
	source $(SURESPRAY_TEST_CACHE)/venvs.env && go test ./internal/audit -run '^$$' -bench . -benchtime 5x

.PHONY: tools
tools: ## Build the parts of the test cluster into the cache
	@$(LAB) tools
	@[ "$(SURESPRAY_REQUIRE_REAL_NODES)" != 1 ] || $(LAB) tools --real 1

.PHONY: venvs
venvs: build ## Ansible environments for the tests, made by surespray setup
	@test/venvs.sh

.PHONY: lint
lint: $(GOLANGCI) ## Formatting, vet and golangci-lint with the layer rules
	go vet ./...
	$(GOLANGCI) run
	$(GOLANGCI) fmt --diff

$(GOLANGCI):
	@echo "building golangci-lint (the first time takes minutes)"
	@go build -C test/lint -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: ci
ci: lint dist test ## What CI runs

.PHONY: lab-up
lab-up: ## Start the test cluster; make lab-down ends it. REAL=2: with two real nodes, as root
	@$(LAB) up --dir $(LAB_DIR) $(if $(REAL),--real $(REAL))

.PHONY: lab-down
lab-down: ## End the test cluster and remove its directory
	@$(LAB) down --dir $(LAB_DIR)

.PHONY: lab-packages
lab-packages: ## Debian's packages for real nodes (make lab-up REAL=2), as root
	@test/lab/packages.sh

.PHONY: clean
clean: ## Remove what was built in the tree
	rm -rf bin dist
