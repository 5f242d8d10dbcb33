"""All criteria together: is an arm good, is it not, and how does it look so far?

    good: min over criteria of ln E⁺ ≥ the arm's level for a name,
    bad:  max over criteria of ln E⁻ ≥ its level for being ruled out + ln(number of criteria).

The first needs no correction: if one criterion does not hold, its own certificate must err. What
steers is the least W of the criteria that were measured.
"""

from collections.abc import Sequence
from math import inf, log, nextafter
from typing import Any

from goodarm.certainty import Limits
from goodarm.inquiry.control import AgainstControl
from goodarm.inquiry.criteria import Criterion
from goodarm.inquiry.question import BAD, GOOD, UNDECIDED
from goodarm.inquiry.tally import AgainstBar, CriterionJudge, MeasurementTally
from goodarm.outcomes.contract import Levels, Reading


class JointEvidence:
    """What was measured of every arm, and what follows for the criteria together."""

    def __init__(self, criteria: Sequence[Criterion], K: int, control: int | None) -> None:
        self._criteria = criteria
        self._judgements = [_judgement(one, K, control) for one in criteria]
        self._lowest: dict[int, float] = {}  # the least W of an arm, where it is known
        self._union = log(len(self._judgements))

    def check(self, measure: int, arm: int, value: object, size: object) -> Reading:
        """The outcome of a measurement, if there can be such a one."""
        threshold = self._judgements[measure].tally.thresholds[arm]
        return self._criteria[measure].outcome.check_sized(value, size, threshold)

    def enter(self, measure: int, arm: int, told: Reading) -> Sequence[int]:
        """Take in an outcome; the arms whose evidence may have changed."""
        judgement = self._judgements[measure]
        judgement.tally.enter(arm, told)
        touched = judgement.touched(arm)
        for other in touched:
            self._lowest.pop(other, None)
        return touched

    def count(self, arm: int) -> int:
        """The trials of an arm: of the measurement that was told most often."""
        if len(self._judgements) == 1:
            return self._judgements[0].tally.count(arm)
        return max(judgement.tally.count(arm) for judgement in self._judgements)

    @property
    def measurements(self) -> int:
        """How many there are of a trial."""
        return len(self._judgements)

    def tally(self, measure: int) -> MeasurementTally:
        """The outcomes of a measurement."""
        return self._judgements[measure].tally

    def means(self, arm: int) -> tuple[float | None, ...]:
        """The mean of every measurement."""
        return tuple(judgement.tally.mean(arm) for judgement in self._judgements)

    def evidence(self, arm: int) -> float:
        """The least W of the criteria that were measured."""
        w = self._lowest.get(arm)
        if w is None:
            measured = [one for one in self._judgements if one.tally.count(arm)]
            w = self._lowest[arm] = min((one.evidence(arm) for one in measured), default=0.0)
        return w

    def certificates(self, arm: int) -> tuple[float, float]:
        """Logarithms of the e-values: for "all criteria hold", and for "one does not"."""
        every = [one.certificates(arm) for one in self._judgements]
        return min(good for good, _ in every), max(bad for _, bad in every) - self._union

    def verdict(self, arm: int, levels: Levels) -> int:
        """Where the arm stands, if these are the levels."""
        none = levels.none + self._union
        if all(one.may_reach(arm, levels.name, 1.0) for one in self._judgements) and all(
            one.certificates(arm)[0] >= levels.name for one in self._judgements
        ):
            return GOOD
        for one in self._judgements:
            if one.may_reach(arm, none, -1.0) and one.certificates(arm)[1] >= none:
                return BAD
        return UNDECIDED

    def limits(
        self, measure: int, risks: Sequence[tuple[float, float]], stands: Sequence[int] = ()
    ) -> Limits:
        """Limits of every arm's mean; `risks` are those of being named and of being ruled out.

        Where it is certain how an arm `stands`, its limits say no less, whatever was told since.
        """
        several, criterion = len(self._judgements), self._criteria[measure]
        pairs = [(name, none / several) for name, none in risks]
        if criterion.side < 0.0:
            pairs = [pair[::-1] for pair in pairs]
        judgement = self._judgements[measure]
        lows, highs = judgement.limits(range(len(risks)), pairs)
        for arm, stand in enumerate(() if criterion.has_control else stands):
            # Of several criteria, nobody has said which one does not hold.
            if stand == UNDECIDED or (stand == BAD and several > 1):
                continue
            bar = judgement.tally.thresholds[arm]
            if stand == BAD:
                bar = nextafter(bar, -criterion.side * inf)
            if (stand == GOOD) == (criterion.side > 0.0):
                lows[arm] = bar if (low := lows[arm]) is None else max(low, bar)
            else:
                highs[arm] = bar if (high := highs[arm]) is None else min(high, bar)
        return lows, highs

    def add_arm(self, arm: int, bars: Sequence[float | None]) -> None:
        """One more arm, of that position, with a bar for each criterion that has one."""
        for judgement, bar in zip(self._judgements, bars, strict=True):
            if isinstance(judgement, AgainstControl):
                judgement.add_arm()
            else:
                assert bar is not None
                judgement.tally.add_arm(bar)

    def state(self) -> list[dict[str, Any]]:
        """What outcomes have left, as plain data."""
        return [judgement.tally.state() for judgement in self._judgements]

    def restore(self, state: list[dict[str, Any]]) -> None:
        """Take up what `state` gave away."""
        self._lowest.clear()
        for judgement, tally in zip(self._judgements, state, strict=True):
            judgement.tally.restore(tally)


def _judgement(criterion: Criterion, K: int, control: int | None) -> CriterionJudge:
    if criterion.has_control:
        assert control is not None
        return AgainstControl(criterion, K, control)
    return AgainstBar(criterion, K)
