#!/usr/bin/env bash
# The view in a real browser, against the real program. Installs what it needs; where a
# browser cannot be had it says so and skips.
#
#   e2e-view.sh           the flows; pictures of them go to .cache/view, or ORMA_SCREENSHOTS
#   e2e-view.sh --bench   first picture and frames at 10,000 and 100,000 nodes; on an idle machine
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  echo "skipped: view in a browser ($1)"
  exit 0
}
command -v node > /dev/null && command -v npm > /dev/null || skip "node is not here"
if [ -z "${CHROMIUM:-}" ] && ! command -v chromium chromium-browser google-chrome > /dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium fonts-dejavu-core fonts-noto-core; } > /dev/null 2>&1 || skip "chromium cannot be installed"
  else
    skip "chromium is not here"
  fi
fi
make --no-print-directory view build
(cd e2e/view && npm ci --no-audit --no-fund --silent)
if [ "${1:-}" = --bench ]; then
  shift
  exec node e2e/view/bench.mjs "$@"
fi
(cd cmd/internal/view/app && npm test)
export ORMA_SCREENSHOTS=${ORMA_SCREENSHOTS:-$PWD/.cache/view}
exec node --test --test-concurrency=1 --test-timeout=1800000 e2e/view/*.test.mjs
