"""Who may play, and who is compared with, in either league."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithms import Algorithm, find_algorithm
from goodarm.errors import InputError

ORDERED = ("S-TaS",)  # algorithms that depend on the order of the arms


def find_players(names: Sequence[str], setting: str, complaint: str) -> list[Algorithm]:
    """The algorithms by name: several, and all of this setting; else `complaint` says why not."""
    players = [find_algorithm(name) for name in names]
    labels = [algorithm.label for algorithm in players]
    for algorithm in players:
        if setting not in algorithm.settings:
            raise InputError(f"algorithms: {algorithm.label} {complaint}")
    if all(algorithm.name in ORDERED for algorithm in players):
        raise InputError(
            f"algorithms: {', '.join(labels)} depend on the order of the arms; add one to compare "
            "with"
        )
    if len(labels) < 2 or len(set(labels)) < len(labels):
        raise InputError(f"algorithms: give at least two different ones, not {', '.join(labels)}")
    return players


def are_yardsticks(algorithms: Sequence[str]) -> NDArray[np.bool_]:
    """[algorithm]: whether others are compared with it."""
    return np.array([algorithm.partition("[")[0] not in ORDERED for algorithm in algorithms])
