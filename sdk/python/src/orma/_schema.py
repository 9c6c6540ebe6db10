"""Request and response types, written by sdk/clientgen from docs/openapi.json."""

# Do not edit: run "go run ./sdk/clientgen" in the root of the repository.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from ._record import Record
from ._time import parse_time

Kind = Literal["turn", "note", "document", "tool", "anti_pattern", "identity"]
Role = Literal["user", "assistant", "tool", "system"]

# Method and path of every operation.
ROUTES: dict[str, tuple[str, str]] = {
    "add": ("POST", "/_orma/v1/episodes"),
    "add_document": ("POST", "/_orma/v1/documents"),
    "audit": ("GET", "/_orma/v1/audit"),
    "context": ("POST", "/_orma/v1/context"),
    "correct": ("POST", "/_orma/v1/facts/{id}/correct"),
    "episode": ("GET", "/_orma/v1/episodes/{id}"),
    "episodes": ("GET", "/_orma/v1/episodes"),
    "erase": ("DELETE", "/_orma/v1/episodes/{id}"),
    "erase_space": ("DELETE", "/_orma/v1/spaces/{name}"),
    "export": ("GET", "/_orma/v1/export"),
    "facts": ("GET", "/_orma/v1/facts"),
    "forbid": ("POST", "/_orma/v1/rules"),
    "forget": ("POST", "/_orma/v1/facts/{id}/forget"),
    "graph": ("GET", "/_orma/v1/graph"),
    "node": ("GET", "/_orma/v1/graph/{id}"),
    "openapi": ("GET", "/_orma/v1/openapi.json"),
    "pending": ("GET", "/_orma/v1/sleep/pending"),
    "quarantine": ("POST", "/_orma/v1/quarantine"),
    "recall": ("POST", "/_orma/v1/recall"),
    "recall_block": ("GET", "/_orma/v1/recall"),
    "search": ("POST", "/_orma/v1/search"),
    "sleep": ("POST", "/_orma/v1/sleep"),
    "sleep_reports": ("GET", "/_orma/v1/sleep"),
    "stages": ("GET", "/_orma/v1/stages"),
    "stats": ("GET", "/_orma/v1/stats"),
    "stream": ("GET", "/_orma/v1/stream"),
    "version": ("GET", "/_orma/v1/version"),
}


@dataclass(init=False, repr=False, eq=False, match_args=False)
class AddAnswer(Record):
    """Part of an answer of the server: AddAnswer."""

    added: list[Added]

    def __init__(
        self,
        *,
        added: list[Added],
    ) -> None:
        self.added = added

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> AddAnswer:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            added=[Added.from_json(x) for x in (d["added"] or [])],
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Added(Record):
    """Part of an answer of the server: Added."""

    id: int
    passages: list[int]
    code: str | None
    error: str | None
    key: str | None
    masked: int | None
    repaired: bool
    repeat_of: int | None
    rule_id: int | None

    def __init__(
        self,
        *,
        id: int,
        passages: list[int],
        code: str | None = None,
        error: str | None = None,
        key: str | None = None,
        masked: int | None = None,
        repaired: bool = False,
        repeat_of: int | None = None,
        rule_id: int | None = None,
    ) -> None:
        self.id = id
        self.passages = passages
        self.code = code
        self.error = error
        self.key = key
        self.masked = masked
        self.repaired = repaired
        self.repeat_of = repeat_of
        self.rule_id = rule_id

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Added:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            id=d["id"],
            passages=list(d["passages"] or []),
            code=d.get("code"),
            error=d.get("error"),
            key=d.get("key"),
            masked=d.get("masked"),
            repaired=d.get("repaired", False),
            repeat_of=d.get("repeat_of"),
            rule_id=d.get("rule_id"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Audit(Record):
    """Part of an answer of the server: Audit."""

    entries: list[AuditEntry]
    next: str | None
    """cursor of the next page; missing on the last one"""

    def __init__(
        self,
        *,
        entries: list[AuditEntry],
        next: str | None = None,
    ) -> None:
        self.entries = entries
        self.next = next

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Audit:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            entries=[AuditEntry.from_json(x) for x in (d["entries"] or [])],
            next=d.get("next"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class AuditEntry(Record):
    """Part of an answer of the server: AuditEntry."""

    seq: int
    at: datetime
    verb: str
    status: int
    item: int | None
    space: str | None
    token: str | None

    def __init__(
        self,
        *,
        seq: int,
        at: datetime,
        verb: str,
        status: int,
        item: int | None = None,
        space: str | None = None,
        token: str | None = None,
    ) -> None:
        self.seq = seq
        self.at = at
        self.verb = verb
        self.status = status
        self.item = item
        self.space = space
        self.token = token

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> AuditEntry:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            seq=d["seq"],
            at=parse_time(d["at"]),
            verb=d["verb"],
            status=d["status"],
            item=d.get("item"),
            space=d.get("space"),
            token=d.get("token"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Candidate(Record):
    """Part of an answer of the server: Candidate."""

    id: int
    node: str
    kind: str
    rank: int
    scores: list[float]
    parts: list[float]
    columns: dict[str, float]

    def __init__(
        self,
        *,
        id: int,
        node: str,
        kind: str,
        rank: int,
        scores: list[float],
        parts: list[float],
        columns: dict[str, float],
    ) -> None:
        self.id = id
        self.node = node
        self.kind = kind
        self.rank = rank
        self.scores = scores
        self.parts = parts
        self.columns = columns

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Candidate:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            id=d["id"],
            node=d["node"],
            kind=d["kind"],
            rank=d["rank"],
            scores=list(d["scores"] or []),
            parts=list(d["parts"] or []),
            columns=dict(d["columns"]),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Cite(Record):
    """Part of an answer of the server: Cite."""

    passage: int
    mark: str
    episode: int
    text: str
    at: datetime | None

    def __init__(
        self,
        *,
        passage: int,
        mark: str,
        episode: int,
        text: str,
        at: datetime | None = None,
    ) -> None:
        self.passage = passage
        self.mark = mark
        self.episode = episode
        self.text = text
        self.at = at

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Cite:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            passage=d["passage"],
            mark=d["mark"],
            episode=d["episode"],
            text=d["text"],
            at=parse_time(d["at"]) if d.get("at") else None,
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Context(Record):
    """Part of an answer of the server: Context."""

    messages: Any
    """the conversation; nothing but texts of memory was added"""
    block: str
    """what was added"""
    tokens: int
    items: list[Item]
    notes: list[Note]

    def __init__(
        self,
        *,
        messages: Any,
        block: str,
        tokens: int,
        items: list[Item],
        notes: list[Note] | None = None,
    ) -> None:
        self.messages = messages
        self.block = block
        self.tokens = tokens
        self.items = items
        self.notes = notes or []

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Context:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            messages=d["messages"],
            block=d["block"],
            tokens=d["tokens"],
            items=[Item.from_json(x) for x in (d["items"] or [])],
            notes=[Note.from_json(x) for x in d["notes"]] if d.get("notes") else None,
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class EntityDetail(Record):
    """Part of an answer of the server: EntityDetail."""

    name: str
    names: list[str]
    """further names"""
    mentions: int
    """items that name it"""
    states: int
    """states and events about it"""
    id: int | None
    """missing when only lines name it"""

    def __init__(
        self,
        *,
        name: str,
        names: list[str],
        mentions: int,
        states: int,
        id: int | None = None,
    ) -> None:
        self.name = name
        self.names = names
        self.mentions = mentions
        self.states = states
        self.id = id

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> EntityDetail:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            name=d["name"],
            names=list(d["names"] or []),
            mentions=d["mentions"],
            states=d["states"],
            id=d.get("id"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Episode(Record):
    """Part of an answer of the server: Episode."""

    id: int
    kind: Kind
    role: Role
    source: str
    trust: str
    at: datetime
    """when it was said"""
    recorded: datetime
    """when it was stored"""
    text: str
    expires: datetime | None
    key: str | None
    """the caller's own id"""
    quarantined: bool
    repeat_of: int | None
    session: str | None
    speaker: str | None
    tz: str | None

    def __init__(
        self,
        *,
        id: int,
        kind: Kind,
        role: Role,
        source: str,
        trust: str,
        at: datetime,
        recorded: datetime,
        text: str,
        expires: datetime | None = None,
        key: str | None = None,
        quarantined: bool = False,
        repeat_of: int | None = None,
        session: str | None = None,
        speaker: str | None = None,
        tz: str | None = None,
    ) -> None:
        self.id = id
        self.kind = kind
        self.role = role
        self.source = source
        self.trust = trust
        self.at = at
        self.recorded = recorded
        self.text = text
        self.expires = expires
        self.key = key
        self.quarantined = quarantined
        self.repeat_of = repeat_of
        self.session = session
        self.speaker = speaker
        self.tz = tz

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Episode:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            id=d["id"],
            kind=d["kind"],
            role=d["role"],
            source=d["source"],
            trust=d["trust"],
            at=parse_time(d["at"]),
            recorded=parse_time(d["recorded"]),
            text=d["text"],
            expires=parse_time(d["expires"]) if d.get("expires") else None,
            key=d.get("key"),
            quarantined=d.get("quarantined", False),
            repeat_of=d.get("repeat_of"),
            session=d.get("session"),
            speaker=d.get("speaker"),
            tz=d.get("tz"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Episodes(Record):
    """Part of an answer of the server: Episodes."""

    episodes: list[Episode]
    next: str | None
    """cursor of the next page; missing on the last one"""

    def __init__(
        self,
        *,
        episodes: list[Episode],
        next: str | None = None,
    ) -> None:
        self.episodes = episodes
        self.next = next

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Episodes:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            episodes=[Episode.from_json(x) for x in (d["episodes"] or [])],
            next=d.get("next"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Event(Record):
    """Part of an answer of the server: Event."""

    id: int
    subject: str
    event: str
    sources: list[Cite]
    end: str | None
    start: str | None

    def __init__(
        self,
        *,
        id: int,
        subject: str,
        event: str,
        sources: list[Cite],
        end: str | None = None,
        start: str | None = None,
    ) -> None:
        self.id = id
        self.subject = subject
        self.event = event
        self.sources = sources
        self.end = end
        self.start = start

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Event:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            id=d["id"],
            subject=d["subject"],
            event=d["event"],
            sources=[Cite.from_json(x) for x in (d["sources"] or [])],
            end=d.get("end"),
            start=d.get("start"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Fact(Record):
    """Part of an answer of the server: Fact."""

    id: int
    subject: str
    attribute: str
    value: str
    condition: str
    forbidden: bool
    active: bool
    text: str
    sources: list[Cite]
    backend: str | None
    closed_at: datetime | None
    forgotten: bool
    recorded_at: datetime | None
    superseded_by: int | None
    trust: str | None
    valid_from: str | None
    valid_to: str | None

    def __init__(
        self,
        *,
        id: int,
        subject: str,
        attribute: str,
        value: str,
        condition: str,
        forbidden: bool,
        active: bool,
        text: str,
        sources: list[Cite],
        backend: str | None = None,
        closed_at: datetime | None = None,
        forgotten: bool = False,
        recorded_at: datetime | None = None,
        superseded_by: int | None = None,
        trust: str | None = None,
        valid_from: str | None = None,
        valid_to: str | None = None,
    ) -> None:
        self.id = id
        self.subject = subject
        self.attribute = attribute
        self.value = value
        self.condition = condition
        self.forbidden = forbidden
        self.active = active
        self.text = text
        self.sources = sources
        self.backend = backend
        self.closed_at = closed_at
        self.forgotten = forgotten
        self.recorded_at = recorded_at
        self.superseded_by = superseded_by
        self.trust = trust
        self.valid_from = valid_from
        self.valid_to = valid_to

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Fact:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            id=d["id"],
            subject=d["subject"],
            attribute=d["attribute"],
            value=d["value"],
            condition=d["condition"],
            forbidden=d["forbidden"],
            active=d["active"],
            text=d["text"],
            sources=[Cite.from_json(x) for x in (d["sources"] or [])],
            backend=d.get("backend"),
            closed_at=parse_time(d["closed_at"]) if d.get("closed_at") else None,
            forgotten=d.get("forgotten", False),
            recorded_at=parse_time(d["recorded_at"]) if d.get("recorded_at") else None,
            superseded_by=d.get("superseded_by"),
            trust=d.get("trust"),
            valid_from=d.get("valid_from"),
            valid_to=d.get("valid_to"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Facts(Record):
    """Part of an answer of the server: Facts."""

    facts: list[Fact]
    next: str | None
    """cursor of the next page; missing on the last one"""

    def __init__(
        self,
        *,
        facts: list[Fact],
        next: str | None = None,
    ) -> None:
        self.facts = facts
        self.next = next

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Facts:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            facts=[Fact.from_json(x) for x in (d["facts"] or [])],
            next=d.get("next"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Failure(Record):
    """Part of an answer of the server: Failure."""

    error: FailureText

    def __init__(
        self,
        *,
        error: FailureText,
    ) -> None:
        self.error = error

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Failure:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            error=FailureText.from_json(d["error"]),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class FailureText(Record):
    """Part of an answer of the server: FailureText."""

    code: str
    """names the kind of failure; the same in every front end"""
    message: str
    """a sentence"""
    hint: str | None
    """what to do"""

    def __init__(
        self,
        *,
        code: str,
        message: str,
        hint: str | None = None,
    ) -> None:
        self.code = code
        self.message = message
        self.hint = hint

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> FailureText:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            code=d["code"],
            message=d["message"],
            hint=d.get("hint"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Found(Record):
    """Part of an answer of the server: Found."""

    states: list[Item]
    passages: list[Item]
    events: list[Item]
    approximate: bool
    notes: list[Note]
    trace: Trace | None

    def __init__(
        self,
        *,
        states: list[Item],
        passages: list[Item],
        events: list[Item],
        approximate: bool = False,
        notes: list[Note] | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.states = states
        self.passages = passages
        self.events = events
        self.approximate = approximate
        self.notes = notes or []
        self.trace = trace

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Found:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            states=[Item.from_json(x) for x in (d["states"] or [])],
            passages=[Item.from_json(x) for x in (d["passages"] or [])],
            events=[Item.from_json(x) for x in (d["events"] or [])],
            approximate=d.get("approximate", False),
            notes=[Note.from_json(x) for x in d["notes"]] if d.get("notes") else None,
            trace=Trace.from_json(d["trace"]) if d.get("trace") else None,
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Graph(Record):
    """Part of an answer of the server: Graph."""

    space: str
    generation: int
    """grows with each write to the space"""
    as_of: datetime
    """what held then is shown"""
    seed: int
    """what the places of this space come from"""
    radius: float
    """distance of the farthest node of this answer from the origin"""
    totals: GraphTotals
    nodes: list[GraphNode]
    links: list[GraphLink]
    next: str | None
    """cursor of the next page; missing on the last one"""

    def __init__(
        self,
        *,
        space: str,
        generation: int,
        as_of: datetime,
        seed: int,
        radius: float,
        totals: GraphTotals,
        nodes: list[GraphNode],
        links: list[GraphLink],
        next: str | None = None,
    ) -> None:
        self.space = space
        self.generation = generation
        self.as_of = as_of
        self.seed = seed
        self.radius = radius
        self.totals = totals
        self.nodes = nodes
        self.links = links
        self.next = next

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Graph:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            space=d["space"],
            generation=d["generation"],
            as_of=parse_time(d["as_of"]),
            seed=d["seed"],
            radius=d["radius"],
            totals=GraphTotals.from_json(d["totals"]),
            nodes=[GraphNode.from_json(x) for x in (d["nodes"] or [])],
            links=[GraphLink.from_json(x) for x in (d["links"] or [])],
            next=d.get("next"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class GraphLink(Record):
    """Part of an answer of the server: GraphLink."""

    from_: str
    to: str
    kind: str
    """about, mentions, together, source or supersedes"""
    weight: float
    """above 0, to 1"""
    burst: float | None
    last_used: datetime | None

    def __init__(
        self,
        *,
        from_: str,
        to: str,
        kind: str,
        weight: float,
        burst: float | None = None,
        last_used: datetime | None = None,
    ) -> None:
        self.from_ = from_
        self.to = to
        self.kind = kind
        self.weight = weight
        self.burst = burst
        self.last_used = last_used

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> GraphLink:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            from_=d["from"],
            to=d["to"],
            kind=d["kind"],
            weight=d["weight"],
            burst=d.get("burst"),
            last_used=parse_time(d["last_used"]) if d.get("last_used") else None,
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class GraphNode(Record):
    """Part of an answer of the server: GraphNode."""

    id: str
    """e0, the owner of the space; e and a number, a stored entity; n, letters and digits, a name in lines; s a state, v an event, p a passage, with their number"""
    kind: str
    """entity, state, rule, conditional, event or passage"""
    label: str
    """at most 160 characters"""
    degree: int
    """its neighbours at that time and under the filters"""
    hidden: int
    """those of them that are not in this answer"""
    x: float
    y: float
    z: float
    burst: float | None
    """0 to 1, how much it was used in the last hours"""
    closed: bool
    """it is over, whatever held at that time"""
    condition: str | None
    hub: str | None
    """the entity that it lies around"""
    last_used: datetime | None
    """the last of them, or when it was said"""
    recorded_at: datetime | None
    """when it was learnt; of a passage when it was said"""
    source: str | None
    """where its first line came from"""
    superseded_by: str | None
    trust: str | None
    uses: int | None
    """times it was said again, cited or recalled, of the last 32"""
    valid_from: str | None
    """first day; of an event when it began"""
    valid_to: str | None
    """day it ended; of an event its last day"""

    def __init__(
        self,
        *,
        id: str,
        kind: str,
        label: str,
        degree: int,
        hidden: int,
        x: float,
        y: float,
        z: float,
        burst: float | None = None,
        closed: bool = False,
        condition: str | None = None,
        hub: str | None = None,
        last_used: datetime | None = None,
        recorded_at: datetime | None = None,
        source: str | None = None,
        superseded_by: str | None = None,
        trust: str | None = None,
        uses: int | None = None,
        valid_from: str | None = None,
        valid_to: str | None = None,
    ) -> None:
        self.id = id
        self.kind = kind
        self.label = label
        self.degree = degree
        self.hidden = hidden
        self.x = x
        self.y = y
        self.z = z
        self.burst = burst
        self.closed = closed
        self.condition = condition
        self.hub = hub
        self.last_used = last_used
        self.recorded_at = recorded_at
        self.source = source
        self.superseded_by = superseded_by
        self.trust = trust
        self.uses = uses
        self.valid_from = valid_from
        self.valid_to = valid_to

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> GraphNode:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            id=d["id"],
            kind=d["kind"],
            label=d["label"],
            degree=d["degree"],
            hidden=d["hidden"],
            x=d["x"],
            y=d["y"],
            z=d["z"],
            burst=d.get("burst"),
            closed=d.get("closed", False),
            condition=d.get("condition"),
            hub=d.get("hub"),
            last_used=parse_time(d["last_used"]) if d.get("last_used") else None,
            recorded_at=parse_time(d["recorded_at"]) if d.get("recorded_at") else None,
            source=d.get("source"),
            superseded_by=d.get("superseded_by"),
            trust=d.get("trust"),
            uses=d.get("uses"),
            valid_from=d.get("valid_from"),
            valid_to=d.get("valid_to"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class GraphTotals(Record):
    """Part of an answer of the server: GraphTotals."""

    states: int
    """without rules and conditionals"""
    rules: int
    conditionals: int
    entities: int
    passages: int
    events: int
    links: int

    def __init__(
        self,
        *,
        states: int,
        rules: int,
        conditionals: int,
        entities: int,
        passages: int,
        events: int,
        links: int,
    ) -> None:
        self.states = states
        self.rules = rules
        self.conditionals = conditionals
        self.entities = entities
        self.passages = passages
        self.events = events
        self.links = links

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> GraphTotals:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            states=d["states"],
            rules=d["rules"],
            conditionals=d["conditionals"],
            entities=d["entities"],
            passages=d["passages"],
            events=d["events"],
            links=d["links"],
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class HistoryEntry(Record):
    """Part of an answer of the server: HistoryEntry."""

    node: str
    value: str
    active: bool
    closed_at: datetime | None
    condition: str | None
    forgotten: bool
    recorded_at: datetime | None
    superseded_by: str | None
    valid_from: str | None
    valid_to: str | None

    def __init__(
        self,
        *,
        node: str,
        value: str,
        active: bool,
        closed_at: datetime | None = None,
        condition: str | None = None,
        forgotten: bool = False,
        recorded_at: datetime | None = None,
        superseded_by: str | None = None,
        valid_from: str | None = None,
        valid_to: str | None = None,
    ) -> None:
        self.node = node
        self.value = value
        self.active = active
        self.closed_at = closed_at
        self.condition = condition
        self.forgotten = forgotten
        self.recorded_at = recorded_at
        self.superseded_by = superseded_by
        self.valid_from = valid_from
        self.valid_to = valid_to

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> HistoryEntry:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            node=d["node"],
            value=d["value"],
            active=d["active"],
            closed_at=parse_time(d["closed_at"]) if d.get("closed_at") else None,
            condition=d.get("condition"),
            forgotten=d.get("forgotten", False),
            recorded_at=parse_time(d["recorded_at"]) if d.get("recorded_at") else None,
            superseded_by=d.get("superseded_by"),
            valid_from=d.get("valid_from"),
            valid_to=d.get("valid_to"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Item(Record):
    """Part of an answer of the server: Item."""

    id: int
    kind: str
    text: str
    score: float
    at: datetime | None
    episode: int | None
    event: Event | None
    key: str | None
    outdated: list[Outdated]
    role: Role | None
    session: str | None
    source: str | None
    sources: list[Cite]
    speaker: str | None
    state: Fact | None

    def __init__(
        self,
        *,
        id: int,
        kind: str,
        text: str,
        score: float,
        at: datetime | None = None,
        episode: int | None = None,
        event: Event | None = None,
        key: str | None = None,
        outdated: list[Outdated] | None = None,
        role: Role | None = None,
        session: str | None = None,
        source: str | None = None,
        sources: list[Cite] | None = None,
        speaker: str | None = None,
        state: Fact | None = None,
    ) -> None:
        self.id = id
        self.kind = kind
        self.text = text
        self.score = score
        self.at = at
        self.episode = episode
        self.event = event
        self.key = key
        self.outdated = outdated or []
        self.role = role
        self.session = session
        self.source = source
        self.sources = sources or []
        self.speaker = speaker
        self.state = state

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Item:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            id=d["id"],
            kind=d["kind"],
            text=d["text"],
            score=d["score"],
            at=parse_time(d["at"]) if d.get("at") else None,
            episode=d.get("episode"),
            event=Event.from_json(d["event"]) if d.get("event") else None,
            key=d.get("key"),
            outdated=[Outdated.from_json(x) for x in d["outdated"]] if d.get("outdated") else None,
            role=d.get("role"),
            session=d.get("session"),
            source=d.get("source"),
            sources=[Cite.from_json(x) for x in d["sources"]] if d.get("sources") else None,
            speaker=d.get("speaker"),
            state=Fact.from_json(d["state"]) if d.get("state") else None,
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Neighbour(Record):
    """Part of an answer of the server: Neighbour."""

    node: str
    kind: str
    label: str
    link: str
    """about, mentions, together, source or supersedes"""
    back: bool
    """the link points from the neighbour to the node"""

    def __init__(
        self,
        *,
        node: str,
        kind: str,
        label: str,
        link: str,
        back: bool = False,
    ) -> None:
        self.node = node
        self.kind = kind
        self.label = label
        self.link = link
        self.back = back

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Neighbour:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            node=d["node"],
            kind=d["kind"],
            label=d["label"],
            link=d["link"],
            back=d.get("back", False),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class NodeDetail(Record):
    """Part of an answer of the server: NodeDetail."""

    id: str
    kind: str
    """entity, state, rule, conditional, event or passage"""
    label: str
    """at most 160 characters"""
    generation: int
    degree: int
    sources: list[SourceText]
    """the lines it rests on, in their context; of a passage itself"""
    history: list[HistoryEntry]
    """of a state: what was and is true of its subject and attribute, oldest first"""
    uses: list[UseTime]
    """when it was said again, cited or recalled, oldest first; the last 32"""
    neighbours: list[Neighbour]
    """up to 50; GET graph?of= pages them all"""
    entity: EntityDetail | None
    erases: int | None
    """the episode to erase, to be rid of it"""
    event: Event | None
    hub: str | None
    """the entity that it lies around"""
    passage: PassageDetail | None
    state: Fact | None
    """of a state, rule or conditional"""

    def __init__(
        self,
        *,
        id: str,
        kind: str,
        label: str,
        generation: int,
        degree: int,
        sources: list[SourceText],
        history: list[HistoryEntry],
        uses: list[UseTime],
        neighbours: list[Neighbour],
        entity: EntityDetail | None = None,
        erases: int | None = None,
        event: Event | None = None,
        hub: str | None = None,
        passage: PassageDetail | None = None,
        state: Fact | None = None,
    ) -> None:
        self.id = id
        self.kind = kind
        self.label = label
        self.generation = generation
        self.degree = degree
        self.sources = sources
        self.history = history
        self.uses = uses
        self.neighbours = neighbours
        self.entity = entity
        self.erases = erases
        self.event = event
        self.hub = hub
        self.passage = passage
        self.state = state

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> NodeDetail:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            id=d["id"],
            kind=d["kind"],
            label=d["label"],
            generation=d["generation"],
            degree=d["degree"],
            sources=[SourceText.from_json(x) for x in (d["sources"] or [])],
            history=[HistoryEntry.from_json(x) for x in (d["history"] or [])],
            uses=[UseTime.from_json(x) for x in (d["uses"] or [])],
            neighbours=[Neighbour.from_json(x) for x in (d["neighbours"] or [])],
            entity=EntityDetail.from_json(d["entity"]) if d.get("entity") else None,
            erases=d.get("erases"),
            event=Event.from_json(d["event"]) if d.get("event") else None,
            hub=d.get("hub"),
            passage=PassageDetail.from_json(d["passage"]) if d.get("passage") else None,
            state=Fact.from_json(d["state"]) if d.get("state") else None,
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Note(Record):
    """Part of an answer of the server: Note."""

    stage: str
    text: str

    def __init__(
        self,
        *,
        stage: str,
        text: str,
    ) -> None:
        self.stage = stage
        self.text = text

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Note:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            stage=d["stage"],
            text=d["text"],
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Outdated(Record):
    """Part of an answer of the server: Outdated."""

    text: str
    by: int | None
    now: str | None

    def __init__(
        self,
        *,
        text: str,
        by: int | None = None,
        now: str | None = None,
    ) -> None:
        self.text = text
        self.by = by
        self.now = now

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Outdated:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            text=d["text"],
            by=d.get("by"),
            now=d.get("now"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class PassageDetail(Record):
    """Part of an answer of the server: PassageDetail."""

    id: int
    mark: str
    """how answers cite it: s14"""
    episode: int
    text: str
    start: int
    """bytes of the episode's text"""
    end: int

    def __init__(
        self,
        *,
        id: int,
        mark: str,
        episode: int,
        text: str,
        start: int,
        end: int,
    ) -> None:
        self.id = id
        self.mark = mark
        self.episode = episode
        self.text = text
        self.start = start
        self.end = end

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> PassageDetail:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            id=d["id"],
            mark=d["mark"],
            episode=d["episode"],
            text=d["text"],
            start=d["start"],
            end=d["end"],
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Pending(Record):
    """Part of an answer of the server: Pending."""

    total: int
    episodes: list[PendingEpisode]

    def __init__(
        self,
        *,
        total: int,
        episodes: list[PendingEpisode],
    ) -> None:
        self.total = total
        self.episodes = episodes

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Pending:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            total=d["total"],
            episodes=[PendingEpisode.from_json(x) for x in (d["episodes"] or [])],
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class PendingEpisode(Record):
    """Part of an answer of the server: PendingEpisode."""

    id: int
    kind: Kind
    role: Role
    source: str
    trust: str
    at: datetime
    """when it was said"""
    recorded: datetime
    """when it was stored"""
    text: str
    attempts: int | None
    """how often it was read in vain"""
    expires: datetime | None
    key: str | None
    """the caller's own id"""
    last_error: str | None
    quarantined: bool
    repeat_of: int | None
    session: str | None
    speaker: str | None
    tz: str | None

    def __init__(
        self,
        *,
        id: int,
        kind: Kind,
        role: Role,
        source: str,
        trust: str,
        at: datetime,
        recorded: datetime,
        text: str,
        attempts: int | None = None,
        expires: datetime | None = None,
        key: str | None = None,
        last_error: str | None = None,
        quarantined: bool = False,
        repeat_of: int | None = None,
        session: str | None = None,
        speaker: str | None = None,
        tz: str | None = None,
    ) -> None:
        self.id = id
        self.kind = kind
        self.role = role
        self.source = source
        self.trust = trust
        self.at = at
        self.recorded = recorded
        self.text = text
        self.attempts = attempts
        self.expires = expires
        self.key = key
        self.last_error = last_error
        self.quarantined = quarantined
        self.repeat_of = repeat_of
        self.session = session
        self.speaker = speaker
        self.tz = tz

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> PendingEpisode:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            id=d["id"],
            kind=d["kind"],
            role=d["role"],
            source=d["source"],
            trust=d["trust"],
            at=parse_time(d["at"]),
            recorded=parse_time(d["recorded"]),
            text=d["text"],
            attempts=d.get("attempts"),
            expires=parse_time(d["expires"]) if d.get("expires") else None,
            key=d.get("key"),
            last_error=d.get("last_error"),
            quarantined=d.get("quarantined", False),
            repeat_of=d.get("repeat_of"),
            session=d.get("session"),
            speaker=d.get("speaker"),
            tz=d.get("tz"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Quarantined(Record):
    """Part of an answer of the server: Quarantined."""

    space: str
    at: datetime
    episodes: list[int]
    passages: int
    states: int
    events: int
    vectors: int
    uses: int
    clean: bool
    gone: list[Fact]
    back: list[Fact]
    backups: list[str]

    def __init__(
        self,
        *,
        space: str,
        at: datetime,
        episodes: list[int],
        passages: int,
        states: int,
        events: int,
        vectors: int,
        uses: int,
        clean: bool,
        gone: list[Fact],
        back: list[Fact],
        backups: list[str] | None = None,
    ) -> None:
        self.space = space
        self.at = at
        self.episodes = episodes
        self.passages = passages
        self.states = states
        self.events = events
        self.vectors = vectors
        self.uses = uses
        self.clean = clean
        self.gone = gone
        self.back = back
        self.backups = backups or []

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Quarantined:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            space=d["space"],
            at=parse_time(d["at"]),
            episodes=list(d["episodes"] or []),
            passages=d["passages"],
            states=d["states"],
            events=d["events"],
            vectors=d["vectors"],
            uses=d["uses"],
            clean=d["clean"],
            gone=[Fact.from_json(x) for x in (d["gone"] or [])],
            back=[Fact.from_json(x) for x in (d["back"] or [])],
            backups=list(d["backups"]) if d.get("backups") else None,
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Recalled(Record):
    """Part of an answer of the server: Recalled."""

    block: str
    rules: str
    stable: str
    turn: str
    tokens: int
    over_budget: bool
    left_out: int
    items: list[Item]
    notes: list[Note]
    trace: Trace | None

    def __init__(
        self,
        *,
        block: str,
        rules: str,
        stable: str,
        turn: str,
        tokens: int,
        over_budget: bool,
        left_out: int,
        items: list[Item],
        notes: list[Note] | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.block = block
        self.rules = rules
        self.stable = stable
        self.turn = turn
        self.tokens = tokens
        self.over_budget = over_budget
        self.left_out = left_out
        self.items = items
        self.notes = notes or []
        self.trace = trace

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Recalled:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            block=d["block"],
            rules=d["rules"],
            stable=d["stable"],
            turn=d["turn"],
            tokens=d["tokens"],
            over_budget=d["over_budget"],
            left_out=d["left_out"],
            items=[Item.from_json(x) for x in (d["items"] or [])],
            notes=[Note.from_json(x) for x in d["notes"]] if d.get("notes") else None,
            trace=Trace.from_json(d["trace"]) if d.get("trace") else None,
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Receipt(Record):
    """Part of an answer of the server: Receipt."""

    space: str
    at: datetime
    episodes: list[int]
    passages: int
    states: int
    events: int
    vectors: int
    uses: int
    clean: bool
    backups: list[str]

    def __init__(
        self,
        *,
        space: str,
        at: datetime,
        episodes: list[int],
        passages: int,
        states: int,
        events: int,
        vectors: int,
        uses: int,
        clean: bool,
        backups: list[str] | None = None,
    ) -> None:
        self.space = space
        self.at = at
        self.episodes = episodes
        self.passages = passages
        self.states = states
        self.events = events
        self.vectors = vectors
        self.uses = uses
        self.clean = clean
        self.backups = backups or []

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Receipt:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            space=d["space"],
            at=parse_time(d["at"]),
            episodes=list(d["episodes"] or []),
            passages=d["passages"],
            states=d["states"],
            events=d["events"],
            vectors=d["vectors"],
            uses=d["uses"],
            clean=d["clean"],
            backups=list(d["backups"]) if d.get("backups") else None,
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Reports(Record):
    """Part of an answer of the server: Reports."""

    reports: list[Any]

    def __init__(
        self,
        *,
        reports: list[Any],
    ) -> None:
        self.reports = reports

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Reports:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            reports=list(d["reports"] or []),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Server(Record):
    """Part of an answer of the server: Server."""

    name: str
    """orma"""
    version: str
    api: str
    """version of the API: v1"""
    right: str | None
    """what the caller may do: read, write or admin"""

    def __init__(
        self,
        *,
        name: str,
        version: str,
        api: str,
        right: str | None = None,
    ) -> None:
        self.name = name
        self.version = version
        self.api = api
        self.right = right

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Server:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            name=d["name"],
            version=d["version"],
            api=d["api"],
            right=d.get("right"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class SleepReport(Record):
    """Part of an answer of the server: SleepReport."""

    space: str
    at: datetime
    batches: int
    episodes: int
    lines: int
    outcomes: dict[str, int]
    reasons: dict[str, int]
    accepted: list[SleepReportItem]
    rejected: list[SleepReportItem]
    failed: list[SleepReportFail]
    backend: str | None
    dry_run: bool
    more: bool
    rebuild: bool

    def __init__(
        self,
        *,
        space: str,
        at: datetime,
        batches: int,
        episodes: int,
        lines: int,
        outcomes: dict[str, int],
        reasons: dict[str, int],
        accepted: list[SleepReportItem],
        rejected: list[SleepReportItem],
        failed: list[SleepReportFail],
        backend: str | None = None,
        dry_run: bool = False,
        more: bool = False,
        rebuild: bool = False,
    ) -> None:
        self.space = space
        self.at = at
        self.batches = batches
        self.episodes = episodes
        self.lines = lines
        self.outcomes = outcomes
        self.reasons = reasons
        self.accepted = accepted
        self.rejected = rejected
        self.failed = failed
        self.backend = backend
        self.dry_run = dry_run
        self.more = more
        self.rebuild = rebuild

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> SleepReport:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            space=d["space"],
            at=parse_time(d["at"]),
            batches=d["batches"],
            episodes=d["episodes"],
            lines=d["lines"],
            outcomes=dict(d["outcomes"]),
            reasons=dict(d["reasons"]),
            accepted=[SleepReportItem.from_json(x) for x in (d["accepted"] or [])],
            rejected=[SleepReportItem.from_json(x) for x in (d["rejected"] or [])],
            failed=[SleepReportFail.from_json(x) for x in (d["failed"] or [])],
            backend=d.get("backend"),
            dry_run=d.get("dry_run", False),
            more=d.get("more", False),
            rebuild=d.get("rebuild", False),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class SleepReportFail(Record):
    """Part of an answer of the server: SleepReportFail."""

    episodes: list[int]
    error: str
    attempt: bool
    retired: bool

    def __init__(
        self,
        *,
        episodes: list[int],
        error: str,
        attempt: bool,
        retired: bool = False,
    ) -> None:
        self.episodes = episodes
        self.error = error
        self.attempt = attempt
        self.retired = retired

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> SleepReportFail:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            episodes=list(d["episodes"] or []),
            error=d["error"],
            attempt=d["attempt"],
            retired=d.get("retired", False),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class SleepReportItem(Record):
    """Part of an answer of the server: SleepReportItem."""

    kind: str
    subject: str
    value: str
    sources: list[SleepReportLine]
    attribute: str | None
    condition: str | None
    detail: str | None
    forbidden: bool
    outcome: str | None
    reason: str | None
    valid_from: str | None

    def __init__(
        self,
        *,
        kind: str,
        subject: str,
        value: str,
        sources: list[SleepReportLine],
        attribute: str | None = None,
        condition: str | None = None,
        detail: str | None = None,
        forbidden: bool = False,
        outcome: str | None = None,
        reason: str | None = None,
        valid_from: str | None = None,
    ) -> None:
        self.kind = kind
        self.subject = subject
        self.value = value
        self.sources = sources
        self.attribute = attribute
        self.condition = condition
        self.detail = detail
        self.forbidden = forbidden
        self.outcome = outcome
        self.reason = reason
        self.valid_from = valid_from

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> SleepReportItem:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            kind=d["kind"],
            subject=d["subject"],
            value=d["value"],
            sources=[SleepReportLine.from_json(x) for x in (d["sources"] or [])],
            attribute=d.get("attribute"),
            condition=d.get("condition"),
            detail=d.get("detail"),
            forbidden=d.get("forbidden", False),
            outcome=d.get("outcome"),
            reason=d.get("reason"),
            valid_from=d.get("valid_from"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class SleepReportLine(Record):
    """Part of an answer of the server: SleepReportLine."""

    episode: int
    start: int
    end: int
    text: str | None

    def __init__(
        self,
        *,
        episode: int,
        start: int,
        end: int,
        text: str | None = None,
    ) -> None:
        self.episode = episode
        self.start = start
        self.end = end
        self.text = text

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> SleepReportLine:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            episode=d["episode"],
            start=d["start"],
            end=d["end"],
            text=d.get("text"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class SourceText(Record):
    """Part of an answer of the server: SourceText."""

    node: str
    """the passage"""
    mark: str
    """how answers cite it: s14"""
    episode: int
    passage: int
    before: str
    text: str
    after: str
    kind: Kind
    role: Role
    source: str
    trust: str
    at: datetime
    """when it was said"""
    recorded: datetime
    key: str | None
    """the caller's own id"""
    quoted: bool
    """it reads like an order to a model"""
    session: str | None
    speaker: str | None

    def __init__(
        self,
        *,
        node: str,
        mark: str,
        episode: int,
        passage: int,
        before: str,
        text: str,
        after: str,
        kind: Kind,
        role: Role,
        source: str,
        trust: str,
        at: datetime,
        recorded: datetime,
        key: str | None = None,
        quoted: bool = False,
        session: str | None = None,
        speaker: str | None = None,
    ) -> None:
        self.node = node
        self.mark = mark
        self.episode = episode
        self.passage = passage
        self.before = before
        self.text = text
        self.after = after
        self.kind = kind
        self.role = role
        self.source = source
        self.trust = trust
        self.at = at
        self.recorded = recorded
        self.key = key
        self.quoted = quoted
        self.session = session
        self.speaker = speaker

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> SourceText:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            node=d["node"],
            mark=d["mark"],
            episode=d["episode"],
            passage=d["passage"],
            before=d["before"],
            text=d["text"],
            after=d["after"],
            kind=d["kind"],
            role=d["role"],
            source=d["source"],
            trust=d["trust"],
            at=parse_time(d["at"]),
            recorded=parse_time(d["recorded"]),
            key=d.get("key"),
            quoted=d.get("quoted", False),
            session=d.get("session"),
            speaker=d.get("speaker"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class SpaceStats(Record):
    """Part of an answer of the server: SpaceStats."""

    space: str
    episodes: int
    repeats: int
    passages: int
    states: int
    closed_states: int
    rules: int
    events: int
    entities: int
    links: int
    pending: int
    retired: int
    uses: int
    first: datetime
    last: datetime

    def __init__(
        self,
        *,
        space: str,
        episodes: int,
        repeats: int,
        passages: int,
        states: int,
        closed_states: int,
        rules: int,
        events: int,
        entities: int,
        links: int,
        pending: int,
        retired: int,
        uses: int,
        first: datetime,
        last: datetime,
    ) -> None:
        self.space = space
        self.episodes = episodes
        self.repeats = repeats
        self.passages = passages
        self.states = states
        self.closed_states = closed_states
        self.rules = rules
        self.events = events
        self.entities = entities
        self.links = links
        self.pending = pending
        self.retired = retired
        self.uses = uses
        self.first = first
        self.last = last

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> SpaceStats:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            space=d["space"],
            episodes=d["episodes"],
            repeats=d["repeats"],
            passages=d["passages"],
            states=d["states"],
            closed_states=d["closed_states"],
            rules=d["rules"],
            events=d["events"],
            entities=d["entities"],
            links=d["links"],
            pending=d["pending"],
            retired=d["retired"],
            uses=d["uses"],
            first=parse_time(d["first"]),
            last=parse_time(d["last"]),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class SpreadHop(Record):
    """Part of an answer of the server: SpreadHop."""

    hop: int
    to: str
    value: float
    from_: str | None

    def __init__(
        self,
        *,
        hop: int,
        to: str,
        value: float,
        from_: str | None = None,
    ) -> None:
        self.hop = hop
        self.to = to
        self.value = value
        self.from_ = from_

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> SpreadHop:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            hop=d["hop"],
            to=d["to"],
            value=d["value"],
            from_=d.get("from"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Spreading(Record):
    """Part of an answer of the server: Spreading."""

    stage: str
    hops: list[SpreadHop]

    def __init__(
        self,
        *,
        stage: str,
        hops: list[SpreadHop],
    ) -> None:
        self.stage = stage
        self.hops = hops

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Spreading:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            stage=d["stage"],
            hops=[SpreadHop.from_json(x) for x in (d["hops"] or [])],
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class StageInfo(Record):
    """Part of an answer of the server: StageInfo."""

    name: str
    folder: str
    summary: str
    on: bool
    removable: bool

    def __init__(
        self,
        *,
        name: str,
        folder: str,
        summary: str,
        on: bool,
        removable: bool,
    ) -> None:
        self.name = name
        self.folder = folder
        self.summary = summary
        self.on = on
        self.removable = removable

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> StageInfo:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            name=d["name"],
            folder=d["folder"],
            summary=d["summary"],
            on=d["on"],
            removable=d["removable"],
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Stages(Record):
    """Part of an answer of the server: Stages."""

    stages: list[StageInfo]

    def __init__(
        self,
        *,
        stages: list[StageInfo],
    ) -> None:
        self.stages = stages

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Stages:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            stages=[StageInfo.from_json(x) for x in (d["stages"] or [])],
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Stats(Record):
    """Part of an answer of the server: Stats."""

    store: StoreInfo
    spaces: list[SpaceStats]
    vectors: dict[str, int]
    index_spaces: int
    index_bytes: int
    embedder: str | None
    embedder_error: str | None

    def __init__(
        self,
        *,
        store: StoreInfo,
        spaces: list[SpaceStats],
        vectors: dict[str, int],
        index_spaces: int,
        index_bytes: int,
        embedder: str | None = None,
        embedder_error: str | None = None,
    ) -> None:
        self.store = store
        self.spaces = spaces
        self.vectors = vectors
        self.index_spaces = index_spaces
        self.index_bytes = index_bytes
        self.embedder = embedder
        self.embedder_error = embedder_error

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Stats:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            store=StoreInfo.from_json(d["store"]),
            spaces=[SpaceStats.from_json(x) for x in (d["spaces"] or [])],
            vectors=dict(d["vectors"]),
            index_spaces=d["index_spaces"],
            index_bytes=d["index_bytes"],
            embedder=d.get("embedder"),
            embedder_error=d.get("embedder_error"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class StoreInfo(Record):
    """Part of an answer of the server: StoreInfo."""

    path: str
    bytes: int
    wal_bytes: int
    schema: int
    read_only: bool

    def __init__(
        self,
        *,
        path: str,
        bytes: int,
        wal_bytes: int,
        schema: int,
        read_only: bool,
    ) -> None:
        self.path = path
        self.bytes = bytes
        self.wal_bytes = wal_bytes
        self.schema = schema
        self.read_only = read_only

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> StoreInfo:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            path=d["path"],
            bytes=d["bytes"],
            wal_bytes=d["wal_bytes"],
            schema=d["schema"],
            read_only=d["read_only"],
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Trace(Record):
    """Part of an answer of the server: Trace."""

    steps: list[TraceStep]
    candidates: list[Candidate]
    spread: list[Spreading]

    def __init__(
        self,
        *,
        steps: list[TraceStep],
        candidates: list[Candidate],
        spread: list[Spreading],
    ) -> None:
        self.steps = steps
        self.candidates = candidates
        self.spread = spread

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> Trace:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            steps=[TraceStep.from_json(x) for x in (d["steps"] or [])],
            candidates=[Candidate.from_json(x) for x in (d["candidates"] or [])],
            spread=[Spreading.from_json(x) for x in (d["spread"] or [])],
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class TraceStep(Record):
    """Part of an answer of the server: TraceStep."""

    stage: str
    us: float
    in_: int
    out: int
    error: str | None

    def __init__(
        self,
        *,
        stage: str,
        us: float,
        in_: int,
        out: int,
        error: str | None = None,
    ) -> None:
        self.stage = stage
        self.us = us
        self.in_ = in_
        self.out = out
        self.error = error

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> TraceStep:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            stage=d["stage"],
            us=d["us"],
            in_=d["in"],
            out=d["out"],
            error=d.get("error"),
        )


@dataclass(init=False, repr=False, eq=False, match_args=False)
class UseTime(Record):
    """Part of an answer of the server: UseTime."""

    at: datetime

    def __init__(
        self,
        *,
        at: datetime,
    ) -> None:
        self.at = at

    @classmethod
    def from_json(cls, d: Mapping[str, Any]) -> UseTime:
        """Read the object from decoded JSON. Fields that are not known are left out."""
        return cls(
            at=parse_time(d["at"]),
        )


if TYPE_CHECKING:
    from typing import TypedDict

    class AddBody(TypedDict, total=False):
        """Body of a request: AddBody."""

        at: str
        episodes: list[NewEpisode]
        expires: str
        id: str
        kind: Kind
        role: Role
        session: str
        source: str
        space: str
        speaker: str
        text: str
        trust: str
        ttl: str
        tz: str

    class ContextBody(TypedDict, total=False):
        """Body of a request: ContextBody."""

        messages: Any
        budget: int
        now: str
        preview: bool
        session: str
        space: str

    class CorrectBody(TypedDict, total=False):
        """Body of a request: CorrectBody."""

        text: str
        at: str
        space: str

    class DocumentBody(TypedDict, total=False):
        """Body of a request: DocumentBody."""

        name: str
        text: str
        at: str
        expires: str
        id: str
        kind: Kind
        role: Role
        session: str
        source: str
        space: str
        speaker: str
        trust: str
        ttl: str
        tz: str

    class ForgetBody(TypedDict, total=False):
        """Body of a request: ForgetBody."""

        at: str
        reason: str
        space: str

    class NewEpisode(TypedDict, total=False):
        """Body of a request: NewEpisode."""

        text: str
        at: str
        expires: str
        id: str
        kind: Kind
        role: Role
        session: str
        source: str
        speaker: str
        trust: str
        ttl: str
        tz: str

    class QuarantineBody(TypedDict, total=False):
        """Body of a request: QuarantineBody."""

        source: str
        release: bool
        since: str
        space: str

    class Question(TypedDict, total=False):
        """Body of a request: Question."""

        query: str
        budget: int
        explain: bool
        format: str
        limit: int
        now: str
        off: list[str]
        said: list[str]
        session: str
        set: dict[str, str]
        space: str
        steady: bool

    class RecallBody(TypedDict, total=False):
        """Body of a request: RecallBody."""

        query: str
        budget: int
        deliver: bool
        explain: bool
        format: str
        limit: int
        now: str
        off: list[str]
        said: list[str]
        session: str
        set: dict[str, str]
        space: str
        steady: bool

    class RuleBody(TypedDict, total=False):
        """Body of a request: RuleBody."""

        rule: str
        at: str
        session: str
        source: str
        space: str
        ttl: str

    class SleepBody(TypedDict, total=False):
        """Body of a request: SleepBody."""

        backend: str
        dry_run: bool
        now: str
        rebuild: bool
        space: str

else:
    AddBody = dict
    ContextBody = dict
    CorrectBody = dict
    DocumentBody = dict
    ForgetBody = dict
    NewEpisode = dict
    QuarantineBody = dict
    Question = dict
    RecallBody = dict
    RuleBody = dict
    SleepBody = dict
