"""The verbs, one by one. What they give is held to sdk/contract; this is the rest."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from datetime import date, datetime, timezone
from pathlib import Path

import pytest

import orma
from orma import Memory, errors


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One memory for tests that only need some server."""
    folder = tmp_path_factory.mktemp("shared")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ORMA_HOME", str(folder))
        m = Memory(path=folder / "memory.db")
    with m:
        yield m


def test_a_move_outdates_the_old_city(db: str) -> None:
    with Memory(path=db) as m:
        m.observe("user", "I live in Pune.", at="2026-03-01T09:00:00Z")
        m.observe("user", "I moved to Bangalore.", at="2026-05-01T09:00:00Z")
        assert m.sleep().outcomes["superseded"] == 1
        found = m.search("Where do I live?")
        assert found.states[0].text == "user · home city: Bangalore"
        (old,) = [p for p in found.passages if p.text == "I live in Pune."]
        assert old.outdated[0].now == "Bangalore"
        now, then = m.facts()[0], m.facts(as_of=date(2026, 4, 1))[0]
        assert (now.value, then.value) == ("Bangalore", "Pune")
        assert [f.value for f in m.facts(history=True)] == ["Pune", "Bangalore"]


def test_values_have_types(db: str) -> None:
    with Memory(path=db) as m:
        at = datetime(2026, 4, 1, 8, 0, 0, 250_000, tzinfo=timezone.utc)
        a = m.add("I keep my bicycle in the cellar.", id="k1", session="s", speaker="Ana", at=at, tz="Europe/Lisbon")
        e = m.episode(a.id)
        assert (e.key, e.session, e.speaker, e.tz, e.kind, e.role, e.at) == ("k1", "s", "Ana", "Europe/Lisbon", "note", "user", at)
        assert isinstance(a.passages, list) and a.repeat_of is None and not a.repaired
        again = m.add("I keep my bicycle in the cellar.", speaker="Ana")
        assert again.repeat_of == a.id
        assert m.stats().spaces[0].repeats == 1
        assert a == orma.Added(id=a.id, passages=a.passages, key="k1") and "masked" not in repr(a)


def test_spaces_are_kept_apart(db: str) -> None:
    with Memory(path=db, space="ana") as ana, Memory(path=db) as other:
        ana.add("The key is under the blue stone.")
        assert ana.search("key").passages
        assert not other.search("key").passages
        assert other.search("key", space="ana").passages
        assert [row["text"] for row in other.export(space="ana")] == ["The key is under the blue stone."]
        assert not list(other.export()) and not list(other.episodes())
        assert other.stats(space="ana").spaces[0].episodes == 1
        ana.erase_space("ana", yes=True)
        assert not ana.search("key").passages


@pytest.mark.parametrize("space", ["Zoë’s notes", "工作", "a/b?c&d=e#f%20", "x" * 128, "🚲 bicycles", "new\u00e9", "default"])
def test_space_names_of_any_script(shared: Memory, space: str) -> None:
    shared.add("The boiler is serviced in May.", space=space)
    shared.forbid("never ring before nine", space=space)
    assert shared.search("boiler", space=space).passages
    assert shared.facts(space=space)[0].forbidden
    assert shared.stats(space=space).spaces[0].episodes == 2
    assert shared.erase_space(space, yes=True).episodes


@pytest.mark.parametrize("space", ["x" * 129, "a\nb", "zero\u200bwidth", "nul\0", "half \ud800"])
def test_space_names_that_are_refused(shared: Memory, space: str) -> None:
    m = shared
    for call in (lambda: m.add("words", space=space), lambda: m.search("words", space=space), lambda: m.facts(space=space)):
        with pytest.raises(errors.InvalidError) as e:
            call()
        assert e.value.code == "invalid"


@pytest.mark.parametrize("text", ["日本語のメモ：自転車は地下室。", "मेरी साइकिल", "🏡🚲", "e\u0301 combining", "right\u202eleft", 'quote " \\ \n tab\t'])
def test_text_is_kept_word_for_word(shared: Memory, text: str) -> None:
    assert shared.episode(shared.observe("user", text).id).text == text


@pytest.mark.parametrize(("text", "kept"), [("half \ud800 pair", "half \ufffd pair"), ("low \udc00\udc00", "low \ufffd\ufffd"), ("whole \ud83d\ude80", "whole 🚀")])
def test_halves_of_pairs_are_repaired(shared: Memory, text: str, kept: str) -> None:
    added = shared.add(text)
    assert shared.episode(added.id).text == kept
    assert added.repaired
    assert shared.add_many([text])[0].repaired


def test_huge_texts(db: str) -> None:
    with Memory(path=db) as m:
        near = "word " * 200_000
        assert len(m.episode(m.add(near).id).text) == len(near)
        for huge in ("x" * (1 << 20) + "y", "word " * 4_000_000):
            with pytest.raises(errors.TooLargeError) as e:
                m.add(huge)
            assert "limits." in str(e.value)
        assert m.add("It still answers.").id
        out = m.add_many(["small", "z" * (1 << 21), "small too", "w" * (20 << 20)])
        assert [a.code for a in out] == [None, "too_large", None, "too_large"]
        assert m.search("x" * 3_000_000).trace is None


def test_what_is_not_accepted(db: str, tmp_path: Path) -> None:
    with Memory(path=db) as m:
        for bad in (None, 7, b"bytes", ["list"]):
            with pytest.raises(errors.InvalidError, match="must be text"):
                m.add(bad)  # type: ignore[arg-type]
            with pytest.raises(errors.InvalidError):
                m.search(bad)  # type: ignore[arg-type]
        for call in (
            lambda: m.add("  "),
            lambda: m.add("words", kind="poem"),  # type: ignore[arg-type]
            lambda: m.observe("nobody", "words"),  # type: ignore[arg-type]
            lambda: m.add("words", at="yesterday"),
            lambda: m.add("words", tz="Mars/Olympus"),
            lambda: m.add("words", ttl="a while"),
            lambda: m.search("words", limit=-1),
            lambda: m.search("words", set={"stage.nothing.k": "1"}),
            lambda: m.recall("words", format="poem"),  # type: ignore[arg-type]
            lambda: m.forget(0),
            lambda: m.forget("seven"),  # type: ignore[arg-type]
            lambda: m.erase_space("default", yes=False),
            lambda: m.add_many([{"words": "none"}]),
            lambda: m.add_many([{"text": "a", "colour": "red"}]),
            lambda: m.build_context("words"),
            lambda: m.build_context([{"content": "nobody said it"}]),
            lambda: m.add_file(tmp_path),
        ):
            with pytest.raises(errors.OrmaError) as e:
                call()
            assert e.value.code in ("invalid", "config"), e.value
        with pytest.raises(errors.NotFoundError):
            m.forget(4711)
        with pytest.raises(errors.NotFoundError):
            m.episode(4711)
        with pytest.raises(errors.NotFoundError):
            m.add_file(tmp_path / "none.md")
        assert m.stats().spaces == [] or m.stats().spaces[0].episodes == 0


def test_files(db: str, tmp_path: Path) -> None:
    file = tmp_path / "house rules.md"
    text = "\ufeffThe boiler is serviced in May.\n\n" + "A long paragraph about the garden.\n\n" * 800
    file.write_text(text, encoding="utf-8")
    with Memory(path=db) as m:
        added = m.add_file(file)
        assert len(added) > 1 and [a.key for a in added[:2]] == ["house rules.md#1", "house rules.md#2"]
        first = m.episode(added[0].id)
        assert (first.kind, first.source) == ("document", "file:house rules.md")
        assert abs(first.at.timestamp() - file.stat().st_mtime) < 1
        assert "".join(row["text"] for row in m.export()).strip() == text.lstrip("\ufeff").strip()
        for content in (b"", b"\x89PNG\r\n\x1a\n\0\0", b"a\0b"):
            file.write_bytes(content)
            with pytest.raises(errors.InvalidError):
                m.add_file(str(file))


def test_add_many_keeps_order_and_goes_on_after_a_refusal(db: str) -> None:
    with Memory(path=db) as m:
        out = m.add_many(["one", {"text": "two", "id": "k", "at": "2026-01-01"}, "  ", *(f"line {i}" for i in range(1200))])
        assert len(out) == 1203
        assert out[2].code == "invalid" and out[2].error
        ids = [a.id for a in out if a.id]
        assert ids == sorted(ids) and len(set(ids)) == 1202
        assert m.episode(out[1].id).key == "k"
        assert len(list(m.export())) == len(list(m.episodes())) == 1202
        assert m.add_many([]) == [] and m.add_many([" "])[0].code == "invalid"


def test_the_graph_is_walked_page_by_page(db: str) -> None:
    with Memory(path=db) as m:
        m.add_many([{"text": f"My friend Friend{chr(97 + i)} lives in Bergen.", "kind": "turn", "at": f"2026-01-{i + 1:02}"} for i in range(12)])
        assert m.pending().total == 12 and m.pending(limit=5).episodes[0].attempts is None
        m.sleep(backend="rules")
        assert m.pending().total == 0 and not m.pending().episodes
        whole = m.graph(kinds=["entity", "state"])
        assert whole.next is None and whole.totals.states == 12
        seen: list[str] = []
        page = m.graph(kinds=["entity", "state"], limit=5)
        while True:
            assert len(page.nodes) <= 5
            seen += [n.id for n in page.nodes]
            if page.next is None:
                break
            page = m.graph(kinds=["entity", "state"], limit=5, cursor=page.next)
        assert seen == [n.id for n in whole.nodes]
        assert all(n.kind == "state" for n in m.graph(kinds=["state"], until="2026-01-03").nodes)
        assert len(m.graph(kinds=["state"], since="2026-01-11", until="2026-01-12").nodes) == 2
        assert not m.graph(as_of="1999-12-31").nodes and not m.graph(source="nowhere").nodes and m.graph(trust="tool").nodes == m.graph().nodes
        state = next(n for n in whole.nodes if n.kind == "state")
        detail = m.node(state.id)
        assert detail.state is not None and detail.state.value == "Bergen" and detail.sources[0].text.startswith("My friend")
        assert {n.node for n in detail.neighbours} <= {n.id for n in m.graph(of=state.id).nodes}
        with pytest.raises(errors.NotFoundError):
            m.node("s99999")
        with pytest.raises(errors.InvalidError):
            m.node("../facts")
        lines = m.sleep_reports(text=True)[0].accepted[0].sources
        assert lines[0].text and lines[0].text.startswith("My friend") and not m.sleep_reports()[0].accepted[0].sources[0].text


def test_stages(db: str) -> None:
    with Memory(path=db, space="any", config={"off": ["bm25"]}) as m:
        stages = {s.name: s for s in m.stages()}
        assert not stages["bm25"].on and stages["pack"].on and stages["pack"].folder == "pack" and stages["bm25"].summary


def test_an_export_is_what_the_program_writes(db: str) -> None:
    with Memory(path=db, config={"set": {"sleep.enabled": False}}) as m:
        m.add_many(["one", "two", "two"])
        m.forbid("never ring before nine")
        rows = list(m.export())
    out = subprocess.run([os.environ["ORMA_BIN"], "--db", db, "export"], capture_output=True, check=True, text=True, encoding="utf-8").stdout
    assert rows == [json.loads(line) for line in out.splitlines()] and {r.get("type") for r in rows} >= {None, "state"}


def test_rules_and_corrections(db: str) -> None:
    with Memory(path=db) as m:
        rule = m.forbid("never ring before nine")
        assert rule.rule_id
        assert "never ring before nine" in m.recall("phone").rules
        m.observe("user", "I live in Pune.")
        m.sleep()
        (city,) = m.facts(subject="user", now="2027-01-01")[1:]
        assert m.correct(city, "Porto").value == "Porto"
        found = m.search("home").states[0]
        assert found.text.endswith("Porto")
        m.forget(found, reason="moved")
        with pytest.raises(errors.ConflictError):
            m.forget(found)
        m.forget(rule.rule_id)
        assert m.recall("phone").rules == ""


def test_sleep_and_its_reports(db: str) -> None:
    with Memory(path=db) as m:
        m.observe("user", "I work at Acme.")
        assert m.sleep(dry_run=True).dry_run
        assert not m.facts()
        report = m.sleep(backend="rules")
        assert report.backend == "rules" and report.accepted[0].value == "Acme"
        assert m.sleep_reports()[0].episodes == 1
        m.observe("user", "I live in Porto.")
        with pytest.raises(errors.ConfigError):
            m.sleep(backend="none such")
        assert m.sleep().accepted


def test_quarantine_and_erase(db: str) -> None:
    with Memory(path=db) as m:
        a = m.add("The tide is at six.", source="feed")
        assert m.quarantine("feed").episodes == [a.id]
        assert not m.search("tide").passages
        m.quarantine("feed", release=True)
        assert m.search("tide").passages
        assert m.erase(a).clean
        assert not m.search("tide").passages
        assert {e.verb for e in m.audit().entries} >= {"add", "quarantine", "erase"}


def test_only_context_counts_as_use(db: str) -> None:
    with Memory(path=db) as m:
        m.add("The tide is at six.")
        before = m.stats().spaces[0].uses
        m.search("tide")
        m.recall("tide")
        assert m.stats().spaces[0].uses == before
        m.build_context([{"role": "user", "content": "When is the tide?"}])
        assert m.stats().spaces[0].uses > before


def test_one_object_serves_many_threads(db: str) -> None:
    with Memory(path=db) as m:
        failed: list[BaseException] = []

        def work(n: int) -> None:
            try:
                for i in range(25):
                    m.observe("user", f"thread {n} says {i}")
                    m.search(f"thread {n}")
            except BaseException as e:
                failed.append(e)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert not failed
        assert m.stats().spaces[0].episodes == 200


def test_closed(db: str) -> None:
    m = Memory(path=db)
    m.close()
    m.close()
    with pytest.raises(errors.ClosedError):
        m.search("words")


def test_switches_reach_the_server(db: str, tmp_path: Path) -> None:
    with Memory(path=db, config={"set": {"limits.episode_bytes": 4096}}) as m:
        with pytest.raises(errors.TooLargeError):
            m.add("x" * 5000)
    toml = tmp_path / "c.toml"
    toml.write_text("[limits]\nepisode_bytes = 4096\n")
    with Memory(path=db, config=toml) as m:
        with pytest.raises(errors.TooLargeError):
            m.add("x" * 5000)
    with Memory(path=db, config={"off": ["hawkes"], "file": str(toml)}) as m:
        steps = m.search("words", explain=True).trace
        assert steps and "hawkes" not in {s.stage for s in steps.steps}
    for config in ({"set": {"nothing.k": 1}}, {"off": ["none such"]}, str(tmp_path / "none.toml")):
        with pytest.raises(errors.ConfigError):
            Memory(path=db, config=config)  # type: ignore[arg-type]
    with pytest.raises(errors.InvalidError):
        Memory(path=db, config={"sett": {}})  # type: ignore[arg-type]
