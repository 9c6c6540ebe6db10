#!/usr/bin/env bash
# Installs the clients of the end-to-end tests into .cache/e2e, at fixed versions.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=.cache/e2e
python=(openai==3.57.0 anthropic==2.14.0 ollama==0.6.3 langchain-openai==1.7.4)
node=(openai@6.49.0)
mkdir -p "$cache/node"

wanted="${python[*]} ${node[*]}"
if [ "$(cat "$cache/installed" 2>/dev/null)" != "$wanted" ]; then
  [ -x "$cache/venv/bin/python" ] || python3 -m venv "$cache/venv"
  "$cache/venv/bin/pip" install --quiet --disable-pip-version-check "${python[@]}"
  [ -f "$cache/node/package.json" ] || echo '{"private": true}' > "$cache/node/package.json"
  npm install --prefix "$cache/node" --silent --no-audit --no-fund "${node[@]}"
  echo "$wanted" > "$cache/installed"
fi
(cd e2e/proxy/clients/go && CGO_ENABLED=0 go build -o "../../../../$cache/go-client" .)
