"""The two files beside the code: what the paper publishes, and what its items cost to reproduce."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def published() -> dict[str, Any]:
    """Every number of the paper's experimental tables, by table; see published.json."""
    return _read("published.json")


@cache
def costs() -> dict[str, dict[str, int]]:
    """Simulated pulls by label, for the quick and the full reproduction.

    As measured; bench/paper_full.py measures them anew.
    """
    return _read("costs.json")


def _read(name: str) -> dict[str, Any]:
    text = files("goodarm.paper").joinpath(name).read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
