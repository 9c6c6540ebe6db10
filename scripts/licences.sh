#!/usr/bin/env bash
# Every module that is linked into the program must have a licence that allows it.
set -euo pipefail
cd "$(dirname "$0")/.."
bad=0
while read -r path version dir; do
  [ -n "$dir" ] || continue
  file=$(find "$dir" -maxdepth 1 -iname 'licen[sc]e*' -o -maxdepth 1 -iname 'copying*' | sort | head -1)
  kind=unknown
  if [ -n "$file" ]; then
    if grep -qi 'Apache License' "$file"; then kind=Apache-2.0
    elif grep -qi 'Mozilla Public License' "$file"; then kind=MPL-2.0
    elif grep -qi 'Redistribution and use in source and binary forms' "$file"; then kind=BSD
    elif grep -qi 'Permission is hereby granted, free of charge' "$file"; then kind=MIT
    elif grep -qi 'Permission to use, copy, modify, and/or distribute' "$file"; then kind=ISC
    elif grep -qi 'This is free and unencumbered software' "$file"; then kind=Unlicense
    fi
  fi
  printf '%-12s %s %s\n' "$kind" "$path" "$version"
  [ "$kind" != unknown ] || bad=1
done < <(go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/orma | sort -u)
[ "$bad" = 0 ] || { echo "a module without a licence we know: see above"; exit 1; }
