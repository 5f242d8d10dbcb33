"""Claims of the paper's text as comparisons that a simulation can decide.

A claim compares series, a series being an algorithm on a panel (an instance, or one setting of it).
Each comparison has an interval; all intervals of a claim hold together with probability 99.9 %
(Bonferroni). A comparison holds, fails or stays open by its interval alone; where two curves are
in the claimed order on the whole, but in the opposite order at more than a quarter of the points
looked at, they cross. The claim

* agrees: at least one comparison holds and none fails,
* differs: at least one fails and none holds,
* in part: some hold and some fail, or curves cross,
* undecided: all intervals are too wide to tell.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from goodarm.paper.judging.agreement import AGREES, DIFFERS, VERDICT_LEVEL
from goodarm.paper.judging.intervals import Interval
from goodarm.paper.judging.quantities import ComparedQuantity, Evidence, Series

IN_PART, UNDECIDED = "in part", "undecided"
HOLDS, FAILS, STAYS_OPEN, CROSSES = "holds", "fails", "open", "crosses"

SeriesPair = tuple[Series, Series]

IS_BELOW, IS_ALIKE, IS_NOT_ABOVE = "below", "alike", "not above"
WIDE = "All intervals are too wide to tell at this number of runs."
TURNED = 0.25  # curves that are in the opposite order more often than this cross


@dataclass(frozen=True)
class Finding:
    """One comparison: what was compared where, both figures, and what the interval says."""

    where: str
    left: str
    right: str
    interval: Interval
    outcome: str
    ratio: bool = False  # the interval is of ln(left/right), not of left − right
    remark: str = ""

    def compared(self) -> str:
        """The difference, or the ratio, with its interval."""
        if self.ratio:
            middle, low, high = (math.exp(value) for value in self.interval)
            return f"ratio {middle:.3g} [{low:.3g}, {high:.3g}]"
        middle, low, high = self.interval
        if low == high:
            return f"difference {middle:+,.0f}"  # of computed numbers
        return f"difference {middle:+.3g} [{low:+.3g}, {high:+.3g}]"


@dataclass(frozen=True)
class Judgement:
    """A claim with its verdict and the findings behind it."""

    sentence: str
    test: str
    verdict: str
    findings: Sequence[Finding]
    comment: str = ""


def on(panels: Sequence[str], left: Sequence[str], right: Sequence[str]) -> tuple[SeriesPair, ...]:
    """Each of the left algorithms against each of the right ones, panel by panel."""
    return tuple(((p, a), (p, b)) for p, a, b in product(panels, left, right) if a != b)


def across(panels: Sequence[tuple[str, str]], algorithms: Sequence[str]) -> tuple[SeriesPair, ...]:
    """Each algorithm on one panel against itself on another."""
    return tuple(((p, a), (q, a)) for (p, q), a in product(panels, algorithms))


@dataclass(frozen=True)
class Relation:
    """That the left of each pair is below (or alike, or not above) its right in some quantity.

    `margin` is what "alike" and "not above" allow: a factor for times, a difference for errors.
    """

    quantity: ComparedQuantity
    kind: str
    pairs: tuple[SeriesPair, ...]
    margin: float = 0.0

    @property
    def limit(self) -> float:
        """The margin on the scale of the intervals."""
        return math.log1p(self.margin) if self.quantity.ratio else self.margin

    def text(self) -> str:
        """What is compared, in words."""
        allowed = f"a factor of {1 + self.margin:g}" if self.quantity.ratio else f"{self.margin:g}"
        words = {
            IS_BELOW: "below",
            IS_ALIKE: f"within {allowed} of",
            IS_NOT_ABOVE: f"not above (by more than {allowed})",
        }
        return f"{self.quantity.name}: the first is {words[self.kind]} the second"


def below(quantity: ComparedQuantity, pairs: tuple[SeriesPair, ...]) -> Relation:
    """The left of each pair is below its right."""
    return Relation(quantity, IS_BELOW, pairs)


def alike(quantity: ComparedQuantity, pairs: tuple[SeriesPair, ...], margin: float) -> Relation:
    """The two of each pair differ by no more than the margin."""
    return Relation(quantity, IS_ALIKE, pairs, margin)


def not_above(quantity: ComparedQuantity, pairs: tuple[SeriesPair, ...], margin: float) -> Relation:
    """The left of each pair is not above its right by more than the margin."""
    return Relation(quantity, IS_NOT_ABOVE, pairs, margin)


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper and the relation that it states.

    `comment` is shown where a comparison does not hold all along.
    """

    sentence: str
    relation: Relation
    comment: str = ""

    def judge(self, evidence: Evidence) -> Judgement:
        """The verdict, with everything that it rests on."""
        relation, quantity = self.relation, self.relation.quantity
        level = 1.0 - (1.0 - VERDICT_LEVEL) / max(len(relation.pairs), 1)
        findings = []
        for left, right in relation.pairs:
            compared = quantity.compare(evidence, left, right, level)
            outcome = outcome_of(compared.interval, relation.kind, relation.limit)
            if outcome == HOLDS and relation.kind == IS_BELOW and compared.turned > TURNED:
                outcome = CROSSES
            finding = Finding(
                where=_where(left, right),
                left=compared.left,
                right=compared.right,
                interval=compared.interval,
                outcome=outcome,
                ratio=quantity.ratio,
                remark=compared.remark,
            )
            findings.append(finding)
        verdict = verdict_of([finding.outcome for finding in findings])
        doubts = [f for f in findings if f.remark or f.outcome in (FAILS, CROSSES)]
        comment = self.comment if doubts else WIDE if verdict == UNDECIDED else ""
        return Judgement(self.sentence, relation.text(), verdict, findings, comment)


def outcome_of(interval: Interval, kind: str, limit: float = 0.0) -> str:
    """What an interval of (left − right) says about a relation of that kind."""
    _, low, high = interval
    if kind == IS_BELOW:
        return HOLDS if high < 0.0 else FAILS if low > 0.0 else STAYS_OPEN
    if kind == IS_NOT_ABOVE:
        return HOLDS if high < limit else FAILS if low > limit else STAYS_OPEN
    inside = -limit < low and high < limit
    return HOLDS if inside else FAILS if low > limit or high < -limit else STAYS_OPEN


def verdict_of(outcomes: Sequence[str]) -> str:
    """The verdict on a claim from those on its comparisons."""
    if CROSSES in outcomes:
        return IN_PART
    if FAILS in outcomes:
        return IN_PART if HOLDS in outcomes else DIFFERS
    return AGREES if HOLDS in outcomes else UNDECIDED


def _where(left: Series, right: Series) -> str:
    if left[0] == right[0]:
        return f"{left[1]} / {right[1]}, {left[0]}"
    return f"{left[1]}, {left[0]} / {right[0]}"
