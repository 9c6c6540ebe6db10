#!/usr/bin/env bash
# Builds the 3-D view from its lockfile into cmd/internal/view/dist, which the program
# embeds. With --if-newer it does so only when sources are newer than what is there, and
# where it cannot it says that the program comes without: building must not need Node.
# With --needed it does so only then too, but fails where it cannot: what is shipped has it.
set -euo pipefail
cd "$(dirname "$0")/../cmd/internal/view"
built=dist/index.html
fresh() { [ -f "$built" ] && [ -z "$(find app -path app/node_modules -prune -o -type f -newer "$built" -print -quit)" ]; }
if [ "${1:-}" = --needed ] && fresh; then exit 0; fi
if [ "${1:-}" = --if-newer ]; then
  [ -f app/package.json ] || exit 0
  if fresh; then exit 0; fi
  left="the view is left out"
  [ -f "$built" ] && left="the view stays as it was built before"
  for tool in node npm; do
    if ! command -v "$tool" > /dev/null; then
      echo "view: $left: $tool is not here (make view says more)"
      exit 0
    fi
  done
  # A machine without a network should not wait long to hear so.
  if ! NPM_CONFIG_FETCH_RETRIES=1 NPM_CONFIG_FETCH_TIMEOUT=20000 ../../../scripts/view.sh > /dev/null 2>&1; then
    echo "view: $left: building it failed (make view says why)"
    exit 0
  fi
  echo "view: built"
  exit 0
fi
for tool in node npm; do
  command -v "$tool" > /dev/null || { echo "view: $tool is not here; install Node 20 or newer" >&2; exit 1; }
done
cd app
npm ci --no-audit --no-fund --silent
npm run --silent build
