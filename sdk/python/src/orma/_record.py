"""What all answers have in common."""

from __future__ import annotations

from typing import Any, ClassVar


class Record:
    """A dataclass that is shown and compared by its fields."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __repr__(self) -> str:
        values = ((name, getattr(self, name)) for name in self.__dataclass_fields__)
        shown = (f"{n}={v!r}" for n, v in values if v is not None and v is not False and v != [] and v != {})
        return f"{type(self).__name__}({', '.join(shown)})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, n) == getattr(other, n) for n in self.__dataclass_fields__)

    __hash__ = None  # type: ignore[assignment]
