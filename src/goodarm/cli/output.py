"""Where results go: JSON on standard output, pictures and folders on disk."""

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goodarm.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def print_json(data: Any) -> None:
    """Data on standard output; what JSON has no number for (nan, infinity) is null.

    Characters that standard output cannot hold are escaped.
    """
    finite = _finite(data)
    text = json.dumps(finite, indent=2, ensure_ascii=False, allow_nan=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(finite, indent=2, allow_nan=False)
    print(text)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def save_figure(figure: "Figure", path: Path, dpi: int) -> None:
    """Write a picture, whole or not at all; its ending says which kind."""
    from io import BytesIO

    from goodarm.files import write

    content = BytesIO()
    figure.savefig(content, dpi=dpi, format=path.suffix.removeprefix(".") or None)
    write(path, content.getvalue())


def check_folder(what: str, path: Path) -> None:
    """Complain about a folder that cannot be written to, before hours of work and not after."""
    import os

    if path.exists() and not path.is_dir():
        raise InputError(f"{what}: {str(path)!r} is a file; name a folder")
    nearest = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise InputError(
            f"{what}: nothing can be written to {str(nearest)!r}; choose another folder"
        )
