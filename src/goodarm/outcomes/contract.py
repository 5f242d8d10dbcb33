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
``remember(run, arm, value, size)``
    Keeps what the certificates need besides N and Σx (`run.kept`, `memory` numbers per arm); `size`
    is 1 unless the outcome was told with one (`Outcome.check_sized`).

All are plain, like those of an algorithm: a live study calls them as they are, the simulator
compiles the very same functions.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goodarm.errors import InputError
from goodarm.inputs import number, read_number
from goodarm.run import NAME_LEVEL, NONE_LEVEL, FloatSequence, Run

if TYPE_CHECKING:
    from goodarm.outcomes.comparable import Comparable
    from goodarm.outcomes.watches.contract import Watch

Floats = NDArray[np.float64]


def _nothing(run: Run, arm: int, value: float, size: float) -> None:
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
    remember: Callable[[Run, int, float, float], None] = _nothing


class Levels(NamedTuple):
    """What the certificates must reach: to name an arm, and to rule one out (logarithms)."""

    name: float = math.inf
    none: float = math.inf


class Reading(NamedTuple):
    """An outcome as it is told: a value, and a size where the model has one.

    What a size is, the model says: 37 successes of 1,000, 3 events in an exposure of 2.5.
    """

    value: float
    size: float = 1.0

    @property
    def unit(self) -> float:
        """The value per unit of size."""
        return self.value / (self.size or 1.0)


@dataclass(frozen=True, slots=True)
class Past:
    """What an arm has shown before an outcome."""

    arm: int
    count: int
    mean: float  # the threshold where there was no outcome
    scatter: float = math.nan  # the standard deviation around the mean; NaN if it is not known


class Seen(NamedTuple):
    """What was seen of some arms, each with at least one outcome."""

    arms: NDArray[np.int64]  # their numbers
    counts: Floats  # N_a
    sums: Floats  # Σx
    kept: Floats  # what the model remembers, a row for each of these arms

    @classmethod
    def of(cls, counts: ArrayLike, sums: ArrayLike) -> "Seen":
        """These outcomes of arms 0, 1, 2, …, for a model that remembers nothing else."""
        n, total = np.asarray(counts, dtype=np.float64), np.asarray(sums, dtype=np.float64)
        return cls(np.arange(len(n)), n, total, np.zeros((len(n), 0)))


def seen(run: Run, memory: int) -> Seen:
    """What a run has seen of its arms, without those that were never tried."""
    counts = np.array(run.counts, dtype=np.float64)
    arms = np.flatnonzero(counts)
    kept = np.array(run.kept, dtype=np.float64).reshape(len(counts), memory)
    return Seen(arms, counts[arms], np.array(run.sums, dtype=np.float64)[arms], kept[arms])


@dataclass(frozen=True)
class Outcome:
    """Base of all models. A model's parameters are its dataclass fields, each a number.

    A field's metadata has a `help` text, maybe a `hint` for those who fill in a form, and `per_arm`
    if one number for each arm may be given. A field whose default is None may be left out.
    From these fields come the text form ``name:value:value``, the log's form, the command line,
    the API and the form on the page.
    """

    name: ClassVar[str]
    title: ClassVar[str]  # what a person would call such outcomes
    summary: ClassVar[str]  # one sentence: what it is for, what it assumes
    functions: ClassVar[Functions]
    memory: ClassVar[int] = 0  # numbers that an arm keeps besides N and Σx
    default_sigma: ClassVar[float] = 1.0  # of a simulated arm of this kind
    aliases: ClassVar[tuple[str, ...]] = ()  # other names by which it may be called
    columns: ClassVar[tuple[str, str]] = ("value", "size")  # of a table of such outcomes
    size_form: ClassVar[str] = ""  # how a size is typed, if there can be one: "37/1000 for …"
    within_evidence: ClassVar[bool] = True  # ln E ≤ W²/2: without evidence, no need to look
    monotone: ClassVar[bool] = True  # certificates rise and fall with every outcome
    in_order: ClassVar[bool] = False  # what outcomes prove depends on their order

    @property
    def assumes(self) -> str:
        """What must be true of the outcomes for the guarantee to hold: a sentence."""
        return ""

    @property
    def breaks(self) -> str:
        """What makes the stated confidence too high, if anything does: a sentence."""
        return ""

    @property
    def low(self) -> float | None:
        """The smallest value there can be, if there is one."""
        return None

    @property
    def high(self) -> float | None:
        """The largest value there can be, if there is one."""
        return None

    @property
    def yes_or_no(self) -> bool:
        """Whether True and False are outcomes: 1 and 0, the ends of the range."""
        return (self.low, self.high) == (0.0, 1.0)

    def check(self, value: object, threshold: float) -> float:
        """The value of an outcome as a number, if there can be such an outcome."""
        raise NotImplementedError

    def check_sized(self, value: object, size: object, threshold: float) -> Reading:
        """The outcome as it is told; a model whose outcomes have sizes says which there can be."""
        if size is not None and number("size", size) != 1.0:
            raise InputError(
                f"size: {size!r} given, but {self.name} outcomes have none; leave it out"
            )
        return Reading(self.check(value, threshold))

    def read(self, text: str) -> Reading:
        """An outcome as a person types it: a number, or value/size; `check_sized` comes next."""
        value, slash, size = text.partition("/")
        if not slash:
            return Reading(read_number("value", value))
        return Reading(read_number("value", value), read_number("size", size))

    def write(self, reading: Reading) -> str:
        """The outcome as `read` takes it."""
        value = _show(reading.value)
        return value if reading.size == 1.0 else f"{value}/{_show(reading.size)}"

    def units(self, size: float) -> int:
        """How many outcomes an outcome of this size stands for."""
        return 1

    def amount(self, count: int, kept: Sequence[float]) -> float:
        """What an arm's sum is divided by for its mean: N, or the exposure, or the events."""
        return float(count)

    def scales(self, K: int) -> list[float]:
        """A scale for each arm, for algorithms that ask for one: σ where the model has one."""
        raise NotImplementedError

    def spreads(self, threshold: float, K: int) -> list[float]:
        """About how far from the threshold means are that are worth telling from it, by arm."""
        return self.scales(K)

    @property
    def knows_scatter(self) -> bool:
        """Whether the model says how outcomes scatter; if not, a simulation needs a guess."""
        return True

    def typical(self, mean: float, scatter: float, many: int) -> list[float]:
        """Equally likely outcomes of an arm with that mean and standard deviation.

        For models that say neither how outcomes scatter nor how to draw one.
        """
        raise NotImplementedError

    def sub_gaussian(self, K: int) -> "Outcome":
        """The same outcomes as the paper's boundaries see them: of all that is known, their σ.

        A model without a sub-Gaussian scale raises an InputError.
        """
        from goodarm.outcomes.gaussian import Gaussian

        return Gaussian(tuple(self.scales(K)))

    def numbers(self, threshold: float, side: float, levels: Levels) -> Sequence[float]:
        """What a run carries for the model's functions (`run.model`)."""
        raise NotImplementedError

    def limits(
        self, seen: Seen, threshold: float, lower: float, upper: float
    ) -> tuple[Floats, Floats]:
        """Lower and upper limits of the arms' means; infinite where there is none.

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

    def note(self, side: float) -> str | None:
        """What readers must know of what this model can prove, with side 1 if more is good."""
        return None

    def comparable(self, arm: int) -> "Comparable | None":
        """What comparing an arm with a control needs; None where such outcomes cannot be."""
        return None

    def watches(self, threshold: float) -> "tuple[Watch, ...]":
        """What looks out for signs that the outcomes are not what the model says."""
        return ()

    def unlikely(self, told: Reading, past: Past, threshold: float) -> str | None:
        """Why a person should look twice at an outcome before it is taken, if so.

        `past` is what the arm has shown so far.
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

    def means_near(self, arm: int, threshold: float, steps: Floats, scatter: float) -> Floats:
        """Means so far from the threshold, in σ, the root of `scatter`, or where 1 is as much."""
        return threshold + math.sqrt(scatter) * steps

    def log_likelihoods(
        self, arm: int, total: float, count: float, means: Floats, scatter: float
    ) -> Floats:
        """Of an arm's outcomes, for each of these means; `count` is the arm's amount."""
        return -0.5 * count * (total / (count or 1.0) - means) ** 2 / scatter

    def draw_sum(self, arm: int, mean: float, many: int, chance: Random) -> Reading | None:
        """So many outcomes of an arm at once; None if the model must see each of them."""
        return None

    def draw_outcome(self, arm: int, mean: float, scatter: float, chance: Random) -> float:
        """An outcome of an arm with this mean."""
        raise NotImplementedError

    def check_threshold(self, value: object) -> float:
        """The threshold, if outcomes can fall on both sides of it."""
        threshold = number("threshold", value)
        low, high = self.low, self.high
        if (low is not None and threshold <= low) or (high is not None and threshold >= high):
            raise InputError(
                f"threshold: {threshold:g} is not {between(low, high)}, where the means of "
                f"{self.name} outcomes lie"
            )
        return threshold

    def check_mean(self, what: str, value: float) -> float:
        """A mean that arms with such outcomes can have."""
        low, high = self.low, self.high
        if (low is not None and value < low) or (high is not None and value > high):
            raise InputError(
                f"{what}: {value:g} is not {between(low, high)}, where the means of {self.name} "
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
        """The text form with its parameters' names, as ``bounded:LO:HI``; [:X] may be left out."""
        parts = [cls.name]
        for field in fields(cls):
            name = f":{field.name.upper()}"
            parts.append(f"[{name}]" if field.default is None else name)
        return "".join(parts)

    def text(self) -> str:
        """The model as the text that `parse_outcome` reads."""
        values = [getattr(self, field.name) for field in fields(self)]
        parts = [self.name, *("" if value is None else _show(value) for value in values)]
        return ":".join(parts).rstrip(":")

    def to_data(self) -> dict[str, Any]:
        """The model as plain data, for the log."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in values.items()
            if value is not None
        }
        return {"kind": self.name, **plain}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Outcome":
        """The model that `to_data` wrote."""
        names = [field.name for field in fields(cls)]
        missing = [f.name for f in fields(cls) if f.default is MISSING and f.name not in data]
        if missing:
            raise KeyError(missing[0])
        return cls(**{name: data[name] for name in names if name in data})


def _show(value: float | tuple[float, ...]) -> str:
    """The shortest text that reads back as the very same number, or numbers."""
    if isinstance(value, tuple):
        return ",".join(_show(one) for one in value)
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def between(low: float | None, high: float | None) -> str:
    """Where a value is that lies inside bounds of which one may be missing."""
    if low is None:
        return f"below {high:g}"
    return f"above {low:g}" if high is None else f"between {low:g} and {high:g}"
