"""Where memory goes in a list of chat messages: the rule that the proxy keeps too.

Rules stand at the very top of the system message, the rest of the stable part at its
end, and what belongs to the question before the text of the last user message. So the
beginning of the prompt stays the same from turn to turn, and a model's server can keep
what it has worked out for it. Nothing else is touched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import InvalidError

Message = Any
"""A message of a chat: a mapping with ``role`` and ``content``, or an object with both."""

_GAP = "\n\n"
_TEXT_PARTS = ("text", "input_text", "output_text")


def check(messages: Sequence[Message]) -> None:
    """Refuse what is no list of messages."""
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Sequence):
        raise InvalidError(f"messages must be a list, not {type(messages).__name__}")
    for i, m in enumerate(messages):
        if not isinstance(_get(m, "role"), str):
            raise InvalidError(f"messages[{i}] has no role")


def text_of(message: Message) -> str:
    """Return the text of a message; that of parts is joined by lines."""
    content = _get(message, "content")
    if isinstance(content, str):
        return content
    return "\n".join(_part_text(p) or "" for p in _parts(content) if _part_text(p) is not None)


def question(messages: Sequence[Message]) -> int:
    """Return the index of the last user message, or -1. The answers of tools are none."""
    for i in range(len(messages) - 1, -1, -1):
        m = messages[i]
        if _get(m, "role") != "user":
            continue
        results = any(_get(p, "type") == "tool_result" for p in _parts(_get(m, "content")))
        if not results or text_of(m):
            return i
    return -1


def said(messages: Sequence[Message]) -> list[str]:
    """Return what the reader sees anyway."""
    return [t for t in (text_of(m) for m in messages if _get(m, "role") not in ("system", "developer")) if t]


def fingerprint(messages: Sequence[Message]) -> str:
    """Name a conversation by all that was said in it, other than by the system."""
    h = hashlib.sha256()
    for m in messages:
        role = str(_get(m, "role"))
        if role not in ("system", "developer"):
            for part in (role, text_of(m).strip()):
                data = part.encode("utf-8", "surrogatepass")
                h.update(len(data).to_bytes(8, "little") + data)
    return h.hexdigest()


def insert(messages: Sequence[Message], rules: str, facts: str, turn: str) -> list[Message]:
    """Return the messages with memory in them. Those that get none are the same objects."""
    rules, facts, turn = rules.strip("\n"), facts.strip("\n"), turn.strip("\n")
    out = list(messages)
    at = question(out)
    if turn and at >= 0 and _get(out[at], "content") is not None:  # one without words is left alone
        out[at] = _fill(out[at], turn, "") or out[at]
    if rules or facts:
        head = out[0] if out and _get(out[0], "role") in ("system", "developer") else None
        filled = _fill(head, rules, facts) if head is not None else None
        if filled is not None:
            out[0] = filled
        else:
            out.insert(0, {"role": "system", "content": _join(rules, facts)})
    return out


def _fill(message: Message, before: str, after: str) -> Message | None:
    """Return a copy with text before and after that of the message, or None if it has no place."""
    content = _get(message, "content")
    whole = _join(before, after)
    if isinstance(content, str):
        return _with(message, _around(content, before, after))
    if isinstance(content, Sequence):
        parts = list(content)
        texts = [i for i, p in enumerate(parts) if _part_text(p) is not None]
        if not texts:
            return _with(message, [{"type": "text", "text": whole}, *parts])
        first, last = texts[0], texts[-1]
        if first == last:
            parts[first] = _with(parts[first], _around(_part_text(parts[first]) or "", before, after), "text")
        else:
            parts[first] = _with(parts[first], _around(_part_text(parts[first]) or "", before, ""), "text")
            parts[last] = _with(parts[last], _around(_part_text(parts[last]) or "", "", after), "text")
        return _with(message, parts)
    if content is None and _has(message, "content"):
        return _with(message, whole)
    return None


def _around(text: str, before: str, after: str) -> str:
    return _join(_join(before, text), after)


def _join(a: str, b: str) -> str:
    return a + _GAP + b if a and b else a + b


def _parts(content: Any) -> Sequence[Any]:
    return content if isinstance(content, Sequence) and not isinstance(content, (str, bytes)) else ()


def _part_text(part: Any) -> str | None:
    text = _get(part, "text")
    return text if isinstance(text, str) and _get(part, "type") in _TEXT_PARTS else None


def _get(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def _has(thing: Any, name: str) -> bool:
    return name in thing if isinstance(thing, Mapping) else hasattr(thing, name)


def _with(thing: Any, value: Any, name: str = "content") -> Any:
    """Copy a mapping or a pydantic model with one field changed."""
    if isinstance(thing, Mapping):
        return {**thing, name: value}
    copy = getattr(thing, "model_copy", None)
    if copy is None:
        raise InvalidError(f"a message of type {type(thing).__name__} cannot be copied", hint="use mappings with role and content")
    return copy(update={name: value})
