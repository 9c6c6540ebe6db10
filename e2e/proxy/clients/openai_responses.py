"""The official OpenAI client, responses."""

import json

from openai import OpenAI
from session import BASE, FACT, QUESTION, REPLY, SCHEMA, SESSION, SPACE, STREAM, TOOL_QUESTION, TOOL_RESULT, expect

client = OpenAI(base_url=BASE + "/v1", api_key="none", default_headers=SPACE)
TOOLS = [{"type": "function", "name": "look", "description": "look somewhere", "parameters": SCHEMA, "strict": False}]


def ask(given, **more):
    if not STREAM:
        return client.responses.create(model="m", input=given, **more)
    with client.responses.stream(model="m", input=given, **more) as s:
        for _ in s:
            pass
        return s.get_final_response()


if SESSION == 1:
    expect(ask(FACT).output_text, REPLY)
elif SESSION == 2:
    given = [{"role": "user", "content": TOOL_QUESTION}]
    call = ask(given, tools=TOOLS, instructions="Be brief.").output[0]
    expect(json.loads(call.arguments), {"where": "shed"})
    given += [{"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments},
              {"type": "function_call_output", "call_id": call.call_id, "output": TOOL_RESULT}]
    expect(ask(given, tools=TOOLS, instructions="Be brief.").output_text, REPLY)
else:
    expect(ask([{"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}]).output_text, REPLY)
