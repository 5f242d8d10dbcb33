"""What a study is about: everything that was declared when it was created or amended."""

import secrets
from dataclasses import dataclass, replace
from typing import Any

from goodarm import __version__, defaults
from goodarm.algorithms import Algorithm
from goodarm.errors import InputError, unknown_name
from goodarm.experiment import Experiment
from goodarm.inputs import names, number, seconds, whole
from goodarm.instance.instance import ABOVE, BELOW
from goodarm.outcomes import Outcome, check_outcome, outcome_from_data
from goodarm.rng import MAX_SEED, MAX_STEPS
from goodarm.stopping.boundaries import parse_boundary
from goodarm.study.algorithms import (
    REHEARSAL_SEED,
    fingerprint_in,
    fingerprint_of,
    live_rule,
    rule_of_log,
)

MIXTURE, PAPERS = "mixture", "glr"
AS_ASKED, AS_TOLD = "as-asked", "as-told"


@dataclass(frozen=True)
class Settings:
    """The declared facts, in the user's own units."""

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
    boundary: str = PAPERS  # the stopping rule; a log that does not say has the paper's
    decide: str = AS_TOLD  # when an outcome counts; likewise

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
        boundary: object = MIXTURE,
        decide: object = AS_ASKED,
    ) -> "Settings":
        """Check what a user declares."""
        if goal not in (ABOVE, BELOW):
            raise InputError(f"goal: {goal!r} is neither 'above' nor 'below'")
        kind = check_outcome(outcome)
        rule = live_rule(algorithm)
        checked = names(arms)
        kind.check_arms(len(checked))
        if decide not in (AS_ASKED, AS_TOLD):
            raise unknown_name("decide", str(decide), (AS_ASKED, AS_TOLD))
        made = cls(
            arms=checked,
            threshold=kind.check_threshold(threshold),
            outcome=kind,
            goal=str(goal),
            delta=None if delta is None else check_delta(delta),
            algorithm=rule.label,
            fingerprint="",
            # 53 bits, so that programs that read numbers as doubles keep the seed exactly.
            seed=secrets.randbits(53) if seed is None else whole("seed", seed, 0, MAX_SEED),
            budget=None if budget is None else whole("budget", budget, 1, MAX_STEPS),
            lease=seconds("lease", lease),
            boundary=check_boundary(boundary),
            decide=str(decide),
        )
        made.experiment(rule)  # raises what the rule itself does not accept
        return replace(made, fingerprint=made.fingerprint_with(rule))

    def rule(self) -> Algorithm | None:
        """The rule that this study began with, or None if it is no longer installed."""
        return rule_of_log(self.algorithm, self.fingerprint, self.fingerprint_with)

    def fingerprint_with(self, rule: Algorithm) -> str:
        """A hash of what a rule would choose here; see `rules`."""
        if self.boundary == PAPERS:
            return fingerprint_of(rule, len(self.arms))
        rehearsal = replace(self, seed=REHEARSAL_SEED, delta=0.05).experiment(rule)
        return fingerprint_in(rehearsal)

    def experiment(self, rule: Algorithm) -> Experiment:
        """A fresh experiment with these settings."""
        return Experiment(
            self.arms,
            threshold=self.threshold,
            outcome=self.outcome,
            algorithm=rule,
            seed=self.seed,
            delta=self.delta,
            boundary=self.boundary,
            goal=self.goal,
        )

    def to_data(self) -> dict[str, Any]:
        """The settings as plain data, for the first event of the log."""
        return {
            "arms": list(self.arms),
            "threshold": self.threshold,
            "outcome": self.outcome.to_data(),
            "goal": self.goal,
            "delta": self.delta,
            "algorithm": self.algorithm,
            "fingerprint": self.fingerprint,
            "seed": self.seed,
            "budget": self.budget,
            "lease": self.lease,
            "boundary": self.boundary,
            "decide": self.decide,
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
            boundary=data.get("boundary", PAPERS),
            decide=data.get("decide", AS_TOLD),
        )


def check_boundary(value: object) -> str:
    """A stopping rule that holds for any sampling, with late and missing outcomes."""
    name = parse_boundary(str(value), 2, 0.5).name
    if name not in (MIXTURE, PAPERS):
        raise InputError(
            f"boundary: a live study stops by {MIXTURE!r} or the paper's {PAPERS!r}, not {name!r}"
        )
    return name


def check_delta(value: object) -> float:
    """δ, strictly between 0 and 1."""
    delta = number("delta", value)
    if not 0.0 < delta < 1.0:
        raise InputError(
            f"delta: {value!r} is not strictly between 0 and 1; 0.05 means sure at 95 %"
        )
    return delta
