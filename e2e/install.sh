#!/usr/bin/env bash
# Installs the clients of one folder beside this file into .cache/e2e, as its locks name
# them: requirements*.txt and package-lock.json. Once they are there nothing is fetched.
# It ends with 75 when they are not there and a registry cannot be reached.
# usage: install.sh proxy|mcp
set -euo pipefail
from=$(cd "$(dirname "$0")/$1" && pwd)
mkdir -p "$from/../../.cache/e2e/$1"
into=$(cd "$from/../../.cache/e2e/$1" && pwd)

stamp=$({ python3 --version; node --version; cat "$from"/requirements*.txt "$from/package-lock.json"; } | git hash-object --stdin)
if [ "$(cat "$into/installed" 2>/dev/null)" = "$stamp" ]; then exit 0; fi

install() {
  local list venv
  for list in "$from"/requirements*.txt; do
    venv=$(basename "$list" .txt)
    venv=$into/python${venv#requirements}
    { [ -x "$venv/bin/pip" ] || python3 -m venv --clear "$venv"; } &&
      "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --prefer-binary -r "$list" || return
  done
  cp "$from/package.json" "$from/package-lock.json" "$into" &&
    # Not "npm ci": it refuses a lock that lacks an optional part of another system.
    npm install --prefix "$into" --loglevel error --no-audit --no-fund --ignore-scripts > /dev/null
}

# reached asks each registry for one small package of the locks.
reached() {
  local list dir
  list=$(ls "$from"/requirements*.txt | head -1)
  dir=$(mktemp -d)
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --timeout 30 --retries 2 -d "$dir" "$(grep -m 1 '^idna==' "$list")" &&
    npm view --fetch-timeout=30000 --fetch-retries=2 openai@6.49.0 version > /dev/null
  local ok=$?
  rm -rf "$dir"
  return $ok
}

if install || install; then # a registry may hiccup
  echo "$stamp" > "$into/installed"
elif reached; then
  echo "the clients of $1 cannot be installed" >&2
  exit 1
else
  exit 75
fi
