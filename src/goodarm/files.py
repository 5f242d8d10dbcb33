"""Writing files so that nobody ever sees one by halves."""

import os
from pathlib import Path


def write(path: Path, content: str | bytes) -> None:
    """Write beside the place and move there; what an interrupted run leaves is overwritten."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    os.replace(part, path)
