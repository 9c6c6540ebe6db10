#!/usr/bin/env bash
# Every module that is linked into the program, and every package that is bundled into the
# view, must have a licence that allows it.
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
# What the view bundles, by its lock file; what only builds it ("dev") is not shipped.
python3 - cmd/internal/view/app/package-lock.json <<'EOF' || bad=1
import json, sys
known = {"Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC", "0BSD", "Unlicense"}
bad = False
for path, p in json.load(open(sys.argv[1]))["packages"].items():
    if not path or p.get("dev"):
        continue
    kind = p.get("license", "unknown")
    print("%-12s %s %s" % (kind, path.removeprefix("node_modules/"), p["version"]))
    bad |= kind not in known
sys.exit(bad)
EOF
[ "$bad" = 0 ] || { echo "a module or package without a licence we know: see above"; exit 1; }
