#!/usr/bin/env bash
# Holds the clients to their tests: types of both, node's and Python's tests, and the list
# of calls that the Go API shares with them. The tools go to .cache.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0 ORMA_BIN=$PWD/bin/orma
unset ORMA_HOME
go test ./sdk/clientgen ./sdk/contract ./docs/sdk/...
tools=0
./scripts/sdk-tools.sh || tools=$?
if [ "$tools" != 0 ]; then
  echo "skipped: sdk/python, sdk/typescript (see above)"
  exit 0
fi
(
  cd sdk/typescript
  npm run --silent test
)
(
  cd sdk/python
  ../../.cache/sdk-venv/bin/mypy
  ../../.cache/sdk-venv/bin/python -m pytest -q
)
