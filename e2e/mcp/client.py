"""Lists and calls everything with the official Python SDK, version 1 or 2.

usage: client.py URL | client.py COMMAND ARG...
"""

import asyncio
import contextlib
import json
import os
import sys

import mcp

TOOLS = [
    "orma_correct", "orma_facts", "orma_forbid", "orma_forget", "orma_recall",
    "orma_remember", "orma_search", "orma_sleep", "orma_stats",
]
SPACE = f"python-{os.getpid()}"


@contextlib.asynccontextmanager
async def connect(target):
    server = mcp.StdioServerParameters(command=target[0], args=target[1:], env=dict(os.environ))
    http = target[0].startswith("http")
    if hasattr(mcp, "Client"):
        async with mcp.Client(target[0] if http else server) as client:
            yield client, client.instructions, client.protocol_version
        return
    if http:
        from mcp.client.streamable_http import streamablehttp_client
        transport = streamablehttp_client(target[0])
    else:
        transport = mcp.stdio_client(server)
    async with transport as streams, mcp.ClientSession(streams[0], streams[1]) as session:
        hello = await session.initialize()
        yield session, hello.instructions, hello.protocolVersion


def field(thing, snake):
    """A field under the name it has in either version."""
    head, *rest = snake.split("_")
    camel = head + "".join(word.capitalize() for word in rest)
    return getattr(thing, snake) if hasattr(thing, snake) else getattr(thing, camel)


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, {"space": SPACE, **arguments})
    text = "".join(part.text for part in result.content)
    assert not field(result, "is_error"), (tool, text)
    structured = field(result, "structured_content")
    assert isinstance(structured, dict), (tool, structured)
    return structured, text


async def main(target):
    async with connect(target) as (client, instructions, version):
        assert (version >= "2026-07-28") == hasattr(mcp, "Client"), version
        assert "orma_recall" in instructions, instructions
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS, tools
        for tool in tools:
            assert field(tool, "input_schema")["type"] == "object" and field(tool, "output_schema"), tool

        kept, _ = await call(client, "orma_remember", text="Salma works at the observatory in Bergen.")
        assert kept["id"], kept
        rule, _ = await call(client, "orma_forbid", rule="Never point the telescope at the sun")
        block, text = await call(client, "orma_recall", query="Where does Salma work?")
        assert "[FORBIDDEN: Never point" in text and "observatory" in block["block"], text
        found, _ = await call(client, "orma_search", query="observatory")
        assert found["items"], found
        slept, _ = await call(client, "orma_sleep")
        assert slept["records"] >= 1, slept
        facts, _ = await call(client, "orma_facts", include_history=True)
        assert (await call(client, "orma_facts", as_of="1999-12-31"))[0]["facts"] == []
        state = next(fact for fact in facts["facts"] if not fact.get("rule"))
        fixed, _ = await call(client, "orma_correct", state_id=state["id"], text="the museum in Oslo")
        await call(client, "orma_forget", state_id=fixed["id"])
        await call(client, "orma_forget", state_id=rule["rule_id"])
        _, text = await call(client, "orma_recall", query="telescope")
        assert "FORBIDDEN" not in text, text
        stats, _ = await call(client, "orma_stats")
        assert stats["spaces"][0]["space"] == SPACE, stats
        whole, _ = await call(client, "orma_recall", handle=kept["handle"])
        assert whole["block"].startswith("Salma works"), whole
        wrong = await client.call_tool("orma_forget", {"state_id": 10**9, "space": SPACE})
        assert field(wrong, "is_error") and "not_found" in wrong.content[0].text, wrong

        resources = (await client.list_resources()).resources
        assert any(str(r.uri).endswith(f"{SPACE}/rules") for r in resources), resources
        for resource in resources:
            contents = (await client.read_resource(resource.uri)).contents
            json.loads(contents[0].text)
        templates = field(await client.list_resource_templates(), "resource_templates")
        assert any("episodes/{id}" in field(t, "uri_template") for t in templates), templates
        one = await client.read_resource(type(resources[0].uri)(kept["handle"]))
        assert one.contents[0].text == "Salma works at the observatory in Bergen."

        for prompt in (await client.list_prompts()).prompts:
            got = await client.get_prompt(prompt.name, {"space": SPACE})
            assert got.messages[0].content.text, got
        reference = mcp.types.PromptReference(type="ref/prompt", name="briefing")
        done = await client.complete(reference, {"name": "space", "value": SPACE[:8]})
        assert SPACE in done.completion.values, done


asyncio.run(main(sys.argv[1:]))
