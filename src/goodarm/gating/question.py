"""What a gate asks: does the command, or one of several arms, clear the bar?"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from goodarm.defaults import GATE_BUDGET, GATE_DELTA, GATE_OUTCOME
from goodarm.errors import InputError
from goodarm.experiment import Experiment
from goodarm.gating.exact import ExactExperiment
from goodarm.inputs import names, whole
from goodarm.instance.instance import ABOVE
from goodarm.outcomes import Bernoulli, Outcome, find_outcome
from goodarm.outcomes.contract import Reading
from goodarm.outcomes.crossing import MOST_EXACT

FAIL, RETRY, STOP = "fail", "retry", "stop"
MOST_RETRIES = 1000
MOST_TRIALS = 10**9


class Call(NamedTuple):
    """One trial to be made: of which arm, its number (from 1) and a seed of its own."""

    arm: str
    trial: int
    seed: int


class OnError(NamedTuple):
    """What is done about a trial without an outcome; `stop`, unless someone says otherwise."""

    kind: str = STOP
    retries: int = 0

    @classmethod
    def parse(cls, text: str) -> "OnError":
        """Read ``fail``, ``stop`` or ``retry:N``.

        >>> OnError.parse("retry:3")
        OnError(kind='retry', retries=3)
        """
        kind, colon, many = text.strip().partition(":")
        if kind in (FAIL, STOP) and not colon:
            return cls(kind)
        if kind == RETRY and many.isdecimal() and 1 <= int(many) <= MOST_RETRIES:
            return cls(kind, int(many))
        raise InputError(f"on_error: {text!r} is none of fail, retry:N and stop; write retry:3")


@dataclass(frozen=True)
class GateQuestion:
    """Arms, the bar, and how sure one wants to be; what is given is checked when it is made.

    `budget` is the most trials in all, None for no limit.
    """

    arms: tuple[str, ...]
    bar: float
    delta: float = GATE_DELTA
    outcome: Outcome | str = GATE_OUTCOME
    goal: str = ABOVE
    budget: int | None = GATE_BUDGET
    on_error: str = "stop"
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be asked."""
        if self.budget is not None:
            whole("budget", self.budget, 1, MOST_TRIALS)
        self._check_bar()
        self.experiment()
        if self.error_policy.kind == FAIL:
            worst_outcome(self.model, self.goal)

    def _check_bar(self) -> None:
        try:
            self.model.check_threshold(self.bar)
        except InputError as error:
            raise InputError(str(error).replace("threshold", "bar", 1)) from None

    @property
    def model(self) -> Outcome:
        """What an outcome is."""
        return find_outcome(self.outcome)

    @property
    def error_policy(self) -> OnError:
        """What is done about a trial without an outcome."""
        return OnError.parse(self.on_error)

    @property
    def is_exact(self) -> bool:
        """Whether levels are computed for the budget, if outcomes come one by one."""
        return isinstance(self.model, Bernoulli) and (self.budget or math.inf) <= MOST_EXACT

    def experiment(self, has_sizes: bool = False) -> Experiment:
        """A fresh experiment that answers this question; outcomes may have sizes, such as 37/50."""
        if self.is_exact and self.budget is not None and not has_sizes:
            return ExactExperiment(
                self.arms, self.bar, self.budget, self.delta, self.goal, self.seed
            )
        return Experiment(
            list(self.arms),
            self.bar,
            seed=self.seed,
            delta=self.delta,
            outcome=self.outcome,
            goal=self.goal,
        )

    def call(self, arm: int, trial: int) -> Call:
        """The trial of that number."""
        return Call(self.arms[arm], trial, seed_of_trial(self.seed, trial))


def seed_of_trial(seed: int, trial: int) -> int:
    """A seed for one trial, which depends on nothing but its number and the seed of all."""
    return random.Random(f"{seed}/{trial}").getrandbits(31)


def worst_outcome(model: Outcome, goal: str) -> Reading:
    """What an error counts as with on_error="fail": the end of the range on the bad side."""
    end = model.low if goal == ABOVE else model.high
    if end is None:
        raise InputError(
            f"on_error: 'fail' counts the worst outcome, and {model.name} outcomes have none; give "
            "retry:N or stop"
        )
    return Reading(end)


def outcome_given(given: object, model: Outcome, bar: float) -> Reading:
    """What a trial gave as an outcome: a number, True or False, a pair with a size, or text."""
    if isinstance(given, str):
        given = model.read(given)
    if isinstance(given, Mapping):
        raise InputError(f"value: {given!r:.80} is several values; give one number")
    pair = given if isinstance(given, tuple | list) else (given, None)
    if len(pair) != 2:
        raise InputError(f"value: {given!r} is not a value with its size; give two numbers")
    return model.check_sized(pair[0], pair[1], bar)


class Reader:
    """Turns what the trials of a gate gave into outcomes that count."""

    def __init__(self, question: GateQuestion) -> None:
        self.has_sizes: bool | None = None  # not known before the first outcome
        self._model, self._bar = question.model, question.bar
        self._is_exact = question.is_exact

    def __call__(self, given: object) -> Reading:
        """The outcome; where levels are for single ones, sizes from the beginning or never."""
        has_size = isinstance(given, tuple | list) or (isinstance(given, str) and "/" in given)
        told = outcome_given(given, self._model, self._bar)
        if self.has_sizes is None:
            self.has_sizes = has_size
        if has_size and not self.has_sizes and self._is_exact:
            raise InputError(
                f"value: {given!r} has a size, outcomes before it had none; give all of them one, "
                "1/1 for a success"
            )
        return told


def arm_names(arms: Sequence[str] | None, alone: str) -> tuple[str, ...]:
    """The arms' names; where none are given there is one arm."""
    return (alone,) if arms is None else names(arms)
