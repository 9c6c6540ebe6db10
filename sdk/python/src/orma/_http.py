"""HTTP/1.1 over a Unix socket or TCP, with connections that are kept."""

from __future__ import annotations

import http.client
import json
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from .errors import InvalidError, OrmaError, ServerDiedError, UnavailableError, error_of


class CannotConnect(Exception):
    """Nothing listens there: the request was not sent."""


@dataclass(frozen=True)
class Endpoint:
    """Where a server listens, and the token it wants."""

    socket: str | None = None
    host: str = "localhost"
    port: int | None = None
    tls: bool = False
    prefix: str = ""
    token: str | None = None

    @staticmethod
    def of(url: str, token: str | None = None) -> Endpoint:
        """Read a URL: ``http://``, ``https://`` or ``unix:///path``."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as e:
            raise InvalidError(f"{url!r} is not a URL: {e}") from None
        if parts.scheme == "unix" and parts.path:
            return Endpoint(socket=unquote(parts.path), token=token)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidError(f"{url!r} is not the URL of a server", hint="such as http://127.0.0.1:8080 or unix:///run/orma.sock")
        prefix = parts.path.rstrip("/").removesuffix("/_orma/v1")
        return Endpoint(host=parts.hostname, port=port, tls=parts.scheme == "https", prefix=prefix, token=token)

    def __str__(self) -> str:
        if self.socket:
            return self.socket
        return f"{'https' if self.tls else 'http'}://{self.host}{f':{self.port}' if self.port else ''}"


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float | None) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sock.settimeout(self.timeout)
        try:
            sock.connect(self._path)
        except BaseException:
            sock.close()
            raise
        self.sock = sock


def _connect(at: Endpoint, timeout: float | None) -> http.client.HTTPConnection:
    conn: http.client.HTTPConnection
    if at.socket:
        conn = _UnixConnection(at.socket, timeout)
    elif at.tls:
        conn = http.client.HTTPSConnection(at.host, at.port, timeout=timeout)
    else:
        conn = http.client.HTTPConnection(at.host, at.port, timeout=timeout)
    try:
        conn.connect()
    except OSError as e:
        raise CannotConnect(str(e)) from e
    return conn


def _alive(conn: http.client.HTTPConnection) -> bool:
    """Say whether a kept connection is still open: the server sends nothing unasked."""
    sock = conn.sock
    if sock is None:
        return False
    try:
        if hasattr(select, "poll"):  # select cannot take high descriptors
            poll = select.poll()
            poll.register(sock, select.POLLIN)
            return not poll.poll(0)
        return not select.select([sock], [], [], 0)[0]
    except (OSError, ValueError):
        return False


class Client:
    """Sends requests to one server. It may be used by several threads at once."""

    def __init__(self, at: Endpoint, timeout: float) -> None:
        self.at = at
        self.timeout = timeout
        self._kept: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()
        self._closed = False

    def close(self) -> None:
        """Close what is not in use; the rest follows when it is given back."""
        with self._lock:
            self._closed = True
            kept, self._kept = self._kept, []
        for conn in kept:
            conn.close()

    def forget(self) -> None:
        """Leave the connections to the process that this one was forked from."""
        self._lock = threading.Lock()
        kept, self._kept = self._kept, []
        for conn in kept:
            conn.close()

    def call(self, method: str, path: str, body: Any = None, slow: bool = False) -> Any:
        """Send a request and return the decoded answer.

        It raises CannotConnect when nothing was sent, and OrmaError for anything else.
        """
        conn, response = self._send(method, path, body, slow)
        try:
            data = response.read()
        except (OSError, http.client.HTTPException) as e:
            conn.close()
            raise self._died(e) from e
        self._give_back(conn, response)
        return self._decode(response, data)

    def lines(self, method: str, path: str) -> Iterator[bytes]:
        """Send a request and return the lines of the answer as they arrive."""
        conn, response = self._send(method, path, None, True)
        try:
            if response.status != 200:
                self._decode(response, response.read())
            rest = b""
            while True:
                try:
                    # Not readline: it takes a cut for the end.
                    data = response.read(64 << 10)
                except (OSError, http.client.HTTPException) as e:
                    raise self._died(e) from e
                *whole, rest = (rest + data).split(b"\n")
                yield from whole
                if not data:
                    break
            if rest:
                yield rest
        finally:
            conn.close()

    def _send(
        self, method: str, path: str, body: Any, slow: bool
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        headers = {"Accept": "application/json"}
        data = None
        if body is not None:
            data = encode(body)
            headers["Content-Type"] = "application/json"
        if self.at.token:
            headers["Authorization"] = "Bearer " + self.at.token
        conn = self._take()
        if conn.sock is not None:
            conn.sock.settimeout(None if slow else self.timeout)
        try:
            # A server may refuse a large body before it has read it, and then closes.
            with suppress(BrokenPipeError, ConnectionResetError):
                conn.request(method, self.at.prefix + path, data, headers)
            return conn, conn.getresponse()
        except (OSError, http.client.HTTPException) as e:
            conn.close()
            raise self._died(e) from e
        except BaseException:
            conn.close()
            raise

    def _take(self) -> http.client.HTTPConnection:
        while True:
            with self._lock:
                conn = self._kept.pop() if self._kept else None
            if conn is None:
                return _connect(self.at, self.timeout)
            if _alive(conn):
                return conn
            conn.close()

    def _give_back(self, conn: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        with self._lock:
            keep = not self._closed and conn.sock is not None and not response.will_close
            if keep:
                self._kept.append(conn)
        if not keep:
            conn.close()

    def _died(self, e: Exception) -> OrmaError:
        if isinstance(e, TimeoutError):
            return UnavailableError(
                f"the server at {self.at} did not answer within {self.timeout:g} s", hint="raise timeout=, or try again"
            )
        return ServerDiedError(
            f"the server at {self.at} ended during the call ({type(e).__name__})",
            hint="call again; whether this call was carried out is not known",
        )

    def _decode(self, response: http.client.HTTPResponse, data: bytes) -> Any:
        try:
            out = json.loads(data) if data else None
        except ValueError:
            out = None
        if response.status < 400 and out is not None:
            return out
        failure = out.get("error") if isinstance(out, dict) else None
        if isinstance(failure, dict) and isinstance(failure.get("code"), str):
            raise error_of(failure["code"], str(failure.get("message")), failure.get("hint"), response.status)
        raise error_of(
            "version_mismatch", f"what answers at {self.at} is not Orma: it said {response.status} {response.reason}",
            "check the URL", response.status,
        )


def encode(body: Any) -> bytes:
    """Encode a body. A half of a surrogate pair, which UTF-8 cannot hold, becomes U+FFFD."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Pairs that stand as two halves are one character.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
