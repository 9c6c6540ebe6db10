"""LangChain's ChatOpenAI."""

from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from session import BASE, FACT, QUESTION, REPLY, SESSION, SPACE, STREAM, TOOL_QUESTION, TOOL_RESULT, expect

model = ChatOpenAI(base_url=BASE + "/v1", api_key="none", model="m", default_headers=SPACE)


@tool
def look(where: str) -> str:
    """Look somewhere."""
    return TOOL_RESULT if where == "shed" else "nothing"


def ask(messages, m=model):
    if not STREAM:
        return m.invoke(messages)
    whole = None
    for chunk in m.stream(messages):
        whole = chunk if whole is None else whole + chunk
    return whole


if SESSION == 1:
    expect(ask([HumanMessage(FACT)]).content, REPLY)
elif SESSION == 2:
    bound = model.bind_tools([look])
    messages = [SystemMessage("Be brief."), HumanMessage(TOOL_QUESTION)]
    answer = ask(messages, bound)
    call = answer.tool_calls[0]
    messages += [answer, ToolMessage(look.invoke(call["args"]), tool_call_id=call["id"])]
    expect(ask(messages, bound).content, REPLY)
else:
    expect(ask([HumanMessage(QUESTION)]).content, REPLY)
