"""A study's status as text for a terminal: answer, evidence against the boundary, next trial."""

import unicodedata
from collections.abc import Iterator

from goodarm.study.cautions import WARNING
from goodarm.study.fold import STATES
from goodarm.study.forecast import Forecast
from goodarm.study.report import ArmReport, Status, percent
from goodarm.study.verify import Verification

WIDTH = 20  # of each half of a bar
MOST_ROWS = 30
LONGEST_SHOWN = 28
MOST_ENDS = 5


def picture(status: Status) -> str:
    """The status in lines of text."""
    return "\n".join(_lines(status))


def forecast_text(seen: Forecast) -> str:
    """A forecast in two sentences."""
    beyond = f"more than {seen.horizon:,}"
    middle = beyond if seen.median is None else f"about {seen.median:,}"
    low = beyond if seen.low is None else f"{seen.low:,}"
    high = beyond if seen.high is None else f"{seen.high:,}"
    ends = ", ".join(
        f"{printable(arm) if arm else 'none is good'} {share:.0%}"
        for arm, share in sorted(seen.answers.items(), key=lambda item: -item[1])[:MOST_ENDS]
    )
    return (
        f"{middle} more trials until {percent(1.0 - seen.delta)} confidence "
        f"(80 of 100 futures: {low} to {high}).\n"
        f"ends with: {ends or 'no answer within the horizon'}\n"
        f"assumes: {seen.assumes}"
    )


def verification_text(found: Verification) -> str:
    """What an audit found."""
    name = printable(found.study)
    if found.ok:
        derived = f"{found.suggestions} suggestions derived anew"
        result = f"{name}: sound: {found.events} events, {derived}"
        result += f" (the others not: {found.skipped})" if found.skipped else ""
    else:
        result = "\n".join(
            f"{name}: event {problem.seq}: {printable(problem.text)}" for problem in found.problems
        )
    return f"{result}\nhead {found.head}"


def printable(text: str) -> str:
    """The text with everything escaped that a terminal might act upon or hide."""
    return "".join(
        c if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") else
        c.encode("unicode_escape").decode()
        for c in text
    )  # fmt: skip


def _lines(status: Status) -> Iterator[str]:
    yield f"{printable(status.name)}: {STATES[status.state]}"
    yield ""
    yield printable(status.meaning)
    yield ""
    level = percent(1.0 - status.interval_delta)
    yield (
        f"  looking for a mean {status.goal} {status.threshold:g}; evidence in units of what "
        f"{level} confidence needs"
    )
    shown = _chosen(status.arms)
    width = max(3, *(len(_name(arm)) for arm in shown))
    head = f"{'arm':<{width}}  {'n':>5}  {'mean':>9}  {f'{level} interval':>21}"
    bar = "against".rjust(WIDTH) + "│" + "for".ljust(WIDTH)
    yield f"  {head}  {'W':>7}  {bar}"
    for arm in shown:
        yield "  " + _row(arm, width)
    if len(shown) < len(status.arms):
        yield f"  … and {len(status.arms) - len(shown)} arms in between"
    if status.boundary is not None:
        yield f"  the bars are full at |W| = {status.boundary:.3f}"
    yield ""
    yield from _facts(status)


def _facts(status: Status) -> Iterator[str]:
    limit = "" if status.limit is None else f" of {status.limit}"
    waiting = f", {status.pending} pending" if status.pending else ""
    aim = (
        "no δ: stop when you like"
        if status.delta is None
        else f"aims at {percent(1 - status.delta)}"
    )
    yield f"  trials      {status.trials}{limit}{waiting}"
    yield f"  confidence  {percent(status.confidence)} ({aim})"
    if status.next_arm is not None:
        yield f"  next        {printable(status.next_arm)} ({status.algorithm})"
    if status.stopped is not None:
        yield f"  stopped     {printable(status.stopped)}"
    for caution in status.cautions:
        mark = "! " if caution.level == WARNING else "· "
        yield f"  {mark}{caution.text}"
    yield f"  head        {status.head}"


def _chosen(arms: tuple[ArmReport, ...]) -> list[ArmReport]:
    """All arms, or the two ends of the scale where there are too many."""
    if len(arms) <= MOST_ROWS:
        return list(arms)
    ordered = sorted(arms, key=lambda arm: -arm.W)
    return ordered[: MOST_ROWS // 2] + ordered[-(MOST_ROWS // 2) :]


def _row(arm: ArmReport, width: int) -> str:
    mean = "–" if arm.mean is None else f"{arm.mean:.4g}"
    interval = "–"
    if arm.low is not None and arm.high is not None:
        interval = f"[{arm.low:.4g}, {arm.high:.4g}]"
    pending = f"+{arm.pending}" if arm.pending else ""
    return (
        f"{_name(arm):<{width}}  {f'{arm.count}{pending}':>5}  {mean:>9}  {interval:>21}  "
        f"{arm.W:>7.3f}  {_bar(arm.share)}"
    ).rstrip()


def _bar(share: float) -> str:
    filled = round(min(abs(share), 1.0) * WIDTH)
    full = "█" if abs(share) >= 1.0 else "▒"
    if share < 0.0:
        return (full * filled).rjust(WIDTH) + "│"
    return " " * WIDTH + "│" + full * filled


def _name(arm: ArmReport) -> str:
    name = printable(arm.arm)
    return name if len(name) <= LONGEST_SHOWN else name[: LONGEST_SHOWN - 1] + "…"
