"""Write src/orma/_async.py from src/orma/_memory.py: the same verbs, to be awaited.

Run it in sdk/python: python scripts/async_twin.py
"""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "orma"

HEAD = '''"""AsyncMemory, the client to be awaited. Written by scripts/async_twin.py: do not edit."""

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
from ._schema import {names}
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
{init_args}
    ) -> None:
        self._options: dict[str, Any] = {{
{init_options}
        }}
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
'''

TAIL = '''

_AT_A_TIME = 100


def _some(items: Iterator[T]) -> list[T]:
    return list(islice(items, _AT_A_TIME))
'''


def twin() -> str:
    """Return the module."""
    tree = ast.parse((SOURCE / "_memory.py").read_text())
    memory = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Memory")
    verbs = [n for n in memory.body if isinstance(n, ast.FunctionDef)]
    init = next(v for v in verbs if v.name == "__init__")
    names = next(
        sorted(a.name for a in n.names if a.name not in ("ROUTES", "NewEpisode"))
        for n in tree.body
        if isinstance(n, ast.ImportFrom) and n.module == "_schema"
    )
    head = HEAD.format(
        names="(\n" + "".join(f"    {n},\n" for n in names) + ")",
        init_args="\n".join(f"        {_argument(a, d)}," for a, d in _keywords(init)),
        init_options="\n".join(f'            "{a.arg}": {a.arg},' for a, _ in _keywords(init)),
    )
    methods = [_method(v) for v in verbs if not v.name.startswith("_") and v.name != "close"]
    return head + "".join(methods) + TAIL


def _keywords(f: ast.FunctionDef) -> list[tuple[ast.arg, ast.expr | None]]:
    return list(zip(f.args.kwonlyargs, f.args.kw_defaults))


def _argument(a: ast.arg, default: ast.expr | None) -> str:
    text = f"{a.arg}: {ast.unparse(a.annotation)}" if a.annotation else a.arg
    return text if default is None else f"{text} = {ast.unparse(default)}"


def _method(f: ast.FunctionDef) -> str:
    returns = ast.unparse(f.returns) if f.returns else "None"
    names = [a.arg for a in f.args.args[1:]]
    args = ["self"] + [_argument(a, None) for a in f.args.args[1:]]
    if f.args.kwonlyargs:
        args += ["*"] + [_argument(a, d) for a, d in _keywords(f)]
    passed = ", ".join([f"Memory.{f.name}", *names, *(f"{a.arg}={a.arg}" for a, _ in _keywords(f))])
    if returns.startswith("Iterator"):
        start, body = f"def {f.name}", f"return self._iterate({passed})"
        returns = "Async" + returns
    else:
        start, body = f"async def {f.name}", f"return await self._run({passed})"
    doc = ast.get_docstring(f, clean=False) or ""
    lines = "".join(f"        {a},\n" for a in args)
    return f'\n    {start}(\n{lines}    ) -> {returns}:\n        """{doc}"""\n        {body}\n'


if __name__ == "__main__":
    (SOURCE / "_async.py").write_text(twin())
