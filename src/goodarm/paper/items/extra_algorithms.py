"""Algorithms that the text speaks of and that nobody would want to use."""

from dataclasses import fields
from typing import Any

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.algorithms.track_and_stop import TAS, most_behind

UNEXPLORING = "TaS without exploration"


class _Variant(Algorithm):
    """Travels to other processes as what it is made by; it is in no registry."""

    def __reduce__(self) -> tuple[Any, ...]:
        return find, (self.name,)


def find(name: str) -> Algorithm:
    """The variant of that name, or the algorithm that the registry has under it."""
    if name != UNEXPLORING:
        return find_algorithm(name)
    changed = {
        "name": UNEXPLORING,
        "summary": "Track-and-Stop without its forced exploration.",
        "guarantee": "none",
        "choose": most_behind,
    }
    return _Variant(**({f.name: getattr(TAS, f.name) for f in fields(TAS)} | changed))
