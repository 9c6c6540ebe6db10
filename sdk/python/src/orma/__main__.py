"""Run the program ``orma`` that this package uses: ``python -m orma search "…"``."""

from __future__ import annotations

import os
import subprocess
import sys

from ._server import find_binary
from .errors import BinaryNotFoundError


def main() -> int:
    """Hand the arguments to the program and return its exit code."""
    try:
        binary = find_binary()
    except BinaryNotFoundError as e:
        print(f"orma: {e}", file=sys.stderr)
        return 1
    if sys.platform == "win32":
        return subprocess.call([binary, *sys.argv[1:]])
    os.execv(binary, [binary, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
