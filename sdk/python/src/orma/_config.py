"""What a private server is started with."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict, Union

from .errors import InvalidError

Value = Union[str, int, float, bool]


class Switches(TypedDict, total=False):
    """What ``config=`` may hold in place of the path of a file.

    ``file`` is a TOML file or a profile, or a list of them; ``off`` names stages to
    switch off; ``set`` gives keys their values, such as ``{"stage.bm25.k": 16}``.
    """

    file: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
    off: Sequence[str]
    set: Mapping[str, Value]


Config = Union[str, "os.PathLike[str]", Switches]


@dataclass(frozen=True)
class Start:
    """The options of a private server, in a form that two processes can compare."""

    home: str
    db: str = ""
    files: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    set: tuple[str, ...] = ()
    upstream: str = ""
    model: str = ""

    @staticmethod
    def of(
        path: str | os.PathLike[str] | None, config: Config | None, upstream: str | None, model: str | None
    ) -> Start:
        """Check the options and make them independent of the working folder."""
        files: Sequence[str | os.PathLike[str]] = ()
        off: Sequence[str] = ()
        pairs: Mapping[str, Value] = {}
        if isinstance(config, (str, os.PathLike)):
            files = [config]
        elif isinstance(config, Mapping):
            unknown = sorted(set(config) - {"file", "off", "set"})
            if unknown:
                raise InvalidError(f"config has no {unknown[0]!r}", hint="use file, off and set")
            given = config.get("file", ())
            files = [given] if isinstance(given, (str, os.PathLike)) else given
            off, pairs = config.get("off", ()), config.get("set", {})
            if isinstance(off, str):
                off = [off]
        elif config is not None:
            raise InvalidError(f"config must be a path or a mapping, not {type(config).__name__}")
        return Start(
            home=home(),
            db=_real(path) if path is not None else "",
            files=tuple(_file(os.fspath(f)) for f in files),
            off=tuple(off),
            set=tuple(f"{k}={_value(k, v)}" for k, v in pairs.items()),
            upstream=upstream or "",
            model=model or "",
        )

    def key(self, env: Mapping[str, str]) -> str:
        """Name what the server would be: processes with the same key share one."""
        parts = ["orma 1", "home=" + self.home, "db=" + self.db]
        parts += ["config=" + f for f in self.files] + ["off=" + o for o in self.off] + ["set=" + s for s in self.set]
        parts += ["upstream=" + self.upstream, "model=" + self.model]
        parts += [f"{k}={env[k]}" for k in sorted(env) if k == "TZ" or (k.startswith("ORMA_") and k not in _OURS)]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def flags(self) -> list[str]:
        """Return the global flags of ``orma``."""
        out = ["--db", self.db] if self.db else []
        for name, values in (("--config", self.files), ("--off", self.off), ("--set", self.set)):
            for v in values:
                out += [name, v]
        return out


# Variables that say how a server is found, not what it does.
_OURS = {"ORMA_BIN", "ORMA_HOME"}


def home() -> str:
    """Return Orma's folder: ``$ORMA_HOME``, or ``.orma`` in the user's own."""
    named = os.environ.get("ORMA_HOME")
    return os.path.realpath(named) if named else os.path.join(os.path.realpath(os.path.expanduser("~")), ".orma")


def _real(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if not isinstance(text, str) or not text or "\0" in text:
        raise InvalidError(f"path must name a file, not {text!r}")
    return os.path.realpath(os.path.expanduser(text))


def _file(name: str) -> str:
    """A name without a dot or a slash is a profile; anything else is a file."""
    return _real(name) if "." in name or os.sep in name else name


def _value(key: str, value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value)) + ".0"
    if not isinstance(value, (str, int, float)):
        raise InvalidError(f"config: {key} must be text, a number or a flag, not {type(value).__name__}")
    return str(value)
