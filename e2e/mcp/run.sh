#!/usr/bin/env bash
# Has every official client list and call everything on both transports.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache="$root/.cache/e2e/mcp"
orma=${ORMA:-$root/bin/orma}
if "$root/e2e/install.sh" mcp; then
  :
elif [ $? = 75 ]; then
  echo "skipped: e2e-mcp (a package registry cannot be reached)"
  exit 0
else
  exit 1
fi

home=$(mktemp -d)
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$home"
}
trap finish EXIT
export ORMA_HOME="$home"

mkfifo "$home/started"
"$orma" serve --json --port 0 > "$home/started" 2> "$home/serve.log" &
server=$!
read -r line < "$home/started" || { cat "$home/serve.log"; exit 1; } # it ended
url=$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["address"] + "/mcp")' "$line")

failed=0
step() { # NAME COMMAND…
  local name=$1 at=$SECONDS
  shift
  if timeout 600 "$@" > "$home/out" 2>&1; then echo "ok    $name, $((SECONDS - at)) s"; grep '^skipped' "$home/out" || true; else echo "FAIL  $name"; cat "$home/out"; failed=1; fi
}
for v in 1 2; do
  step "python $v stdio" "$cache/python-$v/bin/python" "$here/client.py" "$orma" mcp --space "python-$v"
  step "python $v http" "$cache/python-$v/bin/python" "$here/client.py" "$url"
  step "typescript $v stdio" node "$here/client.mjs" "$cache" "$v" "$orma" mcp --space "typescript-$v"
  step "typescript $v http" node "$here/client.mjs" "$cache" "$v" "$url"
done
step "inspector stdio" "$here/inspector.sh" "$cache" "$orma" mcp --space inspector
step "inspector http" "$here/inspector.sh" "$cache" "$url"
step "conformance" "$here/conformance.sh" "$cache" "$url"
exit $failed
