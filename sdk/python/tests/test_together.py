"""Processes of both languages on one database, at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, eventually, servers

from orma import Memory

PYTHON = """
import sys
from orma import Memory
m = Memory(path=sys.argv[1])
for i in range(int(sys.argv[3])):
    m.observe("user", f"{sys.argv[2]} says {i}")
print("done", flush=True)
sys.stdin.readline()
"""

NODE = """
const { Memory } = await import(process.argv[1]);
const m = await Memory.open({ path: process.argv[2] });
for (let i = 0; i < Number(process.argv[4]); i++) await m.observe("user", `${process.argv[3]} says ${i}`);
console.log("done");
process.stdin.resume();
process.stdin.on("end", () => process.exit());
"""

EACH = 100


def test_two_python_processes_and_one_of_node(db: str, home: Path) -> None:
    module = ROOT / "sdk" / "typescript" / "dist" / "esm" / "index.js"
    node = shutil.which("node")
    if node is None or not module.exists():
        pytest.skip("node, or the build of sdk/typescript, is not here")
    python = [sys.executable, "-c", PYTHON, db]
    commands = [[*python, "a", str(EACH)], [*python, "b", str(EACH)]]
    commands.append([node, "--input-type=module", "-e", NODE, module.as_uri(), db, "c", str(EACH)])
    for victim in range(3):
        children = [
            subprocess.Popen(c, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) for c in commands
        ]
        for p in children:
            assert p.stdout and p.stdout.readline() == "done\n"
        assert len(servers(home)) == 1
        children[victim].kill()
        children[victim].wait()
        with Memory(path=db) as m:
            texts = [row["text"] for row in m.export()]
        for name in "abc":
            for i in range(EACH):
                assert texts.count(f"{name} says {i}") == victim + 1
        assert len(servers(home)) == 1
        for p in children:
            if p.poll() is None:
                p.communicate("\n", timeout=30)
        eventually(lambda: not servers(home), "the server outlives its last client")
