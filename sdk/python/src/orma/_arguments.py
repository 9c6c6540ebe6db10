"""Checks of arguments, before anything is sent."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from ._schema import Added, NewEpisode
from ._time import format_time
from .errors import InvalidError, NotFoundError, TooLargeError


def check_text(value: Any, name: str) -> None:
    if not isinstance(value, str):
        raise InvalidError(f"{name} must be text, not {type(value).__name__}")


def quoted(value: str, name: str) -> str:
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise InvalidError(f"{name} holds half of a surrogate pair: {value!r}") from None


def id_of(thing: Any) -> int:
    number = thing if isinstance(thing, int) and not isinstance(thing, bool) else getattr(thing, "id", None)
    if not isinstance(number, int) or number <= 0:
        raise InvalidError(f"{thing!r} is not an id", hint="use a number such as 14, or what facts and search give")
    return number


def episode_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    check_text(fields["text"], "text")
    return {k: v for k, v in fields.items() if v is not None}


_FIELDS = {"text", "kind", "role", "speaker", "session", "source", "id", "at", "tz", "ttl", "trust"}


def item_of(item: str | Mapping[str, Any], i: int) -> NewEpisode:
    if isinstance(item, str):
        return {"text": item, "kind": "note"}
    if not isinstance(item, Mapping):
        raise InvalidError(f"items[{i}] must be text or a mapping, not {type(item).__name__}")
    unknown = sorted(set(item) - _FIELDS)
    if unknown or "text" not in item:
        raise InvalidError(f"items[{i}] has no text" if "text" not in item else f"items[{i}] has {unknown[0]!r}, which is not known")
    out = episode_of({"kind": "note", **item, "at": format_time(item.get("at"), f"items[{i}].at")})
    return out  # type: ignore[return-value]


_LARGEST_FILE = 256 << 20


def read_file(path: str | os.PathLike[str]) -> tuple[str, bytes, datetime]:
    """Return name, content and time of the last change of a file."""
    name = os.fspath(path)
    try:
        info = os.stat(name)
        if os.path.isdir(name):
            raise InvalidError(f"{name} is a folder", hint="add its files one by one")
        if info.st_size > _LARGEST_FILE:
            raise TooLargeError(f"{name} has more than {_LARGEST_FILE >> 20} MB", hint="split it first")
        with open(name, "rb") as f:
            return os.path.basename(name), f.read(), datetime.fromtimestamp(info.st_mtime)
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {name}") from None
    except OSError as e:
        raise InvalidError(f"{name} cannot be read: {e.strerror}") from e


def repaired(added: Added, text: str) -> Added:
    """Say what encoding the request has repaired, as the server says of its own repairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return replace(added, repaired=True)
    return added
