"""A live study: the arms with their limits against the bar, and how the evidence grew."""

from typing import TYPE_CHECKING, Any, cast

from goodarm.plotting.figures import axes_or_new, calm, new_panels
from goodarm.plotting.styles import MARKERS, PATTERNS, THICK, THIN
from goodarm.showing.chart import FAINT, LOOKS
from goodarm.showing.forest import AGAINST, COLOURS, FOR, OPEN_COLOUR, ArmRow, lay_out
from goodarm.wording import counted, figure, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from goodarm.study.report.status import Status
    from goodarm.study.view import StudyView

MOST_DRAWN = 25
LONGEST_LABEL = 28  # characters beside the axis
LETTER, MOST_FOR_NAMES = 0.07, 0.6  # inches; of a panel's width
MARKER_OF = {FOR: "o", AGAINST: "s"}
UNDECIDED = "D"
BAR: dict[str, Any] = {"color": "#1c2421", "linestyle": "--", "linewidth": 1.2}


def plot_study(study: "StudyView | Status", ax: "Axes | None" = None) -> "Axes":
    """Each arm's mean with its limits against the bar, the best on top, and its number of trials.

    An arm that is named has a filled circle, one that is ruled out a square, the others a diamond.
    A limit that is beyond the axis, or does not exist, is an arrow. Of more than 25 arms both ends
    are shown.
    """
    status = _status(study)
    ax = axes_or_new(ax)
    arms = sorted(status.drawn_arms(), key=lambda arm: -arm.rank)
    bar = status.one_bar()
    forest = lay_out(arms, bar, MOST_DRAWN)
    ax.set_xlim(forest.scale.low, forest.scale.high)
    ax.set_ylim(len(forest.rows) - 0.5, -0.5)
    for y, row in enumerate(forest.rows):
        _draw_arm(ax, y, row)
    if bar is not None:
        ax.axvline(bar, zorder=1, **BAR)
    else:  # each its own
        for y, row in enumerate(forest.rows):
            if row.arm.bar is not None:
                ax.plot([row.arm.bar] * 2, [y - 0.45, y + 0.45], zorder=1, **BAR)
    names = [f"{_short(row.arm.name)}  ({row.arm.count:,})" for row in forest.rows]
    ax.set_yticks(range(len(names)), names, fontsize=8.5)
    more = f"; {counted(forest.hidden, 'arm')} in between left out" if forest.hidden else ""
    where = "dashed" if bar is None else f"at {figure(bar)}"
    ax.set_xlabel(f"mean with limits; bar {where}{more}", fontsize=9)
    ax.set_ylabel("arm (trials)", fontsize=9)
    calm(ax)
    ax.grid(False, axis="y")
    return ax


def plot_evidence(study: "StudyView", ax: "Axes | None" = None) -> "Axes":
    """How the evidence grew: each arm's share of what is needed to name it, or to rule it out.

    The best, the last and the recommended arm have lines of their own, the others are grey.
    """
    ax = axes_or_new(ax)
    curves = study.evidence_curves()
    for number, (name, shares) in enumerate(zip(curves.names, curves.shares, strict=True)):
        values = [float("nan") if share is None else share for share in shares]
        if number not in curves.leaders:
            ax.plot(curves.times, values, linewidth=0.8, color=FAINT[0], alpha=0.45, zorder=1)
            continue
        look = curves.leaders.index(number)
        ax.plot(
            curves.times,
            values,
            linewidth=THICK if name == curves.answer else THIN,
            color=LOOKS[look % len(LOOKS)][0],
            linestyle=PATTERNS[look % len(PATTERNS)],
            marker=MARKERS[look % len(MARKERS)],
            markevery=max(1, len(values) // 8),
            markersize=4.5,
            markerfacecolor="white",
            label=_short(name),
        )
    for level in (1.0, -1.0):
        ax.axhline(level, **BAR)
    ax.set_xlabel("trials", fontsize=9)
    ax.set_ylabel("evidence (1: named, −1: ruled out)", fontsize=9)
    calm(ax)
    if curves.times:
        ax.legend(fontsize=8, frameon=False, handlelength=3.6)
    return ax


def draw_study(study: "StudyView") -> "Figure":
    """Both pictures in one figure."""
    drawn, (arms, evidence) = new_panels(["", "How the evidence grew"])
    plot_study(study, arms)
    plot_evidence(study, evidence)
    # The names take their room from the picture beside them.
    longest = max(len(label.get_text()) for label in arms.get_yticklabels())
    place = arms.get_position()
    room = min(MOST_FOR_NAMES * place.width, LETTER * longest / drawn.get_figwidth())
    left = place.width - room
    arms.set_position((place.x0 + room, place.y0, left, place.height))
    title = f"{_short(study.name)}: means with limits"
    arms.set_title(title, loc="left", x=-room / left, fontsize=10)
    return drawn


def _status(study: "StudyView | Status") -> "Status":
    # The layer of studies is above this one: a study is known by what it can do.
    now = getattr(study, "status", None)
    return cast("Status", study if now is None else now())


def _draw_arm(ax: "Axes", y: int, row: ArmRow) -> None:
    """The limits, with arrows where they go on, and the mean."""
    arm, ends = row.arm, row.interval
    colour = COLOURS.get(arm.look, OPEN_COLOUR)
    low, high = ax.get_xlim()
    if ends is not None:
        first = low if ends.open_low or arm.low is None else arm.low
        last = high if ends.open_high or arm.high is None else arm.high
        ax.hlines(y, first, last, color=colour, linewidth=1.6)
        for goes_on, x, arrow in ((ends.open_low, low, "<"), (ends.open_high, high, ">")):
            if goes_on:
                ax.plot(x, y, arrow, color=colour, markersize=6, clip_on=False)
    if arm.mean is not None:
        look = MARKER_OF.get(arm.look, UNDECIDED)
        fill = colour if arm.look == FOR else "white"
        ax.plot(arm.mean, y, look, color=colour, markerfacecolor=fill, markersize=5.5)


def _short(name: str) -> str:
    """A name that fits beside an axis; nothing in it is taken for mathematics."""
    text = printable(name)
    short = text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
    return short.replace("$", r"\$")
