"""A study to play with: the paper's stem-cell protocols (RealL), with outcomes drawn by chance."""

import random

from goodarm.errors import InputError
from goodarm.instance import instances
from goodarm.study import Bernoulli, ConflictError, Studies, Study

NAME = "Demo: stem-cell protocols"
ARMS = tuple(f"Protocol {number}" for number in range(1, 19))
TRIALS_AT_FIRST = 36
TRIALS_AT_ONCE = 20
DEMO_NOTE = "simulated"
MOST_DEMOS = 1_000


def create_demo(studies: Studies, by: str | None) -> Study:
    """A demonstration study with a few outcomes, under a name that is free."""
    truth = instances["RealL"]
    for number in range(1, MOST_DEMOS):
        name = NAME if number == 1 else f"{NAME} {number}"
        try:
            study = studies.create(
                name, ARMS, truth.threshold, Bernoulli(), by=by, delta=0.05, algorithm="APGAI-FE"
            )
        except ConflictError:
            continue
        play(study, TRIALS_AT_FIRST)
        return study
    raise InputError(f"there are {MOST_DEMOS} demonstrations already")


def is_demo(study: Study) -> bool:
    """Whether outcomes of this study can be drawn by chance."""
    return study.name.startswith(NAME) and study.settings.arms == ARMS


def play(study: Study, count: int) -> None:
    """Follow suggestions for a while, with yes or no drawn at the paper's rates."""
    means = dict(zip(ARMS, instances["RealL"].means.tolist(), strict=True))
    for _ in range(count):
        if study.finished:
            return
        trial = study.ask()
        chance = random.Random(f"{study.settings.seed}/{trial.number}")
        study.tell(trial, float(chance.random() < means[trial.arm]), note=DEMO_NOTE)
