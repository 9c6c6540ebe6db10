"""A note-taking assistant that needs no model.

    python notes.py notes.db "I live in Pune." "I moved to Bangalore." "Where do I live?"

What is written is kept word for word, rules find facts in it, and a line that ends in a
question mark is answered from both.
"""

from __future__ import annotations

import sys

from orma import Memory, OrmaError


def answer(memory: Memory, question: str) -> list[str]:
    """Return what is known, and what was true before."""
    found = memory.search(question)
    known = [state.text for state in found.states]
    return known + [f"{old.text} [outdated: now {old.now}]" for p in found.passages for old in p.outdated]


def main(database: str, lines: list[str]) -> int:
    """Take notes and answer questions."""
    try:
        with Memory(path=database) as memory:
            for line in lines:
                if line.endswith("?"):
                    print("\n".join(answer(memory, line)))
                else:
                    memory.observe("user", line)
                    memory.sleep()
    except OrmaError as e:
        print(f"notes: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} DATABASE LINE…")
    sys.exit(main(sys.argv[1], sys.argv[2:]))
