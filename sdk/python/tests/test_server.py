"""Private servers: shared, restarted, ended; and what goes wrong with them."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from conftest import eventually, gone, servers

from orma import Memory, errors
from orma._config import Start
from orma._server import PrivateServer


def child(code: str, *args: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def stop(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    state = Path(f"/proc/{pid}/stat")
    eventually(lambda: state.read_text().rsplit(")", 1)[1].split()[0] == "T", "it does not stop")


WRITER = """
import sys
from orma import Memory
with Memory(path=sys.argv[1]) as m:
    print("open", flush=True)
    for i in range(int(sys.argv[3])):
        m.observe("user", f"{sys.argv[2]} says {i}")
    print("done", flush=True)
    sys.stdin.readline()
"""


def test_processes_share_a_server_that_ends_with_the_last(db: str, home: Path) -> None:
    a, b = child(WRITER, db, "a", "100"), child(WRITER, db, "b", "100")
    for p in (a, b):
        assert p.stdout and p.stdout.readline() == "open\n"
        assert p.stdout.readline() == "done\n"
    assert len(servers(home)) == 1
    a.kill()
    a.wait()
    with Memory(path=db) as m:
        assert m.stats().spaces[0].episodes == 200
    time.sleep(3)  # longer than a server stays alone: b still holds it
    assert len(servers(home)) == 1
    b.communicate("\n", timeout=30)
    eventually(lambda: not servers(home), "the server outlives its last client")
    assert sorted(p.suffix for p in (home / "run").iterdir()) == [".lock", ".log"]


def test_many_starters_get_one_server(db: str, home: Path) -> None:
    children = [child(WRITER, db, str(n), "20") for n in range(6)]
    for p in children:
        assert p.stdout and p.stdout.readline() == "open\n"
        assert p.stdout.readline() == "done\n"
    assert len(servers(home)) == 1
    for p in children:
        p.kill()
        p.wait()
    with Memory(path=db) as m:
        assert m.stats().spaces[0].episodes == 120


def test_the_starter_may_be_killed(db: str, home: Path) -> None:
    first = child(WRITER, db, "first", "1")
    assert first.stdout and first.stdout.readline() == "open\n"
    with Memory(path=db) as m:
        first.kill()
        first.wait()
        m.add("It still answers.")
        assert len(servers(home)) == 1


def test_a_killed_server_is_replaced_between_calls(db: str, home: Path) -> None:
    with Memory(path=db) as m:
        m.add("before")
        for sig in (signal.SIGKILL, signal.SIGTERM):
            (pid,) = servers(home)
            os.kill(pid, sig)
            eventually(lambda: gone(pid), "it does not end")
            m.add("after")
        assert m.stats().spaces[0].episodes == 3


def test_a_server_that_dies_in_a_call(db: str, home: Path) -> None:
    with Memory(path=db) as m:
        (pid,) = servers(home)
        stop(pid)  # the call is sent, and not answered
        timer = threading.Timer(0.3, os.kill, (pid, signal.SIGKILL))
        timer.start()
        with pytest.raises(errors.ServerDiedError) as e:
            m.search("words")
        assert e.value.code == "server_died" and "call again" in str(e.value)
        assert m.search("words").passages == []


def test_a_server_that_does_not_answer(db: str, home: Path) -> None:
    m = Memory(path=db, timeout=0.3)
    (pid,) = servers(home)
    stop(pid)
    try:
        with pytest.raises(errors.UnavailableError, match="did not answer within 0.3 s"):
            m.search("words")
    finally:
        os.kill(pid, signal.SIGCONT)
        m.close()


def test_a_fork_has_connections_of_its_own(db: str) -> None:
    with Memory(path=db) as m:
        m.add("from the parent")
        pid = os.fork()
        if pid == 0:
            try:
                for i in range(50):
                    m.observe("user", f"child {i}")
                os._exit(0)
            except BaseException:
                os._exit(1)
        for i in range(50):
            m.observe("user", f"parent {i}")
        assert os.waitpid(pid, 0)[1] == 0
        assert m.stats().spaces[0].episodes == 101


def test_over_tcp_with_a_token(db: str, home: Path) -> None:
    """How Windows does it, which has no Unix sockets."""
    private = PrivateServer(Start.of(db, None, None, None), sockets=False)
    client = private.connect(10)
    at = client.at
    assert at.socket is None and at.host == "127.0.0.1" and at.token and at.token.startswith("orma_")
    assert private.connect(10).at == at
    with pytest.raises(errors.UnauthorizedError):
        Memory(url=str(at))
    with Memory(url=str(at), token=at.token) as m:
        m.add("words")
        assert m.search("words").passages
    assert len(servers(home)) == 1
    client.close()


def test_a_url(db: str, home: Path) -> None:
    with Memory(path=db) as m:
        m.add("words")
        (share,) = (home / "run").glob("*.json")
        at = json.loads(share.read_text())["socket"]
        with Memory(url="unix://" + at) as other:
            assert other.search("words").passages
    for url in ("localhost:8080", "ftp://a/", "http://", "unix://", "http://a:port"):
        with pytest.raises(errors.InvalidError):
            Memory(url=url)
    for options in ({"path": db}, {"model": "m"}, {"config": "c.toml"}):
        with pytest.raises(errors.InvalidError, match="does not go with url"):
            Memory(url="http://127.0.0.1:9", **options)  # type: ignore[arg-type]
    with pytest.raises(errors.UnavailableError, match="no server answers at http://127.0.0.1:9"):
        Memory(url="http://127.0.0.1:9")


def test_no_binary(db: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ORMA_BIN", str(tmp_path / "none"))
    with pytest.raises(errors.BinaryNotFoundError, match="ORMA_BIN"):
        Memory(path=db)
    monkeypatch.delenv("ORMA_BIN")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("orma._server.__file__", str(tmp_path / "x.py"))
    with pytest.raises(errors.BinaryNotFoundError) as e:
        Memory(path=db)
    assert e.value.code == "no_binary" and "PATH" in str(e.value)
    broken = tmp_path / "orma"
    broken.write_bytes(b"\x7fELF of another machine")
    broken.chmod(0o755)
    with pytest.raises(errors.BinaryNotFoundError, match="cannot be run"):
        Memory(path=db)


def test_a_program_that_is_not_orma(db: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "orma"
    other.write_text("#!/bin/sh\necho 'usage: orma [-x]' >&2\nexit 3\n")
    other.chmod(0o755)
    monkeypatch.setenv("ORMA_BIN", str(other))
    with pytest.raises(errors.UnavailableError, match=r"exit code 3\): usage: orma"):
        Memory(path=db)


def test_a_path_that_cannot_be(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no database, and no folder")
    for path in (file / "memory.db", tmp_path):
        with pytest.raises(errors.OrmaError) as e:
            Memory(path=path)
        assert e.value.code not in ("internal", "server_died"), e.value
    with pytest.raises(errors.OrmaError) as e:
        Memory(path=file)
    assert e.value.code == "corrupt", e.value
    assert file.read_text() == "no database, and no folder"
    for bad in ("", "a\0b", 7):
        with pytest.raises((errors.InvalidError, TypeError)):
            Memory(path=bad)  # type: ignore[arg-type]


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, home, binary = tmp_path / "folder", tmp_path / "home", tmp_path / "orma"
    folder.mkdir()
    home.mkdir()
    shutil.copy(os.environ["ORMA_BIN"], binary)
    monkeypatch.setenv("ORMA_BIN", str(binary))
    monkeypatch.setenv("ORMA_HOME", str(home))
    folder.chmod(0o555)
    said = as_ordinary_user(tmp_path, home, lambda: Memory(path=folder / "memory.db"))
    assert said.split(" | ")[0] in ("read_only",), said
    assert str(folder) in said
    # Without a home that can be written, the socket goes to a temporary folder.
    home.chmod(0o555)
    said = as_ordinary_user(tmp_path, folder, lambda: Memory(path=folder / "memory.db"))
    assert said.split(" | ")[0] in ("read_only",), said


def test_a_full_disk(tmp_path: Path) -> None:
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(tmp_path)], capture_output=True).returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    try:
        with Memory(path=tmp_path / "memory.db") as m:
            stored = 0
            with pytest.raises(errors.UnavailableError, match="the disk is full") as e:
                for i in range(1000):
                    m.add(f"note {i} " + "word " * 900)
                    stored += 1
            assert e.value.hint and "free some space" in e.value.hint
            assert [row["text"].split()[1] for row in m.export()] == [str(i) for i in range(stored)]
            assert m.search("note 1").passages
            (pid,) = servers(Path(os.environ["ORMA_HOME"]))
        eventually(lambda: not Path(f"/proc/{pid}").exists(), "it holds the disk")
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_database_that_another_holds(db: str) -> None:
    with Memory(path=db) as m:
        m.add("before")
        other = sqlite3.connect(db, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        try:
            with pytest.raises(errors.BusyError, match="another process holds it"):
                m.add("while it is held")
            assert m.search("before").passages
        finally:
            other.execute("ROLLBACK")
            other.close()
        m.add("after")
        assert [row["text"] for row in m.export()] == ["before", "after"]


@pytest.mark.parametrize(
    ("page", "advice"),
    [(0, "damaged.*orma restore"), (1, "damaged.*doctor --fix"), (4, "damaged.*doctor --fix")],  # without its first page it is no database
)
def test_a_damaged_database(db: str, home: Path, page: int, advice: str) -> None:
    with Memory(path=db) as m:
        m.add("words")
    eventually(lambda: not servers(home), "it does not end")
    data = bytearray(Path(db).read_bytes())
    data[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    Path(db).write_bytes(data)
    with pytest.raises(errors.CorruptError, match=advice), Memory(path=db) as m:
        m.add("more")
        m.search("words")


def test_a_database_that_is_newer_or_of_another_program(db: str, home: Path, tmp_path: Path) -> None:
    with Memory(path=db) as m:
        m.add("words")
    eventually(lambda: not servers(home), "it does not end")
    for path, statement in ((Path(db), "PRAGMA user_version = 9999"), (tmp_path / "other.db", "CREATE TABLE t (a)")):
        other = sqlite3.connect(path)
        other.execute(statement)
        other.commit()
        other.close()
    with pytest.raises(errors.NewerError, match="newer version"):
        Memory(path=db)
    with pytest.raises(errors.InvalidError, match="another program"):
        Memory(path=tmp_path / "other.db")


def test_options_that_the_server_refuses(db: str) -> None:
    with pytest.raises(errors.ConfigError, match="no such file"):
        Memory(path=db, config="/nowhere/config.toml")
    with pytest.raises(errors.ConfigError, match="did you mean"):
        Memory(path=db, config={"set": {"stage.pack.budget_tokenz": 1}})
    with pytest.raises(errors.ConfigError, match="nope"):
        Memory(path=db, config={"off": ["nope"]})
    with pytest.raises(errors.InvalidError, match="upstream"):
        Memory(path=db, upstream="nowhere")


def as_ordinary_user(tmp_path: Path, mine: Path, call: Callable[[], object]) -> str:
    """Return the code and the text of the failure of a call: root may write anywhere."""
    importlib.import_module("tempfile")  # the child may not read the library
    importlib.import_module("subprocess")
    if os.getuid() == 0:
        for folder in (tmp_path, *tmp_path.parents[: len(tmp_path.parents) - 2]):
            folder.chmod(folder.stat().st_mode | 0o055)
        if mine.name == "home":
            os.chown(mine, 65534, 65534)
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            call()
            os.write(into, b"it worked")
        except errors.OrmaError as e:
            os.write(into, f"{e.code} | {e}".encode())
        except BaseException as e:
            os.write(into, repr(e).encode())
        finally:
            os._exit(0)
    os.close(into)
    with open(out, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(pid, 0)
    return said


@contextmanager
def stranger(answer: bytes, status: int = 200) -> Iterator[str]:
    """A web server that is not of the version that is wanted."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as s:
        threading.Thread(target=s.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{s.server_port}"
        s.shutdown()


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b'{"name": "orma", "version": "9.0.0", "api": "v9"}', 200),
        (b'{"name": "other", "version": "1"}', 200),
        (b"<html>hello</html>", 200),
        (b"not found", 404),
        (b"[]", 200),
        (b"", 200),
    ],
)
def test_another_version(answer: bytes, status: int) -> None:
    with stranger(answer, status) as url:
        with pytest.raises(errors.VersionMismatchError) as e:
            Memory(url=url)
        assert e.value.code == "version_mismatch" and e.value.hint


def test_a_server_that_speaks_no_http() -> None:
    with socket.create_server(("127.0.0.1", 0)) as s:
        threading.Thread(target=lambda: s.accept()[0].sendall(b"SSH-2.0-x\r\n"), daemon=True).start()
        with pytest.raises(errors.UnavailableError):
            Memory(url=f"http://127.0.0.1:{s.getsockname()[1]}", timeout=5)
