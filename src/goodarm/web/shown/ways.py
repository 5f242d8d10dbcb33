"""How far a study has come towards its answer, as the bars at the top of its page."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from goodarm.inquiry.arm_state import CONTROL, RETIRED
from goodarm.inquiry.question import ALL, ANY, IN_ORDER, Question
from goodarm.study.evidence.contract import NOT_CERTAIN
from goodarm.study.report.status import ArmReport, Status
from goodarm.wording import counted, figure


class Way(NamedTuple):
    """One bar: the option that the words begin with, if any, what they say, how much of what."""

    id: str
    arm: str | None
    words: str
    value: int
    of: int
    look: str = ""


def ways(status: Status) -> list[Way]:
    """How far each answer is; for most questions there are two."""
    asked = [arm for arm in status.arms if arm.standing not in (CONTROL, RETIRED)]
    good = [arm for arm in asked if arm.standing == "good"]
    out = [arm for arm in asked if arm.standing == "not good"]
    question = Question.parse(status.question)
    if question.kind == ALL:
        return list(_all(asked, good, out))
    ruled_out = Way("none-way", None, _ruled_out(len(out), len(asked)), len(out), len(asked), "out")
    if question.kind == ANY:
        return [_best(asked), ruled_out]
    if question.kind == IN_ORDER:
        return [_first(asked), ruled_out]
    wanted = question.wanted(len(asked))
    words = f"{figure(len(good))} of {counted(wanted, 'good option')} found"
    return [Way("good-way", None, words, min(len(good), wanted), wanted), ruled_out]


def _all(
    asked: Sequence[ArmReport], good: Sequence[ArmReport], out: Sequence[ArmReport]
) -> Iterator[Way]:
    sure = len(good) + len(out)
    words = f"{figure(sure)} of {counted(len(asked), 'option')} answered: "
    words += f"{figure(len(good))} good, {figure(len(out))} not"
    yield Way("good-way", None, words, sure, len(asked))
    left = [arm for arm in asked if arm.standing == NOT_CERTAIN]
    if left:
        last = min(left, key=lambda arm: abs(arm.share))
        share = _per_cent(abs(last.share))
        words = f" is the least certain: {share} % of the evidence needed"
        yield Way("none-way", last.arm, words, share, 100)


def _best(asked: Sequence[ArmReport]) -> Way:
    tried = [arm for arm in asked if arm.count]
    best = max(tried, key=lambda arm: arm.share, default=None)
    named = 0 if best is None else _per_cent(best.share)
    if best is None or not named:
        return Way("good-way", None, "No option points to “good” so far", 0, 100)
    return Way(
        "good-way", best.arm, f": {named} % of the evidence needed to call it good", named, 100
    )


def _first(asked: Sequence[ArmReport]) -> Way:
    first = next((arm for arm in asked if arm.standing != "not good"), None)
    if first is None:
        return Way("good-way", None, "No option of the list is left", 0, 100)
    share = _per_cent(abs(first.share))
    verb = "rule it out" if first.share < 0.0 else "call it good"
    words = f" comes first: {share} % of the evidence needed to {verb}"
    return Way("good-way", first.arm, words, share, 100, "out" if first.share < 0.0 else "")


def _ruled_out(many: int, of: int) -> str:
    if of == 1:
        return "ruled out" if many else "not ruled out"
    return f"{figure(many)} of {counted(of, 'option')} ruled out"


def _per_cent(share: float) -> int:
    return int(100.0 * min(max(share, 0.0), 1.0))
