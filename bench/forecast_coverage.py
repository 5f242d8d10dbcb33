"""How often forecasts hold: studies are played on from where they were forecast.

    python bench/forecast_coverage.py [--instances 6] [--runs 40] [--after 2 5 20] [--quick]

Of every family a few instances are drawn (at numbers from 0 on), each option gets so many outcomes,
the study is forecast by the function that people use, and then it takes place: one outcome after
another, until the answer is there or the forecast is known to have been too low. Printed is how
often the number of trials lay in the interval for 80 of 100 futures, above it, below it, and above
the median. Where an end of an interval is beyond the forecast's horizon ("more than N"), whatever
is beyond the other end lies in it; how often that is so is in the column "open". Studies that are
done after their first outcomes are left out.

The families: those by which the leagues judge, rates, and what the population of forecasts was
fixed on (`--training`). `--models` plays two families with every other kind of outcome.
The first two take some two minutes on one core.
"""

import argparse
import random
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from goodarm.defaults import ALGORITHM
from goodarm.league.families import RANDOM_FAMILIES, Family
from goodarm.league.trials.families import (
    BAR_FAMILIES,
    EARLIER_JUDGES,
    FIXED_RATES,
    RATE_FAMILIES,
    RateFamily,
)
from goodarm.outcomes import Outcome, find_outcome
from goodarm.outcomes.contract import Reading
from goodarm.run import CONTINUE
from goodarm.study.evidence import OneBar
from goodarm.study.log.events import GENESIS, Event
from goodarm.study.log.fold import Fold
from goodarm.study.log.kinds import Created
from goodarm.study.report.forecast import Forecast, forecast
from goodarm.study.settings import Settings

DELTA = 0.05
EXAMPLE = (0.4, 0.45, 0.6)  # rates near a bar of one half
NEAR_A_BAR = RateFamily(
    "2 to 5 %",
    "a bar of 4 %, 2 to 8 rates uniform from 2 to 5 %",
    lambda chance: (0.04, chance.uniform(0.02, 0.05, int(chance.integers(2, 9)))),
)
MODELS = {  # θ and σ
    "gaussian": (0.0, 1.0),
    "symmetric": (0.0, 1.0),
    "bounded:0:1": (0.5, 0.2),
    "bounded:0": (1.0, 0.5),
    "poisson": (3.0, 3.0**0.5),
    "exponential": (1.0, 1.0),
}


@dataclass(frozen=True)
class Truth:
    """What is so, and is not told."""

    group: str
    family: str
    number: int
    kind: Outcome
    threshold: float
    means: Sequence[float]
    scatter: float = 1.0


class Score(NamedTuple):
    """Where the number of trials lay."""

    inside: bool
    above: bool
    below: bool
    above_median: bool
    open: bool


def truths(group: str, families: Sequence[Family | RateFamily], many: int) -> Iterator[Truth]:
    """So many instances of each family."""
    for family in families:
        for number in range(many):
            instance = family.instance(number)
            kind = find_outcome(
                "bernoulli" if instance.families == ("bernoulli",) else "gaussian:1"
            )
            yield Truth(
                group, family.name, number, kind, instance.threshold, instance.means.tolist()
            )


def truths_of_models(many: int) -> Iterator[Truth]:
    """Two families with every other outcome model: gaps in σ at the threshold."""
    chosen = [family for family in RANDOM_FAMILIES if family.name in ("normal", "crowd")]
    for name, (threshold, sigma) in MODELS.items():
        kind = find_outcome(name)
        low = None if kind.low is None else kind.low + 0.05 * sigma
        high = None if kind.high is None else kind.high - 0.05 * sigma
        for family in chosen:
            for number in range(many):
                means = threshold + sigma * np.array(family.instance(number).means)
                means = means if low is None else np.maximum(means, low)
                means = means if high is None else np.minimum(means, high)
                yield Truth(
                    "other outcomes", name, number, kind, threshold, means.tolist(), sigma**2
                )


def begun(truth: Truth, outcomes: int, chance: random.Random) -> Fold:
    """A study of these options with so many outcomes of each."""
    names = tuple(f"option {arm}" for arm in range(len(truth.means)))
    settings = Settings.declare(
        arms=names,
        threshold=truth.threshold,
        outcome=truth.kind,
        delta=DELTA,
        algorithm=ALGORITHM,
        seed=truth.number,
    )
    fold = Fold(Event("s", 1, Created.name, "", None, None, GENESIS, settings.to_data()), GENESIS)
    for turn in range(outcomes):
        for arm, mean in enumerate(truth.means):
            value = truth.kind.draw_outcome(arm, mean, truth.scatter, chance)
            trial = turn * len(names) + arm + 1
            fold.enter(trial, arm, 0, Reading(value), more=True)
    fold.evidence.judge()
    fold.seq += fold.told
    return fold


def trials_left(fold: Fold, truth: Truth, chance: random.Random, most: int) -> int:
    """How many more trials the study takes; `most` + 1 if it takes more than that."""
    assert isinstance(fold.evidence, OneBar)
    experiment = fold.evidence.experiment
    run = experiment.run_at(DELTA, 0)
    _, choose, receive, judge, _ = experiment.step
    for t in range(experiment.t, experiment.t + most):
        arm = choose(run, t)
        value = truth.kind.draw_outcome(arm, truth.means[arm], truth.scatter, chance)
        receive(run, t + 1, arm, value)
        if judge(run, t + 1, arm) != CONTINUE:
            return t + 1 - experiment.t
    return most + 1


def score(said: Forecast, trials_left: Callable[[int], int]) -> Score:
    """The forecast beside what comes; what comes after all that it says does not matter."""
    ends = [end for end in (said.low, said.median, said.high) if end is not None]
    left = trials_left(ends[-1] if ends else said.horizon)
    above = said.high is not None and left > said.high
    below = left < (said.horizon + 1 if said.low is None else said.low)
    above_median = said.median is not None and left > said.median
    return Score(not above and not below, above, below, above_median, said.high is None)


def scores(truth: Truth, outcomes: int, runs: int) -> Score | None:
    """One study, forecast after so many outcomes of each option; None if it is done by then."""
    name = f"{truth.group}/{truth.family}/{truth.number}/{outcomes}"
    chance = random.Random(zlib.crc32(name.encode()))
    fold = begun(truth, outcomes, chance)
    if fold.evidence.finished:
        return None
    said = forecast(fold, None, runs, None)
    return score(said, lambda most: trials_left(fold, truth, chance, most))


def line(name: str, outcomes: int, found: Sequence[Score]) -> str:
    shares = "".join(f"{100 * sum(part) / len(found):8.0f}" for part in zip(*found, strict=True))
    return f"{name:24}{outcomes:6}{len(found):9}{shares}"


def chosen_truths(given: argparse.Namespace) -> Iterator[Truth]:
    many = 1 if given.quick else given.instances
    families = (*RANDOM_FAMILIES, *BAR_FAMILIES)
    if given.training:
        yield from truths("training", [family for family in families if family.training], many)
    elif given.models:
        yield from truths_of_models(many)
    else:
        judges = [family for family in families if not family.training]
        yield from truths("judging", [*judges, *EARLIER_JUDGES], many)
        yield from truths("rates", [NEAR_A_BAR, *RATE_FAMILIES], many)
        for instance in FIXED_RATES:
            for number in range(many):
                kind = find_outcome("bernoulli")
                means = instance.means.tolist()
                yield Truth("rates", instance.name, number, kind, instance.threshold, means)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, default=6, help="of each family")
    parser.add_argument("--runs", type=int, default=40, help="futures of each forecast")
    parser.add_argument("--after", type=int, nargs="+", default=[2, 5, 20], help="outcomes each")
    parser.add_argument("--quick", action="store_true", help="one instance of each family")
    parser.add_argument("--training", action="store_true")
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--example", action="store_true", help=f"rates {EXAMPLE}, bar 0.5")
    given = parser.parse_args()
    chosen = (
        [
            Truth("example", "example", number, find_outcome("bernoulli"), 0.5, EXAMPLE)
            for number in range(given.instances)
        ]
        if given.example
        else list(chosen_truths(given))
    )
    found: dict[tuple[str, str, int], list[Score]] = defaultdict(list)
    began = time.process_time()
    for truth in chosen:
        for outcomes in given.after:
            one = scores(truth, outcomes, given.runs)
            if one is not None:
                found[truth.group, truth.family, outcomes].append(one)
                found[truth.group, "all of them", outcomes].append(one)
    heads = "".join(f"{head:>8}" for head in ("inside", "above", "below", ">median", "open"))
    for group in dict.fromkeys(truth.group for truth in chosen):
        print(f"\n{group + ', %':24}{'after':>6}{'studies':>9}{heads}")
        for (of, family, outcomes), several in sorted(found.items(), key=_by_family):
            if of == group:
                print(line(family, outcomes, several))
    print(f"\n{time.process_time() - began:.0f} s")


def _by_family(item: tuple[tuple[str, str, int], object]) -> tuple[bool, str, int]:
    (_, family, outcomes), _ = item
    return family == "all of them", family, outcomes


if __name__ == "__main__":
    main()
