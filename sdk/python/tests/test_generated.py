"""What is written from other files is current, and every route has its verb."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path
from types import ModuleType

from conftest import ROOT

from orma import AsyncMemory, Memory
from orma._schema import ROUTES

# Routes that are reached another way: recall does what recall_block does, and
# build_context inserts here, by the same rule, so that messages stay the objects they are.
# The graph, its nodes, what waits for sleep and the list of stages are what the view
# draws; programs have facts, stats and explain.
ELSEWHERE = {"recall_block", "context", "openapi", "stream", "graph", "node", "pending", "stages"}
NAMED = {"add_document": "add_file"}


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / "scripts" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_async_twin_is_current() -> None:
    twin = script("async_twin")
    assert (twin.SOURCE / "_async.py").read_text() == twin.twin(), "run: python scripts/async_twin.py"


def test_api_page_is_current() -> None:
    page = (ROOT / "docs" / "sdk" / "python-api.md").read_text()
    assert page == script("api_page").page(), "run: python scripts/api_page.py"


def test_every_route_has_a_verb() -> None:
    for route in set(ROUTES) - ELSEWHERE:
        assert hasattr(Memory, NAMED.get(route, route)), f"no verb for the route {route}"


def test_the_twin_has_the_same_arguments() -> None:
    for name, verb in inspect.getmembers(Memory, inspect.isfunction):
        if not name.startswith("_"):
            assert list(inspect.signature(verb).parameters) == list(inspect.signature(getattr(AsyncMemory, name)).parameters), name
