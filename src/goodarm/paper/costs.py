"""What each item costs: simulated pulls, as measured; bench/paper_full.py measures them anew."""

import json
from functools import cache
from importlib.resources import files


@cache
def costs() -> dict[str, dict[str, int]]:
    """Pulls by label, for the quick and the full reproduction."""
    text = files("goodarm.paper").joinpath("costs.json").read_text(encoding="utf-8")
    data: dict[str, dict[str, int]] = json.loads(text)
    return data
