"""Every number printed in the paper's experimental tables."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def published() -> dict[str, Any]:
    """The numbers by table; see published.json."""
    text = files("goodarm.paper").joinpath("published.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
