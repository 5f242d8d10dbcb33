"""How often every question is answered wrongly, where that is likeliest, and what answers cost.

    python bench/questions.py [--runs 10000] [--only WORD] [--json FILE]

Every case is played through `goodarm.Inquiry`, the class that people use. All arms lie at the bar
(or all differences at the margin), where an error is likeliest. As an arm at the bar is good by
definition, one that should count as bad lies there only in the limit: `good` says how each counts.
"""

import argparse
import json
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from goodarm import Bernoulli, Bounded, Exponential, Gaussian, Outcome, Poisson, Symmetric
from goodarm.inquiry import Criterion, Inquiry
from goodarm.inquiry.playing import PlayedInquiries, play_inquiries

DELTA = 0.05
CHUNKS = 20
declare = Criterion.declare
BARS = {"bernoulli": 0.4, "gaussian": 0.0, "bounded": 0.5, "poisson": 2.0, "exponential": 3.0}
MODELS: dict[str, Outcome] = {
    "bernoulli": Bernoulli(),
    "gaussian": Gaussian(1.0),
    "student": Gaussian(),
    "bounded": Bounded(0, 1),
    "symmetric": Symmetric(),
    "poisson": Poisson(),
    "exponential": Exponential(),
}


def sample(name: str, mean: float, generator: np.random.Generator, n: int) -> np.ndarray:
    """Outcomes of a kind with that mean."""
    match name:
        case "bernoulli":
            return (generator.random(n) < mean).astype(float)
        case "bounded":
            return generator.beta(4.0 * mean, 4.0 * (1.0 - mean), n)
        case "poisson":
            return generator.poisson(mean, n).astype(float)
        case "exponential":
            return generator.exponential(mean, n)
        case _:
            return generator.normal(mean, 1.0, n)


class Case(NamedTuple):
    """One row of the table."""

    label: str
    model: str
    question: str
    arms: int
    good: tuple[int, ...]
    algorithm: str = "Prospector"
    cap: int = 400
    criteria: int = 1
    control: bool = False
    disturbance: str = ""

    @property
    def bar(self) -> float:
        """The mean of every arm, and of the control."""
        return BARS.get(self.model, 0.0)

    def make(self, run: int) -> Inquiry:
        """A fresh inquiry."""
        outcome = MODELS[self.model]
        if self.control:
            by = {"lift": 0.0} if self.model in ("poisson", "exponential") else {"margin": 0.0}
            criteria = [declare(outcome, **by)]
        else:
            names = [f"measurement {i + 1}" for i in range(self.criteria)]
            criteria = [declare(outcome, self.bar, name=name) for name in names]
        control = "arm 1" if self.control else None
        return Inquiry(
            self.arms + self.control, criteria, self.question, DELTA, control, self.algorithm, run
        )

    def draw(self, generator: np.random.Generator, arm: int, n: int) -> np.ndarray:
        """Outcomes at the bar; the measurements of a trial are one and the same, or far above."""
        first = sample(self.model, self.bar, generator, n)
        return np.tile(first[:, None], (1, self.criteria))

    def disturb(self, inquiry: Inquiry, t: int) -> None:
        """Do what may mislead most, with the outcomes in view."""
        if self.disturbance == "add" and t % 60 == 0 and len(inquiry.arms) < 12:
            inquiry.add_arm(f"new {t}")
        if self.disturbance == "retire" and t % 25 == 0 and len(inquiry.present) > 1:
            worst = min(inquiry.present, key=lambda arm: inquiry.certificates(arm)[1])
            inquiry.retire_arm(worst)  # the arm that is least like a bad one


def cases() -> list[Case]:
    """The table's rows."""
    rows = []
    for model in MODELS:
        rows.append(Case("every arm answered, none good", model, "all", 4, (), "Unif"))
        rows.append(Case("every arm answered, all good", model, "all", 4, (0, 1, 2, 3), "Unif"))
    for algorithm in ("Prospector", "APGAI", "Scout", "HDoC", "Unif"):
        rows.append(Case("two of five, none good", "bernoulli", "top:2", 5, (), algorithm))
        rows.append(Case("two of five, two good", "bernoulli", "top:2", 5, (0, 1), algorithm))
    rows.append(Case("half good", "gaussian", "all", 6, (0, 1, 2), "APT-G"))
    for good in ((), (0,), (3,)):
        rows.append(Case("the first in order", "bernoulli", "in-order", 4, good))
    for good in ((), (0, 1, 2)):
        rows.append(Case("two criteria, alike", "bernoulli", "all", 3, good, criteria=2))
        rows.append(Case("two criteria, alike", "gaussian", "any", 3, good, criteria=2))
    for model in ("bernoulli", "gaussian", "poisson", "exponential", "bounded"):
        rows.append(Case("control, no better", model, "any", 2, (), control=True, cap=200))
        rows.append(Case("control, better", model, "any", 2, (1, 2), control=True, cap=200))
    rows.append(Case("control, all", "bernoulli", "all", 3, (), control=True, cap=200))
    for good in ((), tuple(range(20))):
        rows.append(Case("arms added", "bernoulli", "any", 3, good, disturbance="add", cap=700))
        rows.append(Case("arms retired", "bernoulli", "any", 6, good, disturbance="retire"))
        rows.append(Case("arms retired", "gaussian", "top:2", 6, good, disturbance="retire"))
    return rows


def good_arms(case: Case) -> tuple[int, ...]:
    """With a control, arms count from the one after it."""
    return case.good


def part(case: Case, runs: Sequence[int]) -> PlayedInquiries:
    """Some runs of a case."""
    disturb = case.disturb if case.disturbance else None
    return play_inquiries(case.make, case.draw, good_arms(case), runs, case.cap, 7, disturb)


def together(parts: Sequence[PlayedInquiries]) -> PlayedInquiries:
    """All runs of a case."""
    columns = [[getattr(one, name) for one in parts] for name in ("trials", "stopped", "wrong")]
    return PlayedInquiries(*map(np.concatenate, columns))


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--processes", type=int)
    options = parser.parse_args()
    rows = []
    print(f"{'case':34} {'model':11} {'question':9} {'algorithm':10} {'good':>4} {'wrong':>8} ±")
    with ProcessPoolExecutor(options.processes) as pool:
        for case in cases():
            if options.only not in f"{case.label} {case.model} {case.question} {case.algorithm}":
                continue
            chunks = [range(i, options.runs, CHUNKS) for i in range(min(CHUNKS, options.runs))]
            play: Callable[[range], PlayedInquiries] = partial(part, case)
            played = together(list(pool.map(play, chunks)))
            risk = case.make(0).risk if case.disturbance != "add" else DELTA / 0.9
            if case.disturbance == "retire":
                risk = DELTA / 0.9
            assert risk is not None
            error = math.sqrt(max(played.error_rate, 1e-4) / options.runs)
            holds = played.error_rate <= risk + 3 * error
            print(
                f"{case.label:34} {case.model:11} {case.question:9} {case.algorithm:10} "
                f"{len(case.good):4} {100 * played.error_rate:7.2f}% {100 * error:.2f}"
                f"{'' if holds else '  BROKEN'}  of {100 * risk:.2f}%",
                flush=True,
            )
            rows.append(
                case._asdict() | {"wrong": played.error_rate, "runs": options.runs, "risk": risk}
            )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
