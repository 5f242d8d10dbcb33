"""What the algorithms' trials are compared on, in groups, and after how many pulls one gives up.

Of a random family, instances that would take a good algorithm too long are passed over: those of
its first numbers are taken whose rough price is below AFFORDABLE.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import unknown_name
from goodarm.instance import Instance, instances
from goodarm.league.families import RANDOM_FAMILIES, SIZED, Family
from goodarm.league.trials.families import (
    BAR_FAMILIES,
    EARLIER_JUDGES,
    FIXED_RATES,
    PUBLISHED_FAMILIES,
    RATE_FAMILIES,
    RateFamily,
    published_instance,
)
from goodarm.league.trials.later import LATER_FAMILIES
from goodarm.outcomes.bernoulli import root_of_kl

PAPER, SIZES, PUBLISHED, RATES = "paper", "sizes", "published", "rates"
JUDGING, TRAINING, LATER = "judging", "training", "later"
PUBLISHED_SIZES = (10, 50, 100, 200)
DELTAS, QUICK_DELTAS = (0.1, 0.05, 0.001), (0.05,)
INSTANCES_OF_EACH = 6
AFFORDABLE = 40_000  # pulls, at AFFORDABLE_AT
AFFORDABLE_AT = 0.05
BEYOND_THE_LOGARITHM = 2.5  # what a mixture's certificate costs more, about
PRICES_TO_THE_CAP = 50


@dataclass(frozen=True)
class TrialsEntry:
    """An instance, its family (its name, unless it is one of many), and the group of that."""

    group: str
    family: str
    instance: Instance


def rough_price(instance: Instance, delta: float) -> float:
    """About how many pulls a good algorithm needs: an order of magnitude, for caps.

    Some arm is good: to certify the best, 2 ln(K/δ)/d², and to look for it, 2(K/g)/d², g being the
    number of arms at least half as good. None is: to rule each out, Σ 2 ln(1/δ)/d². The gaps d are
    those of the arms' own outcome model, as in √(2 kl).
    """
    gaps = _model_gaps(instance)
    best = float(gaps.max())
    if best < 0.0:
        evidence = math.log(1.0 / delta) + BEYOND_THE_LOGARITHM
        return float((2.0 * evidence / gaps**2).sum())
    if best == 0.0:
        return math.inf
    evidence = math.log(instance.K / delta) + BEYOND_THE_LOGARITHM
    rivals = int((gaps >= 0.5 * best).sum())
    return 2.0 * (evidence + instance.K / rivals) / best**2 + instance.K


def _model_gaps(instance: Instance) -> NDArray[np.float64]:
    if instance.families != ("bernoulli",):
        return instance.gaps
    q = instance.threshold
    return np.array([root_of_kl(p - q, q, 1.0 / q, 1.0 / (1.0 - q)) for p in instance.means])


def cap_of(instance: Instance, delta: float) -> int:
    """When a run is given up: after 50 rough prices, to two digits."""
    cap = PRICES_TO_THE_CAP * rough_price(instance, delta)
    unit = 10.0 ** (int(math.log10(cap)) - 1)
    return max(round(math.ceil(cap / unit) * unit), instance.K)


def paper_entries(quick: bool = False) -> list[TrialsEntry]:
    """The paper's own instances."""
    return [TrialsEntry(PAPER, name, instances[name]) for name in instances]


def sized_entries(quick: bool = False) -> list[TrialsEntry]:
    """The paper's families of any size."""
    chosen = SIZED[:3] if quick else SIZED
    return [TrialsEntry(SIZES, name.partition("(")[0], instances[name]) for name in chosen]


def published_entries(quick: bool = False) -> list[TrialsEntry]:
    """The families of Li and Cheung (2025)."""
    sizes = PUBLISHED_SIZES[:1] if quick else PUBLISHED_SIZES
    return [
        TrialsEntry(PUBLISHED, family, published_instance(family, K))
        for family in PUBLISHED_FAMILIES
        for K in sizes
    ]


def rate_entries(quick: bool = False) -> list[TrialsEntry]:
    """Conversion rates and pass rates."""
    fixed = [TrialsEntry(RATES, instance.name, instance) for instance in FIXED_RATES]
    return fixed + _drawn(RATES, RATE_FAMILIES, quick)


def judging_entries(quick: bool = False) -> list[TrialsEntry]:
    """The families that no algorithm was tuned on."""
    families = [family for family in (*RANDOM_FAMILIES, *BAR_FAMILIES) if not family.training]
    return _drawn(JUDGING, [*families, *EARLIER_JUDGES], quick)


def training_entries(quick: bool = False) -> list[TrialsEntry]:
    """The families for tuning."""
    families = [family for family in (*RANDOM_FAMILIES, *BAR_FAMILIES) if family.training]
    return _drawn(TRAINING, families, quick)


def later_entries(quick: bool = False) -> list[TrialsEntry]:
    """The families that were played once, after the algorithms were fixed; see `later.py`."""
    return _drawn(LATER, LATER_FAMILIES, quick)


GROUPS: dict[str, Callable[[bool], list[TrialsEntry]]] = {
    PAPER: paper_entries,
    SIZES: sized_entries,
    PUBLISHED: published_entries,
    RATES: rate_entries,
    JUDGING: judging_entries,
    TRAINING: training_entries,
    LATER: later_entries,
}
USUAL_GROUPS = (PAPER, SIZES, PUBLISHED, RATES, JUDGING)


def trials_suite(groups: Sequence[str] = USUAL_GROUPS, quick: bool = False) -> list[TrialsEntry]:
    """The instances of these groups."""
    for group in groups:
        if group not in GROUPS:
            raise unknown_name("group", group, tuple(GROUPS))
    return [entry for group in dict.fromkeys(groups) for entry in GROUPS[group](quick)]


def _drawn(group: str, families: Sequence[Family | RateFamily], quick: bool) -> list[TrialsEntry]:
    of_each = 1 if quick else INSTANCES_OF_EACH
    return [
        TrialsEntry(group, family.name, instance)
        for family in families
        for instance in islice(filter(_is_affordable, map(family.instance, count())), of_each)
    ]


def _is_affordable(instance: Instance) -> bool:
    return rough_price(instance, AFFORDABLE_AT) <= AFFORDABLE
