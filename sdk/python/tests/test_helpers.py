"""The helpers, with the real packages that they are for; only the model is played."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from orma import AsyncMemory, Memory

HERE = {name: importlib.util.find_spec(name) is not None for name in ("openai", "langchain_core")}


class Model:
    """A server with OpenAI's API that says the same thing always and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[dict[str, Any]]] = []
        self.url = ""


@pytest.fixture
def model() -> Iterator[Model]:
    m = Model()
    reply = {"id": "r", "object": "chat.completion", "created": 1, "model": "m"}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            m.asked.append(body["messages"])
            if body.get("stream"):
                chunks = [{**reply, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": t}}]} for t in ("In ", "Porto.")]
                data = "".join(f"data: {json.dumps(c)}\n\n" for c in chunks) + "data: [DONE]\n\n"
                kind = "text/event-stream"
            else:
                choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "In Porto."}}
                data, kind = json.dumps({**reply, "choices": [choice]}), "application/json"
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as s:
        threading.Thread(target=s.serve_forever, daemon=True).start()
        m.url = f"http://127.0.0.1:{s.server_port}/v1"
        yield m
        s.shutdown()


QUESTION = [{"role": "user", "content": "Where do I live?"}]


def turns(m: Memory) -> list[tuple[str, str]]:
    return [(row["role"], row["text"]) for row in m.export()]


@pytest.mark.skipif(not HERE["openai"], reason="the package openai is not here")
def test_openai(db: str, model: Model) -> None:
    from openai import OpenAI

    from orma.openai import with_memory

    with Memory(path=db) as m:
        m.observe("user", "I live in Porto.")
        client: Any = with_memory(OpenAI(base_url=model.url, api_key="none"), m)
        answer = client.chat.completions.create(model="m", messages=QUESTION)
        assert answer.choices[0].message.content == "In Porto."
        assert "I live in Porto." in model.asked[0][-1]["content"]
        assert turns(m) == [("user", "I live in Porto."), ("user", "Where do I live?"), ("assistant", "In Porto.")]
        stream = client.chat.completions.create(model="m", messages=QUESTION, stream=True)
        assert "".join(c.choices[0].delta.content for c in stream) == "In Porto."
        assert len(turns(m)) == 5
        assert client.base_url.path == "/v1/"  # the rest is the client itself
        m.close()
        assert client.chat.completions.create(model="m", messages=QUESTION).choices
        assert model.asked[-1] == QUESTION


@pytest.mark.skipif(not HERE["openai"], reason="the package openai is not here")
def test_async_openai(db: str, model: Model) -> None:
    from openai import AsyncOpenAI

    from orma.openai import with_memory

    async def run(m: Memory) -> None:
        client: Any = with_memory(AsyncOpenAI(base_url=model.url, api_key="none"), m)
        answer = await client.chat.completions.create(model="m", messages=QUESTION)
        assert answer.choices[0].message.content == "In Porto."
        stream = await client.chat.completions.create(model="m", messages=QUESTION, stream=True)
        assert "".join([c.choices[0].delta.content async for c in stream]) == "In Porto."

    with Memory(path=db) as m:
        asyncio.run(run(m))
        assert [r for r, _ in turns(m)] == ["user", "assistant", "user", "assistant"]


@pytest.mark.skipif(not HERE["langchain_core"], reason="the package langchain-core is not here")
def test_langchain(db: str) -> None:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    from orma.langchain import OrmaChatHistory

    with Memory(path=db) as m:
        history = OrmaChatHistory(m, "one")
        history.add_messages([SystemMessage("Be brief."), HumanMessage("I live in Porto."), AIMessage("Noted.")])
        OrmaChatHistory(m, "two").add_user_message("Another conversation.")
        assert [(x.type, x.content) for x in history.messages] == [("human", "I live in Porto."), ("ai", "Noted.")]
        assert "Porto" in OrmaChatHistory(m, "two").context("Where do I live?")
        history.clear()
        assert history.messages == [] and len(turns(m)) == 1


def test_async_memory(db: str) -> None:
    async def run() -> None:
        async with AsyncMemory(path=db) as m:
            await asyncio.gather(*(m.observe("user", f"turn {i}") for i in range(250)))
            assert (await m.stats()).spaces[0].episodes == 250
            assert len([e async for e in m.export()]) == len([e async for e in m.episodes()]) == 250
            async for _ in m.export():
                break
            assert (await m.search("turn")).passages

    asyncio.run(run())
