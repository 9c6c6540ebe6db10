#!/usr/bin/env bash
# Lists and calls everything with the inspector's command line.
# usage: inspector.sh FOLDER URL | inspector.sh FOLDER COMMAND ARG…
set -euo pipefail
cache=$1
shift
if [[ $1 == http* ]]; then target=(--transport http --server-url "$1"); else target=(--transport stdio -e "ORMA_HOME=$ORMA_HOME" -- "$@"); fi

ask() { # METHOD ARG… → the answer
  local options=()
  [[ ${target[0]} == --transport && ${target[1]} == stdio ]] && options=(-e "ORMA_HOME=$ORMA_HOME")
  if [[ ${target[1]} == http ]]; then
    "$cache/node_modules/.bin/mcp-inspector" --cli --transport http --server-url "${target[3]}" --method "$@"
  else
    "$cache/node_modules/.bin/mcp-inspector" --cli --transport stdio "${options[@]}" --method "$@" -- "${target[@]:5}"
  fi
}
has() { # WHAT METHOD ARG…
  local want=$1 got
  shift
  got=$(ask "$@")
  grep -q -- "$want" <<< "$got" || { echo "$* lacks $want: $got"; exit 1; }
}
id() { python3 -c 'import json, re, sys; print(re.search(r"\"%s\":\s*(\d+)" % sys.argv[1], sys.stdin.read()).group(1))' "$1"; }

has orma_forget tools/list --strict
has '"id"' tools/call --tool-name orma_remember --tool-arg "text=Salma works at the observatory in Bergen."
rule=$(ask tools/call --tool-name orma_forbid --tool-arg "rule=Never point the telescope at the sun" | id rule_id)
has FORBIDDEN tools/call --tool-name orma_recall --tool-arg "query=Where does Salma work?"
has observatory tools/call --tool-name orma_search --tool-arg query=observatory
has records tools/call --tool-name orma_sleep
has facts tools/call --tool-name orma_facts --tool-arg include_history=true
has '"total": 0' tools/call --tool-name orma_facts --tool-arg as_of=1999-12-31
has ended tools/call --tool-name orma_forget --tool-arg "state_id=$rule"
has spaces tools/call --tool-name orma_stats
fact=$(ask tools/call --tool-name orma_facts | id id)
has museum tools/call --tool-name orma_correct --tool-arg "state_id=$fact" --tool-arg "text=the museum"
has orma://spaces resources/list
has uriTemplate resources/templates/list
uri=$(ask resources/list | grep -o 'orma://spaces/[^"]*/episodes' | head -1)
has records resources/read --uri "$uri"
has briefing prompts/list
has messages prompts/get --prompt-name briefing --prompt-args topic=telescope
has messages prompts/get --prompt-name save
