#!/usr/bin/env bash
# Compiles the program for every platform it is offered on. Compiled, not run.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for target in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do
  CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} go build -o "$out/orma" ./cmd/orma
  echo "compiled $target ($(du -m "$out/orma" | cut -f1) MB)"
done
