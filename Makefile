# Targets that people and .ci/run share.
SHELL := /bin/bash
export CGO_ENABLED ?= 0
BIN := bin/orma
TOOLS := .cache/bin
STATICCHECK := $(TOOLS)/staticcheck
STATICCHECK_VERSION := v0.8.2

.PHONY: sdk sdk-packages sdk-quickstart bench-sdk build run test vet lint race neon cases fuzz cross licences e2e e2e-mcp bench-mcp bench-proxy bench-smoke docs clean toolchains plugin-tutorial bench-sleep proto-check e2e-llm

build:
	@./scripts/view.sh --if-newer
	go build -trimpath -o $(BIN) ./cmd/orma

# The 3-D view, which the program embeds. Needs Node.
.PHONY: view
view:
	./scripts/view.sh

# What the README's first command runs: build, import the shipped history, ask it something.
run: build
	./scripts/tour.sh

test:
	go test ./...

vet:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run gofmt -w on these"; exit 1; }
	go vet ./...

$(STATICCHECK):
	GOBIN=$(CURDIR)/$(TOOLS) go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)

lint: $(STATICCHECK)
	$(STATICCHECK) ./...

# The race detector needs a C compiler; nothing that is shipped does. What has no
# goroutines of its own is left out: SQLite under the detector takes minutes.
RACE := ./core/engine ./core/index ./core/pipeline ./core/text/bm25 ./core/vector ./core/sleep ./core/embed/... \
	./stages/rank ./stages/filter ./stages/retrieve ./host/... ./cmd/internal/api ./cmd/internal/proxy ./cmd/internal/serve ./cmd/internal/mcp
race:
	CGO_ENABLED=1 go test -race -short $(RACE)

# The assembly's twins: plain Go, and arm64 under qemu where it is or can be installed.
neon:
	./scripts/neon.sh

cases: build
	@if [ -f ../shared/eval/run_cases.py ]; then python3 ../shared/eval/run_cases.py --orma $(BIN) ../shared/eval/cases.json; \
	else echo "skipped: cases (../shared/eval is not here)"; fi

TIME_EACH ?= 10s
fuzz:
	./scripts/fuzz.sh $(TIME_EACH)

cross:
	./scripts/cross.sh

licences:
	./scripts/licences.sh

# Real clients through the proxy; installs them first. See e2e/proxy/README.md.
e2e: build
	./e2e/proxy/run.sh

bench-proxy: build
	go run ./benchmarks/proxy -orma $(BIN)

# The view in a real browser, which is installed where it can be; skips by name where not.
.PHONY: e2e-view
e2e-view:
	./scripts/e2e-view.sh
# Sleep with a real small model, which is built and served here. See docs/sleep.md.
e2e-llm:
	./scripts/e2e-llm.sh

# The official MCP clients list and call everything, on both transports.
e2e-mcp: build
	./e2e/mcp/run.sh

bench-mcp: build
	python3 e2e/mcp/bench.py $(BIN)

# Recall beside a sleep at full speed, and alone; needs a machine with nothing else on it.
bench-sleep:
	go run ./benchmarks/sleep

bench-smoke: build
	go test -run '^$$' -bench . -benchtime 1x -short ./core/... ./stages/... ./host/... > /dev/null
	$(BIN) bench latency --sizes 2000 --queries 50

docs:
	go test ./stages ./cmd/internal/cli ./cmd/internal/api -run 'Docs|Pages|OpenAPI' -update

# The compilers of plugins in other languages than Go. Tests of a language without one are
# skipped by name.
toolchains:
	./scripts/toolchains.sh

# The code of stage.proto is what its generators make of it.
proto-check:
	./scripts/proto.sh --check

# Every command of docs/plugins/tutorial.md, in every language that can be compiled here.
plugin-tutorial: build toolchains
	ORMA=$(CURDIR)/$(BIN) ./scripts/plugin-tutorial.sh

# The Python and TypeScript clients: types, tests, and the calls they share with Go.
sdk: build
	./scripts/sdk.sh

# What the clients are shipped as on this platform, in dist/sdk. scripts/wheels.sh makes all.
sdk-packages:
	./scripts/wheels.sh here

# The quickstarts as they are written, against these packages in empty environments.
sdk-quickstart:
	./scripts/sdk-quickstart.sh

# The clients' time: first search, later ones, 1,000 turns observed. See benchmarks/sdk.
bench-sdk: build
	./scripts/sdk-tools.sh
	npm --prefix sdk/typescript run --silent build
	go run ./benchmarks/sdk -orma $(BIN) -python .cache/sdk-venv/bin/python

clean:
	rm -rf bin dist .cache
