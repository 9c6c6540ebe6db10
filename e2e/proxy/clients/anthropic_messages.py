"""Anthropic's official client."""

from anthropic import Anthropic
from session import BASE, FACT, QUESTION, REPLY, SCHEMA, SESSION, SPACE, STREAM, TOOL_QUESTION, TOOL_RESULT, expect

client = Anthropic(base_url=BASE, api_key="none", default_headers=SPACE)
TOOLS = [{"name": "look", "description": "look somewhere", "input_schema": SCHEMA}]


def ask(messages, **more):
    if not STREAM:
        return client.messages.create(model="m", max_tokens=100, messages=messages, **more)
    with client.messages.stream(model="m", max_tokens=100, messages=messages, **more) as s:
        for _ in s:
            pass
        return s.get_final_message()


if SESSION == 1:
    expect(ask([{"role": "user", "content": FACT}]).content[0].text, REPLY)
elif SESSION == 2:
    messages = [{"role": "user", "content": TOOL_QUESTION}]
    answer = ask(messages, tools=TOOLS, system="Be brief.")
    use = answer.content[0]
    expect((use.name, use.input), ("look", {"where": "shed"}))
    messages += [{"role": "assistant", "content": [b.to_dict() for b in answer.content]},
                 {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use.id, "content": TOOL_RESULT}]}]
    expect(ask(messages, tools=TOOLS, system="Be brief.").content[0].text, REPLY)
else:
    expect(ask([{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]).content[0].text, REPLY)
