"""Claims of the text that compare with the theory."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from goodarm import theory
from goodarm.instance import Instance, instances
from goodarm.paper.judging.agreement import VERDICT_LEVEL
from goodarm.paper.judging.claims import Finding, Judgement, verdict_of
from goodarm.paper.judging.intervals import Interval
from goodarm.paper.judging.quantities import Evidence
from goodarm.paper.judging.relations import FAILS, HOLDS, IS_BELOW
from goodarm.simulation import wilson
from goodarm.theory.tables import ConstantRow


@dataclass(frozen=True)
class FasterThanTheory:
    """That APGAI's error falls faster than the published theorem suggests.

    The theorem's rate is exp(−t/C) with C = 4 H1 when there are good arms. At the last time of a
    curve, t/ln(1/error) is compared with C.
    """

    sentence: str
    panels: tuple[str, ...]

    def judge(self, evidence: Evidence) -> Judgement:
        """Compare the measured rate with C on every panel."""
        level = 1.0 - (1.0 - VERDICT_LEVEL) / len(self.panels)
        findings = []
        for panel in self.panels:
            curve = evidence.curves[panel, "APGAI"]
            constant = theory.error_rate_constant(instances[panel], "APGAI", "published").number
            assert constant is not None
            t, errors = int(curve.x[-1]), int(curve.errors[-1])
            low, high = (float(limit) for limit in wilson(errors, curve.runs, level))
            pace = Interval(*(_pace(t, error) for error in (errors / curve.runs, low, high)))
            gap = Interval(*(value - constant for value in pace))
            outcome = IS_BELOW.of_whole(gap)
            where, measured = f"APGAI, {panel}, at {t:,}", f"{pace.estimate:,.0f}"
            findings.append(Finding(where, measured, f"C = {constant:,.0f}", gap, outcome))
        test = "t/ln(1/error) at the last time of the curve is below the theorem's C = 4 H1"
        verdict = verdict_of([finding.outcome for finding in findings], evidence.full)
        return Judgement(self.sentence, test, verdict, findings)


def _pace(t: int, error: float) -> float:
    """t/ln(1/error): the smaller, the faster the error falls."""
    if error <= 0.0:
        return 0.0
    return t / -math.log(error) if error < 1.0 else math.inf


@dataclass(frozen=True)
class Dominance:
    """What a table's last column says about an algorithm's published constants and APGAI's."""

    algorithm: str
    word: str  # "dominant", "dominated" or "Pareto equivalent"
    rows_of: Callable[[Instance], list[ConstantRow]]
    instances: tuple[Instance, ...]

    def judge(self, evidence: Evidence) -> Judgement:
        """Compare the constants on every instance; this is arithmetic, not statistics."""
        findings, smaller, larger = [], False, False
        for instance in self.instances:
            rows = {row.name: row.published for row in self.rows_of(instance)}
            ours, other = rows["APGAI"], rows[self.algorithm]
            assert ours is not None
            assert other is not None
            smaller, larger = smaller or other < ours, larger or other > ours
            gap = Interval(*[other - ours] * 3)
            where = f"{self.algorithm} / APGAI, {instance.name}"
            findings.append(Finding(where, f"{other:,.0f}", f"{ours:,.0f}", gap, ""))
        word = ("Pareto equivalent" if larger else "dominant") if smaller else "dominated"
        verdict = verdict_of([HOLDS if word == self.word else FAILS])
        preposition = "to" if " " in self.word else "over"
        return Judgement(
            f"{self.algorithm} is {self.word} {preposition} APGAI when there are good arms.",
            "dominant: never a larger and somewhere a smaller constant; Pareto equivalent: each "
            "smaller somewhere, on these instances",
            verdict,
            findings,
        )
