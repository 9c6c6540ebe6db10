#!/bin/sh
# Assembles the guests of this folder with wat2wasm (Debian: wabt). Each NAME.wat is the
# middle of a module: common.wat has the functions that it does not say itself. The
# manifest is that of a stage which may change scores, drop and reorder.
set -eu
cd "$(dirname "$0")"
manifest='{"name":"hostile","version":"1","contract":"rank","summary":"A guest of the tests","doc":"It breaks one rule.","columns":[{"name":"score","kind":"f32","read":true,"write":true}],"drops":true,"orders":true}'
for wat in *.wat; do
    name=${wat%.wat}
    case $name in common) continue ;; esac
    json=$(sed -n 's/^;; manifest: //p' "$wat")
    json=${json:-$manifest}
    length=$(printf %s "$json" | wc -c)
    {
        echo '(module'
        grep '(import' "$wat" || true
        grep -v '(import' "$wat" | grep -v '^;; manifest:' || true
        for part in memory abi manifest alloc configure run; do
            grep -q "(export \"\(orma_\)\?$part\"" "$wat" || sed -n "/^;; $part\$/,/^\$/p" common.wat
        done
        printf '(data (i32.const 1024) "%s")\n' "$(printf %s "$json" | sed 's/"/\\"/g')"
        echo ')'
    } | sed "s/MANIFEST_LENGTH/$length/" > "/tmp/orma-$name-$$.wat"
    wat2wasm "/tmp/orma-$name-$$.wat" -o "$name.wasm"
    rm "/tmp/orma-$name-$$.wat"
done
sha256sum -- *.wasm > SHA256SUMS
