#!/usr/bin/env bash
# Runs every fuzz target for a time or a number of inputs each: 10s (the default), 300x.
set -euo pipefail
cd "$(dirname "$0")/.."
each=${1:-10s}
git ls-files '*_test.go' | xargs grep -lE '^func Fuzz' | xargs -n1 dirname | sort -u | while read -r dir; do
  grep -hoE '^func (Fuzz[A-Za-z0-9_]*)' "$dir"/*_test.go | awk '{print $2}' | sort -u | while read -r target; do
    echo "fuzz $dir $target"
    go test "./$dir" -run '^$' -fuzz "^$target\$" -fuzztime "$each" >/tmp/fuzz.$$ 2>&1 || { cat /tmp/fuzz.$$; exit 1; }
  done
done
rm -f /tmp/fuzz.$$
echo "fuzz: all targets passed"
