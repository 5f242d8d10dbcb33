"""Find an option that clears the bar, or learn that none does, with few noisy trials.

Public names are listed in ``__init__.pyi`` and loaded on first use, so ``import goodarm`` is
instant.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

__version__ = "0.1.0"


@cache
def _public() -> dict[str, str]:
    """The public names, and the module of each: what the stub's lines, all alike, say."""
    lines = Path(__file__).with_suffix(".pyi").read_text("utf-8").splitlines()
    entries = [line.split() for line in lines if line.startswith("from .")]
    return {name: module for _, module, _, name, _, _ in entries}


def __getattr__(name: str) -> object:
    if name == "__all__":
        return sorted(_public())
    if name.startswith("__") or name not in _public():
        raise AttributeError(f"module 'goodarm' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_public()[name], __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_public()})
