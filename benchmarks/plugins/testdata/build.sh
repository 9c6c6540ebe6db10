#!/bin/sh
# Builds the guests of this folder anew: the rankers of `orma plugin new`, in each
# language but Go, which is compiled when the benchmark runs. ORMA is the program.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
for language in c rust assemblyscript; do
    "${ORMA:-orma}" plugin new "young_$language" --lang "$language"
    "${ORMA:-orma}" plugin build "young_$language"
    cp "young_$language/young_$language.wasm" "$here"
done
cd "$here" && sha256sum -- *.wasm > SHA256SUMS
