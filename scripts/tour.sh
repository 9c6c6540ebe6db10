#!/usr/bin/env bash
# One minute with Orma on the history that ships with it, in a fresh folder.
#
#   tour.sh           run it, and say where the memory is
#   tour.sh --check   compare the tour and the stages in README.md with what the commands print now
#   tour.sh --write   write what they print into README.md
set -euo pipefail
cd "$(dirname "$0")/.."
orma=${ORMA_BIN:-bin/orma}
[ -x "$orma" ] || { echo "tour: $orma is missing: make build" >&2; exit 1; }
home=$(mktemp -d)
export ORMA_HOME=$home
unset ORMA_CONFIG ORMA_DB
clock=2026-08-19T10:00:00Z # the day after the history ends

# step prints a command as a person types it, and what it prints.
step() {
  echo "\$ orma $*"
  local args=()
  eval "args=($*)"
  "$orma" --now "$clock" "${args[@]}" 2>/dev/null
  echo
}

# piped is a step through a filter, which takes out what would differ from run to run.
piped() {
  echo "\$ orma $1 | $2"
  "$orma" --now "$clock" $1 2>/dev/null | eval "$2"
  echo
}

tour() {
  step 'import examples/history.jsonl'
  piped 'sleep --backend rules' "grep -oE '(superseded|lifted) .*'"
  step 'recall "I have a sore throat, what should I drink?" --budget 330'
  piped 'facts --history' "grep -oE 'user · (name|home city).*'"
  step 'search "¿Dónde vive la hermana de Lucía?" --limit 1'
}

# shown are the parts of README.md that the commands print.
shown() { sed -n -e '/^<!-- tour -->$/,/^<!-- end of tour -->$/p' -e '/^<!-- stages -->$/,/^<!-- end of stages -->$/p' README.md; }

# fresh is what they should be.
fresh() {
  printf '<!-- tour -->\n\n```console\n'
  tour | sed -e '$d'
  printf '```\n\n<!-- end of tour -->\n'
  printf '<!-- stages -->\n\n```text\n'
  "$orma" stages
  printf '```\n\n<!-- end of stages -->\n'
}

case ${1:-} in
'')
  tour
  echo "This memory is in $home. Ask it more:"
  echo
  echo "  ORMA_HOME=$home $orma recall 'Which bicycles have I bought?'"
  ;;
--check)
  trap 'rm -rf "$home"' EXIT
  diff <(shown) <(fresh) || { echo "tour: README.md does not show what the commands print: scripts/tour.sh --write" >&2; exit 1; }
  echo "tour: README.md shows what the commands print"
  ;;
--write)
  trap 'rm -rf "$home"' EXIT
  fresh >"$home/fresh"
  awk -v fresh="$home/fresh" '
    /^<!-- (tour|stages) -->$/ {
      while ((getline line < fresh) > 0) { print line; if (line ~ /^<!-- end of /) break }
      skip = 1
    }
    !skip { print }
    /^<!-- end of (tour|stages) -->$/ { skip = 0 }' README.md >"$home/readme"
  cp "$home/readme" README.md
  ;;
*)
  echo "usage: scripts/tour.sh [--check|--write]" >&2
  exit 2
  ;;
esac
