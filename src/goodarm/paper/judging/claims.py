"""Claims of the paper's text as comparisons that a simulation can decide.

A claim compares series, a series being an algorithm on a panel (an instance, or one setting of it).
Each comparison has an interval; all intervals of a claim hold together with probability 99.9 %
(Bonferroni). `relations.py` says when a comparison holds, fails, crosses or stays open. The claim

* agrees: every comparison that is decided holds, and enough are decided;
* differs: every one that is decided fails, and enough are decided;
* in part: some fail or cross: it does not hold throughout, and it is not so that it differs;
* undecided: none fails or crosses, but too few are decided.

Enough are more than half of them. With fewer runs than the paper has, enough are all: one that is
still open may go either way when there are more, and a quick reproduction is not to say more than
the full one will.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from goodarm.paper.judging import relations
from goodarm.paper.judging.agreement import AGREES, DIFFERS, VERDICT_LEVEL
from goodarm.paper.judging.intervals import Interval
from goodarm.paper.judging.quantities import ComparedQuantity, Evidence, Series
from goodarm.paper.judging.relations import CROSSES, FAILS, HOLDS, STAYS_OPEN, Relation
from goodarm.wording import NOTHING

IN_PART, UNDECIDED = "in part", "undecided"
MAJORITY = 0.5  # of the comparisons; more than that must be decided

SeriesPair = tuple[Series, Series]


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
            middle, low, high = (_ratio(value) for value in self.interval)
            return f"ratio {middle} [{low}, {high}]"
        estimate, least, most = self.interval
        if least == most:
            return f"difference {estimate:+,.0f}"  # of computed numbers
        return f"difference {estimate:+.3g} [{least:+.3g}, {most:+.3g}]"


def _ratio(logarithm: float) -> str:
    if math.isnan(logarithm):
        return NOTHING
    return "∞" if logarithm == math.inf else f"{math.exp(logarithm):.3g}"


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
class Assertion:
    """That the left of each pair is so related to its right in some quantity."""

    quantity: ComparedQuantity
    relation: Relation
    pairs: tuple[SeriesPair, ...]

    def text(self) -> str:
        """What is compared, in words."""
        return f"{self.quantity.name}: the first is {self.relation.words}"


def below(quantity: ComparedQuantity, pairs: tuple[SeriesPair, ...]) -> Assertion:
    """The left of each pair is below its right: "better", "outperforms", "the best"."""
    return Assertion(quantity, relations.IS_BELOW, pairs)


def far_below(quantity: ComparedQuantity, pairs: tuple[SeriesPair, ...]) -> Assertion:
    """The same with a word of size: "by a large margin", "severely", "considerably"."""
    return Assertion(quantity, relations.IS_FAR_BELOW, pairs)


def alike(quantity: ComparedQuantity, pairs: tuple[SeriesPair, ...]) -> Assertion:
    """The two of each pair are alike: "on par", "as well as", "comparable", "overlap"."""
    return Assertion(quantity, relations.IS_ALIKE, pairs)


def not_far(quantity: ComparedQuantity, pairs: tuple[SeriesPair, ...]) -> Assertion:
    """The two of each pair are not far apart: "not very large"."""
    return Assertion(quantity, relations.IS_NOT_FAR, pairs)


def not_above(quantity: ComparedQuantity, pairs: tuple[SeriesPair, ...]) -> Assertion:
    """The left of each pair is below its right or like it: "competitive"."""
    return Assertion(quantity, relations.IS_NOT_ABOVE, pairs)


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper and what it states.

    `comment` is shown where a comparison does not hold all along.
    """

    sentence: str
    asserts: Assertion
    comment: str = ""

    def judge(self, evidence: Evidence) -> Judgement:
        """The verdict, with everything that it rests on."""
        pairs = self.asserts.pairs
        level = 1.0 - (1.0 - VERDICT_LEVEL) / max(len(pairs), 1)
        findings = [self._finding(evidence, left, right, level) for left, right in pairs]
        outcomes = [finding.outcome for finding in findings]
        verdict = verdict_of(outcomes, evidence.full)
        doubts = verdict in (IN_PART, DIFFERS) or any(finding.remark for finding in findings)
        unknown = verdict == UNDECIDED or (verdict == IN_PART and HOLDS not in outcomes)
        said = (too_few(outcomes) if unknown else "", self.comment if doubts else "")
        comment = " ".join(filter(None, said))
        return Judgement(self.sentence, self.asserts.text(), verdict, findings, comment)

    def _finding(self, evidence: Evidence, left: Series, right: Series, level: float) -> Finding:
        quantity, relation = self.asserts.quantity, self.asserts.relation
        compared = quantity.compare(evidence, left, right, level)
        outcome = relation.outcome(compared.interval, compared.points.values())
        remark = _remark(relation, compared.points)
        if outcome == STAYS_OPEN and relation.of_whole(compared.interval) == HOLDS:
            remark = f"seems to cross; {remark}" if remark else "seems to cross"
        return Finding(
            where=_where(left, right),
            left=compared.left,
            right=compared.right,
            interval=compared.interval,
            outcome=outcome,
            ratio=quantity.ratio,
            remark=remark,
        )


def verdict_of(outcomes: Sequence[str], full: bool = True) -> str:
    """The verdict on a claim from those on its comparisons."""
    decided = [outcome for outcome in outcomes if outcome != STAYS_OPEN]
    share = len(decided) / max(len(outcomes), 1)
    if share > MAJORITY and (full or share == 1.0):
        if set(decided) == {HOLDS}:
            return AGREES
        if set(decided) == {FAILS}:
            return DIFFERS
    return IN_PART if FAILS in decided or CROSSES in decided else UNDECIDED


def too_few(outcomes: Sequence[str]) -> str:
    """What keeps a claim from a clear verdict, in a sentence; nothing if all is decided."""
    still_open, several = outcomes.count(STAYS_OPEN), len(outcomes)
    if not still_open:
        return ""
    if still_open == several:
        return "No comparison can be decided with this number of runs."
    others = "hold" if HOLDS in outcomes else "do not hold"
    return (
        f"{still_open} of {several} comparisons cannot be decided with this many runs; the others "
        f"{others}."
    )


def _remark(relation: Relation, points: Mapping[int, Interval]) -> str:
    """At which points of two curves the relation is violated beyond doubt."""
    against = [x for x, point in points.items() if relation.is_violated(point)]
    sides = {x: "above" if points[x].estimate > 0.0 else "below" for x in against}
    parts = [
        f"{side} at " + ", ".join(f"{x:,}" for x in against if sides[x] == side)
        for side in ("above", "below")
        if side in sides.values()
    ]
    return "; ".join(parts)


def _where(left: Series, right: Series) -> str:
    if left[0] == right[0]:
        return f"{left[1]} / {right[1]}, {left[0]}"
    return f"{left[1]}, {left[0]} / {right[0]}"
