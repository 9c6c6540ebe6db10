"""The part of a client that finds the server and sends requests."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any
from urllib.parse import urlencode

from ._arguments import check_text, quoted
from ._config import Config, Start
from ._http import CannotConnect, Client, Endpoint
from ._schema import ROUTES
from ._server import PrivateServer, check_version
from .errors import ClosedError, InvalidError, ServerDiedError, UnavailableError


class Connection:
    """A server, private or at a URL, that requests go to."""

    def __init__(
        self,
        upstream: str | None,
        model: str | None,
        path: str | os.PathLike[str] | None,
        space: str | None,
        url: str | None,
        token: str | None,
        config: Config | None,
        timeout: float,
    ) -> None:
        self.space = space
        self._timeout = timeout
        self._lock = threading.Lock()
        self._client: Client | None = None
        self._closed = False
        self._private: PrivateServer | None = None
        self._at: Endpoint | None = None
        if url is not None:
            given = {"upstream": upstream, "model": model, "path": path, "config": config}
            for name, value in given.items():
                if value is not None:
                    raise InvalidError(f"{name} does not go with url", hint="it is the server's to decide")
            self._at = Endpoint.of(url, token)
        else:
            if token is not None:
                raise InvalidError("token goes with url")
            self._private = PrivateServer(Start.of(path, config, upstream, model))
        self._connected()
        _OPEN.add(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        at = self._client.at if self._client else "closed"
        return f"<orma.{type(self).__name__} {at}>"

    def close(self) -> None:
        """Let the server go. It may be called twice; other calls fail from here on."""
        with self._lock:
            self._closed = True
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _post(self, route: str, body: Mapping[str, Any], space: str | None, *, slow: bool = False, **place: Any) -> Any:
        return self._call(route, {}, space, body={k: v for k, v in body.items() if v is not None}, slow=slow, **place)

    def _get(self, route: str, query: Mapping[str, str | None], space: str | None, **place: Any) -> Any:
        return self._call(route, query, space, **place)

    def _pages(self, route: str, query: Mapping[str, str | None], space: str | None) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            page = self._get(route, {**query, "cursor": cursor}, space)
            yield page
            cursor = page.get("next")
            if cursor is None:
                return

    def _route(self, route: str, query: Mapping[str, str | None], space: str | None, **place: Any) -> tuple[str, str]:
        method, path = ROUTES[route]
        for key, value in place.items():
            path = path.replace("{" + key + "}", quoted(str(value), key))
        given = {k: v for k, v in query.items() if v is not None}
        if route not in _SPACELESS and (space is not None or self.space is not None):
            given["space"] = space if space is not None else self.space or ""
        if given:
            for k, v in given.items():
                check_text(v, k)
                quoted(v, k)
            path += "?" + urlencode(given)
        return method, path

    def _call(
        self, route: str, query: Mapping[str, str | None], space: str | None, *, body: Any = None, slow: bool = False, **place: Any
    ) -> Any:
        method, path = self._route(route, query, space, **place)
        with self._errors():
            client = self._connected()
            try:
                return client.call(method, path, body, slow)
            except CannotConnect:
                if self._private is None:
                    raise
                # It ended between two calls, and nothing was sent: a new one takes over.
                self._drop(client)
                return self._connected().call(method, path, body, slow)
            except ServerDiedError:
                self._drop(client)
                raise

    def _drop(self, client: Client) -> None:
        """Let the next call find or start another server."""
        with self._lock:
            if self._client is client:
                self._client = None
        client.close()

    def _connected(self) -> Client:
        client = self._client
        if client is not None:
            return client
        with self._lock:
            if self._closed:
                raise ClosedError("the memory is closed", hint="open a new one")
            if self._client is None and self._private is not None:
                self._client = self._private.connect(self._timeout)
            elif self._client is None and self._at is not None:
                fresh = Client(self._at, self._timeout)
                with self._errors():
                    check_version(fresh)
                self._client = fresh
            assert self._client is not None
            return self._client

    def _errors(self) -> _Reached:
        return _Reached(self)

    def _after_fork(self) -> None:
        self._lock = threading.Lock()
        if self._client is not None:
            self._client.forget()


class _Reached:
    """Turns a connection that is refused into an exception of this package."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, CannotConnect):
            where = f" at {self._connection._at}" if self._connection._at else ""
            raise UnavailableError(f"no server answers{where}: {error}", hint="start it, or check the URL") from error


# Routes that are about no space.
_SPACELESS = ("stats", "stages", "version", "audit", "erase_space", "openapi")

_OPEN: weakref.WeakSet[Connection] = weakref.WeakSet()


def _forked() -> None:
    for connection in list(_OPEN):
        connection._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
