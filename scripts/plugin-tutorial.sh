#!/bin/bash
# Runs every command of docs/plugins/tutorial.md in an empty home, and looks at what came of
# it. ORMA is the program; without it, it is built. Languages without a compiler are skipped
# by name: scripts/toolchains.sh installs them.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/home" "$work/here"
if [ -n "${ORMA:-}" ]; then
    cp "$ORMA" "$work/bin/orma"
else
    (cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$work/bin/orma" ./cmd/orma)
fi
# The home is empty; what compilers have downloaded and compiled before is still used.
GOPATH=$(go env GOPATH) GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE)
export GOPATH GOCACHE GOMODCACHE
export CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" npm_config_cache="${npm_config_cache:-$HOME/.npm}"
unset ORMA_HOME ORMA_DB ORMA_CONFIG ORMA_SPACE XDG_CONFIG_HOME XDG_DATA_HOME
export PATH="$work/bin:$PATH:$root/.cache/npm/node_modules/.bin" HOME="$work/home"
cd "$work/here"

# blocks prints the commands of one language, or those for all.
blocks() {
    awk -v want="$1" '/^```sh/ { on = ($2 == want); next } /^```/ { on = 0; next } on' "$root/docs/plugins/tutorial.md"
}

# A busy machine can be slower than a plugin's 20 ms: that is no fault of the tutorial.
limit() { printf '\n[stage.young_%s]\ntimeout_ms = 5000\n' "$1"; }

bash -euo pipefail -c "$(blocks '')"
done=0 left=0
for language in go rust assemblyscript c; do
    echo "== $language"
    if ! bash -euo pipefail -c "orma plugin new probe_$language --lang $language > /dev/null
        [ $language != assemblyscript ] || command -v asc > /dev/null || (cd probe_$language && npm install --silent)
        orma plugin build probe_$language > /dev/null" 2> probe.log; then
        grep -q 'no compiler for plugins' probe.log || { cat probe.log; exit 1; }
        echo "skipped: $language has no compiler here"
        left=$((left + 1))
        continue
    fi
    if ! bash -euo pipefail -c "$(blocks "$language")" > "$language.log" 2>&1; then
        cat "$language.log"
        exit 1
    fi
    grep -q "young_$language 0.1.0 passes" "$language.log" || { cat "$language.log"; echo "the check did not pass"; exit 1; }
    limit "$language" >> "young_$language.toml"
    orma --config "young_$language.toml" recall "where are the spare keys" --explain > on.log 2>&1
    grep -q "young_$language" on.log || { cat on.log; echo "the trace does not show the stage"; exit 1; }
    ! grep -q '^note:' on.log || { cat on.log; echo "the stage was left out"; exit 1; }
    orma --config "young_$language.toml" --off "young_$language" recall "where are the spare keys" --explain > off.log 2>&1
    ! grep -q "young_$language" off.log || { cat off.log; echo "the stage is still on"; exit 1; }
    done=$((done + 1))
done
echo "tutorial: $done passed, 0 failed, $left skipped"
