"""What is known of one arm of an inquiry."""

from dataclasses import dataclass

from goodarm.inquiry.question import BAD, GOOD, UNDECIDED

STANDINGS = {UNDECIDED: "undecided", GOOD: "good", BAD: "not good"}
CONTROL, RETIRED = "control", "retired"


@dataclass(frozen=True)
class ArmState:
    """What is known of one arm, by criterion where there are several.

    `standing` is what is certain of it, "control" or "retired". `evidence` is the least W of the
    criteria; `for_good` and `for_bad` are logarithms of e-values.
    """

    arm: int
    name: str
    standing: str
    count: int
    means: tuple[float | None, ...]
    evidence: float
    for_good: float
    for_bad: float
