"""The arms' means with their limits, laid out and drawn on one scale, with the bar across.

The same rows stand on the page, in reports and in notebooks. Lines have colours of their own that
can be seen on a light and on a dark ground; a style sheet may give them others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from goodarm.showing.markup import Html, bdi, joined, tag
from goodarm.showing.scale import Scale, with_ticks
from goodarm.showing.tables import Heading, plain_table, scrolling
from goodarm.wording import counted, figure, limits_text, way

T = TypeVar("T")
MOST_ROWS, MOST_IN_A_FILE = 40, 100  # of an open page, which is loaded often, and of a report
MARGIN, OPEN_MARGIN = 0.05, 0.2  # of the width, beyond what must be seen; more for arrows
REACH = 10.0  # how far beyond the means the scale goes: so many narrowest intervals
FOR, AGAINST, GONE = "for", "against", "gone"
OF_ARMS = ("arm", "trials", "mean", "limits")
COLOURS = {FOR: "#2a8f78", AGAINST: "#7a857f", GONE: "#9aa39e"}
OPEN_COLOUR = "#3f85cc"  # of what is not decided


@dataclass(frozen=True)
class DrawnArm:
    """One arm as it is to be shown: limits are None where there are none.

    `look` is FOR or AGAINST where it is decided, GONE where it is out of the question; `rank` how
    good it looks: of too many arms both ends are shown. `share` is how far it is on the way to
    being named (1) or ruled out (−1), `standing` what is to be said in its place, and `bar` its own
    where not all have the same.
    """

    name: str
    count: int
    mean: float | None
    low: float | None
    high: float | None
    look: str = ""
    rank: float = 0.0
    share: float | None = None
    pending: int = 0
    waiting: int = 0
    leads: bool = False
    standing: str = ""
    bar: float | None = None

    @property
    def limits(self) -> str:
        """Both limits in words."""
        return limits_text(self.low, self.high)


@dataclass(frozen=True)
class DrawnInterval:
    """Where the limits are, in per cent of the width; an open end runs out of the picture."""

    low: float
    high: float
    open_low: bool
    open_high: bool


@dataclass(frozen=True)
class ArmRow:
    """One arm, and where its marks are in per cent of the width."""

    arm: DrawnArm
    mean: float | None
    interval: DrawnInterval | None
    trials: float  # against the arm with the most
    bar: float | None

    def picture(self) -> Html:
        """Bar, limits and mean."""
        colour, look = COLOURS.get(self.arm.look, OPEN_COLOUR), self.arm.look
        bar = mean = None
        if self.bar is not None:
            bar = _line("bar", self.bar, self.bar, "0", "100%", "currentColor", dashed=True)
        if self.mean is not None:
            hollow = {"fill": "none" if look in (AGAINST, GONE) else colour, "stroke": colour}
            mean = tag("circle", class_=look, cx=f"{self.mean}%", cy="50%", r="4.5", **hollow)
        return tag("svg", bar, *self._limits(colour), mean, **_size(24))

    def _limits(self, colour: str) -> list[Html]:
        if self.interval is None:
            return []
        ends, look = self.interval, f"range {self.arm.look}".strip()
        marks = [_line(look, ends.low, ends.high, "50%", "50%", colour)]
        for is_open, x, tip in ((ends.open_low, "0", 6), (ends.open_high, "100%", -6)):
            if is_open:
                path = {"d": f"M{tip} -5 0 0 {tip} 5", "fill": "none", "stroke": colour}
                arrow = tag("path", class_=look, stroke_width="2.5", **path)
                place = {"x": x, "y": "50%", "width": "1", "height": "1", "overflow": "visible"}
                marks.append(tag("svg", arrow, class_="end", **place))
        return marks


@dataclass(frozen=True)
class Forest:
    """The arms on one scale; `hidden` are not among them, for lack of room."""

    rows: tuple[ArmRow, ...]
    hidden: int
    bar: float | None
    scale: Scale

    def axis(self) -> Html:
        """The numbers along the scale."""
        style = {"fill": "currentColor", "font_size": "12"}
        marks = (
            tag("text", text, x=f"{position}%", y="12", text_anchor="middle", **style)
            for position, text in self.scale.marks
        )
        return tag("svg", *marks, **_size(16))


def lay_out(arms: Sequence[DrawnArm], bar: float | None = None, most: int = MOST_ROWS) -> Forest:
    """Lay the arms out on a scale that holds the bar, every mean and most intervals."""
    chosen = both_ends(arms, most, lambda arm: arm.rank)
    bars = [bar if arm.bar is None else arm.bar for arm in chosen]
    scale = _scale(chosen, [one for one in (bar, *bars) if one is not None])

    def interval(arm: DrawnArm) -> DrawnInterval | None:
        if not arm.count:
            return None
        open_low = arm.low is None or arm.low < scale.low
        open_high = arm.high is None or arm.high > scale.high
        return DrawnInterval(
            low=0.0 if arm.low is None or open_low else scale.position(arm.low),
            high=100.0 if arm.high is None or open_high else scale.position(arm.high),
            open_low=open_low,
            open_high=open_high,
        )

    longest = max((arm.count for arm in chosen), default=0) or 1
    rows = tuple(
        ArmRow(
            arm=arm,
            mean=None if arm.mean is None else scale.position(arm.mean),
            interval=interval(arm),
            trials=round(100.0 * arm.count / longest, 1),
            bar=None if own is None else scale.position(own),
        )
        for arm, own in zip(chosen, bars, strict=True)
    )
    return Forest(rows, len(arms) - len(rows), bar, with_ticks(scale))


def both_ends(items: Sequence[T], most: int, rank: Callable[[T], float]) -> list[T]:
    """All in their order, or the best and the worst of them where there are too many."""
    if len(items) <= most:
        return list(items)
    ordered = sorted(items, key=lambda item: -rank(item))
    return ordered[: most - most // 2] + ordered[-(most // 2) :]


def forest_table(forest: Forest, caption: str) -> Html:
    """The arms as a table on a page, where a style sheet fits it to the width of the screen."""
    shares = any(row.arm.share is not None for row in forest.rows)
    titles = [("Option", ""), ("Trials", "n"), ("Average", "n average")]
    titles += [("Average and limits", "plot"), ("Limits", "n wide")]
    titles += [("Evidence", "n")] if shares else []
    head = [tag("th", title, scope="col", class_=look or None) for title, look in titles]
    feet = ["", "", "average", "plot axis", "wide"] + [""] * shares
    foot = [tag("td", forest.axis() if "axis" in f else None, class_=f or None) for f in feet]
    table = tag(
        "table",
        tag("caption", caption, " ", _the_line(forest)),
        tag("thead", tag("tr", *head)),
        tag("tbody", *(_table_row(row, shares) for row in forest.rows)),
        tag("tfoot", tag("tr", *foot)),
        class_="forest",
    )
    return joined(scrolling(table, "The options"), _what_is_missing(forest))


def _the_line(forest: Forest) -> str:
    """What the dashed line is; where each arm has its own, the caption must say it."""
    return "" if forest.bar is None else f"The dashed line is the bar, {figure(forest.bar)}."


def forest_snippet(forest: Forest, titles: tuple[str, str, str, str] = OF_ARMS) -> Html:
    """The same in a notebook, where there is no style sheet: numbers and a small picture."""
    name, count, mean, limits = titles
    numbers = (Heading(count, right=True), Heading(mean, right=True))
    columns = (Heading(name), *numbers, Heading(""), Heading(limits))
    rows: list[tuple[str, ...]] = [
        (
            bdi(row.arm.name),
            f"{row.arm.count:,}",
            figure(row.arm.mean),
            row.picture(),
            row.arm.limits,
        )
        for row in forest.rows
    ]
    if forest.hidden:
        rows.append((f"… and {forest.hidden:,} more", "", "", Html(), ""))
    return plain_table(columns, [*rows, ("", "", "", forest.axis(), "")])


def _table_row(row: ArmRow, shares: bool) -> Html:
    arm = row.arm
    under = [f"average {figure(arm.mean, 3)}", arm.limits] if arm.count else []
    subs = (tag("span", said, class_="sub phone") for said in under)
    pending = tag("span", f" +{arm.pending}", class_="minor") if arm.pending else None
    waiting = None
    if arm.waiting:
        waiting = tag("span", f"~{arm.waiting}", class_="sub", title=f"{arm.waiting} waiting")
    length = tag("rect", width=f"{row.trials}%", height="100%")
    trials = tag("svg", length, class_="trials", aria_hidden="true")
    return tag(
        "tr",
        tag("th", bdi(arm.name), *subs, scope="row"),
        tag("td", figure(arm.count), pending, waiting, trials, class_="n count"),
        tag("td", figure(arm.mean), class_="n average"),
        tag("td", row.picture(), class_="plot"),
        tag("td", arm.limits, class_="n wide"),
        tag("td", way(arm.share, arm.count, arm.standing), class_="n way") if shares else None,
        class_=("leads" if arm.leads else "gone" if arm.look == GONE else None),
    )


def _what_is_missing(forest: Forest) -> Html | None:
    if not forest.hidden:
        return None
    said = f"{counted(forest.hidden, 'option')} in between {'is' if forest.hidden == 1 else 'are'}"
    return tag("p", f"{said} not shown; an export of the log has all.", class_="hint")


def _scale(arms: Sequence[DrawnArm], bars: Sequence[float]) -> Scale:
    """The ends of the scale.

    After two or three outcomes of unknown scatter limits can be a thousand times wider than those
    of the other arms; such an interval is cut off, or nothing else could be seen.
    """
    means = [arm.mean for arm in arms if arm.mean is not None]
    means = [*means, *bars] or [0.0]
    pairs = [(arm.low, arm.high) for arm in arms]
    ends = [end for pair in pairs for end in pair if end is not None]
    widths = [high - low for low, high in pairs if low is not None and high is not None]
    least, most = min(means), max(means)
    reach = REACH * max(most - least, min(widths, default=0.0))
    if reach > 0.0:
        ends = [min(max(end, least - reach), most + reach) for end in ends]
    low, high = min([least, *ends]), max([most, *ends])
    tried = [arm for arm in arms if arm.count]
    below = OPEN_MARGIN if any(arm.low is None for arm in tried) else MARGIN
    above = OPEN_MARGIN if any(arm.high is None for arm in tried) else MARGIN
    width = high - low or 10.0
    return Scale(low - below * width, high + above * width)


def _line(
    look: str, x1: float, x2: float, y1: str, y2: str, colour: str, dashed: bool = False
) -> Html:
    return tag(
        "line",
        class_=look,
        x1=f"{x1}%",
        x2=f"{x2}%",
        y1=y1,
        y2=y2,
        stroke=colour,
        stroke_width="1.5" if dashed else "2.5",
        stroke_dasharray="4 3" if dashed else None,
    )


def _size(height: int) -> dict[str, str]:
    """The size where no style sheet says another."""
    return {
        "width": "180",
        "height": str(height),
        "overflow": "visible",
        "aria_hidden": "true",
    }
