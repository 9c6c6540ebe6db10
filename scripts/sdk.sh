#!/usr/bin/env bash
# Holds the clients to their tests: types of both, node's and Python's tests, and the list
# of calls that the Go API shares with them. The tools go to .cache.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0 ORMA_BIN=$PWD/bin/orma
unset ORMA_HOME
venv=$PWD/.cache/sdk-venv
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -e 'sdk/python[dev]'
go test ./sdk/clientgen ./sdk/contract ./docs/sdk/...
(
  cd sdk/typescript
  npm ci --no-audit --no-fund --silent
  npm run --silent test
)
(
  cd sdk/python
  "$venv/bin/mypy"
  "$venv/bin/python" -m pytest -q
)
