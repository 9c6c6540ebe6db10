#!/bin/sh
# Installs what plugins in other languages than Go are built with, where it is missing:
# clang with its linker, a Rust compiler for wasm32, AssemblyScript. It can be run again
# at any time and then does nothing. What cannot be installed is named; tests of that
# language are skipped by name.
set -eu
cd "$(dirname "$0")/.."

missing=
has() { command -v "$1" > /dev/null 2>&1; }

has_rust() {
    for rustc in "$(command -v rustc || echo none)" /usr/bin/rustc; do
        root=$("$rustc" --print sysroot 2> /dev/null) && [ -d "$root/lib/rustlib/wasm32-unknown-unknown/lib" ] && return 0
    done
    return 1
}

has_c() {
    for c in clang clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
        has "$c" && has wasm-ld && return 0
    done
    has zig || python3 -c 'import ziglang' 2> /dev/null
}

packages=
has_c || packages="$packages clang lld"
has_rust || packages="$packages cargo rustc lld libstd-rust-dev-wasm32"
if [ -n "$packages" ] && has apt-get && [ "$(id -u)" = 0 ]; then
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages > /dev/null || true
fi

asc=.cache/npm/node_modules/.bin/asc
if [ ! -x "$asc" ] && ! has asc && has npm; then
    mkdir -p .cache/npm
    npm install --silent --no-audit --no-fund --prefix .cache/npm assemblyscript@0.28.20 || true
fi

has_c || missing="$missing C"
has_rust || missing="$missing Rust"
{ [ -x "$asc" ] || has asc; } || missing="$missing AssemblyScript"
if [ -n "$missing" ]; then
    echo "no compiler for plugins in:$missing"
else
    echo "compilers for plugins: Go, Rust, AssemblyScript, C"
fi
