"""Ollama's official client."""

import ollama
from session import BASE, FACT, QUESTION, REPLY, SCHEMA, SESSION, SPACE, STREAM, TOOL_QUESTION, TOOL_RESULT, expect

client = ollama.Client(host=BASE, headers=SPACE)
TOOLS = [{"type": "function", "function": {"name": "look", "description": "look somewhere", "parameters": SCHEMA}}]


def ask(messages, **more):
    if not STREAM:
        return client.chat(model="m", messages=messages, **more).message
    text, calls = "", []
    for part in client.chat(model="m", messages=messages, stream=True, **more):
        text += part.message.content or ""
        calls += part.message.tool_calls or []
    return ollama.Message(role="assistant", content=text, tool_calls=calls or None)


if SESSION == 1:
    expect(ask([{"role": "user", "content": FACT}]).content, REPLY)
elif SESSION == 2:
    messages = [{"role": "user", "content": TOOL_QUESTION}]
    answer = ask(messages, tools=TOOLS)
    call = answer.tool_calls[0].function
    expect((call.name, dict(call.arguments)), ("look", {"where": "shed"}))
    messages += [answer, {"role": "tool", "tool_name": "look", "content": TOOL_RESULT}]
    expect(ask(messages, tools=TOOLS).content, REPLY)
else:
    expect(ask([{"role": "user", "content": QUESTION}]).content, REPLY)
