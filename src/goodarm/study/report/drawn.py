"""A study's arms and the growth of its evidence as they are drawn: on the page, in a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from goodarm.showing.chart import LOOKS, Chart, Curve, Level
from goodarm.showing.forest import MOST_ROWS, forest_table, lay_out
from goodarm.showing.markup import Html
from goodarm.showing.scale import scale_over
from goodarm.stopping.boundaries import parse_boundary
from goodarm.study.declared import PAPERS
from goodarm.study.evidence.trail import MOST_CURVES
from goodarm.study.report.status import Status
from goodarm.study.report.status_text import what_holds, what_the_line_is

LEADERS = 4  # arms with a line of their own: the best of them, the last, and the answer
FULL = 1.0  # the share of the way at which an arm is named, or, negative, ruled out
ENDS = "largest of all", "smallest of all"  # the curves of a study with many arms

Values = tuple[float | None, ...]


def options_table(status: Status, most: int = MOST_ROWS, measure: int = 0) -> Html:
    """The arms on a page, with a word about which limits hold together."""
    bar = status.one_bar(measure)
    valid = f"Averages with their limits, valid whenever you look: {what_holds(status, 'option')}."
    caption = valid if bar is not None else f"{valid} {what_the_line_is(status, measure)}"
    return forest_table(lay_out(status.drawn_arms(measure), bar, most), caption)


@dataclass(frozen=True)
class EvidenceCurves:
    """How the evidence grew, arm by arm, at the same times.

    `values` are shares of the way or, with the paper's boundary, W, which the `boundary` bounds.
    With many arms there are two curves, of the largest and the smallest of all.
    """

    stopping_rule: str
    times: tuple[int, ...]
    boundary: tuple[float, ...] | None
    confidence: float
    names: tuple[str, ...]
    values: tuple[Values, ...]
    answer: str | None
    events: int

    @property
    def shares(self) -> tuple[Values, ...]:
        """The same as shares of what is needed, whatever the stopping rule."""
        if self.boundary is None:
            return self.values
        return tuple(
            tuple(
                None if value is None else value / level
                for value, level in zip(values, self.boundary, strict=True)
            )
            for values in self.values
        )

    @property
    def leaders(self) -> tuple[int, ...]:
        """The curves that are worth a colour, by their numbers, the best one first."""
        last = [next((v for v in reversed(values) if v is not None), 0.0) for values in self.values]
        order = sorted(range(len(last)), key=lambda i: -last[i])
        chosen = {*order[:LEADERS], *order[-1:]}
        chosen |= {i for i, name in enumerate(self.names) if name == self.answer}
        return tuple(i for i in order if i in chosen)

    def to_dict(self) -> dict[str, Any]:
        """The curves as plain data."""
        what = "W" if self.stopping_rule == PAPERS else "share"
        return {
            "rule": self.stopping_rule,
            "t": list(self.times),
            "boundary": None if self.boundary is None else list(self.boundary),
            "confidence": self.confidence,
            "arms": [
                {"name": name, what: list(values)}
                for name, values in zip(self.names, self.values, strict=True)
            ],
            "answer": self.answer,
            "events": self.events,
        }


def evidence_curves(status: Status, trail: Sequence[Sequence[Any]]) -> EvidenceCurves:
    """The curves through the points of an evidence trail, up to the present."""
    points = [_of_all_arms(point, len(status.arms)) for point in trail]
    is_papers = status.stopping_rule == PAPERS
    names = [arm.arm for arm in status.arms]
    latest = [(arm.W if is_papers else arm.share) if arm.count else None for arm in status.arms]
    if points and len(points[0]) - 1 != len(names):
        names = list(ENDS)
        by_evidence = sorted((arm for arm in status.arms if arm.count), key=lambda arm: arm.W)
        ends = by_evidence[-1], by_evidence[0]
        latest = [arm.W if is_papers else arm.share for arm in ends]
    if points and points[-1][0] < status.trials:  # the trail is thinned out; its end matters most
        points.append([status.trials, *latest])
    levels = None
    if is_papers:
        boundary = parse_boundary(PAPERS, len(status.arms), status.interval_delta)
        levels = tuple(float(f"{boundary.level(point[0]):.5g}") for point in points)
    return EvidenceCurves(
        stopping_rule=status.stopping_rule,
        times=tuple(point[0] for point in points),
        boundary=levels,
        confidence=1.0 - status.interval_delta,
        names=tuple(names),
        values=tuple(tuple(point[i + 1] for point in points) for i in range(len(names))),
        answer=status.answer,
        events=status.events,
    )


def _of_all_arms(point: Sequence[Any], arms: int) -> list[Any]:
    """A point of the trail, which may be from before the last arms were added."""
    t, *values = point
    if len(values) == arms or (arms > MOST_CURVES and len(values) == len(ENDS)):
        return [t, *values]
    if arms <= MOST_CURVES:
        return [t, *values, *[None] * (arms - len(values))]
    known = [value for value in values if value is not None]
    return [t, max(known), min(known)]


def evidence_picture(curves: EvidenceCurves, height: int = 240, width: int | None = None) -> Html:
    """The evidence as a share of what is needed, against the number of trials."""
    shares, leaders = curves.shares, curves.leaders
    seen = [share for values in shares for share in values if share is not None]
    look = {number: position % len(LOOKS) for position, number in enumerate(leaders)}
    chart = Chart(
        label="The evidence for each option against the number of trials",
        x=scale_over([0, curves.times[-1]]),
        y=scale_over([1.1 * FULL, -1.1 * FULL, *seen]),
        x_name="trials",
        y_name="evidence, as a share of what is needed",
        curves=[
            Curve(
                name=name,
                points=list(zip(curves.times, values, strict=True)),
                look=look.get(number),
                is_thick=name == curves.answer,
            )
            for number, (name, values) in enumerate(zip(curves.names, shares, strict=True))
        ],
        levels=[Level(FULL, "good"), Level(-FULL, "ruled out")],
    )
    return chart.draw(height, width)
