"""Trials: a suggestion or an entry, and what became of it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from goodarm.inputs import whole
from goodarm.outcomes.contract import Reading

if TYPE_CHECKING:
    from goodarm.inquiry import Criterion

LARGEST_TRIAL = 2**31 - 1
OPEN, TOLD, CANCELLED, EXPIRED, RETRACTED = "open", "told", "cancelled", "expired", "retracted"


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial: `number` names it, `arm` is what to try, `value` what came out."""

    number: int
    arm: str
    status: str = field(
        default=OPEN, metadata={"description": "open, told, cancelled, expired or retracted."}
    )
    value: float | None = None
    size: float | None = field(
        default=None,
        metadata={"description": "What the value is out of, where the outcome model has sizes."},
    )
    values: dict[str, float] | None = field(
        default=None,
        metadata={"description": "What was measured so far, where a trial has several outcomes."},
    )
    sizes: dict[str, float] | None = field(
        default=None, metadata={"description": "What these are out of, where they have sizes."}
    )
    asked_at: str | None = field(
        default=None, metadata={"description": "None: told without having been asked for."}
    )
    expires_at: str | None = None
    told_at: str | None = None
    observed_at: str | None = field(
        default=None, metadata={"description": "By the client's own clock, as it was handed in."}
    )
    note: str | None = None
    reason: str | None = field(
        default=None, metadata={"description": "Why it was cancelled or retracted."}
    )
    by: str | None = field(default=None, metadata={"description": "Who did the last thing to it."})

    @property
    def told(self) -> Reading | None:
        """Its outcome, if it has one."""
        if self.value is None:
            return None
        return Reading(self.value, 1.0 if self.size is None else self.size)

    def and_measured(self, other: "Trial") -> "Trial":
        """The same trial with what another look at it has measured."""
        values = {**(other.values or {}), **(self.values or {})}
        sizes = {**(other.sizes or {}), **(self.sizes or {})}
        return replace(self, values=values or None, sizes=sizes or None)

    def told_of(self, measure: str | None) -> Reading | None:
        """Its outcome of one measurement; None names the only one."""
        if measure is None:
            return self.told
        if self.values is None or measure not in self.values:
            return None
        return Reading(self.values[measure], (self.sizes or {}).get(measure, 1.0))

    def told_text(self, criteria: "Sequence[Criterion]") -> str:
        """Its outcome as people write it: 1, 37/1000, or "efficacy 1, harm 0"; "" if none."""
        said = []
        for criterion in criteria:
            reading = self.told_of(None if self.values is None else criterion.name)
            if reading is not None:
                text = criterion.outcome.write(reading)
                said.append(text if self.values is None else f"{criterion.name} {text}")
        return ", ".join(said)

    def to_dict(self) -> dict[str, Any]:
        """The trial as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class OpenTrial:
    """A suggestion whose outcome is awaited, as the state of a study holds it."""

    number: int
    arm: int
    asked_at: str
    expires_at: str | None

    def as_trial(self, arms: Sequence[str]) -> Trial:
        """The trial as users see it, but for who has asked."""
        return Trial(
            number=self.number,
            arm=arms[self.arm],
            asked_at=self.asked_at,
            expires_at=self.expires_at,
        )


def trial_number(trial: object) -> int:
    """The number of a trial, from itself or its number."""
    return trial.number if isinstance(trial, Trial) else whole("trial", trial, 1, LARGEST_TRIAL)
