#!/usr/bin/env bash
# Builds what the clients are shipped as, in dist/sdk: a pure wheel and tarball, and for
# each platform a wheel and a tarball that carry the program.
#
#   scripts/wheels.sh            every platform
#   scripts/wheels.sh here       this one
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/dist/sdk
./scripts/sdk-tools.sh
python=.cache/sdk-venv/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$out"
mkdir -p "$out"

# What each platform is called by Go, in wheels, and by Node.
platforms='linux/amd64 manylinux2014_x86_64.musllinux_1_1_x86_64 linux-x64
linux/arm64 manylinux2014_aarch64.musllinux_1_1_aarch64 linux-arm64
darwin/amd64 macosx_11_0_x86_64 darwin-x64
darwin/arm64 macosx_11_0_arm64 darwin-arm64
windows/amd64 win_amd64 win32-x64
windows/arm64 win_arm64 win32-arm64'
if [ "${1:-}" = here ]; then
  here=$(go env GOOS)/$(go env GOARCH)
  platforms=$(grep "^$here " <<<"$platforms")
fi

./scripts/view.sh --needed

"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$out" sdk/python
pure=$(ls "$out"/orma_memory-*-py3-none-any.whl)

npm --prefix sdk/typescript run --silent build
rm -rf sdk/typescript/bin
trap 'rm -rf "$work" "$PWD/sdk/typescript/bin"' EXIT
(cd sdk/typescript && npm pack --silent --pack-destination "$out" >/dev/null)
tarball=$(ls "$out"/orma-memory-*.tgz)

while read -r target tag node; do
  binary=$work/orma
  [ "${target%/*}" = windows ] && binary=$work/orma.exe
  CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} go build -trimpath -ldflags '-s -w' -o "$binary" ./cmd/orma
  "$python" sdk/python/scripts/platform_wheel.py "$pure" "$binary" "$tag" "$out" >/dev/null
  mkdir -p sdk/typescript/bin
  cp "$binary" sdk/typescript/bin/
  (cd sdk/typescript && npm pack --silent --pack-destination "$work" >/dev/null)
  mv "$work/$(basename "$tarball")" "${tarball%.tgz}-$node.tgz"
  rm -rf sdk/typescript/bin
done <<<"$platforms"
ls -l "$out" | awk 'NR > 1 { printf "%5.1f MB  %s\n", $5 / 1e6, $9 }'
