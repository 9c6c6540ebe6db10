#!/usr/bin/env python3
"""Real clients, unmodified, hold conversations through `orma serve`.

Each client, with and without streaming, has a space of its own and holds three
sessions: it states a fact; it uses a tool; it asks for the fact. Then we look at what
the model's server saw: the third session's request must contain what the first said,
and a space must never show another one's words.

    python3 e2e/proxy/run.py --orma bin/orma --cache .cache/e2e/proxy [--only NAME]
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from upstream import REPLY, Upstream

SLEEPER = "sleeper"  # the model that sleep asks: by it, its requests are told from the clients'
PATIENCE = 300  # seconds that a session may take; on a loaded machine it is seconds, not tens
HERE = pathlib.Path(__file__).resolve().parent


def clients(cache):
    python = str(cache / "python" / "bin" / "python")
    node_env = {"E2E_NODE_MODULES": str(cache / "node_modules")}
    py = lambda name: ([python, str(HERE / "clients" / f"{name}.py")], {})
    return {
        "openai-python": py("openai_chat"),
        "openai-python-responses": py("openai_responses"),
        "anthropic-python": py("anthropic_messages"),
        "ollama-python": py("ollama_chat"),
        "langchain-openai": py("langchain_chat"),
        "openai-node": (["node", str(HERE / "clients" / "openai_chat.mjs")], node_env),
        "openai-go": ([str(cache / "go-client")], {}),
    }


def words(request):
    """All text of a request, as the model would see it."""
    return json.dumps(request, ensure_ascii=False)


class Orma:
    def __init__(self, program, upstream, home):
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--json", "--upstream", upstream, "--model", SLEEPER],
            env={**os.environ, "ORMA_HOME": home}, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
        self.address = json.loads(self.process.stdout.readline())["address"]

    def stop(self):
        self.process.terminate()
        if self.process.wait(PATIENCE) != 0:
            raise SystemExit("orma did not end well")


def converse(name, command, env, base, space, stream, number):
    """Let a client hold one session."""
    done = subprocess.run(
        [*command, str(number)],
        env={**os.environ, **env, "E2E_BASE": base, "E2E_SPACE": space, "E2E_STREAM": "1" if stream else "", "E2E_REPLY": REPLY},
        capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode != 0:
        raise AssertionError(f"session {number} failed:\n{done.stdout}{done.stderr}")


def check(name, command, env, orma, upstream, stream):
    word = f"{name}-{'stream' if stream else 'whole'}"
    fact = f"My locker is number {sum(map(ord, word))} in hall {word}."
    before = len(upstream.seen)
    for number in (1, 2, 3):
        converse(name, command, {**env, "E2E_FACT": fact}, orma.address, word, stream, number)
    requests = [r for r in upstream.requests_since(before) if r[1].get("model") != SLEEPER]
    tools = [r for _, r in requests if r.get("tools")]
    assert len(requests) >= 4, f"{len(requests)} requests arrived"
    assert len(tools) >= 2, "the tool's result never arrived"
    last = words(requests[-1][1])
    assert fact in last, f"the third session does not know what the first said:\n{last}"
    for _, r in requests:
        for other in ("stream", "whole"):
            for client in clients(pathlib.Path(".")):
                stranger = f"in hall {client}-{other}."
                assert stranger == f"in hall {word}." or stranger not in words(r), f"words of another space: {stranger}"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--orma", default="bin/orma")
    p.add_argument("--cache", default=".cache/e2e/proxy", type=pathlib.Path)
    p.add_argument("--only", action="append")
    o = p.parse_args()
    failed = 0
    upstream = Upstream()
    with tempfile.TemporaryDirectory() as home:
        orma = Orma(os.path.abspath(o.orma), upstream.address, home)
        for name, (command, env) in clients(o.cache.absolute()).items():
            if o.only and name not in o.only:
                continue
            if not shutil.which(command[0]):
                print(f"skipped: {name} ({command[0]} is not here)")
                continue
            for stream in (False, True):
                how, begun = "streaming" if stream else "whole", time.monotonic()
                try:
                    check(name, command, env, orma, upstream, stream)
                    print(f"ok    {name} ({how}), {time.monotonic() - begun:.1f} s", flush=True)
                except Exception as e:  # noqa: BLE001: each client is reported
                    failed += 1
                    print(f"FAIL  {name} ({how}): {e}")
        orma.stop()
    print(f"{failed} failed" if failed else "all clients passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
