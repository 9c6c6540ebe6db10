"""Memory, the client that blocks."""

from __future__ import annotations

import json
import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from types import TracebackType
from typing import Any, Literal, Union
from urllib.parse import quote, urlencode

from . import _context
from ._config import Config, Start
from ._context import Message
from ._http import CannotConnect, Client, Endpoint
from ._schema import (
    ROUTES,
    Added,
    Audit,
    Episode,
    Fact,
    Found,
    Item,
    Kind,
    NewEpisode,
    Quarantined,
    Recalled,
    Receipt,
    Role,
    Server,
    SleepReport,
    Stats,
)
from ._server import PrivateServer, check_version
from ._time import format_time
from .errors import ClosedError, InvalidError, NotFoundError, OrmaError, TooLargeError, UnavailableError

Time = Union[datetime, date, str]
"""A moment: a datetime (local without a zone), a day, or text in ISO 8601."""

Format = Literal["classic", "sutra", "grouped", "json"]

# What one request carries of a long list.
_BATCH, _BATCH_BYTES = 500, 2 << 20

_LARGEST_FILE = 256 << 20

# How many conversations have what was inserted into them remembered.
_CONVERSATIONS = 256


class Memory:
    """Long-term memory.

    Without ``url`` it uses a private server on this machine, which it starts if no other
    process of this user has, and which ends after the last one is closed. An object may
    be used by several threads at once, and after a fork.

    Args:
        upstream: Address of the model's server that sleep asks, with or without ``/v1``.
            Without one, facts are found by rules.
        model: The model that sleep asks for.
        path: The database; by default what the configuration says, else
            ``~/.orma/memory.db``.
        space: The space of calls that name none; by default ``default``.
        url: Address of a server that runs already: ``http://…``, ``https://…`` or
            ``unix:///path``. The options of a private server do not go with it.
        token: What that server wants to be let in.
        config: A TOML file, or switches: ``{"off": ["mmr"], "set": {"pack.budget": 800}}``.
        timeout: Seconds that a call may take, other than sleep and erasures.

    Raises:
        BinaryNotFoundError: The program ``orma`` is not on this machine.
        VersionMismatchError: The server is of another version, or is none of ours.
        OrmaError: The server could not be started or reached; see the code.
    """

    def __init__(
        self,
        *,
        upstream: str | None = None,
        model: str | None = None,
        path: str | os.PathLike[str] | None = None,
        space: str | None = None,
        url: str | None = None,
        token: str | None = None,
        config: Config | None = None,
        timeout: float = 30.0,
    ) -> None:
        self.space = space
        self._timeout = timeout
        self._lock = threading.Lock()
        self._client: Client | None = None
        self._closed = False
        self._inserted: OrderedDict[tuple[str | None, str | None, str], Recalled] = OrderedDict()
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

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        at = self._client.at if self._client else "closed"
        return f"<orma.Memory {at}>"

    def close(self) -> None:
        """Let the server go. It may be called twice; other calls fail from here on."""
        with self._lock:
            self._closed = True
            client, self._client = self._client, None
        if client is not None:
            client.close()

    # Writing

    def add(
        self,
        text: str,
        *,
        space: str | None = None,
        kind: Kind = "note",
        role: Role | None = None,
        speaker: str | None = None,
        session: str | None = None,
        source: str | None = None,
        id: str | None = None,
        at: Time | None = None,
        tz: str | None = None,
        ttl: str | None = None,
        trust: str | None = None,
    ) -> Added:
        """Remember a text word for word.

        Args:
            text: What to remember, at most 1 MB; longer ones are for `add_file`.
            space: The space; by default that of this object.
            kind: note, turn, document, tool, identity, or anti_pattern, which is a rule.
            role: Who said it: user, assistant, tool or system.
            speaker: A name of who said it.
            session: A name of the conversation.
            source: Where it came from, such as ``mail``.
            id: Your own id of it.
            at: When it was said; by default now.
            tz: The IANA zone that it was said in.
            ttl: How long it is recalled: ``30m``, ``12h``, ``7d``, ``session``, ``forever``.
            trust: Less trust than its kind implies, such as ``import``.

        Raises:
            InvalidError: The text is empty, or an argument is not known.
            TooLargeError: The text is over the limit.
        """
        item = _episode(
            {
                "text": text, "kind": kind, "role": role, "speaker": speaker, "session": session, "source": source,
                "id": id, "at": format_time(at, "at"), "tz": tz, "ttl": ttl, "trust": trust,
            }
        )  # fmt: skip
        answer = self._post("add", item, space)
        return _repaired(Added.from_json(answer["added"][0]), text)

    def observe(
        self,
        role: Role,
        text: str,
        *,
        space: str | None = None,
        session: str | None = None,
        speaker: str | None = None,
        id: str | None = None,
        at: Time | None = None,
        tz: str | None = None,
        ttl: str | None = None,
    ) -> Added:
        """Record one turn of a conversation: what the user, the assistant or a tool said."""
        kind: Kind = "tool" if role == "tool" else "turn"
        return self.add(
            text, space=space, kind=kind, role=role, speaker=speaker, session=session, source="chat", id=id, at=at, tz=tz, ttl=ttl
        )

    def add_many(self, items: Iterable[str | Mapping[str, Any]], *, space: str | None = None) -> list[Added]:
        """Remember many texts, in order and much faster than one by one.

        Args:
            items: Texts, or mappings with the arguments of `add`.
            space: The space of all of them.

        Returns:
            What became of each. One that was refused has ``error`` and ``code`` set, and
            the others are stored all the same.
        """
        out: list[Added] = []
        batch: list[NewEpisode] = []
        size = 0
        for i, item in enumerate(items):
            episode = _new_episode(item, i)
            length = len(episode["text"])
            if batch and (len(batch) == _BATCH or size + length > _BATCH_BYTES):
                out += self._add_batch(batch, space)
                batch, size = [], 0
            batch.append(episode)
            size += length
        if batch:
            out += self._add_batch(batch, space)
        return out

    def _add_batch(self, batch: list[NewEpisode], space: str | None) -> list[Added]:
        try:
            answer = self._post("add", {"episodes": batch}, space)
        except (InvalidError, TooLargeError, NotFoundError) as e:
            if len(batch) > 1:
                if e.code != "too_large":
                    raise
                half = len(batch) // 2
                return self._add_batch(batch[:half], space) + self._add_batch(batch[half:], space)
            return [Added(id=0, passages=[], error=e.message, code=e.code)]
        return [_repaired(Added.from_json(a), b["text"]) for a, b in zip(answer["added"], batch)]

    def add_file(
        self,
        path: str | os.PathLike[str],
        *,
        space: str | None = None,
        kind: Kind = "document",
        source: str | None = None,
        session: str | None = None,
        speaker: str | None = None,
        at: Time | None = None,
        tz: str | None = None,
        ttl: str | None = None,
    ) -> list[Added]:
        """Remember a text file, in parts of 8 KB that are cut between paragraphs.

        Its time is that of its last change, unless ``at`` says otherwise.

        Raises:
            InvalidError: It is empty, a folder, or no text.
            TooLargeError: It is over the limit.
            NotFoundError: There is no such file.
        """
        name = os.fspath(path)
        try:
            info = os.stat(name)
            if os.path.isdir(name):
                raise InvalidError(f"{name} is a folder", hint="add its files one by one")
            if info.st_size > _LARGEST_FILE:
                raise TooLargeError(f"{name} has more than {_LARGEST_FILE >> 20} MB", hint="split it first")
            with open(name, "rb") as f:
                data = f.read()
        except FileNotFoundError:
            raise NotFoundError(f"there is no file {name}") from None
        except OSError as e:
            raise InvalidError(f"{name} cannot be read: {e.strerror}") from e
        body = _episode(
            {
                "text": data.decode("utf-8", "replace"), "kind": kind, "source": source, "session": session, "speaker": speaker,
                "at": format_time(at if at is not None else datetime.fromtimestamp(info.st_mtime), "at"), "tz": tz, "ttl": ttl,
            }
        )  # fmt: skip
        answer = self._post("add_document", {**body, "name": os.path.basename(name)}, space)
        return [Added.from_json(a) for a in answer["added"]]

    def forbid(
        self,
        rule: str,
        *,
        space: str | None = None,
        session: str | None = None,
        source: str | None = None,
        at: Time | None = None,
        ttl: str | None = None,
    ) -> Added:
        """Make a rule of what must not be done. It stands at once and heads every block."""
        _text(rule, "rule")
        body = {"rule": rule, "session": session, "source": source, "at": format_time(at, "at"), "ttl": ttl}
        return _repaired(Added.from_json(self._post("forbid", body, space)), rule)

    def forget(
        self, fact: int | Fact | Item, *, space: str | None = None, reason: str | None = None, at: Time | None = None
    ) -> Fact:
        """End a fact or lift a rule. Its history is kept; see `erase` for what must be gone."""
        body = {"reason": reason, "at": format_time(at, "at")}
        return Fact.from_json(self._post("forget", body, space, id=_id(fact)))

    def correct(
        self, fact: int | Fact | Item, text: str, *, space: str | None = None, at: Time | None = None
    ) -> Fact:
        """Replace the value of a fact by what it should be, and return the fact that stands."""
        _text(text, "text")
        body = {"text": text, "at": format_time(at, "at")}
        return Fact.from_json(self._post("correct", body, space, id=_id(fact)))

    # Reading

    def search(
        self,
        query: str,
        *,
        space: str | None = None,
        limit: int | None = None,
        session: str | None = None,
        now: Time | None = None,
        explain: bool = False,
        off: Sequence[str] | None = None,
        set: Mapping[str, str] | None = None,
    ) -> Found:
        """List what a query finds, best first: ``.states``, ``.passages`` and ``.events``.

        The ``text`` of a state reads ``user · home city: Bangalore``. A passage that no
        longer holds has ``outdated``, with what is true now.

        Args:
            query: What is asked, in any words.
            space: The space; by default that of this object.
            limit: The most passages; by default 10.
            session: The conversation being held.
            now: The time to take as now.
            explain: Say in ``trace`` what each stage did.
            off: Stages to leave out for this query.
            set: Keys of stages to change for this query.
        """
        _text(query, "query")
        body = {
            "query": query, "limit": limit, "session": session, "now": format_time(now, "now"), "explain": explain or None,
            "off": list(off) if off else None, "set": dict(set) if set else None,
        }  # fmt: skip
        return Found.from_json(self._post("search", body, space))

    def recall(
        self,
        query: str,
        *,
        space: str | None = None,
        budget: int | None = None,
        format: Format | None = None,
        session: str | None = None,
        said: Sequence[str] | None = None,
        now: Time | None = None,
        explain: bool = False,
        deliver: bool = False,
        steady: bool = False,
        off: Sequence[str] | None = None,
        set: Mapping[str, str] | None = None,
    ) -> Recalled:
        """Return the block of memory for a query, packed for a prompt, as ``.block``.

        Args:
            query: What is asked; empty for rules and current facts alone.
            space: The space; by default that of this object.
            budget: The most tokens of the block.
            format: classic, sutra, grouped or json.
            session: The conversation being held.
            said: Texts that the reader sees anyway, which need not be repeated.
            now: The time to take as now.
            explain: Say in ``trace`` what each stage did.
            deliver: The block goes to a reader: what is in it counts as used.
            steady: Choose the stable part without the query, so that it seldom changes.
            off: Stages to leave out for this query.
            set: Keys of stages to change for this query.
        """
        _text(query, "query")
        body = {
            "query": query, "budget": budget, "format": format, "session": session, "said": list(said) if said else None,
            "now": format_time(now, "now"), "explain": explain or None, "deliver": deliver or None, "steady": steady or None,
            "off": list(off) if off else None, "set": dict(set) if set else None,
        }  # fmt: skip
        return Recalled.from_json(self._post("recall", body, space))

    def build_context(
        self,
        messages: Sequence[Message],
        *,
        space: str | None = None,
        session: str | None = None,
        budget: int | None = None,
        now: Time | None = None,
    ) -> list[Message]:
        """Return chat messages with memory in them; the given list stays as it is.

        Rules go to the top of the system message, current facts to its end (it is made if
        there is none), and what bears on the last user message before its text. Nothing
        else changes. While tools answer, the memory stays the same byte for byte.

        Args:
            messages: Mappings with ``role`` and ``content``, as chat APIs take them.
            space: The space; by default that of this object.
            session: A name of the conversation.
            budget: The most tokens of memory.
            now: The time to take as now.
        """
        _context.check(messages)
        at = _context.question(messages)
        asked = messages[: at + 1]
        key = (space or self.space, session, _context.fingerprint(asked))
        with self._lock:
            found = self._inserted.get(key) if at + 1 < len(messages) else None
        if found is None:
            found = self.recall(
                _context.text_of(messages[at]) if at >= 0 else "", space=space, budget=budget, session=session,
                said=_context.said(asked), now=now, deliver=True, steady=True,
            )  # fmt: skip
            with self._lock:
                self._inserted[key] = found
                while len(self._inserted) > _CONVERSATIONS:
                    self._inserted.popitem(last=False)
        return _context.insert(messages, found.rules, found.stable[len(found.rules) :], found.turn)

    def facts(
        self,
        *,
        space: str | None = None,
        subject: str | None = None,
        history: bool = False,
        as_of: Time | None = None,
        now: Time | None = None,
    ) -> list[Fact]:
        """List what holds: rules and facts, oldest first.

        Args:
            space: The space; by default that of this object.
            subject: Only those about this name; the speaker is ``user``.
            history: Those that ended too.
            as_of: Those that were true at that time.
            now: The time to take as now.
        """
        query = {
            "subject": subject, "history": "true" if history else None,
            "as_of": format_time(as_of, "as_of"), "now": format_time(now, "now"),
        }  # fmt: skip
        return [Fact.from_json(f) for page in self._pages("facts", query, space) for f in page["facts"]]

    def episode(self, id: int, *, space: str | None = None) -> Episode:
        """Return one episode, word for word."""
        return Episode.from_json(self._get("episode", {}, space, id=_id(id)))

    def episodes(self, *, space: str | None = None) -> Iterator[Episode]:
        """Yield what was said, newest first."""
        for page in self._pages("episodes", {"limit": "500"}, space):
            yield from (Episode.from_json(e) for e in page["episodes"])

    def export(self, *, space: str | None = None) -> Iterator[Episode]:
        """Yield every episode of a space, oldest first, without holding them all."""
        method, path = self._route("export", {}, space)
        with self._errors():
            for line in self._connected().lines(method, path):
                yield Episode.from_json(json.loads(line))

    def stats(self, *, space: str | None = None) -> Stats:
        """Count what is stored, by space, or for one space alone."""
        out = Stats.from_json(self._get("stats", {}, None))
        if space is None:
            return out
        return replace(out, spaces=[s for s in out.spaces if s.space == space])

    def version(self) -> Server:
        """Say what server answers."""
        return Server.from_json(self._get("version", {}, None))

    # Keeping

    def sleep(
        self,
        *,
        space: str | None = None,
        backend: str | None = None,
        dry_run: bool = False,
        rebuild: bool = False,
        now: Time | None = None,
    ) -> SleepReport:
        """Turn what waits into checked facts, and report what became of each.

        Args:
            space: The space; by default that of this object.
            backend: What reads the lines, such as ``rules``; by default the model if
                there is one, else rules.
            dry_run: Report what would be done.
            rebuild: Read every episode again.
            now: The time to take as now.
        """
        body = {"backend": backend, "dry_run": dry_run or None, "rebuild": rebuild or None, "now": format_time(now, "now")}
        return SleepReport.from_json(self._post("sleep", body, space, slow=True))

    def sleep_reports(self, *, space: str | None = None, limit: int = 10) -> list[SleepReport]:
        """Return what the last sleeps reported, newest first."""
        answer = self._get("sleep_reports", {"limit": str(limit)}, space)
        return [SleepReport.from_json(r) for r in answer["reports"]]

    def erase(self, episode: int | Episode | Added, *, space: str | None = None) -> Receipt:
        """Erase an episode and all that was made of it. Nothing of its text stays in the file."""
        return Receipt.from_json(self._call("erase", {}, space, slow=True, id=_id(episode)))

    def erase_space(self, name: str, *, yes: bool) -> Receipt:
        """Erase a space with everything in it. ``yes`` must be true: it cannot be undone."""
        return Receipt.from_json(self._call("erase_space", {"yes": "true" if yes else None}, None, slow=True, name=name))

    def quarantine(
        self, source: str, *, space: str | None = None, since: Time | None = None, release: bool = False
    ) -> Quarantined:
        """Take all that came from a source out of recall, or put it back."""
        body = {"source": source, "since": format_time(since, "since"), "release": release or None}
        return Quarantined.from_json(self._post("quarantine", body, space, slow=True))

    def audit(self, *, limit: int = 100) -> Audit:
        """List who did what on the server, newest first."""
        return Audit.from_json(self._get("audit", {"limit": str(limit)}, None))

    # Requests

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
            path = path.replace("{" + key + "}", _quoted(str(value), key))
        given = {k: v for k, v in query.items() if v is not None}
        if route not in _SPACELESS and (space is not None or self.space is not None):
            given["space"] = space if space is not None else self.space or ""
        if given:
            for k, v in given.items():
                _text(v, k)
                _quoted(v, k)
            path += "?" + urlencode(given)
        return method, path

    def _call(
        self, route: str, query: Mapping[str, str | None], space: str | None, *, body: Any = None, slow: bool = False, **place: Any
    ) -> Any:
        method, path = self._route(route, query, space, **place)
        with self._errors():
            try:
                return self._connected().call(method, path, body, slow)
            except CannotConnect:
                if self._private is None:
                    raise
                # It ended between two calls, and nothing was sent: a new one takes over.
                return self._connected(again=True).call(method, path, body, slow)

    def _connected(self, again: bool = False) -> Client:
        client = self._client
        if client is not None and not again:
            return client
        with self._lock:
            if self._closed:
                raise ClosedError("the memory is closed", hint="open a new one")
            if self._client is not None and (not again or self._client is not client):
                return self._client
            if self._private is not None:
                self._client = self._private.connect(self._timeout)
            elif self._at is not None:
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

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, CannotConnect):
            where = f" at {self._memory._at}" if self._memory._at else ""
            raise UnavailableError(f"no server answers{where}: {error}", hint="start it, or check the URL") from error


# Routes that are about no space.
_SPACELESS = ("stats", "version", "audit", "erase_space", "openapi")

_OPEN: weakref.WeakSet[Memory] = weakref.WeakSet()


def _forked() -> None:
    for memory in list(_OPEN):
        memory._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _text(value: Any, name: str) -> None:
    if not isinstance(value, str):
        raise InvalidError(f"{name} must be text, not {type(value).__name__}")


def _quoted(value: str, name: str) -> str:
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise InvalidError(f"{name} holds half of a surrogate pair: {value!r}") from None


def _id(thing: Any) -> int:
    number = thing if isinstance(thing, int) and not isinstance(thing, bool) else getattr(thing, "id", None)
    if not isinstance(number, int) or number <= 0:
        raise InvalidError(f"{thing!r} is not an id", hint="use a number such as 14, or what facts and search give")
    return number


def _episode(fields: Mapping[str, Any]) -> dict[str, Any]:
    _text(fields["text"], "text")
    return {k: v for k, v in fields.items() if v is not None}


_FIELDS = {"text", "kind", "role", "speaker", "session", "source", "id", "at", "tz", "ttl", "trust"}


def _new_episode(item: str | Mapping[str, Any], i: int) -> NewEpisode:
    if isinstance(item, str):
        return {"text": item, "kind": "note"}
    if not isinstance(item, Mapping):
        raise InvalidError(f"items[{i}] must be text or a mapping, not {type(item).__name__}")
    unknown = sorted(set(item) - _FIELDS)
    if unknown or "text" not in item:
        raise InvalidError(f"items[{i}] has no text" if "text" not in item else f"items[{i}] has {unknown[0]!r}, which is not known")
    out = _episode({"kind": "note", **item, "at": format_time(item.get("at"), f"items[{i}].at")})
    return out  # type: ignore[return-value]


def _repaired(added: Added, text: str) -> Added:
    """Say what encoding the request has repaired, as the server says of its own repairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return replace(added, repaired=True)
    return added


__all__ = ["Format", "Memory", "Message", "OrmaError", "Time"]
