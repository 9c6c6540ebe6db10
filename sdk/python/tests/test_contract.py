"""The list of calls and answers that all clients share: sdk/contract/contract.json."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from orma import Memory, OrmaError, _context
from orma._config import Start

CONTRACT = json.loads((ROOT / "sdk" / "contract" / "contract.json").read_text(encoding="utf-8"))
BEGAN = datetime.now(timezone.utc)

# Arguments that are given by their place.
PLACED = {
    "add": ["text"], "observe": ["role", "text"], "add_many": ["items"], "add_file": ["path"], "forbid": ["rule"],
    "forget": ["fact"], "correct": ["fact", "text"], "search": ["query"], "recall": ["query"], "build_context": ["messages"],
    "episode": ["id"], "node": ["id"], "erase": ["episode"], "erase_space": ["name"], "quarantine": ["source"],
}  # fmt: skip


@pytest.mark.parametrize("scenario", CONTRACT["scenarios"], ids=lambda s: str(s["name"]))
def test_contract(scenario: dict[str, Any], db: str, tmp_path: Path) -> None:
    with Memory(path=db, config={"set": {"clock.timezone": "UTC", "sleep.enabled": False}}) as m:
        for n, step in enumerate(scenario["steps"], 1):
            call = prepared(m, step["call"], step["with"], tmp_path)
            where = f"step {n}, {step['call']} {step['with']}"
            if "fails" in step:
                with pytest.raises(OrmaError) as e:
                    call()
                assert e.value.code == step["fails"], where
            else:
                assert canonical(call()) == step["gives"], where


def prepared(m: Memory, name: str, given: dict[str, Any], folder: Path) -> Callable[[], Any]:
    args = dict(given)
    if name == "add_file":
        args["path"] = folder / args.pop("name")
        if "content" in args:
            args["path"].write_text(args.pop("content"), encoding="utf-8", newline="")
    placed = [args.pop(p) for p in PLACED.get(name, [])]
    return lambda: getattr(m, name)(*placed, **args)


def canonical(value: Any) -> Any:
    """What the Go API gives for the same value: without what is empty or volatile."""
    return clean(plain(value))[0]


def plain(value: Any) -> Any:
    if is_dataclass(value):
        return {f.name.rstrip("_"): plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, datetime):
        return re.sub(r"\.?0*\+00:00$", "Z", value.astimezone(timezone.utc).isoformat(timespec="microseconds"))
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    return [plain(v) for v in value]


def clean(value: Any) -> tuple[Any, bool]:
    if isinstance(value, dict):
        kept = {k: clean(v) for k, v in value.items() if k not in CONTRACT["volatile"]}
        out = {k: v for k, (v, says) in kept.items() if says}
        return out, bool(out)
    if isinstance(value, list):
        return [clean(v)[0] for v in value], bool(value)
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", value):
        if datetime.fromisoformat(value[:19] + "+00:00") >= BEGAN.replace(microsecond=0):
            return None, False
    return value, value not in (None, "", 0, False)


@pytest.mark.parametrize("case", CONTRACT["insert"], ids=lambda c: str(c["name"]))
def test_insert(case: dict[str, Any]) -> None:
    before = json.dumps(case["messages"])
    assert _context.insert(case["messages"], case["rules"], case["facts"], case["turn"]) == case["gives"]
    assert json.dumps(case["messages"]) == before, "the given messages were changed"


@pytest.mark.parametrize("case", CONTRACT["shares"])
def test_processes_of_both_languages_share_a_server(case: dict[str, Any]) -> None:
    start: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in case["start"].items()}
    assert Start(**start).key(case["env"]) == case["key"]


def test_insert_leaves_other_messages_the_same_objects() -> None:
    messages = [{"role": "system", "content": "S"}, {"role": "assistant", "content": "A"}, {"role": "user", "content": "Q"}]
    out = _context.insert(messages, "", "", "T")
    assert out[0] is messages[0] and out[1] is messages[1] and out[2] is not messages[2]


def test_a_tool_loop_keeps_its_prompt(db: str) -> None:
    with Memory(path=db) as m:
        m.add("The tide is at six.")
        asked = [{"role": "user", "content": "When is the tide?"}]
        first = m.build_context(asked)
        m.add("The tide is strong today.")
        loop = [*asked, {"role": "assistant", "content": None, "tool_calls": []}, {"role": "tool", "content": "42"}]
        assert m.build_context(loop)[: len(first)] == first
        assert m.build_context(asked) != first  # asked anew, it is recalled anew
