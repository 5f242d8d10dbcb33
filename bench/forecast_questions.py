"""How often forecasts of other questions hold: as `forecast_coverage.py`, which says what is what.

    python bench/forecast_questions.py [--instances 8] [--runs 20] [--after 5 20] [--only control]

Four options with rates that are drawn uniformly around a bar of one half; for two criteria, around
a bar each. Each study is forecast after so many trials of each option and then takes place.
"""

import argparse
import random
import time
import zlib
from collections import defaultdict
from typing import Any, NamedTuple

from forecast_coverage import DELTA, Score, line, score
from goodarm.outcomes.contract import Reading
from goodarm.study.evidence import ManyBars
from goodarm.study.log.events import GENESIS, Event
from goodarm.study.log.fold import Fold
from goodarm.study.log.kinds import Created
from goodarm.study.report.forecast import forecast
from goodarm.study.settings import Settings

ARMS = ("a", "b", "c", "d")
RANGES = ((0.3, 0.7), (0.1, 0.5))  # of rates, by measurement
BAR: dict[str, Any] = {"outcome": "bernoulli", "threshold": 0.5}
QUESTIONS: dict[str, dict[str, Any]] = {
    "all": BAR | {"question": "all"},
    "top:2": BAR | {"question": "top:2"},
    "in-order": BAR | {"question": "in-order"},
    "two criteria": {"criteria": ["x:bernoulli>=0.5", "y:bernoulli<=0.3"]},
    "control": {"outcome": "bernoulli", "control": "a", "margin": 0.0},
    "control, all": {"outcome": "bernoulli", "control": "a", "margin": 0.05, "question": "all"},
}


class Truth(NamedTuple):
    """What is so, and is not told."""

    name: str
    number: int
    means: list[list[float]]  # by measurement


def begun(truth: Truth, trials: int, chance: random.Random) -> Fold:
    """A study with so many trials of each option."""
    settings = Settings.declare(arms=ARMS, delta=DELTA, seed=truth.number, **QUESTIONS[truth.name])
    fold = Fold(Event("s", 1, Created.name, "", None, None, GENESIS, settings.to_data()), GENESIS)
    for trial in range(trials * len(ARMS)):
        arm = trial % len(ARMS)
        for measure, means in enumerate(truth.means):
            told = Reading(float(chance.random() < means[arm]))
            fold.enter(trial + 1, arm, measure, told, more=True)
    fold.evidence.judge()
    fold.seq += fold.told
    return fold


def trials_left(fold: Fold, truth: Truth, chance: random.Random, most: int) -> int:
    """How many more trials the study takes; `most` + 1 if it takes more than that."""
    assert isinstance(fold.evidence, ManyBars)
    inquiry = fold.evidence.future(fold.roster, DELTA, 0)
    for trial in range(1, most + 1):
        arm = inquiry.next_arm(())
        assert arm is not None
        for measure, means in enumerate(truth.means):
            told = Reading(float(chance.random() < means[arm]))
            inquiry.enter(arm, told, measure, more=True)
        inquiry.judge()
        if inquiry.finished:
            return trial
    return most + 1


def judged(fold: Fold, truth: Truth, chance: random.Random, runs: int) -> Score:
    """The forecast beside what comes."""
    said = forecast(fold, None, runs, None)
    return score(said, lambda most: trials_left(fold, truth, chance, most))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instances", type=int, default=8, help="of each question")
    parser.add_argument("--runs", type=int, default=20, help="futures of each forecast")
    parser.add_argument("--after", type=int, nargs="+", default=[5, 20], help="trials of each")
    parser.add_argument("--only", choices=QUESTIONS, help="this question")
    given = parser.parse_args()
    found: dict[tuple[str, int], list[Score]] = defaultdict(list)
    began = time.process_time()
    for name in [given.only] if given.only else QUESTIONS:
        for number in range(given.instances):
            for after in given.after:
                chance = random.Random(zlib.crc32(f"{name}/{number}/{after}".encode()))
                measures = len(QUESTIONS[name].get("criteria", [1]))
                means = [[chance.uniform(*ends) for _ in ARMS] for ends in RANGES[:measures]]
                truth = Truth(name, number, means)
                fold = begun(truth, after, chance)
                if not fold.evidence.finished:
                    one = judged(fold, truth, chance, given.runs)
                    found[name, after].append(one)
                    found["all of them", after].append(one)
    heads = "".join(f"{head:>8}" for head in ("inside", "above", "below", ">median", "open"))
    print(f"{'%':24}{'after':>6}{'studies':>9}{heads}")
    for (name, after), several in found.items():
        print(line(name, after, several))
    print(f"\n{time.process_time() - began:.0f} s")


if __name__ == "__main__":
    main()
