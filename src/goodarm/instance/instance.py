"""An instance of the good-arm problem (paper, Section 2)."""

import math
from collections.abc import Iterable, Mapping, Sequence, Sized
from copy import copy
from numbers import Real
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import InputError, unknown_name
from goodarm.inputs import number
from goodarm.outcomes import Gaussian, Outcome, outcomes

EMPIRICAL = "empirical"  # the kind of an arm that draws from recorded outcomes
ABOVE, BELOW = "above", "below"


class Arm(NamedTuple):
    """One arm: a name, its mean, its sub-Gaussian scale and its kind of outcome."""

    name: str
    mean: float
    sigma: float
    kind: str


class Instance:
    """K arms and a threshold θ; arm a is good when its mean is at least θ.

    With `goal="below"` it is good when its mean is at most θ. `kind` is the name of an outcome
    model that can be drawn from, "gaussian" or "bernoulli", `sigma` the sub-Gaussian scale: the
    standard deviation of a Gaussian arm (default 1), 1/2 for a Bernoulli arm. Both may be one for
    all arms, or one each.
    `means`, `sigmas`, `kinds` and `names` have one entry per arm and cannot be changed.

    >>> Instance(threshold=0.5, means=[0.35, 0.65]).good_arms
    (1,)
    """

    name: str
    threshold: float
    means: NDArray[np.float64]
    sigmas: NDArray[np.float64]
    kinds: tuple[str, ...]
    names: tuple[str, ...]
    outcomes: tuple[NDArray[np.float64], ...]  # what each empirical arm draws from
    goal: str

    def __init__(
        self,
        threshold: float,
        means: Sequence[float],
        kind: str | Sequence[str] = "gaussian",
        sigma: float | Sequence[float | None] | None = None,
        names: Sequence[str] | None = None,
        name: str = "custom",
        goal: str = ABOVE,
    ) -> None:
        if goal not in (ABOVE, BELOW):
            raise unknown_name("goal", str(goal), (ABOVE, BELOW))
        theta = _finite("threshold", threshold)
        count = _count(means)
        arm_kinds = [kind] * count if isinstance(kind, str) else list(kind)
        if sigma is None or isinstance(sigma, int | float | Real):
            scales = [sigma] * count
        else:
            scales = list(sigma)
        labels = [f"arm {a + 1}" for a in range(count)] if names is None else list(names)
        for what, values in (("kind", arm_kinds), ("sigma", scales), ("names", labels)):
            if len(values) != count:
                raise InputError(f"{what}: {len(values)} values for {count} means; give one each")
        _check_names(labels)
        arms = _check_arms(zip(labels, means, scales, arm_kinds, strict=True))
        self._set(
            name=name,
            threshold=theta,
            means=_frozen([arm.mean for arm in arms]),
            sigmas=_frozen([arm.sigma for arm in arms]),
            kinds=tuple(arm.kind for arm in arms),
            names=tuple(labels),
            outcomes=(),
            goal=goal,
        )

    def _set(self, **fields: Any) -> None:
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    def __setattr__(self, field: str, value: object) -> None:
        raise AttributeError(f"an instance cannot be changed; make a new one with another {field}")

    def altered(self, **fields: Any) -> "Instance":
        """A copy with other values of some fields, such as ``threshold`` or ``sigmas``."""
        other = copy(self)
        other._set(**fields)
        return other

    @classmethod
    def from_data(
        cls,
        source: str | Path | Mapping[str, Sequence[float]],
        threshold: float,
        bounds: tuple[float, float] | None = None,
        name: str | None = None,
    ) -> "Instance":
        """An instance whose arms draw, with equal chances, from recorded outcomes.

        `source` is a CSV file with the columns arm and value, or a mapping from arm to values.
        `bounds` are the least and the greatest possible outcome, which give the scale (hi − lo)/2;
        without them, those seen over all arms.

        >>> Instance.from_data({"a": [0, 1, 1], "b": [0, 0, 1]}, threshold=0.5).good_arms
        (0,)
        """
        from goodarm.instance.data import read_outcomes

        recorded = read_outcomes(source)
        values = [_frozen(v) for v in recorded.values()]
        least, most = float(min(v.min() for v in values)), float(max(v.max() for v in values))
        low, high = (least, most) if bounds is None else bounds
        if not (number("bounds", low) <= least and most <= number("bounds", high)):
            raise InputError(f"bounds: outcomes from {least} to {most} are not inside {bounds}")
        if low == high:
            raise InputError("bounds: all outcomes are equal; give the range that is possible")
        label = name or (Path(source).stem if isinstance(source, str | Path) else "recorded data")
        plain = cls(
            threshold,
            [float(v.mean()) for v in values],
            sigma=0.5 * (high - low),
            names=list(recorded),
            name=label,
        )
        return plain.altered(kinds=(EMPIRICAL,) * plain.K, outcomes=tuple(values))

    @classmethod
    def from_arms(cls, threshold: float, arms: Sequence[Arm], name: str = "custom") -> "Instance":
        """Build an instance from arms that differ in kind or scale."""
        return cls(
            threshold,
            means=[arm.mean for arm in arms],
            kind=[arm.kind for arm in arms],
            sigma=[arm.sigma for arm in arms],
            names=[arm.name for arm in arms],
            name=name,
        )

    @property
    def K(self) -> int:
        """The number of arms."""
        return len(self.means)

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms one by one."""
        return tuple(
            Arm(n, float(m), float(s), k)
            for n, m, s, k in zip(self.names, self.means, self.sigmas, self.kinds, strict=True)
        )

    @property
    def good(self) -> NDArray[np.bool_]:
        """Which arms are good, one flag per arm."""
        return self.gaps >= 0.0

    @property
    def side(self) -> float:
        """1 if more is good, −1 if less is."""
        return 1.0 if self.goal == ABOVE else -1.0

    @property
    def families(self) -> tuple[str, ...]:
        """The kinds of arm that there are."""
        return tuple(sorted(set(self.kinds)))

    @property
    def own_outcome(self) -> Outcome:
        """The outcome model of the arms; where they differ, Gaussian with their scales."""
        if len(self.families) == 1 and self.families[0] != EMPIRICAL:
            return outcomes[self.families[0]].of_arms(self.sigmas.tolist())
        return self.sub_gaussian

    @property
    def sub_gaussian(self) -> Outcome:
        """The outcomes as the paper sees them: sub-Gaussian with the arms' scales."""
        for family in self.families:
            if family != EMPIRICAL:
                outcomes[family].of_arms(self.sigmas.tolist()).sub_gaussian(self.K)  # may refuse
        return Gaussian.of_arms(self.sigmas.tolist())

    @property
    def good_arms(self) -> tuple[int, ...]:
        """The indices of the good arms."""
        return tuple(int(a) for a in np.flatnonzero(self.good))

    @property
    def gaps(self) -> NDArray[np.float64]:
        """The signed standardised gaps (μ_a − θ)/σ_a; the paper's Δ_a is their absolute value.

        Positive for good arms, also where less is good.
        """
        return self.side * (self.means - self.threshold) / self.sigmas

    def to_dict(self) -> dict[str, Any]:
        """The instance as plain data, in the form that `load_instance` reads."""
        return {
            "name": self.name,
            "threshold": self.threshold,
            **({"goal": self.goal} if self.goal != ABOVE else {}),
            "arms": [arm._asdict() for arm in self.arms],
            **({"outcomes": [v.tolist() for v in self.outcomes]} if self.outcomes else {}),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Instance):
            return NotImplemented
        return (
            self.threshold == other.threshold
            and self.goal == other.goal
            and self.arms == other.arms
            and len(self.outcomes) == len(other.outcomes)
            and all(map(np.array_equal, self.outcomes, other.outcomes))
        )

    def __repr__(self) -> str:
        means = ", ".join(f"{m:g}" for m in self.means[:6]) + (", …" if self.K > 6 else "")
        return (
            f"<Instance {self.name!r}: {self.K} arms, means {means}, threshold {self.threshold:g}>"
        )

    def __hash__(self) -> int:
        return hash((self.threshold, self.means.tobytes(), self.sigmas.tobytes()))


def _frozen(values: Sequence[float], kind: type = np.float64) -> NDArray[Any]:
    array: NDArray[Any] = np.array(values, dtype=kind)
    array.setflags(write=False)
    return array


def _count(means: object) -> int:
    if isinstance(means, str) or not isinstance(means, Sized):
        raise InputError(f"means: {means!r} is not a list of numbers; give one for each arm")
    if len(means) == 0:
        raise InputError("means: the list is empty; an instance needs at least one arm")
    return len(means)


def _check_names(names: Sequence[object]) -> None:
    others: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"names: {name!r} is not a usable arm name; give a non-empty text")
        if name in others:
            raise InputError(f"names: {name!r} stands for two arms; give every arm its own name")
        others.add(name)


def _check_arms(arms: Iterable[tuple[str, object, object, object]]) -> list[Arm]:
    """Every arm checked; those that are alike but for their names are one."""
    checked: list[Arm] = []
    alike: dict[tuple[float, object, str], Arm] = {}
    for name, mean, sigma, kind in arms:
        plain = type(mean) is float and type(sigma) in (float, NoneType) and type(kind) is str
        if not plain:
            checked.append(_check_arm(name, mean, sigma, kind))
            continue
        key = cast(tuple[float, object, str], (mean, sigma, kind))
        like = alike.get(key)
        if like is None:
            like = alike[key] = _check_arm(name, *key)
        checked.append(like)
    return checked


def _check_arm(name: str, mean: object, sigma: object, kind: object) -> Arm:
    drawable = [model for model in outcomes.values() if model.functions.draw is not None]
    model = next((m for m in drawable if m.name == kind), None)
    if model is None:
        raise unknown_name(f"kind of {name!r},", str(kind), [m.name for m in drawable])
    value = _finite(f"mean of {name!r}", mean)
    scale = model.default_sigma if sigma is None else _finite(f"sigma of {name!r}", sigma)
    if scale <= 0.0:
        raise InputError(f"sigma of {name!r}: {scale!r} is not positive; give a scale above 0")
    model.of_arms([scale]).check_mean(f"mean of {name!r}", value)
    return Arm(name, value, scale, model.name)


def _finite(what: str, value: object) -> float:
    """The theory has an answer, or a reason for none, for every number that a double can hold."""
    return number(what, value, largest=math.inf)
