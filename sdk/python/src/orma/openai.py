"""OpenAI clients that remember.

    from openai import OpenAI
    from orma import Memory
    from orma.openai import with_memory

    client = with_memory(OpenAI(), Memory())
    client.chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": "Where do I live?"}])
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, TypeVar, cast

from . import _context
from ._memory import Memory

C = TypeVar("C")

_log = logging.getLogger("orma")


def with_memory(
    client: C,
    memory: Memory,
    *,
    space: str | None = None,
    session: str | None = None,
    budget: int | None = None,
    observe: bool = True,
) -> C:
    """Return a client whose ``chat.completions.create`` recalls and observes.

    Memory goes into its messages, and what was said is recorded, streams included.
    Everything else is the client itself. What fails in memory is logged to ``orma`` and
    never fails the request.

    Args:
        client: An ``OpenAI`` or ``AsyncOpenAI`` client, or one with the same shape.
        memory: Where to remember.
        space: The space; by default that of the memory.
        session: A name of the conversation.
        budget: The most tokens of memory in a request.
        observe: Record what is said.
    """
    keeper = _Keeper(memory, {"space": space, "session": session}, budget, observe)
    completions = cast(Any, client).chat.completions
    create = _async_create if inspect.iscoroutinefunction(inspect.unwrap(completions.create)) else _create
    over = _Over(completions, create=create(keeper, completions.create))
    return cast(C, _Over(client, chat=_Over(cast(Any, client).chat, completions=over)))


class _Over:
    """An object that differs from another in some fields only."""

    def __init__(self, thing: Any, **fields: Any) -> None:
        self._thing = thing
        self.__dict__.update(fields)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._thing, name)


class _Keeper:
    def __init__(self, memory: Memory, place: dict[str, str | None], budget: int | None, observe: bool) -> None:
        self.memory, self.place, self.budget, self.observing = memory, place, budget, observe

    def before(self, messages: Sequence[Any]) -> Sequence[Any]:
        """Recall, then record the turns after the last one of the assistant."""
        given = list(messages)
        try:
            out: Sequence[Any] = self.memory.build_context(given, budget=self.budget, **self.place)
        except Exception as e:
            _log.warning("the request goes on without memory: %s", e)
            out = given
        start = max((i for i, m in enumerate(given) if _context._get(m, "role") == "assistant"), default=-1) + 1
        for m in given[start:]:
            if _context._get(m, "role") in ("user", "tool"):
                self.observe(_context._get(m, "role"), _context.text_of(m))
        return out

    def observe(self, role: Any, text: str) -> None:
        if self.observing and text.strip():
            try:
                self.memory.observe(role, text, **self.place)
            except Exception as e:
                _log.warning("what was said is not remembered: %s", e)

    def reply(self, answer: Any) -> None:
        choices = getattr(answer, "choices", None)
        if choices:
            self.observe("assistant", _context.text_of(choices[0].message))


def _delta(chunk: Any) -> str:
    for choice in getattr(chunk, "choices", None) or ():
        if getattr(choice, "index", 0) == 0:
            return getattr(choice.delta, "content", None) or ""
    return ""


def _create(keeper: _Keeper, create: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, messages: Sequence[Any], **options: Any) -> Any:
        answer = create(*args, messages=keeper.before(messages), **options)
        if options.get("stream"):
            return _Stream(answer, keeper)
        keeper.reply(answer)
        return answer

    return call


def _async_create(keeper: _Keeper, create: Callable[..., Any]) -> Callable[..., Any]:
    async def call(*args: Any, messages: Sequence[Any], **options: Any) -> Any:
        built = await asyncio.to_thread(keeper.before, messages)
        answer = await create(*args, messages=built, **options)
        if options.get("stream"):
            return _AsyncStream(answer, keeper)
        await asyncio.to_thread(keeper.reply, answer)
        return answer

    return call


class _Stream(_Over):
    """A stream that is recorded when it ends, or when its reader leaves."""

    def __init__(self, stream: Any, keeper: _Keeper) -> None:
        super().__init__(stream)
        self._keeper = keeper

    def __iter__(self) -> Iterator[Any]:
        said: list[str] = []
        try:
            for chunk in self._thing:
                said.append(_delta(chunk))
                yield chunk
        finally:
            self._keeper.observe("assistant", "".join(said))

    def __enter__(self) -> _Stream:
        self._thing.__enter__()
        return self

    def __exit__(self, *args: Any) -> Any:
        return self._thing.__exit__(*args)


class _AsyncStream(_Over):
    """The twin of `_Stream` for asyncio."""

    def __init__(self, stream: Any, keeper: _Keeper) -> None:
        super().__init__(stream)
        self._keeper = keeper

    async def __aiter__(self) -> AsyncIterator[Any]:
        said: list[str] = []
        try:
            async for chunk in self._thing:
                said.append(_delta(chunk))
                yield chunk
        finally:
            await asyncio.to_thread(self._keeper.observe, "assistant", "".join(said))

    async def __aenter__(self) -> _AsyncStream:
        await self._thing.__aenter__()
        return self

    async def __aexit__(self, *args: Any) -> Any:
        return await self._thing.__aexit__(*args)
