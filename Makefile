GO ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
TESTFLAGS ?= -timeout 20m

.PHONY: build demo test versions race check audit licences sbom image bench suites deploy pictures clean

build:
	@scripts/compiler
	$(GO) build -trimpath -ldflags "-s -w -X main.release=$(VERSION)" -o bin/askpg ./cmd/askpg

# DEMO_ONCE=1 ends the demo after its questions.
demo: build
	@scripts/postgresql
	@bin/askpg demo

test:
	@scripts/compiler
	@scripts/postgresql
	$(GO) test $(TESTFLAGS) ./...

# VERSIONS lists folders of server programs, by default Debian's.
versions:
	@scripts/compiler
	@GO=$(GO) scripts/versions $(VERSIONS)

race:
	@scripts/compiler
	@scripts/postgresql
	$(GO) test -race $(TESTFLAGS) ./...

check:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	$(GO) vet ./...

# Known vulnerabilities in what is linked. It asks vuln.go.dev; VULNDB names a
# copy, such as file:///srv/vulndb.
VULNDB ?= https://vuln.go.dev
audit: licences
	$(GO) mod verify
	$(GO) run golang.org/x/vuln/cmd/govulncheck@v1.1.4 -db $(VULNDB) ./...

# docs/licences.md against the modules that are linked; ASKPG_UPDATE=1 writes it.
licences:
	$(GO) test -count=1 ./cmd/askpg -run TestLicences

# The bill of materials of the program, in CycloneDX's JSON.
sbom: build
	scripts/sbom bin/askpg > bin/askpg.cdx.json

# Builds the program as the Dockerfile does and runs it as the image would,
# without Docker; it needs root.
image:
	@scripts/compiler
	@VERSION=$(VERSION) scripts/image

bench:
	@scripts/compiler
	@scripts/postgresql
	$(GO) test -run '^$$' -bench . -benchmem $(TESTFLAGS) ./...
	$(GO) run ./proxy/bench

# PostgreSQL's own suites, directly and through askpg. SUITES names some of
# regression, isolation and pipeline; SOURCES an unpacked PostgreSQL.
suites:
	@GO=$(GO) scripts/suites $(SUITES)

# Judges what is in deploy with haproxy, systemd-analyze, promtool and the
# libraries of Docker and Kubernetes.
deploy:
	CI=1 $(GO) test ./cmd/askpg -run 'TestDeploy|TestMetrics'

# The pictures of docs/review.md, from the test that looks at every page.
pictures:
	ASKPG_PICTURES=$(CURDIR)/docs/images ASKPG_PICTURES_OF=overview-wide-light,review-wide-light,translation-wide-light,marks-wide-light,telephone-narrow-dark $(GO) test ./cmd/askpg -run TestBrowser_Looks

clean:
	rm -rf bin
