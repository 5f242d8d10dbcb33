"""How two series may be related, and what intervals say about it: one rule for all claims.

A relation is an open range in which the logarithm of a ratio (or a difference) is claimed to lie.
There are two factors and no margins besides. Within CLOSE, the limits that tests of equivalence
usually have, two things are alike ("on par", "as well as", "comparable", "similar", "overlap");
what is said with a word of size ("by a large margin", "severely", "considerably", "dramatically",
"poorly") needs LARGE. That something is alike takes an interval that lies within both limits: two
one-sided tests (TOST).

A comparison holds if its interval lies inside the range, fails if it lies outside, and is open
otherwise. Errors are compared by the ratio of their odds, so that 0.0024 and 0.0002 are far apart;
where both are too rare for the number of runs, the interval is wide and the comparison open.

Curves are also looked at in ten points. More than a quarter of them decide:

* the whole lies inside the range, so many points beyond doubt outside it: it crosses; so many
  points only seem to lie outside: it is open;
* the whole lies outside the range, so many points beyond doubt inside it: it crosses;
* the whole tells nothing, so many points lie beyond doubt outside: it fails, or crosses if as many
  lie inside.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass

from goodarm.paper.judging.intervals import Interval

CLOSE, LARGE = 1.25, 2.0  # factors
TURNED = 0.25  # the share of a curve's points above which they count
HOLDS, FAILS, STAYS_OPEN, CROSSES = "holds", "fails", "open", "crosses"


@dataclass(frozen=True)
class Relation:
    """The range of ln(left/right) that is claimed, the range at single points, and its words."""

    words: str
    low: float
    high: float
    points_high: float

    def of_whole(self, interval: Interval) -> str:
        """What an interval says about the relation: HOLDS, FAILS or STAYS_OPEN."""
        if self.low <= interval.low and interval.high < self.high:
            return HOLDS
        return FAILS if interval.high < self.low or interval.low > self.high else STAYS_OPEN

    def is_violated(self, point: Interval) -> bool:
        """Whether it is beyond doubt violated at a point; a word of size is not asked of points."""
        return point.high < self.low or point.low > self.points_high

    def seems_violated(self, point: Interval) -> bool:
        """The same by the estimate alone; where no run erred on either side there is none (NaN)."""
        return point.estimate < self.low or point.estimate > self.points_high

    def outcome(self, whole: Interval, points: Collection[Interval] = ()) -> str:
        """What the whole and the points say together."""
        enough = TURNED * len(points)
        inside = sum(self.of_whole(point) == HOLDS for point in points) > enough
        outside = sum(map(self.is_violated, points)) > enough
        seems_outside = sum(map(self.seems_violated, points)) > enough
        found = self.of_whole(whole)
        if (found == HOLDS and outside) or (found == FAILS and inside):
            return CROSSES
        if found == HOLDS and seems_outside:
            return STAYS_OPEN
        if found == STAYS_OPEN and outside:
            return CROSSES if inside else FAILS
        return found


IS_BELOW = Relation("below the second", -math.inf, 0.0, 0.0)
IS_FAR_BELOW = Relation(
    f"below the second by a factor of {LARGE:g} or more", -math.inf, -math.log(LARGE), 0.0
)
IS_ALIKE = Relation(
    f"within a factor of {CLOSE:g} of the second", -math.log(CLOSE), *[math.log(CLOSE)] * 2
)
IS_NOT_FAR = Relation(
    f"within a factor of {LARGE:g} of the second", -math.log(LARGE), *[math.log(LARGE)] * 2
)
IS_NOT_ABOVE = Relation(
    f"not above the second by a factor of {CLOSE:g} or more", -math.inf, *[math.log(CLOSE)] * 2
)
