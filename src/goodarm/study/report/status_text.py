"""A study's status as text for a terminal: answer, evidence, limits, next trial."""

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from goodarm.inquiry.arm_state import CONTROL, RETIRED
from goodarm.instance.instance import ABOVE
from goodarm.stopping.families.mixture import name_share
from goodarm.study.declared import AS_ASKED, AS_TOLD, MIXTURE, PAPERS
from goodarm.study.errors import REMEDY, UnlikelyOutcomeError
from goodarm.study.log.fold import STATES
from goodarm.study.log.verification import Verification
from goodarm.study.report.asked import wanted
from goodarm.study.report.cautions import WARNING
from goodarm.study.report.forecast import Forecast
from goodarm.study.report.status import ArmReport, Status, known
from goodarm.wording import confidence, counted, figure, printable, sure_at, wrapped

SCREEN_WIDTH = 80  # columns of a terminal, at most; fewer if it has fewer
HALF, LEAST_HALF = 20, 6  # of a bar, on each side of its middle
MOST_LINES_OF_ARMS = 30
MOST_ENDS = 5
STOPS_BY = {
    MIXTURE: "certificates of the outcome model",
    PAPERS: "the paper's boundary",
}
ONLY_ELSEWHERE = (
    "not to be seen here: whether later events were left out, or all of it was written anew; only "
    "a head kept elsewhere can show that (--seal, --head)"
)
COUNTS = {
    AS_ASKED: "in the order of asking, once all asked before are known",
    AS_TOLD: "as soon as they are told",
}


def picture(status: Status, width: int = SCREEN_WIDTH) -> str:
    """The status in lines of text; only the head's hash, to be copied whole, may be longer."""
    return "\n".join(_lines(status, width))


def what_holds(status: Status, noun: str = "arm") -> str:
    """Which limits hold for all arms together and which for each alone, and how surely."""
    K, delta = len(status.arms), status.interval_delta
    if not status.is_plain:
        if status.simultaneous:
            return f"all limits hold together at {sure_at(delta)}"
        right = f"the answer is right at {sure_at(status.risk or delta)}"
        if status.control is not None:
            return f"limits are each {noun}'s own, the comparisons decide, and {right}"
        return (
            f"limits are those that decide: each {noun}'s reaches its bar exactly when that is "
            f"certain, and {right}"
        )
    if K == 1 and not status.simultaneous:
        return f"each of the two limits holds at {sure_at(delta)}"
    if status.simultaneous:
        return f"all limits hold together at {sure_at(delta)}"
    # Those that name an arm share xδ; that which rules a good arm out has δ₋ for itself.
    x = name_share(K)
    together, alone = sure_at(x * delta), sure_at((1.0 - x * (K - 1) / K) * delta)
    first, second = ("lower", "upper") if status.goal == ABOVE else ("upper", "lower")
    each = f"{second} ones for each {noun} alone at {alone}"
    return f"{first} limits hold together at {together}, {each}"


def what_is_asked(status: Status) -> str:
    """What the study looks for, in a few words."""
    if status.is_plain:
        return f"looking for a mean {status.goal} {status.threshold:g}"
    return printable(f"looking for {wanted(status.question)}: {' and '.join(status.criteria)}")


def what_the_line_is(status: Status, measure: int = 0) -> str:
    """What the dashed line across the limits is; "" where there is none."""
    bar = status.one_bar(measure)
    if bar is not None:
        return f"The dashed line is the bar, {figure(bar)}."
    if all(known(arm, measure).aim is None for arm in status.arms):
        return ""
    if status.control is not None:
        return "The dashed line is what the control’s average, as known so far, asks for."
    return "The dashed line is the bar of each option."


def what_confidence_means(decide: str) -> str:
    """What a reader may take from the confidence, and what would break it."""
    delays = "delays" if decide == AS_ASKED else "delays that have nothing to do with the outcomes"
    return (
        "If many studies stop when they are 95 % sure, at most 5 in 100 of them end with a wrong "
        "answer. That holds for outcomes that are independent and of the declared kind. It is not "
        "touched by looking often, by batches, choosing options yourself, extending, or stopping "
        f"early, nor by {delays}. It is broken by leaving outcomes out because of their value, and "
        "by moving the bar after seeing them."
    )


def what_is_unlikely(error: UnlikelyOutcomeError) -> str:
    """What is odd about an outcome, without the remedy, which each face words for itself."""
    return str(error).partition(f" {REMEDY}")[0]


def forecast_text(forecast: Forecast) -> str:
    """A forecast in a few lines."""
    beyond, futures = f"more than {forecast.horizon:,}", counted(forecast.runs, "future")
    middle = beyond if forecast.median is None else f"about {forecast.median:,}"
    high = beyond if forecast.high is None else f"{forecast.high:,}"
    if forecast.low is None:
        spread = f"{_percent(forecast.unfinished)} of the futures"
    else:
        most = "80 of 100 futures" if forecast.high is not None else f"80 % of {futures}"
        spread = f"{most}: {forecast.low:,} to {high}"
    answers = sorted(forecast.answers.items(), key=lambda item: -item[1])[:MOST_ENDS]
    between = "; " if any(", " in answer for answer, _ in answers) else ", "
    ends = between.join(
        f"{printable(arm) if arm else 'none is good'} {_percent(share)}" for arm, share in answers
    )
    if ends and forecast.unfinished > 0.0:
        within = counted(forecast.horizon, "trial")
        ends += f"{between}no answer within {within} {_percent(forecast.unfinished)}"
    lines = [
        f"{middle} more trials until {sure_at(forecast.delta)} confidence ({spread}).",
        f"ends with: {ends or 'no answer within the horizon'}",
    ]
    if forecast.high is None:
        ahead, share = counted(forecast.horizon, "trial"), _percent(forecast.unfinished)
        lines.append(f"looked ahead: {ahead} in {futures}, {share} of which were not done by then")
    return "\n".join([*lines, f"assumes: {forecast.assumes}"])


def _percent(share: float) -> str:
    return f"{100.0 * share:.0f} %"


def verification_text(audit: Verification, width: int | None = None) -> str:
    """What an audit found; with a width, also what it looked at, in lines of at most that."""
    name = printable(audit.study)
    if audit.ok:
        derived = f"{counted(audit.suggestions, 'suggestion')} derived anew"
        result = f"{name}: sound: {counted(audit.events, 'event')}, {derived}"
        result += f" (the others not: {audit.skipped})" if audit.skipped else ""
        lines = [result, *([] if width is None else _what_was_audited(audit, width))]
    else:
        lines = [
            f"{name}: event {problem.seq}: {printable(problem.text)}" for problem in audit.problems
        ]
    return "\n".join([*lines, f"head {audit.head}"])


def _what_was_audited(audit: Verification, width: int) -> Iterator[str]:
    yield from wrapped(printable(audit.meaning), width, "  ")
    if audit.compared:
        yield from wrapped(f"compared with the log: {', '.join(audit.compared)}", width, "  ")
    for what in audit.not_compared:
        yield from wrapped(f"not compared: {printable(what)}", width, "  ")
    if audit.vouched is None:
        yield from wrapped(ONLY_ELSEWHERE, width, "  ")
        return
    since = f"; {counted(audit.events - audit.vouched, 'event')} came later"
    yield from wrapped(
        f"the head kept elsewhere is that of event {audit.vouched}: nothing up to there was "
        f"changed or left out since it was noted{since if audit.vouched < audit.events else ''}",
        width,
        "  ",
    )


def _lines(status: Status, width: int) -> Iterator[str]:
    yield f"{printable(status.name)}: {STATES[status.state]}"
    yield ""
    yield from wrapped(printable(status.meaning), width)
    yield ""
    full = f"named, or ruled out, at {sure_at(status.interval_delta)}"
    if status.boundary is not None:
        full = f"|W| = {status.boundary:.4g}, which {sure_at(status.interval_delta)} needs"
    yield from wrapped(f"{what_is_asked(status)}; a full bar: {full}", width, "  ")
    yield from _table(status, width)
    if len(status.criteria) > 1:
        yield from _measurements(status, width)
    yield from wrapped(what_holds(status), width, "  ")
    yield ""
    yield from _facts(status, width)


def _measurements(status: Status, width: int) -> Iterator[str]:
    """The other measurements, each with its mean and limits; the table has the first."""
    for position, criterion in enumerate(status.criteria[1:], 1):
        said = [
            f"{printable(arm.arm)} {figure(one.mean)} ({figure(one.low)} to {figure(one.high)})"
            for arm in _chosen(status.arms)
            if (one := arm.measurements[position]).mean is not None
        ]
        yield from wrapped(f"{printable(criterion)}: {', '.join(said) or 'none yet'}", width, "  ")


def _facts(status: Status, width: int) -> Iterator[str]:
    limit = "" if status.limit is None else f" of {status.limit}"
    pending = f", {status.pending} pending (+)" if status.pending else ""
    waiting = f", {status.waiting} waiting (~)" if status.waiting else ""
    aim = "no δ: stop when you like" if status.delta is None else f"aims at {sure_at(status.delta)}"
    yield f"  trials      {status.trials}{limit}{pending}{waiting}"
    if status.spent is not None:
        yield f"  spent       {figure(status.spent)}"
    yield f"  confidence  {confidence(status.confidence)} ({aim})"
    yield f"  stops by    {STOPS_BY[status.stopping_rule]} ({status.stopping_rule})"
    if status.next_arm is not None:
        yield f"  next        {printable(status.next_arm)} ({status.algorithm})"
    if status.stopped is not None:
        yield f"  stopped     {printable(status.stopped)}"
    for caution in status.cautions:
        mark = "! " if caution.level == WARNING else "· "
        yield from wrapped(printable(caution.text), width, f"  {mark}")
    yield f"  head        {status.head}"


class _Cells(NamedTuple):
    """What a row of the table says of an arm."""

    arm: str
    n: str
    mean: str
    lower: str
    upper: str


def _table(status: Status, width: int) -> Iterator[str]:
    """Numbers are shown whole; bars, then names, give way where they do not fit."""
    arms = _chosen(status.arms)
    rows = [_cells(arm) for arm in arms]
    widths = [max(map(_width, column)) for column in zip(_Cells._fields, *rows, strict=True)]
    room = width - 2 * (len(widths) + 1) - sum(widths[1:])
    widths[0] = max(3, min(widths[0], room - 2 * LEAST_HALF - 1))
    half = max(LEAST_HALF, min(HALF, (room - widths[0] - 1) // 2))
    yield _row(_Cells(*_Cells._fields), widths) + "against".rjust(half) + "│for"
    for arm, cells in zip(arms, rows, strict=True):
        yield (_row(cells, widths) + _bar(arm.share, half)).rstrip()
    if len(arms) < len(status.arms):
        yield f"  … and {counted(len(status.arms) - len(arms), 'arm')} in between"


def _cells(arm: ArmReport) -> _Cells:
    pending = f"+{arm.pending}" if arm.pending else ""
    waiting = f"~{arm.waiting}" if arm.waiting else ""
    count = f"{arm.count}{pending}{waiting}"
    name = f"{arm.arm} ({arm.standing})" if arm.standing in (CONTROL, RETIRED) else arm.arm
    return _Cells(printable(name), count, figure(arm.mean), figure(arm.low), figure(arm.high))


def _row(cells: _Cells, widths: list[int]) -> str:
    name = cells.arm
    while _width(name) > widths[0]:
        name = name.removesuffix("…")[:-1] + "…"
    numbers = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return "  ".join(["", name + " " * (widths[0] - _width(name)), *numbers, ""])


def _chosen(arms: tuple[ArmReport, ...]) -> list[ArmReport]:
    """All arms, or the two ends of the scale where there are too many."""
    if len(arms) <= MOST_LINES_OF_ARMS:
        return list(arms)
    ordered = sorted(arms, key=lambda arm: -arm.W)
    return ordered[: MOST_LINES_OF_ARMS // 2] + ordered[-(MOST_LINES_OF_ARMS // 2) :]


def _bar(share: float, half: int) -> str:
    filled = min(int(abs(share) * half + 0.5), half if abs(share) >= 1.0 else half - 1)
    full = "█" if abs(share) >= 1.0 else "▒"
    if share < 0.0:
        return (full * filled).rjust(half) + "│"
    return " " * half + "│" + full * filled


def _width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
