"""Long-term memory for language models, on your own machine.

    from orma import Memory

    with Memory() as memory:
        memory.add("I moved to Lisbon in May.")
        print(memory.recall("Where do I live?").block)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._config import Config, Switches
from ._context import Message
from ._memory import Format, Memory
from ._schema import (
    Added,
    Audit,
    AuditEntry,
    Candidate,
    Cite,
    Episode,
    Event,
    Fact,
    Found,
    Graph,
    GraphLink,
    GraphNode,
    GraphTotals,
    Item,
    Kind,
    Neighbour,
    NewEpisode,
    NodeDetail,
    Note,
    Outdated,
    Pending,
    PendingEpisode,
    Quarantined,
    Recalled,
    Receipt,
    Role,
    Server,
    SleepReport,
    SleepReportFail,
    SleepReportItem,
    SleepReportLine,
    SpaceStats,
    StageInfo,
    Stats,
    StoreInfo,
    Trace,
    TraceStep,
)
from ._time import Time
from .errors import (
    BinaryNotFoundError,
    BusyError,
    ClosedError,
    ConfigError,
    ConflictError,
    CorruptError,
    DeniedError,
    InvalidError,
    LimitError,
    NewerError,
    NotFoundError,
    OrmaError,
    ReadOnlyError,
    ServerDiedError,
    TooLargeError,
    UnauthorizedError,
    UnavailableError,
    UnsupportedError,
    VersionMismatchError,
)

if TYPE_CHECKING:
    from ._async import AsyncMemory

__version__ = "0.1.0"

__all__ = [
    "Added", "AsyncMemory", "Audit", "AuditEntry", "BinaryNotFoundError", "BusyError", "Candidate", "Cite", "ClosedError",
    "Config", "ConfigError", "ConflictError", "CorruptError", "DeniedError", "Episode", "Event", "Fact", "Format", "Found",
    "Graph", "GraphLink", "GraphNode", "GraphTotals", "InvalidError", "Item", "Kind", "LimitError", "Memory", "Message",
    "Neighbour", "NewEpisode", "NewerError", "NodeDetail", "NotFoundError", "Note", "OrmaError", "Outdated", "Pending",
    "PendingEpisode", "Quarantined", "ReadOnlyError", "Recalled", "Receipt", "Role", "Server", "ServerDiedError",
    "SleepReport", "SleepReportFail", "SleepReportItem", "SleepReportLine", "SpaceStats", "StageInfo", "Stats", "StoreInfo",
    "Switches", "Time", "TooLargeError", "Trace", "TraceStep", "UnauthorizedError", "UnavailableError", "UnsupportedError",
    "VersionMismatchError",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    # asyncio is slow to import, and most programs want one of the two.
    if name == "AsyncMemory":
        from ._async import AsyncMemory

        return AsyncMemory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
