"""A study in a few lines, and in a notebook: answer, arms, how sure."""

from collections.abc import Iterator

from goodarm.showing.forest import both_ends, forest_snippet, lay_out
from goodarm.showing.markup import Html
from goodarm.showing.snippet import MOST_IN_SHORT, WIDTH, snippet
from goodarm.study.log.fold import STATES
from goodarm.study.report.drawn import EvidenceCurves, evidence_picture
from goodarm.study.report.status import Status
from goodarm.wording import confidence, counted, figure, printable, sure_at, wrapped

ROWS = 12  # arms in a notebook
PICTURE = {"height": 140, "width": 420}


def status_lines(status: Status) -> Iterator[str]:
    """The state, the answer, the arms or the best and the last of them, and how sure it is."""
    yield f"{printable(status.name)}: {STATES[status.state]}"
    yield from wrapped(printable(status.meaning), WIDTH)
    for arm in both_ends(status.drawn_arms(), MOST_IN_SHORT, lambda arm: arm.rank):
        said = f"{counted(arm.count, 'trial')}, mean {figure(arm.mean)}, limits {arm.limits}"
        yield f"  {printable(arm.name)}: {said}"
    hidden = len(status.arms) - MOST_IN_SHORT
    if hidden > 0:
        yield f"  … and {hidden:,} more in between"
    yield _how_sure(status)


def status_html(status: Status, curves: EvidenceCurves | None = None) -> Html:
    """The same with pictures; with curves, also how the evidence grew."""
    picture = None
    if curves is not None and curves.times:
        picture = evidence_picture(curves, **PICTURE)
    arms = lay_out(status.drawn_arms(), status.one_bar(), ROWS)
    headline = f"{status.name}: {STATES[status.state]}"
    note = "\n".join(caution.text for caution in status.cautions if caution.level == "warning")
    return snippet(
        headline,
        status.meaning,
        forest_snippet(arms),
        picture,
        note=f"{_how_sure(status)}. {note}".strip(),
    )


def _how_sure(status: Status) -> str:
    limit = "" if status.limit is None else f" of {status.limit:,}"
    pending = f", {status.pending:,} pending" if status.pending else ""
    waiting = f", {status.waiting:,} waiting" if status.waiting else ""
    aim = "no δ" if status.delta is None else f"aims at {sure_at(status.delta)}"
    trials = f"{status.trials:,}{limit} {'trial' if status.trials == 1 else 'trials'}"
    return f"{trials}{pending}{waiting}, confidence {confidence(status.confidence)} ({aim})"
