"""The official OpenAI client, chat completions."""

import json

from openai import OpenAI
from session import BASE, FACT, QUESTION, REPLY, SCHEMA, SESSION, SPACE, STREAM, TOOL_QUESTION, TOOL_RESULT, expect

client = OpenAI(base_url=BASE + "/v1", api_key="none", default_headers=SPACE)
TOOLS = [{"type": "function", "function": {"name": "look", "description": "look somewhere", "parameters": SCHEMA}}]


def ask(messages, **more):
    if not STREAM:
        return client.chat.completions.create(model="m", messages=messages, **more).choices[0].message.to_dict()
    text, calls, usage = "", {}, None
    for chunk in client.chat.completions.create(model="m", messages=messages, stream=True, stream_options={"include_usage": True}, **more):
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
            for c in choice.delta.tool_calls or []:
                call = calls.setdefault(c.index, {"id": c.id, "type": "function", "function": {"name": c.function.name, "arguments": ""}})
                call["function"]["arguments"] += c.function.arguments or ""
    expect(usage.total_tokens, 8)
    return {"role": "assistant", "content": text or None, **({"tool_calls": list(calls.values())} if calls else {})}


if SESSION == 1:
    first = ask([{"role": "user", "content": FACT}])
    expect(first["content"], REPLY)
    second = ask([{"role": "user", "content": FACT}, first, {"role": "user", "content": "Thank you."}])
    expect(second["content"], REPLY)
elif SESSION == 2:
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": TOOL_QUESTION}]
    answer = ask(messages, tools=TOOLS)
    call = answer["tool_calls"][0]
    expect(json.loads(call["function"]["arguments"]), {"where": "shed"})
    messages += [answer, {"role": "tool", "tool_call_id": call["id"], "content": TOOL_RESULT}]
    expect(ask(messages, tools=TOOLS)["content"], REPLY)
else:
    expect(ask([{"role": "user", "content": QUESTION}])["content"], REPLY)
