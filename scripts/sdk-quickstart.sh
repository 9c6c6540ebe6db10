#!/usr/bin/env bash
# Runs the quickstarts and samples as they are written, against what scripts/wheels.sh has
# built: from an empty virtual environment and an empty folder, with no orma on PATH.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
tools=0
./scripts/sdk-tools.sh || tools=$?
if [ "$tools" != 0 ]; then
  echo "skipped: sdk-quickstart (see above)"
  exit 0
fi
./scripts/wheels.sh here
work=$(mktemp -d /tmp/orma-quick-XXXXXX)
trap 'rm -rf "$work"' EXIT
unset ORMA_BIN XDG_RUNTIME_DIR PYTHONPATH
export ORMA_HOME=$work/home
want=$'user · home city: Bangalore\nI live in Pune. [outdated: now Bangalore]'
notes=("I live in Pune." "I moved to Bangalore." "Where do I live?")

# block PAGE LANGUAGE prints the page's first block in that language.
block() { awk -v open='```'"$2" '$0 == open { on = 1; next } on && $0 == "```" { exit } on' "$1"; }

check() {
  [ "$2" = "$want" ] || { printf '%s printed\n%s\nwant\n%s\n' "$1" "$2" "$want"; exit 1; }
  echo "$1: ok"
}

arch=$(uname -m)
"${PYTHON:-python3}" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$root"/dist/sdk/orma_memory-*"${PLATFORM:-$arch}"*.whl
mkdir "$work/python" && cd "$work/python"
block "$root/docs/sdk/python.md" python > quickstart.py
check "python quickstart" "$("$work/venv/bin/python" quickstart.py)"
check "python sample" "$("$work/venv/bin/python" "$root/sdk/python/examples/notes.py" notes.db "${notes[@]}")"

node=$(node -p 'process.platform + "-" + process.arch')
mkdir "$work/node" && cd "$work/node"
npm install --silent --no-audit --no-fund --offline --cache "$work/npm" --omit=peer "$root"/dist/sdk/orma-memory-*-"$node".tgz
block "$root/docs/sdk/typescript.md" js > quickstart.mjs
check "node quickstart" "$(node quickstart.mjs)"
cp "$root/sdk/typescript/examples/notes.mjs" .
check "node sample" "$(node notes.mjs notes.db "${notes[@]}")"

# Go takes the library from this tree: the folder is inside of it, and is removed again.
mkdir -p "$root/.cache" && go_dir=$(mktemp -d "$root/.cache/quickstart-XXXXXX")
trap 'rm -rf "$work" "$go_dir"' EXIT
block "$root/docs/sdk/go.md" go > "$go_dir/main.go"
cd "$root" && CGO_ENABLED=0 go build -o "$work/quick" "$go_dir/main.go"
mkdir "$work/go" && cd "$work/go"
check "go quickstart" "$("$work/quick")"
