"""What an algorithm is: a few plain functions over a run, and a record that declares them.

The functions
-------------
``choose(run, t) -> arm``
    The arm to pull after t observations, or NO_ARM when nothing is left to do. It must not
    change the run: asking twice gives the same answer.
``start(run)``
    Sets up the algorithm's memory (`run.floats`, `run.ints`, zero at first) before the first pull.
``observe(run, t, arm, value)``
    Called after the t-th observation has been recorded, to change the algorithm's memory.
``answer(run, t) -> arm``
    The recommendation after t observations: an arm, NONE or UNDEFINED.
``verdict(run, t, arm) -> arm``
    With a confidence level: CONTINUE, or the final answer.

All are *plain*: loops, ``math``, ints and floats, sequences indexed and never sliced, no
exceptions, no keyword arguments, nothing imported that is not plain itself. A live experiment
calls them as they are; the simulator compiles the very same functions.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import InputError
from goodarm.run import NONE, Run, largest_evidence, leader
from goodarm.stopping.contract import NEVER, Boundary
from goodarm.stopping.verdicts import boundary_verdict

ANYTIME = "anytime"
FIXED_BUDGET = "fixed-budget"
FIXED_CONFIDENCE = "fixed-confidence"
SETTINGS = (ANYTIME, FIXED_BUDGET, FIXED_CONFIDENCE)


def anytime_answer(run: Run, t: int) -> int:
    """∅ when no mean is above the threshold, else argmax W_a (paper, Algorithm 1)."""
    if largest_evidence(run) <= 0.0:
        return NONE
    return leader(run, t)


def _nothing(run: Run) -> None:
    """An algorithm without memory has nothing to set up."""


def _no_observation(run: Run, t: int, arm: int, value: float) -> None:
    """An algorithm without memory has nothing to note."""


@dataclass(frozen=True)
class Setting:
    """What an algorithm may know when its constants are computed, before the first pull."""

    K: int
    threshold: float
    sigmas: NDArray[np.float64]
    gaps: NDArray[np.float64] | None = None  # the truth, above 0 if good: in simulations only
    budget: int | None = None
    delta: float | None = None
    boundary: Boundary = NEVER
    costs: Sequence[float] | None = None  # of a pull of each arm, where they differ


def unequal(costs: Sequence[float] | None) -> Sequence[float] | None:
    """Costs that make a difference: where all are equal, they are as good as none."""
    return None if costs is None or len(set(costs)) < 2 else costs


def _no_constants(setting: Setting, options: Mapping[str, Any]) -> Sequence[float]:
    return ()


def _no_memory(K: int) -> tuple[int, int]:
    return (0, 0)


@dataclass(frozen=True)
class Option:
    """One option of an algorithm, as in ``S-TaS[order=desc]``: how to read it, what it means."""

    default: Any
    parse: Callable[[str], Any]
    help: str
    show: Callable[[Any], str] = str  # the inverse of parse


@dataclass(frozen=True)
class Algorithm:
    """The declaration of one algorithm; see the module's docstring for the functions."""

    name: str
    summary: str  # one sentence: what it does, when to use it
    reference: str
    guarantee: str
    choose: Callable[[Run, int], int]
    start: Callable[[Run], None] = _nothing
    observe: Callable[[Run, int, int, float], None] = _no_observation
    answer: Callable[[Run, int], int] = anytime_answer
    verdict: Callable[[Run, int, int], int] = boundary_verdict
    settings: tuple[str, ...] = SETTINGS
    sweep: bool = True  # begin with one pull of each arm, in index order
    needs: tuple[str, ...] = ()  # among: "budget", "delta", "true means", "two thresholds"
    own_stopping: bool = False  # its verdict ignores the boundary
    boundary: str = "mixture"  # the boundary used where the user names none
    caution: str = ""  # what may become of a study with δ, for whoever is advised to use it
    constants: Callable[[Setting, Mapping[str, Any]], Sequence[float]] = _no_constants
    memory: Callable[[int], tuple[int, int]] = _no_memory  # K -> numbers of floats and ints
    smallest_budget: Callable[[int], int] = lambda K: K
    options: Mapping[str, Option] = field(default_factory=dict)
    chosen: Mapping[str, Any] = field(default_factory=dict)  # the options' values
    source: str = ""  # path:name, if it came from a file

    @property
    def label(self) -> str:
        """The name with the options that differ from their defaults."""
        return self.name + self._chosen_text()

    def _chosen_text(self) -> str:
        pairs = [
            f"{key}={self.options[key].show(value)}"
            for key, value in self.chosen.items()
            if value != self.options[key].default
        ]
        return f"[{','.join(pairs)}]" if pairs else ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travels to other processes by name, which builds it anew there."""
        from goodarm.algorithms.registry import find_algorithm

        return find_algorithm, ((self.source or self.name) + self._chosen_text(),)

    def check_budget(self, budget: int, K: int) -> None:
        """Raise an InputError if the algorithm needs more pulls than this."""
        least = self.smallest_budget(K)
        if budget < least:
            raise InputError(
                f"budget: {budget} is too small for {self.label} on {K} arms; give at least {least}"
            )

    def numbers(self, setting: Setting) -> list[float]:
        """The algorithm's constants for one setting, checked to be finite or infinite, not NaN."""
        values = {key: option.default for key, option in self.options.items()} | dict(self.chosen)
        numbers = [float(c) for c in self.constants(setting, values)]
        if any(math.isnan(c) for c in numbers):
            raise InputError(f"{self.label}: a constant is not a number (NaN); it has {numbers}")
        return numbers
