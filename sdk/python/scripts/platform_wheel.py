"""Put a program into a pure wheel, which makes it a wheel for one platform.

    python scripts/platform_wheel.py PURE.whl ORMA TAG OUT

TAG is the platform's name in wheels, such as manylinux2014_x86_64.musllinux_1_1_x86_64.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

EPOCH = (2020, 1, 1, 0, 0, 0)  # the same sources give the same bytes


def platform_wheel(pure: Path, binary: Path, tag: str, out: Path) -> Path:
    """Write the wheel into the folder out, and return its path."""
    wheel = out / pure.name.replace("-any.whl", f"-{tag}.whl")
    name = "orma/_bin/orma.exe" if tag.startswith("win") else "orma/_bin/orma"
    record: list[str] = []
    with zipfile.ZipFile(pure) as old, zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as new:

        def put(path: str, data: bytes, mode: int) -> None:
            info = zipfile.ZipInfo(path, EPOCH)
            info.external_attr = (0o100000 | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")

        listing = ""
        for item in old.namelist():
            data = old.read(item)
            if item.endswith(".dist-info/RECORD"):
                listing = item
                continue
            if item.endswith(".dist-info/WHEEL"):
                data = about(data.decode(), tag).encode()
            put(item, data, 0o644)
        put(name, binary.read_bytes(), 0o755)
        record.append(f"{listing},,")
        info = zipfile.ZipInfo(listing, EPOCH)
        info.external_attr = 0o100644 << 16
        new.writestr(info, "\n".join(record) + "\n")
    return wheel


def about(text: str, tag: str) -> str:
    """Change the tags of a WHEEL file."""
    kept = [line for line in text.splitlines() if line and not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    return "\n".join([*kept, "Root-Is-Purelib: false", *(f"Tag: py3-none-{t}" for t in tag.split("."))]) + "\n"


if __name__ == "__main__":
    print(platform_wheel(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])))
