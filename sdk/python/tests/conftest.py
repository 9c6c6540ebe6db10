"""What the tests share: a program, a home of its own for each, and helpers of the system."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session", autouse=True)
def binary(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the program once, unless ORMA_BIN names one."""
    named = os.environ.get("ORMA_BIN")
    if named:
        return named
    out = str(tmp_path_factory.mktemp("bin") / "orma")
    subprocess.run(["go", "build", "-trimpath", "-o", out, "./cmd/orma"], cwd=ROOT, check=True, env={**os.environ, "CGO_ENABLED": "0"})
    os.environ["ORMA_BIN"] = out
    return out


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give each test an ORMA_HOME, and see that no server outlives it."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("ORMA_HOME", str(folder))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr("orma._server.LINGER", "100ms")
    yield folder
    eventually(lambda: not servers(folder), f"servers of {folder} are left")


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


def servers(home: Path) -> list[int]:
    """Return the processes that serve out of a home."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            if f"{home}/run/".encode() in command and b"\0serve\0" in command and state != "Z":
                found.append(int(entry.name))
    return found


def gone(pid: int) -> bool:
    """Say whether a process has ended with all its threads: the last of them lets go of its sockets."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state in "ZX" and len(list(Path(f"/proc/{pid}/task").iterdir())) < 2
    except OSError:
        return True


def eventually(holds: Callable[[], bool], what: str, within: float = 30) -> None:
    """Wait until something holds: what other processes do is not known to the second."""
    until = time.monotonic() + within
    while not holds():
        if time.monotonic() > until:
            raise AssertionError(what)
        time.sleep(0.02)
