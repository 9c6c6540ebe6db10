#!/usr/bin/env bash
# Runs the kernels' tests without assembly, and as arm64 under qemu: correctness only, no
# speed. Debian's qemu-user-static is installed if it is missing and can be.
set -euo pipefail
cd "$(dirname "$0")/.."
go test -short -tags purego ./core/vector ./core/embed/bert
if ! command -v qemu-aarch64-static > /dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    apt-get update -qq && apt-get install -y -qq qemu-user-static > /dev/null
  fi
fi
if ! command -v qemu-aarch64-static > /dev/null; then
  echo "skipped: neon (qemu-aarch64-static is not here)"
  exit 0
fi
GOARCH=arm64 CGO_ENABLED=0 go test -short -exec qemu-aarch64-static ./core/vector ./core/embed/static ./core/embed/wordpiece ./core/embed/bert
