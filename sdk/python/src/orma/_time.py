"""Times as the server writes and reads them."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timezone
from typing import Union

from .errors import InvalidError

Time = Union[datetime, date, str]
"""A moment: a datetime (local without a zone), a day, or text in ISO 8601."""

_FORM = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def parse_time(text: str) -> datetime:
    """Read a time of the server. What is below a microsecond is cut off."""
    m = _FORM.fullmatch(text)
    if m is None:
        raise ValueError(f"{text!r} is not a time")
    day, clock, fraction, zone = m.groups()
    zone = "+00:00" if zone in (None, "Z") else zone
    return datetime.fromisoformat(f"{day}T{clock}.{(fraction or '0')[:6]:0<6}{zone}")


def format_time(value: Time | None, name: str) -> str | None:
    """Write a time for the server. One without a zone is local; a day is its start."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            if _DAY.fullmatch(value):
                value = date.fromisoformat(value)
            else:
                value = parse_time(value) if _zoned(value) else datetime.fromisoformat(value)
        except ValueError:
            raise InvalidError(
                f"{name} is not a time: {value!r}", hint="use a datetime, or text such as 2026-05-03T10:00:00Z"
            ) from None
    if not isinstance(value, date):
        raise InvalidError(f"{name} must be a datetime, not {type(value).__name__}")
    if not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if value.tzinfo is None:
        value = value.astimezone()
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _zoned(text: str) -> bool:
    m = _FORM.fullmatch(text)
    return m is not None and m.group(4) is not None
