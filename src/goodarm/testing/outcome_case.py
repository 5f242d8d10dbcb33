"""What the kit for outcome models looks at: runs of one arm, and outcomes drawn for them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cache, cached_property
from random import Random
from typing import Any, NamedTuple

import numpy as np

from goodarm.instance import Instance
from goodarm.outcomes import Outcome
from goodarm.outcomes.contract import Floats, Functions, Seen
from goodarm.outcomes.record import make_record
from goodarm.run import FIELDS, Run, Sizes, evidence, new_run, reset
from goodarm.simulation.loops.compiler import COMPILE_OPTIONS, register
from goodarm.simulation.loops.rewards import Arms
from goodarm.stopping.families.mixture import MixtureBoundary

KIT_BOUNDARY = MixtureBoundary("of the kit", 3.0, 1.5)  # levels that differ and are soon reached
DISTANCES = (-0.8, -0.3, -0.05, 0.0, 0.05, 0.3, 0.8)  # of means from θ, as shares of the reach
SIDES = (1.0, -1.0)  # more is good, less is good
LENGTH = 80  # outcomes of a history
SMALLEST_QUANTILE = 2.0**-53  # a uniform number is at least this far from 0 and 1


class Look(NamedTuple):
    """What the model's functions say of an arm after some outcomes."""

    n: int
    mean: float
    total: float
    kept: tuple[float, ...]  # what the model remembers
    gap: float
    evidence: float
    good: float
    bad: float
    surely_good: bool
    surely_bad: bool
    least: float


class Case:
    """A model at a threshold, with outcomes that it drew itself; one arm, or one for each σ."""

    def __init__(self, model: Outcome, threshold: float, paths: int, seed: int) -> None:
        self.model, self.threshold, self.paths, self.seed = model, threshold, paths, seed
        values = [getattr(model, field.name) for field in fields(model)]
        self.K = max([len(value) for value in values if isinstance(value, tuple)], default=1)
        self.arm = self.K - 1
        self.scales = model.scales(self.K)
        self.record_one = make_record(model.functions)
        low, high, scale = model.low, model.high, self.scales[self.arm]
        # How far a mean can be from θ, below and above.
        below = scale if low is None else threshold - low
        self.reach = (below, scale if high is None else high - threshold)
        self.width = sum(self.reach)
        chance = Random(seed)
        self.histories = [
            [self._draw(self.mean(share), chance) for _ in range(LENGTH)] for share in DISTANCES
        ]
        self.values = sorted({value for history in self.histories for value in history})

    @cached_property
    def looks(self) -> dict[float, list[Look]]:
        """A look after every outcome of every history, for both goals."""
        return {
            side: [look for history in self.histories for look in self._along(side, history)]
            for side in SIDES
        }

    def __str__(self) -> str:
        return f"{self.model.text()} at {self.threshold:g}"

    def mean(self, share: float) -> float:
        """The mean at that share of the way from θ to the end of the range."""
        return self.threshold + share * self.reach[share > 0.0]

    def new_run(self, side: float, history: Sequence[float] = ()) -> Run:
        """A run of lists with these outcomes of the arm."""
        run = new_run(
            self.threshold,
            self.scales,
            self.seed,
            0,
            KIT_BOUNDARY.numbers,
            sizes=Sizes(self.K, self.model.memory),
            model=self.model.numbers(self.threshold, side, KIT_BOUNDARY.levels),
            side=side,
        )
        for value in history:
            self.record(run, value)
        return run

    def record(self, run: Run, value: float) -> None:
        """Enter one outcome of the arm."""
        self.record_one(run, self.arm, value, 1.0, 1)

    def _along(self, side: float, history: Sequence[float]) -> Iterator[Look]:
        run, arm, functions = self.new_run(side), self.arm, self.model.functions
        memory = self.model.memory
        for value in history:
            self.record(run, value)
            yield Look(
                n=run.counts[arm],
                mean=run.sums[arm] / run.counts[arm],
                total=run.sums[arm],
                kept=tuple(run.kept[i] for i in range(arm * memory, (arm + 1) * memory)),
                gap=run.gaps[arm],
                evidence=evidence(run, arm),
                good=functions.for_good(run, arm),
                bad=functions.for_bad(run, arm),
                surely_good=functions.surely_good(run, arm),
                surely_bad=functions.surely_bad(run, arm),
                least=functions.least(run),
            )

    def gap_at_threshold(self, side: float, count: int) -> float:
        """The gap after `count` outcomes (a power of two, for a mean of exactly θ)."""
        if self.model.memory == 0:
            return self.model.functions.gap(
                self.new_run(side), self.arm, count, count * self.threshold
            )
        step = 0.5 * min(self.reach)
        pairs = [self.threshold - step, self.threshold + step] * count
        return float(self.new_run(side, pairs).gaps[self.arm])

    def limits(self, looks: Sequence[Look], alpha: float) -> list[tuple[float, float]]:
        """Both limits at every look."""
        arms = Seen(
            arms=np.full(len(looks), self.arm),
            counts=np.array([float(look.n) for look in looks]),
            sums=np.array([look.total for look in looks]),
            kept=np.array([look.kept for look in looks]).reshape(len(looks), self.model.memory),
        )
        low, high = self.model.limits(arms, self.threshold, alpha, alpha)
        return list(zip(low.tolist(), high.tolist(), strict=True))

    def nulls(self, length: int) -> dict[str, Floats]:
        """Outcomes whose mean is θ, one path per row."""
        chance = np.random.default_rng(self.seed)
        raw, least = chance.random((self.paths, length)), SMALLEST_QUANTILE
        uniform = np.clip(raw, least, 1.0 - least)
        own = Random(self.seed)
        rows = [[self._draw(self.threshold, own, u) for u in row] for row in uniform.tolist()]
        paths = {"drawn outcomes": np.array(rows)}
        low, high = self.model.low, self.model.high
        if low is not None and high is not None:  # nothing in the range scatters more
            ends = np.where(uniform * (high - low) < self.threshold - low, high, low)
            paths["outcomes at both ends"] = ends
        return paths

    def instances(self) -> Iterator[Instance]:
        """Instances with such outcomes, where more is good and where less is."""
        K = self.K if self.K > 1 else 3
        means = [self.mean((0.5, -0.2, -0.6)[a % 3]) for a in range(K)]
        name = self.model.name
        if self.model.functions.draw is not None:
            scales = self.model.scales(K)
            instance = Instance(self.threshold, means, kind=name, sigma=scales, name=name)
        else:
            chance = Random(self.seed)
            arms = {f"{mean:g}": [self._draw(mean, chance) for _ in range(40)] for mean in means}
            instance = Instance.from_data(arms, self.threshold, name=name)
        yield instance
        yield instance.altered(goal="below", name=f"{name}, less is good")

    def _draw(self, mean: float, chance: Random, u: float | None = None) -> float:
        draw = self.model.functions.draw
        if draw is None:
            return self.model.draw_outcome(self.arm, mean, float("nan"), chance)
        arms = Arms([0] * self.K, [mean] * self.K, self.scales, [0.0], [0] * (self.K + 1), [0.0])
        return draw(arms, self.arm, chance.random() if u is None else u)


def follow(case: Case, values: Floats) -> tuple[Floats, Floats]:
    """ln E⁺ and ln E⁻ along every path, compiled."""
    plain = case.new_run(1.0)
    whole = {field.name for field in FIELDS if field.whole}
    run = Run._make(
        np.array(part, dtype=np.int64 if name in whole else np.float64)
        for name, part in plain._asdict().items()
    )
    above, below = np.empty_like(values), np.empty_like(values)
    _follower(case.model.functions)(run, case.arm, values, above, below)
    return above, below


@cache
def _follower(functions: Functions) -> Callable[..., None]:
    from numba import njit

    record, for_good, for_bad = make_record(functions), functions.for_good, functions.for_bad
    register((record, for_good, for_bad, reset))

    def along(run: Run, arm: int, values: Any, above: Any, below: Any) -> None:
        for i in range(values.shape[0]):
            reset(run)
            for j in range(values.shape[1]):
                record(run, arm, values[i, j], 1.0, 1)
                above[i, j] = for_good(run, arm)
                below[i, j] = for_bad(run, arm)

    compiled: Callable[..., None] = njit(**COMPILE_OPTIONS)(along)
    return compiled
