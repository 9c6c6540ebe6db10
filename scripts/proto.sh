#!/usr/bin/env bash
# Generates the Go and Python code of sdk/proc/pb/stage.proto. With --check it only says
# whether what is committed is current. It needs Go and Python 3 and gets its tools from
# their registries into .cache; where they cannot be had it says so and checks nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

go_version=v1.36.12
grpc_version=v1.6.2
tools_version=1.85.1
check=0
[ "${1:-}" != --check ] || check=1
cache=$PWD/.cache/proto
venv=$cache/venv-$tools_version

# missing says what could not be had. A check is then skipped, making code fails.
missing() {
    echo "skipped: the code of stage.proto was not checked ($1)"
    [ "$check" = 0 ] || exit 0
    exit 1
}

mkdir -p "$cache"
if [ ! -x "$venv/bin/python" ]; then
    { python3 -m venv "$venv" && "$venv/bin/pip" -q install "grpcio-tools==$tools_version"; } > "$cache/log" 2>&1 ||
        { rm -rf "$venv"; missing "grpcio-tools cannot be installed"; }
fi
GOBIN=$cache go install "google.golang.org/protobuf/cmd/protoc-gen-go@$go_version" 2> "$cache/log" &&
    GOBIN=$cache go install "google.golang.org/grpc/cmd/protoc-gen-go-grpc@$grpc_version" 2> "$cache/log" ||
    missing "protoc-gen-go cannot be installed"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir -p "$out/go" "$out/py"
PATH=$cache:$PATH "$venv/bin/python" -m grpc_tools.protoc -I sdk/proc/pb \
    --go_out="$out/go" --go_opt=paths=source_relative \
    --go-grpc_out="$out/go" --go-grpc_opt=paths=source_relative \
    --python_out="$out/py" stage.proto
mv "$out/py/stage_pb2.py" "$out/py/_stage_pb2.py"

if [ "$check" = 1 ]; then
    diff -u "$out/go/stage.pb.go" sdk/proc/pb/stage.pb.go
    diff -u "$out/go/stage_grpc.pb.go" sdk/proc/pb/stage_grpc.pb.go
    diff -u "$out/py/_stage_pb2.py" sdk/proc/python/orma_plugin/_stage_pb2.py
    echo "the code of stage.proto is current"
else
    cp "$out/go/"*.go sdk/proc/pb/
    cp "$out/py/_stage_pb2.py" sdk/proc/python/orma_plugin/
fi
