"""AsyncMemory, the client to be awaited. Written by scripts/async_twin.py: do not edit."""

# ruff: noqa
from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from types import TracebackType
from typing import Any, TypeVar

from ._config import Config
from ._context import Message
from ._memory import Format, Memory
from ._schema import (
    Added,
    Audit,
    Episode,
    Fact,
    Found,
    Graph,
    Item,
    Kind,
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
from ._time import Time
from .errors import ClosedError

T = TypeVar("T")

_THREADS = 8


class AsyncMemory:
    """The twin of `Memory` for asyncio: the same arguments, and verbs to be awaited.

    Calls run in a few threads of their own, so that nothing blocks the loop. The server is
    found or started by the first call, or on entering ``async with``. A call that is
    cancelled is no longer waited for, but may still be carried out.
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
        self._options: dict[str, Any] = {
            "upstream": upstream,
            "model": model,
            "path": path,
            "space": space,
            "url": url,
            "token": token,
            "config": config,
            "timeout": timeout,
        }
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="orma")
        self._memory: asyncio.Future[Memory] | None = None
        self._closed = False

    async def __aenter__(self) -> AsyncMemory:
        await self._opened()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let the server go. It may be called twice; other calls fail from here on."""
        self._closed = True
        opening, self._memory = self._memory, None
        if opening is not None:
            try:
                memory = await asyncio.shield(opening)
            except Exception:
                pass  # whoever opened it has the error
            else:
                await asyncio.get_running_loop().run_in_executor(None, memory.close)
        self._threads.shutdown(wait=False)

    async def _opened(self) -> Memory:
        if self._closed:
            raise ClosedError("the memory is closed", hint="open a new one")
        if self._memory is None or (self._memory.done() and self._memory.exception() is not None):
            loop = asyncio.get_running_loop()
            self._memory = loop.run_in_executor(self._threads, lambda: Memory(**self._options))
        return await asyncio.shield(self._memory)

    async def _run(self, verb: Callable[..., T], *args: Any, **options: Any) -> T:
        memory = await self._opened()
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: verb(memory, *args, **options))

    async def _iterate(self, verb: Callable[..., Iterator[T]], **options: Any) -> AsyncIterator[T]:
        items = await self._run(verb, **options)
        loop = asyncio.get_running_loop()
        try:
            while True:
                some = await loop.run_in_executor(self._threads, lambda: _some(items))
                for item in some:
                    yield item
                if len(some) < _AT_A_TIME:
                    return
        finally:
            close = getattr(items, "close", None)
            if close is not None:
                await loop.run_in_executor(self._threads, close)

    async def add(
        self,
        text: str,
        *,
        space: str | None = None,
        kind: Kind = 'note',
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
        return await self._run(Memory.add, text, space=space, kind=kind, role=role, speaker=speaker, session=session, source=source, id=id, at=at, tz=tz, ttl=ttl, trust=trust)

    async def observe(
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
        return await self._run(Memory.observe, role, text, space=space, session=session, speaker=speaker, id=id, at=at, tz=tz, ttl=ttl)

    async def add_many(
        self,
        items: Iterable[str | Mapping[str, Any]],
        *,
        space: str | None = None,
    ) -> list[Added]:
        """Remember many texts, in order and much faster than one by one.

        Args:
            items: Texts, or mappings with the arguments of `add`.
            space: The space of all of them.

        Returns:
            What became of each. One that was refused has ``error`` and ``code`` set, and
            the others are stored all the same.
        """
        return await self._run(Memory.add_many, items, space=space)

    async def add_file(
        self,
        path: str | os.PathLike[str],
        *,
        space: str | None = None,
        kind: Kind = 'document',
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
        return await self._run(Memory.add_file, path, space=space, kind=kind, source=source, session=session, speaker=speaker, at=at, tz=tz, ttl=ttl)

    async def forbid(
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
        return await self._run(Memory.forbid, rule, space=space, session=session, source=source, at=at, ttl=ttl)

    async def forget(
        self,
        fact: int | Fact | Item,
        *,
        space: str | None = None,
        reason: str | None = None,
        at: Time | None = None,
    ) -> Fact:
        """End a fact or lift a rule. Its history is kept; see `erase` for what must be gone."""
        return await self._run(Memory.forget, fact, space=space, reason=reason, at=at)

    async def correct(
        self,
        fact: int | Fact | Item,
        text: str,
        *,
        space: str | None = None,
        at: Time | None = None,
    ) -> Fact:
        """Replace the value of a fact by what it should be, and return the fact that stands."""
        return await self._run(Memory.correct, fact, text, space=space, at=at)

    async def search(
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
        return await self._run(Memory.search, query, space=space, limit=limit, session=session, now=now, explain=explain, off=off, set=set)

    async def recall(
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
        return await self._run(Memory.recall, query, space=space, budget=budget, format=format, session=session, said=said, now=now, explain=explain, deliver=deliver, steady=steady, off=off, set=set)

    async def build_context(
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
        return await self._run(Memory.build_context, messages, space=space, session=session, budget=budget, now=now)

    async def facts(
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
        return await self._run(Memory.facts, space=space, subject=subject, history=history, as_of=as_of, now=now)

    async def episode(
        self,
        id: int,
        *,
        space: str | None = None,
    ) -> Episode:
        """Return one episode, word for word."""
        return await self._run(Memory.episode, id, space=space)

    def episodes(
        self,
        *,
        space: str | None = None,
    ) -> AsyncIterator[Episode]:
        """Yield what was said, newest first."""
        return self._iterate(Memory.episodes, space=space)

    def export(
        self,
        *,
        space: str | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """Yield a space as rows, oldest first, without holding them all.

        They are what ``orma export`` writes and ``orma import`` takes back: episodes, and
        rows with a ``type`` for what was commanded.
        """
        return self._iterate(Memory.export, space=space)

    async def stats(
        self,
        *,
        space: str | None = None,
    ) -> Stats:
        """Count what is stored, by space, or for one space alone."""
        return await self._run(Memory.stats, space=space)

    async def graph(
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
        return await self._run(Memory.graph, space=space, of=of, as_of=as_of, history=history, kinds=kinds, source=source, trust=trust, since=since, until=until, limit=limit, cursor=cursor)

    async def node(
        self,
        id: str,
        *,
        space: str | None = None,
        now: Time | None = None,
    ) -> NodeDetail:
        """Return one node of the graph with its sources, history and neighbours."""
        return await self._run(Memory.node, id, space=space, now=now)

    async def stages(
        self,
    ) -> list[StageInfo]:
        """List the stages of recall in their order, and which of them run."""
        return await self._run(Memory.stages)

    async def version(
        self,
    ) -> Server:
        """Say what server answers."""
        return await self._run(Memory.version)

    async def sleep(
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
        return await self._run(Memory.sleep, space=space, backend=backend, dry_run=dry_run, rebuild=rebuild, now=now)

    async def sleep_reports(
        self,
        *,
        space: str | None = None,
        limit: int = 10,
        text: bool = False,
    ) -> list[SleepReport]:
        """Return what the last sleeps reported, newest first; with ``text`` also the lines that they cite."""
        return await self._run(Memory.sleep_reports, space=space, limit=limit, text=text)

    async def pending(
        self,
        *,
        space: str | None = None,
        limit: int = 100,
    ) -> Pending:
        """Return what waits for sleep, in the order in which it will be read."""
        return await self._run(Memory.pending, space=space, limit=limit)

    async def erase(
        self,
        episode: int | Episode | Added,
        *,
        space: str | None = None,
    ) -> Receipt:
        """Erase an episode and all that was made of it. Nothing of its text stays in the file."""
        return await self._run(Memory.erase, episode, space=space)

    async def erase_space(
        self,
        name: str,
        *,
        yes: bool,
    ) -> Receipt:
        """Erase a space with everything in it. ``yes`` must be true: it cannot be undone."""
        return await self._run(Memory.erase_space, name, yes=yes)

    async def quarantine(
        self,
        source: str,
        *,
        space: str | None = None,
        since: Time | None = None,
        release: bool = False,
    ) -> Quarantined:
        """Take all that came from a source out of recall, or put it back."""
        return await self._run(Memory.quarantine, source, space=space, since=since, release=release)

    async def audit(
        self,
        *,
        limit: int = 100,
    ) -> Audit:
        """List who did what on the server, newest first."""
        return await self._run(Memory.audit, limit=limit)


_AT_A_TIME = 100


def _some(items: Iterator[T]) -> list[T]:
    return list(islice(items, _AT_A_TIME))
