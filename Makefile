GO ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
TESTFLAGS ?= -timeout 20m

.PHONY: build demo test race check bench clean

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

race:
	@scripts/compiler
	@scripts/postgresql
	$(GO) test -race $(TESTFLAGS) ./...

check:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	$(GO) vet ./...

bench:
	@scripts/compiler
	@scripts/postgresql
	$(GO) test -run '^$$' -bench . -benchmem $(TESTFLAGS) ./...
	$(GO) run ./proxy/bench

clean:
	rm -rf bin
