"""Exceptions. Each has a code, which is the same in every front end of Orma."""

from __future__ import annotations


class OrmaError(Exception):
    """Something failed.

    Catch this to catch every failure of this package, or a subclass for one kind.
    """

    code: str = "internal"
    """Names the kind of failure."""
    message: str
    """A sentence."""
    hint: str | None
    """What to do about it."""
    status: int | None
    """The HTTP status, if a server answered."""

    def __init__(
        self, message: str, *, code: str | None = None, hint: str | None = None, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.hint = hint
        self.status = status

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class NotFoundError(OrmaError):
    """There is no such item, or it is in another space."""

    code = "not_found"


class InvalidError(OrmaError, ValueError):
    """The input cannot be accepted as it is."""

    code = "invalid"


class TooLargeError(OrmaError, ValueError):
    """The input is over a limit, which the message names."""

    code = "too_large"


class LimitError(OrmaError):
    """A quota is used up."""

    code = "limit"


class ConflictError(OrmaError):
    """It does not fit what is stored."""

    code = "conflict"


class ConfigError(OrmaError):
    """A configuration file or a switch is wrong."""

    code = "config"


class ReadOnlyError(OrmaError):
    """The database cannot be written."""

    code = "read_only"


class CorruptError(OrmaError):
    """The database is damaged."""

    code = "corrupt"


class NewerError(OrmaError):
    """The database was written by a newer version."""

    code = "newer"


class BusyError(OrmaError):
    """Another process holds the database."""

    code = "busy"


class UnavailableError(OrmaError):
    """Something that is needed does not answer."""

    code = "unavailable"


class DeniedError(OrmaError):
    """It is not allowed."""

    code = "denied"


class UnauthorizedError(OrmaError):
    """There is no valid token."""

    code = "unauthorized"


class UnsupportedError(OrmaError):
    """It is not to be had here."""

    code = "unsupported"


class BinaryNotFoundError(OrmaError):
    """The program ``orma`` is not on this machine."""

    code = "no_binary"


class ServerDiedError(UnavailableError):
    """The server ended during a call. Whether the call was carried out is not known."""

    code = "server_died"


class VersionMismatchError(OrmaError):
    """The server speaks another version of the API, or is none of ours."""

    code = "version_mismatch"


class ClosedError(OrmaError):
    """The memory was closed before the call."""

    code = "closed"


_BY_CODE: dict[str, type[OrmaError]] = {
    kind.code: kind
    for kind in (
        NotFoundError,
        InvalidError,
        TooLargeError,
        LimitError,
        ConflictError,
        ConfigError,
        ReadOnlyError,
        CorruptError,
        NewerError,
        BusyError,
        UnavailableError,
        DeniedError,
        UnauthorizedError,
        UnsupportedError,
        VersionMismatchError,
    )
}


def error_of(code: str, message: str, hint: str | None = None, status: int | None = None) -> OrmaError:
    """Make the exception that stands for a code of the server."""
    if code == "usage":  # of the private server's command line, which options become
        code = "invalid"
    return _BY_CODE.get(code, OrmaError)(message, code=code, hint=hint, status=status)
