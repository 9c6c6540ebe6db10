"""Blocks: how tables, parameters, lines and items are laid out in bytes.

docs/plugins/abi.md describes them. Everything is little-endian.
"""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Sequence

ABI = 1
_MAGIC = 0x31424D4F
_PARAM_MAGIC = 0x31504D4F
_HEADER = struct.Struct("<IIIIIIIiq")

LINES = [
    ("line", "i64"), ("text", "text"), ("who", "text"), ("role", "i64"), ("kind", "i64"), ("day", "text"), ("own", "i64"),
]
ITEMS = [
    ("flags", "i64"), ("subject", "text"), ("attribute", "text"), ("value", "text"), ("condition", "text"),
    ("when", "text"), ("cites", "list"),
]
EMBED = [("text", "text"), ("kind", "i64"), ("vector", "list")]


class BlockError(ValueError):
    """A block that is not what it should be."""


def _cast(view: memoryview, code: str) -> Any:
    """Views bytes as numbers, in place."""
    if sys.byteorder != "little":
        raise BlockError("blocks need a little-endian machine")
    return view.cast(code)


class Frame:
    """A table of rows: one a candidate, one column an attribute.

    Numbers are views of the block itself, so writing to them is the result.
    """

    def __init__(self, block: bytearray, columns: Sequence[tuple[str, str]]):
        if len(block) < _HEADER.size:
            raise BlockError("no room for a header")
        magic, rows, live, n, size, q_at, q_len, zone, now = _HEADER.unpack_from(block)
        if magic != _MAGIC or n != len(columns) or size != len(block):
            raise BlockError("the block does not fit the manifest")
        self.rows = rows
        self._block = block
        self._view = memoryview(block)
        self._order_at = _HEADER.size + 8 * n
        self._sections: dict[str, tuple[str, memoryview]] = {}
        for i, (name, kind) in enumerate(columns):
            at, length = struct.unpack_from("<II", block, _HEADER.size + 8 * i)
            if at + length > size:
                raise BlockError(f"column {name} lies outside")
            self._sections[name] = (kind, self._view[at:at + length])
        if self._order_at + 4 * live > size or q_at + q_len > size:
            raise BlockError("the order or the question lies outside")
        self.query = bytes(self._view[q_at:q_at + q_len]).decode("utf-8", "replace")
        self.now_ms, self.zone_minutes = now, zone

    def _section(self, name: str, kind: str) -> memoryview:
        got, view = self._sections[name]
        if got != kind:
            raise KeyError(f"column {name} is of kind {got}, not {kind}")
        return view

    def f32(self, name: str) -> Any:
        """A float column, one value a row, to read and to write."""
        return _cast(self._section(name, "f32"), "f")

    def i64(self, name: str) -> Any:
        """An integer column, one value a row, to read and to write."""
        return _cast(self._section(name, "i64"), "q")

    def texts(self, name: str) -> list[str]:
        """A text column."""
        ends, body = self._ends(name, "text")
        return [bytes(body[ends[i]:ends[i + 1]]).decode("utf-8", "replace") for i in range(self.rows)]

    def lists(self, name: str) -> list[Any]:
        """A list column: for each row its values, as a view."""
        ends, body = self._ends(name, "list")
        values = _cast(body, "f")
        return [values[ends[i]:ends[i + 1]] for i in range(self.rows)]

    def _ends(self, name: str, kind: str) -> tuple[Any, memoryview]:
        view = self._section(name, kind)
        head = 4 * (self.rows + 1)
        return _cast(view[:head], "I"), view[head:]

    @property
    def order(self) -> list[int]:
        """The live rows, best first. Setting it reorders or drops rows, as the manifest says."""
        live = struct.unpack_from("<I", self._block, 8)[0]
        return list(struct.unpack_from(f"<{live}I", self._block, self._order_at))

    @order.setter
    def order(self, rows: Sequence[int]) -> None:
        rows = list(rows)
        if len(rows) > struct.unpack_from("<I", self._block, 8)[0]:
            raise BlockError("an order cannot grow")
        struct.pack_into(f"<{len(rows)}I", self._block, self._order_at, *rows)
        struct.pack_into("<I", self._block, 8, len(rows))

    def keep(self, ok: Callable[[int], bool]) -> None:
        """Drops the live rows for which ok is false."""
        self.order = [row for row in self.order if ok(row)]


def read_params(block: bytes, declared: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns the values of parameters by name: float, str or, of files, bytes."""
    if len(block) < 8:
        raise BlockError("no parameters")
    magic, count = struct.unpack_from("<II", block)
    if magic != _PARAM_MAGIC or count != len(declared):
        raise BlockError("the parameters do not fit the manifest")
    out: dict[str, Any] = {}
    for i, param in enumerate(declared):
        at, length = struct.unpack_from("<II", block, 8 + 8 * i)
        value = block[at:at + length]
        kind = param["kind"]
        out[param["name"]] = (
            struct.unpack("<d", value)[0] if kind == "number" else value.decode("utf-8") if kind == "string" else bytes(value)
        )
    return out


@dataclass
class Line:
    """One sentence of what was said."""

    n: int  # number by which items cite it; 0 for one that only helps to understand others
    text: str
    who: str
    role: int  # 0 user, 1 assistant, 2 tool, 3 system
    kind: int  # 0 turn, 1 note, 2 document, 3 tool, 4 anti_pattern, 5 identity
    day: str  # YYYY-MM-DD
    own: bool  # the first person in it is the user

    @property
    def citable(self) -> bool:
        return self.n > 0


@dataclass
class Request:
    """Lines, and what the space knows, for naming only."""

    lines: list[Line] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)


@dataclass
class Item:
    """A state ("user", "role", "nurse"), or an event."""

    subject: str
    value: str
    cites: Sequence[int]
    attribute: str = ""
    condition: str = ""
    when: str = ""
    event: bool = False
    prohibited: bool = False
    ended: bool = False
    lift: bool = False


def read_request(block: bytearray) -> Request:
    """Reads a block of lines."""
    f = Frame(block, LINES)
    numbers, roles, kinds, own = f.i64("line"), f.i64("role"), f.i64("kind"), f.i64("own")
    texts, who, days = f.texts("text"), f.texts("who"), f.texts("day")
    out = Request()
    known = {-1: out.names, -2: out.attributes, -3: out.states}
    for i in range(f.rows):
        if numbers[i] in known:
            known[numbers[i]].append(texts[i])
        else:
            out.lines.append(Line(numbers[i], texts[i], who[i], roles[i], kinds[i], days[i], bool(own[i])))
    return out


def write_items(items: Iterable[Item]) -> bytes:
    """Lays items out; nothing if there are none."""
    rows = list(items)
    if not rows:
        return b""
    flags = [i.event | i.prohibited << 1 | i.ended << 2 | i.lift << 3 for i in rows]
    sections = [struct.pack(f"<{len(rows)}q", *flags)]
    for name in ("subject", "attribute", "value", "condition", "when"):
        sections.append(_texts([getattr(i, name) for i in rows]))
    ends, values = [0], []
    for i in rows:
        values.extend(float(c) for c in i.cites)
        ends.append(len(values))
    sections.append(struct.pack(f"<{len(ends)}I{len(values)}f", *ends, *values))
    return _lay_out(len(rows), sections)


def _texts(values: Sequence[str]) -> bytes:
    bodies = [v.encode("utf-8", "replace") for v in values]
    ends = [0]
    for b in bodies:
        ends.append(ends[-1] + len(b))
    return struct.pack(f"<{len(ends)}I", *ends) + b"".join(bodies)


def _lay_out(rows: int, sections: Sequence[bytes]) -> bytes:
    def align(n: int) -> int:
        return (n + 7) & ~7

    order_at = _HEADER.size + 8 * len(sections)
    at = align(order_at + 4 * rows)
    directory, places = b"", []
    for s in sections:
        directory += struct.pack("<II", at, len(s))
        places.append(at)
        at = align(at + len(s))
    out = bytearray(at)
    _HEADER.pack_into(out, 0, _MAGIC, rows, rows, len(sections), at, at, 0, 0, 0)
    out[_HEADER.size:order_at] = directory
    struct.pack_into(f"<{rows}I", out, order_at, *range(rows))
    for place, s in zip(places, sections):
        out[place:place + len(s)] = s
    return bytes(out)
