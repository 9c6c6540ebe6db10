"""A chat history for LangChain that is kept word for word and can be searched."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from ._memory import Memory
from ._schema import Episode, Role


class OrmaChatHistory(BaseChatMessageHistory):
    """The turns of one session, as ``RunnableWithMessageHistory`` takes them.

    Args:
        memory: Where they are kept.
        session: The name of the conversation.
        space: The space; by default that of the memory.
    """

    def __init__(self, memory: Memory, session: str, *, space: str | None = None) -> None:
        self.memory, self.session, self.space = memory, session, space

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """What was said in this session, oldest first."""
        return [_message(e) for e in self._turns()]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Record messages. System messages say nothing that a user did, and are left out."""
        for m in messages:
            role = _ROLES.get(m.type)
            text = m.text if isinstance(m.text, str) else m.text()
            if role is not None and text.strip():
                self.memory.observe(role, text, session=self.session, space=self.space)

    def context(self, query: str, *, budget: int | None = None) -> str:
        """Return the block of memory for a query, for a system message."""
        return self.memory.recall(query, session=self.session, space=self.space, budget=budget, deliver=True).block

    def clear(self) -> None:
        """Erase the turns of this session. It cannot be undone."""
        for e in self._turns():
            self.memory.erase(e, space=self.space)

    def _turns(self) -> list[Episode]:
        newest_first = self.memory.episodes(space=self.space)
        return [e for e in newest_first if e.session == self.session and e.kind in ("turn", "tool")][::-1]


_ROLES: dict[str, Role] = {"human": "user", "ai": "assistant", "tool": "tool"}


def _message(e: Episode) -> BaseMessage:
    if e.role == "assistant":
        return AIMessage(e.text)
    if e.role == "tool":
        return ToolMessage(e.text, tool_call_id=str(e.id))
    return HumanMessage(e.text)
