GO ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
TESTFLAGS ?= -timeout 20m
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOCOGNIT := github.com/uudashr/gocognit/cmd/gocognit@v1.2.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.1.4
# The packages of make race.
RACE ?= ./...
# PostgreSQL's parser, which is C. What imports it compiles only where there is a C compiler for the system.
PG_QUERY := github.com/pganalyze/pg_query_go/v5
# Where make audit asks for known vulnerabilities; a copy is named so: file:///srv/vulndb.
VULNDB ?= https://vuln.go.dev

.DEFAULT_GOAL := build
.PHONY: help build demo test test-short versions race check portable lint audit licences sbom image bench suites drivers deploy pictures complexity clean

help: ## Prints this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: ## Builds bin/askpg.
	@scripts/compiler
	$(GO) build -trimpath -ldflags "-s -w -X main.release=$(VERSION)" -o bin/askpg ./cmd/askpg

demo: build ## Starts PostgreSQL, a sample shop, a standby and askpg. DEMO_ONCE=1: ends after its questions.
	@scripts/postgresql
	@bin/askpg demo

test: ## Runs every test, against real servers.
	@scripts/compiler
	@scripts/postgresql
	$(GO) test $(TESTFLAGS) ./...

test-short: ## Runs the tests that need no PostgreSQL server, in less than a minute.
	@scripts/compiler
	$(GO) test -short $(TESTFLAGS) ./...

versions: ## Runs tests with several versions of PostgreSQL. VERSIONS: folders of server programs, by default Debian's.
	@scripts/compiler
	@GO=$(GO) scripts/versions $(VERSIONS)

race: ## Runs tests with the race detector. RACE: the packages, by default all.
	@scripts/compiler
	@scripts/postgresql
	$(GO) test -race $(TESTFLAGS) $(RACE)

check: ## Looks for files that gofmt would change, and runs go vet.
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	$(GO) vet ./...

portable: ## Compiles for macOS what needs no C, and the relay without its event loop and its pool of server connections.
	CGO_ENABLED=0 GOOS=darwin $(GO) vet $$($(GO) list -f '{{range .Deps}}{{if eq . "$(PG_QUERY)"}}C {{end}}{{end}}{{.ImportPath}}' ./... | grep -v '^C ')
	$(GO) vet -tags noeventloop ./proxy/...
	$(GO) vet -tags noserverpool ./proxy/...
	@! $(GO) list -deps -tags noserverpool ./proxy | grep -x askpg/proxy/serverpool
	$(GO) test -short -tags noserverpool ./proxy

lint: check ## Runs make check and staticcheck, with the checks of staticcheck.conf.
	$(GO) run $(STATICCHECK) ./...

audit: licences ## Verifies modules and licences, and looks for known vulnerabilities in what is linked. VULNDB: the database.
	$(GO) mod verify
	$(GO) run $(GOVULNCHECK) -db $(VULNDB) ./...

licences: ## Compares docs/licences.md with the modules that are linked. ASKPG_UPDATE=1: writes it.
	$(GO) test -count=1 ./cmd/askpg -run TestLicences

sbom: build ## Writes the program's bill of materials in CycloneDX's JSON.
	scripts/sbom bin/askpg > bin/askpg.cdx.json

image: ## Builds the program as the Dockerfile does and runs it as the image would, without Docker; needs root.
	@scripts/compiler
	@VERSION=$(VERSION) scripts/image

bench: ## Runs the benchmarks, and compares the relay with PgBouncer.
	@scripts/compiler
	@scripts/postgresql
	$(GO) test -run '^$$' -bench . -benchmem $(TESTFLAGS) ./...
	$(GO) run ./proxy/bench

suites: ## Runs PostgreSQL's own suites, directly and through askpg. SUITES: regression, isolation, pipeline. SOURCES: an unpacked PostgreSQL.
	@GO=$(GO) scripts/suites $(SUITES)

drivers: ## Runs the suites of drivers and ORMs, directly and through askpg. SUITES: pgx, pq, dbdpg, psycopg2, psycopg3, django, sqlalchemy.
	@GO=$(GO) scripts/driversuites $(SUITES)

deploy: ## Judges deploy/ with haproxy, systemd-analyze, promtool and the libraries of Docker and Kubernetes.
	CI=1 $(GO) test ./cmd/askpg -run 'TestDeploy|TestMetrics'

pictures: ## Writes the pictures of docs/review.md, from the test that looks at every page.
	ASKPG_PICTURES=$(CURDIR)/docs/images ASKPG_PICTURES_OF=overview-wide-light,review-wide-light,translation-wide-light,marks-wide-light,telephone-narrow-dark,rows-compared-wide-light $(GO) test ./cmd/askpg -run 'TestBrowser_(Looks|Rows)'

complexity: ## Lists functions whose cognitive complexity is above 25.
	@$(GO) run $(GOCOGNIT) -over 25 -test=false .

clean: ## Removes bin.
	rm -rf bin
