"""What an outcome model is: a few plain functions over a run, and a class that declares them.

Two ideas, two names. The *evidence* W steers: sampling rules, the recommendation and the max-tree
live on it. The *certificate* decides: stopping, confidence and limits live on it.

The functions
-------------
``gap(run, arm, n, total) -> float``
    The arm's signed gap to the threshold after n outcomes of that sum, the root of twice the
    divergence per outcome: (μ̂ − θ)/σ for Gaussian outcomes, ±√(2 kl(μ̂, θ)) for others. Its sign
    says on which side of θ the mean is, positive if that is the good side. The evidence is
    W = √N · gap.
``for_good(run, arm) -> float``, ``for_bad(run, arm) -> float``
    The certificates: logarithms of two e-processes, against "this arm is not good" and against
    "this arm is good". Whatever the sampling rule does, each ever reaches ln(1/α) with probability
    at most α if what it speaks against is true.
``surely_good(run, arm) -> bool``, ``surely_bad(run, arm) -> bool``
    Whether the certificate has reached its level (`run.levels`), found out cheaply if possible.
``least(run) -> float``
    The least W²/2 with which either can be: below it, an arm need not be looked at. As a mixture
    never exceeds the likelihood ratio at its best alternative, the lower of the levels will do.
``draw(arms, arm, u) -> float``
    The outcome at quantile u of an arm of this kind; None for a model that is no distribution.
``remember(run, arm, value)``
    Keeps what the certificates need besides N and Σx (`run.kept`, `memory` numbers per arm).

All are plain, like those of an algorithm: a live study calls them as they are, the simulator
compiles the very same functions.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from random import Random
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import InputError
from goodarm.inputs import number
from goodarm.run import NAME_LEVEL, NONE_LEVEL, FloatSequence, IntSequence, Run

Floats = NDArray[np.float64]


def _nothing(run: Run, arm: int, value: float) -> None:
    """N and Σx are all that this model needs."""


def _lower_level(run: Run) -> float:
    """ln E ≤ W²/2."""
    return min(run.levels[NAME_LEVEL], run.levels[NONE_LEVEL])


class SimulatedArms(Protocol):
    """What `draw` may know of the arms: their true means and scales."""

    @property
    def means(self) -> FloatSequence:
        """μ_a."""
        ...

    @property
    def sigmas(self) -> FloatSequence:
        """σ_a."""
        ...


class Functions(NamedTuple):
    """The plain functions of a model; the module's docstring says what each does."""

    gap: Callable[[Run, int, int, float], float]
    for_good: Callable[[Run, int], float]
    for_bad: Callable[[Run, int], float]
    surely_good: Callable[[Run, int], bool]
    surely_bad: Callable[[Run, int], bool]
    least: Callable[[Run], float] = _lower_level
    draw: Callable[[SimulatedArms, int, float], float] | None = None
    remember: Callable[[Run, int, float], None] = _nothing


class Levels(NamedTuple):
    """What the certificates must reach: to name an arm, and to rule one out (logarithms)."""

    name: float = math.inf
    none: float = math.inf


@dataclass(frozen=True)
class Outcome:
    """Base of all models. A model's parameters are its dataclass fields, each a number.

    A field's metadata has a `help` text, maybe a `hint` for those who fill in a form, and `per_arm`
    if one number for each arm may be given.
    From these fields come the text form ``name:value:value``, the log's form, the command line,
    the API and the form on the page.
    """

    name: ClassVar[str]
    title: ClassVar[str]  # what a person would call such outcomes
    summary: ClassVar[str]  # one sentence: what it is for, what it assumes
    functions: ClassVar[Functions]
    memory: ClassVar[int] = 0  # numbers that an arm keeps besides N and Σx
    default_sigma: ClassVar[float] = 1.0  # of a simulated arm of this kind

    @property
    def low(self) -> float | None:
        """The smallest value there can be, if there is one."""
        return None

    @property
    def high(self) -> float | None:
        """The largest value there can be, if there is one."""
        return None

    def check(self, value: object, threshold: float) -> float:
        """The value of an outcome as a number, if there can be such an outcome."""
        raise NotImplementedError

    def scales(self, K: int) -> list[float]:
        """A sub-Gaussian scale for each arm: what the paper's boundaries call σ."""
        raise NotImplementedError

    def sub_gaussian(self, K: int) -> "Outcome":
        """The same outcomes as the paper sees them: of all that is known, their scale."""
        from goodarm.outcomes.gaussian import Gaussian

        return Gaussian(tuple(self.scales(K)))

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """What a run carries for the model's functions (`run.model`)."""
        raise NotImplementedError

    def limits(
        self, counts: Floats, sums: Floats, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """Lower and upper limits of the arms' means, for arms with at least one outcome.

        The lower ones are missed with probability at most `lower` each, the upper ones `upper`. The
        certificate in favour of "above θ" has reached ln(1/lower) exactly when the lower limit has
        reached θ; that in favour of "below θ" ln(1/upper) exactly when the upper limit is below θ.
        """
        raise NotImplementedError

    def describe(self) -> str:
        """The outcomes in words that can follow "an outcome is": "0 or 1"."""
        raise NotImplementedError

    def quantile(self, u: float, mean: float) -> float:
        """A possible outcome of an arm with that mean, rising with u in (0, 1)."""
        raise NotImplementedError

    def doubt(self, counts: IntSequence, squares: Sequence[float]) -> str | None:
        """What speaks against the model, if anything does: a sentence for the study's readers.

        `squares` are the sums of squared distances of each arm's outcomes from their mean.
        """
        return None

    def unlikely(
        self, value: float, arm: int, count: int, mean: float, threshold: float
    ) -> str | None:
        """Why a person should look twice at an outcome before it is taken, if so.

        `count` and `mean` are the arm's so far.
        """
        return None

    @classmethod
    def of_arms(cls, sigmas: Sequence[float]) -> "Outcome":
        """The model for simulated arms of this kind with those scales."""
        return cls()

    @classmethod
    def guess(cls, values: Sequence[Sequence[float]]) -> "Outcome":
        """The model with parameters guessed from recorded outcomes, one sequence per arm."""
        raise NotImplementedError

    def draw_mean(
        self, arm: int, total: float, count: int, threshold: float, scatter: float, chance: Random
    ) -> float:
        """A mean that fits what was seen of an arm and one more outcome at the threshold.

        `scatter` is the variance of the study's outcomes around their arms' means, NaN if there
        are too few to tell.
        """
        raise NotImplementedError

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """An outcome of an arm with this mean."""
        raise NotImplementedError

    def check_threshold(self, value: object) -> float:
        """The threshold, if outcomes can fall on both sides of it."""
        threshold = number("threshold", value)
        low, high = self.low, self.high
        if (low is not None and threshold <= low) or (high is not None and threshold >= high):
            raise InputError(
                f"threshold: {threshold:g} is not {_between(low, high)}, where the means of "
                f"{self.name} outcomes lie"
            )
        return threshold

    def check_mean(self, what: str, value: float) -> float:
        """A mean that arms with such outcomes can have."""
        low, high = self.low, self.high
        if (low is not None and value < low) or (high is not None and value > high):
            raise InputError(
                f"{what}: {value:g} is not {_between(low, high)}, where the means of {self.name} "
                "outcomes lie"
            )
        return value

    def check_arms(self, K: int) -> None:
        """Raise an InputError if a parameter has one number for each of another number of arms."""
        for field in fields(self):
            values = getattr(self, field.name)
            if isinstance(values, tuple) and len(values) != K:
                raise InputError(
                    f"{field.name}: {len(values)} values, but the number of arms is {K}; give one "
                    "for each, or one for all"
                )

    @classmethod
    def form(cls) -> str:
        """The text form with its parameters' names, as ``bounded:LO:HI``."""
        return ":".join([cls.name, *(field.name.upper() for field in fields(cls))])

    def text(self) -> str:
        """The model as the text that `parse_outcome` reads."""
        values = (getattr(self, field.name) for field in fields(self))
        return ":".join([self.name, *(_show(value) for value in values)])

    def to_data(self) -> dict[str, Any]:
        """The model as plain data, for the log."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}
        return {"kind": self.name, **plain}


def _show(value: float | tuple[float, ...]) -> str:
    """The shortest text that reads back as the very same number, or numbers."""
    if isinstance(value, tuple):
        return ",".join(_show(one) for one in value)
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _between(low: float | None, high: float | None) -> str:
    if low is None:
        return f"below {high:g}"
    return f"above {low:g}" if high is None else f"between {low:g} and {high:g}"
