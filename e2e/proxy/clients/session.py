"""What every Python client is told, and what it says."""

import os
import sys

BASE = os.environ["E2E_BASE"]
SPACE = {"x-orma-space": os.environ["E2E_SPACE"]}
STREAM = bool(os.environ["E2E_STREAM"])
REPLY = os.environ["E2E_REPLY"]
FACT = os.environ["E2E_FACT"]
SESSION = int(sys.argv[1])

QUESTION = "Which number is my locker?"
TOOL_QUESTION = "Please look into the shed."
TOOL_RESULT = "There is a ladder in the shed."
SCHEMA = {"type": "object", "properties": {"where": {"type": "string"}}, "required": ["where"]}


def expect(got, want):
    if got != want:
        sys.exit(f"got {got!r}, want {want!r}")
