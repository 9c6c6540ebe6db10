#!/usr/bin/env bash
# Installs real clients and has them hold conversations through the proxy.
set -euo pipefail
cd "$(dirname "$0")/../.."
if e2e/install.sh proxy; then
  :
elif [ $? = 75 ]; then
  echo "skipped: e2e (a package registry cannot be reached)"
  exit 0
else
  exit 1
fi
cache=$PWD/.cache/e2e/proxy
if out=$(cd e2e/proxy/clients/go && CGO_ENABLED=0 go build -o "$cache/go-client" . 2>&1); then
  :
elif grep -qE 'dial tcp|no such host|i/o timeout|TLS handshake|connection re' <<< "$out"; then
  rm -f "$cache/go-client" # run.py skips it by name
else
  echo "$out"
  exit 1
fi
exec python3 e2e/proxy/run.py --orma "${ORMA:-bin/orma}" --cache "$cache"
