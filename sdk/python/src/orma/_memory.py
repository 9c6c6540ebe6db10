"""Memory, the client that blocks."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from . import _context
from ._arguments import check_text, episode_of, id_of, item_of, read_file, repaired
from ._config import Config
from ._connection import Connection
from ._context import Message
from ._schema import (
    Added,
    Audit,
    Episode,
    Fact,
    Found,
    Graph,
    Item,
    Kind,
    NewEpisode,
    NodeDetail,
    Pending,
    Quarantined,
    Recalled,
    Receipt,
    Role,
    Server,
    SleepReport,
    StageInfo,
    Stages,
    Stats,
)
from ._time import Time, format_time
from .errors import InvalidError, NotFoundError, TooLargeError

Format = Literal["classic", "sutra", "grouped", "json"]

# What one request carries of a long list.
_BATCH, _BATCH_BYTES = 500, 2 << 20

# How many conversations have what was inserted into them remembered.
_CONVERSATIONS = 256


class Memory(Connection):
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
        config: A TOML file, or switches: ``{"off": ["hawkes"], "set": {"stage.pack.budget_tokens": 800}}``.
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
        super().__init__(upstream, model, path, space, url, token, config, timeout)
        self._inserted: OrderedDict[tuple[str | None, str | None, str], Recalled] = OrderedDict()

    def __enter__(self) -> Memory:
        return self

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
        item = episode_of(
            {
                "text": text, "kind": kind, "role": role, "speaker": speaker, "session": session, "source": source,
                "id": id, "at": format_time(at, "at"), "tz": tz, "ttl": ttl, "trust": trust,
            }
        )  # fmt: skip
        answer = self._post("add", item, space)
        return repaired(Added.from_json(answer["added"][0]), text)

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
            episode = item_of(item, i)
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
        return [repaired(Added.from_json(a), b["text"]) for a, b in zip(answer["added"], batch)]

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
        name, data, changed = read_file(path)
        body = episode_of(
            {
                "text": data.decode("utf-8", "replace"), "kind": kind, "source": source, "session": session, "speaker": speaker,
                "at": format_time(at if at is not None else changed, "at"), "tz": tz, "ttl": ttl,
            }
        )  # fmt: skip
        answer = self._post("add_document", {**body, "name": name}, space)
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
        check_text(rule, "rule")
        body = {"rule": rule, "session": session, "source": source, "at": format_time(at, "at"), "ttl": ttl}
        return repaired(Added.from_json(self._post("forbid", body, space)), rule)

    def forget(
        self, fact: int | Fact | Item, *, space: str | None = None, reason: str | None = None, at: Time | None = None
    ) -> Fact:
        """End a fact or lift a rule. Its history is kept; see `erase` for what must be gone."""
        body = {"reason": reason, "at": format_time(at, "at")}
        return Fact.from_json(self._post("forget", body, space, id=id_of(fact)))

    def correct(
        self, fact: int | Fact | Item, text: str, *, space: str | None = None, at: Time | None = None
    ) -> Fact:
        """Replace the value of a fact by what it should be, and return the fact that stands."""
        check_text(text, "text")
        body = {"text": text, "at": format_time(at, "at")}
        return Fact.from_json(self._post("correct", body, space, id=id_of(fact)))

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
        check_text(query, "query")
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
        check_text(query, "query")
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
        return Episode.from_json(self._get("episode", {}, space, id=id_of(id)))

    def episodes(self, *, space: str | None = None) -> Iterator[Episode]:
        """Yield what was said, newest first."""
        for page in self._pages("episodes", {"limit": "500"}, space):
            yield from (Episode.from_json(e) for e in page["episodes"])

    def export(self, *, space: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield a space as rows, oldest first, without holding them all.

        They are what ``orma export`` writes and ``orma import`` takes back: episodes, and
        rows with a ``type`` for what was commanded.
        """
        method, path = self._route("export", {}, space)
        with self._errors():
            for line in self._connected().lines(method, path):
                yield json.loads(line)

    def stats(self, *, space: str | None = None) -> Stats:
        """Count what is stored, by space, or for one space alone."""
        out = Stats.from_json(self._get("stats", {}, None))
        if space is None:
            return out
        return replace(out, spaces=[s for s in out.spaces if s.space == space])

    def graph(
        self,
        *,
        space: str | None = None,
        of: str | None = None,
        as_of: Time | None = None,
        history: bool = False,
        kinds: Sequence[str] | None = None,
        source: str | None = None,
        trust: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Graph:
        """Return a page of what is remembered as nodes and links, each with its place in space.

        Args:
            space: The space; by default that of this object.
            of: The node whose neighbours are wanted; by default an overview.
            as_of: What held then; a day counts whole.
            history: States that ended too.
            kinds: Kinds of nodes: entity, state, rule, conditional, event, passage.
            source: Only what came from there.
            trust: Only what is trusted as much: user, note, document, import, assistant or tool.
            since: Only what was said at or after.
            until: Only what was said until then; a day counts whole.
            limit: The most nodes of a page.
            cursor: ``next`` of the page before.
        """
        query = {
            "of": of, "as_of": format_time(as_of, "as_of"), "history": "true" if history else None,
            "kinds": ",".join(kinds) if kinds else None, "source": source, "trust": trust, "from": format_time(since, "since"),
            "to": format_time(until, "until"), "limit": str(limit) if limit is not None else None, "cursor": cursor,
        }  # fmt: skip
        return Graph.from_json(self._get("graph", query, space))

    def node(self, id: str, *, space: str | None = None, now: Time | None = None) -> NodeDetail:
        """Return one node of the graph with its sources, history and neighbours."""
        check_text(id, "id")
        return NodeDetail.from_json(self._get("node", {"now": format_time(now, "now")}, space, id=id))

    def stages(self) -> list[StageInfo]:
        """List the stages of recall in their order, and which of them run."""
        return Stages.from_json(self._get("stages", {}, None)).stages

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

    def sleep_reports(self, *, space: str | None = None, limit: int = 10, text: bool = False) -> list[SleepReport]:
        """Return what the last sleeps reported, newest first; with ``text`` also the lines that they cite."""
        answer = self._get("sleep_reports", {"limit": str(limit), "text": "true" if text else None}, space)
        return [SleepReport.from_json(r) for r in answer["reports"]]

    def pending(self, *, space: str | None = None, limit: int = 100) -> Pending:
        """Return what waits for sleep, in the order in which it will be read."""
        return Pending.from_json(self._get("pending", {"limit": str(limit)}, space))

    def erase(self, episode: int | Episode | Added, *, space: str | None = None) -> Receipt:
        """Erase an episode and all that was made of it. Nothing of its text stays in the file."""
        return Receipt.from_json(self._call("erase", {}, space, slow=True, id=id_of(episode)))

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
