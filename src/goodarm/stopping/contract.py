"""What a boundary is: two numbers that a run carries, and a class that says what they mean.

A family of boundaries is a subclass of `Boundary` in a file of its own (`families/`), listed there
in `BOUNDARY_FAMILIES`. Besides its numbers it declares two plain functions:

``make_verdict(functions) -> verdict``
    Makes the stopping rule for outcomes with these functions: ``verdict(run, t, arm)`` is CONTINUE,
    NONE or the arm to answer, after the t-th observation, which was arm's.
``level(run, t) -> float``
    What an arm's evidence must reach after t observations for the arm to be ruled out; the least of
    it, where that depends on the arm.

Plain means: like the functions of an algorithm (`goodarm.algorithms.contract`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from goodarm.errors import InputError
from goodarm.outcomes.contract import Functions, Levels
from goodarm.run import ACTIVE, CONTINUE, NONE, Run, evidence

Verdict = Callable[[Run, int, int], int]

# What a run knows a family by.
NO_BOUNDARY, GLR_KIND, KANO_KIND, MIXTURE_KIND = range(4)


class StoppingRule(NamedTuple):
    """The plain functions of a family; the module's docstring says what each does."""

    make_verdict: Callable[[Functions], Verdict]
    level: Callable[[Run, int], float]


@dataclass(frozen=True)
class Boundary:
    """A boundary for K arms at confidence 1 − δ, and its family's declaration."""

    name: str
    offset: float = 0.0  # two numbers of its own
    slope: float = 0.0

    kind: ClassVar[int] = NO_BOUNDARY  # another number for each family
    forms: ClassVar[Mapping[str, str]] = {}  # how its boundaries are written, and what each is
    stopping_rule: ClassVar[StoppingRule]
    by_certificates: ClassVar[bool] = False  # else all it knows of the outcomes is their scales

    @classmethod
    def parse(cls, text: str, K: int, log_inverse_delta: float) -> "Boundary | None":
        """The boundary that the text names, in lower case; None if it is none of this family."""
        raise NotImplementedError

    @property
    def numbers(self) -> tuple[float, float, float]:
        """What a run stores of the boundary."""
        return (float(self.kind), self.offset, self.slope)

    @property
    def levels(self) -> Levels:
        """What the outcome model's certificates must reach; never, unless the family says so."""
        return Levels()

    def level(self, t: float) -> float:
        """b(t), the evidence needed to stop after t observations."""
        raise InputError(f"boundary {self.name!r}: the evidence that it needs is not given by t")

    def least_evidence(self, t: float) -> float | None:
        """The least evidence with which a run may stop after t observations; None if unknown."""
        return None


NEVER = Boundary("none")


def answer_or_eliminate(run: Run, arm: int, above: float, below: float) -> int:
    """The arm when W_a ≥ above; out of play for good when W_a < −below, NONE if none is left."""
    if run.active[arm] == 0:
        return CONTINUE  # out of play, even if someone pulls it again
    most = evidence(run, arm)
    if most >= above:
        return arm
    if most < -below:
        run.active[arm] = 0
        run.clock[ACTIVE] -= 1
        if run.clock[ACTIVE] == 0:
            return NONE
    return CONTINUE
