"""Write docs/sdk/python-api.md from the docstrings of the package.

Run it in sdk/python: python scripts/api_page.py
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from orma import Memory, OrmaError, errors

PAGE = Path(__file__).parents[3] / "docs" / "sdk" / "python-api.md"


def page() -> str:
    """Return the page."""
    out = ["# Orma for Python: the names", "", "Written from the docstrings by `sdk/python/scripts/api_page.py`.", "", "## Memory", ""]
    out += [_doc(Memory), "", "    " + _signature("Memory", Memory.__init__), ""]
    for name in [n for n in Memory.__dict__ if not n.startswith("_")] + ["close"]:
        verb = inspect.getattr_static(Memory, name)
        out += [f"### {name}", "", "    " + _signature(name, verb), "", _doc(verb), ""]
    out += ["## Exceptions", "", "| exception | code | when |", "|---|---|---|"]
    for kind in vars(errors).values():
        if inspect.isclass(kind) and issubclass(kind, OrmaError):
            out.append(f"| `{kind.__name__}` | `{kind.code}` | {_doc(kind).splitlines()[0]} |")
    return "\n".join(out) + "\n"


def _doc(thing: object) -> str:
    """Show the sections of a docstring as lists."""
    lines = []
    section = False
    for line in (inspect.getdoc(thing) or "").splitlines():
        if line in ("Args:", "Returns:", "Raises:"):
            lines += [f"**{line[:-1]}**", ""]
            section = True
        elif section and line.startswith("    ") and not line.startswith("     "):
            lines.append("- " + line.strip())
        else:
            lines.append("  " + line.strip() if section and line else line)
    return "\n".join(lines).strip()


def _signature(name: str, function: object) -> str:
    s = inspect.signature(function)  # type: ignore[arg-type]
    shown = [p for n, p in s.parameters.items() if n != "self"]
    text = f"{name}{s.replace(parameters=shown)}".removesuffix(" -> 'None'")
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)  # annotations are kept as text


if __name__ == "__main__":
    PAGE.write_text(page())
