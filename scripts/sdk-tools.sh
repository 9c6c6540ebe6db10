#!/usr/bin/env bash
# Installs what the clients are tested and built with, at fixed versions: a virtual
# environment in .cache/sdk-venv, and sdk/typescript/node_modules. What is there already is
# left alone. It fails with a line "not to be had: …" where a tool or a registry is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p .cache

lacks() {
  echo "not to be had: $1"
  exit 1
}

# fresh NAME FILES…: whether what was installed is what the files ask for.
stamp() { cat "${@:2}" | cksum; }
fresh() { [ "$(cat ".cache/$1.stamp" 2>/dev/null)" = "$(stamp "$@")" ]; }

python=${PYTHON:-python3}
command -v "$python" >/dev/null || lacks "Python ($python)"
venv=.cache/sdk-venv
wants=(sdk/python/requirements-dev.txt sdk/python/pyproject.toml)
if ! [ -x "$venv/bin/python" ] || ! fresh sdk-venv "${wants[@]}"; then
  rm -rf "$venv"
  "$python" -m venv "$venv" || lacks "Python's venv"
  pip=("$venv/bin/pip" install --quiet --disable-pip-version-check --no-input)
  "${pip[@]}" -r sdk/python/requirements-dev.txt || lacks "Python's packages"
  "${pip[@]}" --no-deps --no-build-isolation -e sdk/python
  stamp sdk-venv "${wants[@]}" >.cache/sdk-venv.stamp
fi

command -v npm >/dev/null || lacks "npm"
wants=(sdk/typescript/package-lock.json)
if ! [ -d sdk/typescript/node_modules ] || ! fresh sdk-node "${wants[@]}"; then
  npm --prefix sdk/typescript ci --no-audit --no-fund --silent || lacks "npm's packages"
  stamp sdk-node "${wants[@]}" >.cache/sdk-node.stamp
fi
