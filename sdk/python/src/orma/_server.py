"""Private servers: one for the processes of a user that want the same, while any does."""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

# shutil, subprocess and tempfile are imported where they are used: they are slow to
# import, and a server that runs needs none of them.

from ._config import Start
from ._http import CannotConnect, Client, Endpoint
from ._schema import Server
from .errors import BinaryNotFoundError, DeniedError, OrmaError, ServerDiedError, UnavailableError, VersionMismatchError, error_of

API = "v1"

# How long a server stays after its last client has gone: long enough for the next
# command of a script.
LINGER = "2s"

START_TIMEOUT = 20.0

_WINDOWS = sys.platform == "win32"
_SOCKETS = hasattr(socket, "AF_UNIX") and not _WINDOWS

_LONGEST_LOG = 1 << 20

# The path of a Unix socket has about 104 bytes on some systems.
_LONGEST_SOCKET = 100


def find_binary() -> str:
    """Return the path of ``orma``: ``$ORMA_BIN``, the one in this package, or on PATH."""
    named = os.environ.get("ORMA_BIN")
    if named:
        if os.path.isfile(named) and os.access(named, os.X_OK):
            return named
        raise BinaryNotFoundError(f"ORMA_BIN is {named!r}, which is not a program", hint="let it name the orma binary, or unset it")
    ours = os.path.join(os.path.dirname(__file__), "_bin", "orma.exe" if _WINDOWS else "orma")
    if os.path.isfile(ours):
        return ours
    import shutil

    found = shutil.which("orma")
    if found:
        return found
    raise BinaryNotFoundError(
        "the program orma was not found",
        hint="install a wheel of orma-memory that is built for this platform, put orma on PATH, or let ORMA_BIN name it",
    )


def check_version(client: Client) -> Server:
    """Ask a server what it is, and refuse one that is not what this package speaks to."""
    answer: Any = client.call("GET", "/_orma/v1/version")
    name, version, api = (answer.get(k) if isinstance(answer, dict) else None for k in ("name", "version", "api"))
    if name != "orma":
        raise VersionMismatchError(f"what answers at {client.at} is not Orma", hint="check the URL")
    if api != API:
        raise VersionMismatchError(
            f"the server at {client.at} is Orma {version} and speaks API {api}; this package speaks {API}",
            hint="install versions of orma and orma-memory that belong together",
        )
    return Server.from_json(answer)


class PrivateServer:
    """Finds or starts the server for some options, and finds it again when it has ended."""

    def __init__(self, start: Start, *, sockets: bool = _SOCKETS) -> None:
        self._start = start
        self._sockets = sockets
        # How it is reached is part of what is shared.
        key = start.key(os.environ) + ("" if sockets else "t")
        folder = _run_folder(start.home, key)
        self._share = os.path.join(folder, key + ".json")
        self._socket = os.path.join(folder, key + ".sock")
        self._log = os.path.join(folder, key + ".log")

    def connect(self, timeout: float) -> Client:
        """Return a client with a connection that the server knows of: it stays for that."""
        until = time.monotonic() + START_TIMEOUT
        wait = 0.002
        problem: OrmaError | None = None
        while time.monotonic() < until:
            client = self._published(timeout)
            if client is not None:
                try:
                    check_version(client)
                    return client
                except (CannotConnect, ServerDiedError):
                    client.close()  # it was ending, or was killed
                except BaseException:
                    client.close()
                    raise
            problem = self._launch()
            if problem is not None and problem.code != "conflict":
                raise problem
            if problem is not None:
                # Another process is starting it, or it is ending.
                time.sleep(wait)
                wait = min(wait * 1.5, 0.1)
        raise UnavailableError(
            f"no server could be started within {START_TIMEOUT:g} s" + (f": {problem.message}" if problem else ""),
            hint=f"see {self._log}",
        )

    def _published(self, timeout: float) -> Client | None:
        try:
            with open(self._share, "rb") as f:
                at = json.load(f)
        except (OSError, ValueError):
            return None
        if self._sockets and at.get("socket"):
            return Client(Endpoint(socket=at["socket"], token=at.get("token")), timeout)
        if at.get("address"):
            return Client(Endpoint.of(at["address"], at.get("token")), timeout)
        return None

    def _launch(self) -> OrmaError | None:
        """Start a server, and return once it listens, or with the reason why not."""
        import subprocess

        how = ["--socket", self._socket] if self._sockets else ["--port", "0", "--private"]
        s = self._start
        how += ["--upstream", s.upstream] if s.upstream else []
        how += ["--model", s.model] if s.model else []
        command = [find_binary(), "--json", *s.flags(), "serve", "--share", self._share, "--idle-exit", LINGER, *how]
        with open(self._log, "ab", opener=lambda p, f: os.open(p, f, 0o600)) as log:
            if log.tell() > _LONGEST_LOG:
                log.truncate(0)
            begun = log.seek(0, os.SEEK_END)
            try:
                child = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, cwd=os.path.dirname(self._log), **_detached()
                )
            except OSError as e:
                raise BinaryNotFoundError(f"{command[0]} cannot be run: {e.strerror}", hint="is it built for this platform?") from e
        # It is waited for whenever it ends, so that it leaves no zombie.
        threading.Thread(target=child.wait, name="orma-server", daemon=True).start()
        watch = threading.Timer(START_TIMEOUT, child.kill)
        watch.daemon = True
        watch.start()
        assert child.stdout is not None
        with child.stdout:
            listening = bool(child.stdout.readline().strip())
        watch.cancel()
        if listening:
            return None
        child.wait()
        return self._why(begun, child.returncode)

    def _why(self, begun: int, code: int) -> OrmaError:
        """Read from the log why a server did not start."""
        with open(self._log, "rb") as log:
            log.seek(begun)
            lines = log.read().decode(errors="replace").strip().splitlines()
        for line in reversed(lines):
            try:
                e = json.loads(line)["error"]
                return error_of(e["code"], e["message"], e.get("hint"))
            except (ValueError, KeyError, TypeError):
                continue
        last = lines[-1] if lines else "it said nothing"
        return UnavailableError(f"the server did not start (exit code {code}): {last}", hint=f"see {self._log}")


def _detached() -> dict[str, Any]:
    """The server outlives the process that happens to start it, and its Ctrl-C."""
    if _WINDOWS:
        return {"creationflags": 0x00000008 | 0x00000200}  # DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP
    return {"start_new_session": True}


def _run_folder(home: str, key: str) -> str:
    """Return a folder of this user for sockets: the system's, Orma's, or a temporary one."""
    for folder in _run_folders(home):
        if len(os.fsencode(folder)) + len(key) + len("/.sock") > _LONGEST_SOCKET and _SOCKETS:
            continue
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
        except OSError:
            continue
        if _ours(folder):
            return folder
    raise DeniedError("there is no folder for the socket of a server", hint="let ORMA_HOME name a folder that can be written")


def _run_folders(home: str) -> Iterator[str]:
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and os.path.isabs(runtime):
        yield os.path.join(runtime, "orma")
    yield os.path.join(home, "run")
    import tempfile

    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    yield os.path.join(tempfile.gettempdir(), "orma-" + user)


def _ours(folder: str) -> bool:
    """Say whether a folder is this user's alone: a socket in another's could be anyone's."""
    info = os.lstat(folder)
    if not stat.S_ISDIR(info.st_mode) or not os.access(folder, os.W_OK):
        return False
    if not hasattr(os, "getuid"):
        return True
    return info.st_uid == os.getuid() and not info.st_mode & 0o022
