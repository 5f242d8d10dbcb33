"""What an outcome is: the type decides the scale σ on which everything is measured."""

from dataclasses import dataclass
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.study.inputs import number

FARTHEST = 1e12  # in units of σ from the threshold; more is a mistaken unit


@dataclass(frozen=True)
class Bernoulli:
    """Yes or no, told as 1 or 0; σ = 1/2.

    >>> Bernoulli().check(1, threshold=0.5)
    1.0
    """

    kind = "bernoulli"
    low = 0.0
    high = 1.0
    sigma = 0.5

    def check(self, value: object, threshold: float) -> float:
        """The value, if it is 0 or 1."""
        outcome = number("value", value)
        if outcome not in (0.0, 1.0):
            raise InputError(
                f"value: {value!r} is neither 0 nor 1; a study of shares needs Bounded(0, 1)"
            )
        return outcome


@dataclass(frozen=True)
class Bounded:
    """A number between lo and hi, whatever its distribution there; σ = (hi − lo)/2."""

    lo: float
    hi: float

    kind = "bounded"

    def __post_init__(self) -> None:
        lo, hi = number("lo", self.lo), number("hi", self.hi)
        if not lo < hi:
            raise InputError(f"outcome: lo = {lo:g} is not below hi = {hi:g}")
        object.__setattr__(self, "lo", lo)
        object.__setattr__(self, "hi", hi)

    @property
    def low(self) -> float:
        """The smallest value there can be."""
        return self.lo

    @property
    def high(self) -> float:
        """The largest value there can be."""
        return self.hi

    @property
    def sigma(self) -> float:
        """The sub-Gaussian scale of anything in [lo, hi]."""
        return (self.hi - self.lo) / 2.0

    def check(self, value: object, threshold: float) -> float:
        """The value, if it lies in [lo, hi]."""
        outcome = number("value", value)
        if not self.lo <= outcome <= self.hi:
            raise InputError(
                f"value: {value!r} is outside [{self.lo:g}, {self.hi:g}], the range declared when "
                "the study was created; check the entry and its unit"
            )
        return outcome


@dataclass(frozen=True)
class Gaussian:
    """A number that scatters around its arm's mean with a standard deviation of at most sigma."""

    sigma: float

    kind = "gaussian"
    low = None
    high = None

    def __post_init__(self) -> None:
        sigma = number("sigma", self.sigma)
        if not sigma >= 1.0 / 1e100:
            raise InputError(f"sigma: {self.sigma!r} is not positive; give the outcomes' scatter")
        object.__setattr__(self, "sigma", sigma)

    def check(self, value: object, threshold: float) -> float:
        """The value, if it is within reason."""
        outcome = number("value", value)
        if abs(outcome - threshold) > FARTHEST * self.sigma:
            raise InputError(
                f"value: {value!r} is {abs(outcome - threshold) / self.sigma:.0e} standard "
                "deviations from the threshold; check the entry and its unit"
            )
        return outcome


Outcome = Bernoulli | Bounded | Gaussian


def check_threshold(outcome: Outcome, value: object) -> float:
    """The threshold, if outcomes can fall on both sides of it."""
    threshold = number("threshold", value)
    if isinstance(outcome, Gaussian):
        return threshold
    if not outcome.low < threshold < outcome.high:
        raise InputError(
            f"threshold: {threshold:g} is not between {outcome.low:g} and {outcome.high:g}, where "
            f"the means of {outcome.kind} outcomes lie"
        )
    return threshold


def check_outcome(value: object) -> Outcome:
    """The outcome type; a text such as ``bounded:0:100`` names one, too."""
    if isinstance(value, Bernoulli | Bounded | Gaussian):
        return value
    if isinstance(value, str):
        return parse_outcome(value)
    raise InputError(f"outcome: {value!r} is not Bernoulli(), Bounded(lo, hi) or Gaussian(sigma)")


def parse_outcome(text: str) -> Outcome:
    """Read ``bernoulli``, ``bounded:LO:HI`` or ``gaussian:SIGMA``.

    >>> parse_outcome("bounded:0:100").sigma
    50.0
    """
    kind, *parts = text.strip().lower().split(":")
    numbers = []
    for part in parts:
        try:
            numbers.append(float(part))
        except ValueError:
            raise InputError(f"outcome: {part!r} in {text!r} is not a number") from None
    wanted = {"bernoulli": 0, "bounded": 2, "gaussian": 1}
    if kind not in wanted:
        raise unknown_name("outcome", kind, ("bernoulli", "bounded:LO:HI", "gaussian:SIGMA"))
    if len(numbers) != wanted[kind]:
        raise InputError(f"outcome: write bernoulli, bounded:LO:HI or gaussian:SIGMA, not {text!r}")
    if kind == "bernoulli":
        return Bernoulli()
    return Bounded(*numbers) if kind == "bounded" else Gaussian(*numbers)


def outcome_to_data(outcome: Outcome) -> dict[str, Any]:
    """The outcome type as plain data, for the log."""
    if isinstance(outcome, Bounded):
        return {"kind": "bounded", "lo": outcome.lo, "hi": outcome.hi}
    if isinstance(outcome, Gaussian):
        return {"kind": "gaussian", "sigma": outcome.sigma}
    return {"kind": "bernoulli"}


def outcome_from_data(data: dict[str, Any]) -> Outcome:
    """The outcome type that `outcome_to_data` wrote."""
    if data["kind"] == "bounded":
        return Bounded(data["lo"], data["hi"])
    return Gaussian(data["sigma"]) if data["kind"] == "gaussian" else Bernoulli()
