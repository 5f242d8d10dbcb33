"""What a study is about: everything that was declared when it was created or amended."""

import secrets
from dataclasses import dataclass, replace
from typing import Any

from goodarm import __version__, defaults
from goodarm.algorithms import Algorithm
from goodarm.errors import InputError
from goodarm.experiment import Experiment
from goodarm.rng import MAX_SEED, MAX_STEPS
from goodarm.study.inputs import names, number, seconds, whole
from goodarm.study.outcomes import (
    Outcome,
    check_outcome,
    check_threshold,
    outcome_from_data,
    outcome_to_data,
)
from goodarm.study.rules import fingerprint_of, live_rule, rule_of_log

ABOVE, BELOW = "above", "below"


@dataclass(frozen=True)
class Settings:
    """The declared facts, in the user's own units; `sign` turns them into "more is better"."""

    arms: tuple[str, ...]
    threshold: float
    outcome: Outcome
    goal: str
    delta: float | None
    algorithm: str
    fingerprint: str
    seed: int
    budget: int | None
    lease: float | None

    @classmethod
    def declare(
        cls,
        arms: object,
        threshold: object,
        outcome: object,
        delta: object = None,
        algorithm: object = defaults.ALGORITHM,
        seed: object = None,
        goal: object = ABOVE,
        budget: object = None,
        lease: object = None,
    ) -> "Settings":
        """Check what a user declares."""
        if goal not in (ABOVE, BELOW):
            raise InputError(f"goal: {goal!r} is neither 'above' nor 'below'")
        kind = check_outcome(outcome)
        rule = live_rule(algorithm)
        checked = names(arms)
        made = cls(
            arms=checked,
            threshold=check_threshold(kind, threshold),
            outcome=kind,
            goal=str(goal),
            delta=None if delta is None else check_delta(delta),
            algorithm=rule.label,
            fingerprint="",
            # 53 bits, so that programs that read numbers as doubles keep the seed exactly.
            seed=secrets.randbits(53) if seed is None else whole("seed", seed, 0, MAX_SEED),
            budget=None if budget is None else whole("budget", budget, 1, MAX_STEPS),
            lease=seconds("lease", lease),
        )
        made.experiment(rule)  # raises what the rule itself does not accept
        return replace(made, fingerprint=fingerprint_of(rule, len(checked)))

    @property
    def sign(self) -> float:
        """What outcomes are multiplied with: the rules look for means above a threshold."""
        return 1.0 if self.goal == ABOVE else -1.0

    def rule(self) -> Algorithm | None:
        """The rule that this study began with, or None if it is no longer installed."""
        return rule_of_log(self.algorithm, self.fingerprint, len(self.arms))

    def experiment(self, rule: Algorithm) -> Experiment:
        """A fresh experiment with these settings, in which more is better."""
        return Experiment(
            self.arms,
            threshold=self.sign * self.threshold,
            sigma=self.outcome.sigma,
            algorithm=rule,
            seed=self.seed,
            delta=self.delta,
            boundary="glr",
        )

    def to_data(self) -> dict[str, Any]:
        """The settings as plain data, for the first event of the log."""
        return {
            "arms": list(self.arms),
            "threshold": self.threshold,
            "outcome": outcome_to_data(self.outcome),
            "goal": self.goal,
            "delta": self.delta,
            "algorithm": self.algorithm,
            "fingerprint": self.fingerprint,
            "seed": self.seed,
            "budget": self.budget,
            "lease": self.lease,
            "goodarm": __version__,
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Settings":
        """The settings that `to_data` wrote."""
        return cls(
            arms=tuple(data["arms"]),
            threshold=data["threshold"],
            outcome=outcome_from_data(data["outcome"]),
            goal=data["goal"],
            delta=data["delta"],
            algorithm=data["algorithm"],
            fingerprint=data["fingerprint"],
            seed=data["seed"],
            budget=data["budget"],
            lease=data["lease"],
        )


def check_delta(value: object) -> float:
    """δ, strictly between 0 and 1."""
    delta = number("delta", value)
    if not 0.0 < delta < 1.0:
        raise InputError(
            f"delta: {value!r} is not strictly between 0 and 1; 0.05 means sure at 95 %"
        )
    return delta
