"""What an export says besides its events: is it what they amount to?

Whoever is sent a file reads its status and not its events. So an audit derives the status anew
and compares. Versions differ in what a status has and in how they word it: what another version
wrote is compared as far as both have it, and the rest is named.
"""

import json
from collections.abc import Iterator
from operator import eq
from typing import Any, NamedTuple

from goodarm import __version__
from goodarm.inputs import is_stamp
from goodarm.study.log.alike import alike
from goodarm.study.log.export import Claims
from goodarm.study.log.fold import Fold
from goodarm.study.report.status import report

WORDING = ("meaning", "cautions", "outcome")  # texts, which other versions word in other ways
DECLARED = ("threshold", "delta", "interval_delta", "bar", "cost")  # numbers that nobody computes
ALWAYS = {  # what every status has had since the first version
    *("name", "state", "meaning", "answer", "confidence", "delta", "decided", "decision"),
    *("next_arm", "trials", "pending", "limit", "boundary", "interval_delta", "arms", "cautions"),
    *("threshold", "goal", "outcome", "algorithm", "seed", "stopped", "created_at", "updated_at"),
    *("events", "head"),
}
ALWAYS_OF_ARMS = {"arm", "count", "pending", "mean", "W", "low", "high", "share"}
BY_THE_CLOCK = "next_arm"  # depends on which leases had run out
MOST_NAMED = 3  # things that differ, in one problem
LONGEST = 60  # characters of a thing


class ClaimsCheck(NamedTuple):
    """What an audit of a file makes of what it says."""

    problems: list[str]
    compared: list[str]
    not_compared: list[str]


def compare(claims: Claims, fold: Fold) -> ClaimsCheck:
    """Hold what a file says against what its events amount to."""
    found = ClaimsCheck([], [], [])
    for what, claimed, actual in (
        ("head", claims.head, fold.head),
        ("name", claims.study, fold.name or claims.study),
    ):
        if claimed == actual and claimed is not None:
            found.compared.append(f"the file's {what}")
        else:
            found.problems.append(
                f"the file says that its {what} is {_short(claimed)}, but it is {_short(actual)}"
            )
    if claims.at is not None and not is_stamp(claims.at):
        found.problems.append(f"the file says that it was written at {_short(claims.at)}")
    elif isinstance(claims.status, dict):
        _compare_status(claims, fold, found)
    else:
        found.problems.append("the file has no status")
    if claims.others:
        found.not_compared.append(f"{', '.join(map(_short, claims.others))} in the file")
    return found


def _compare_status(claims: Claims, fold: Fold, found: ClaimsCheck) -> None:
    now = fold.last_at if claims.at is None else claims.at
    actual = json.loads(json.dumps(report(fold, now).to_dict()))
    if not fold.name:
        del actual["name"]
    same_version = (  # the first files of this version did not say when they were written
        claims.goodarm == __version__
        and claims.at is not None
        and claims.status.keys() >= actual.keys()
    )
    differing = list(_differences(claims.status, actual))
    excused = set() if same_version else set(WORDING)
    if claims.at is None and any(trial.expires_at for trial in fold.open.values()):
        excused.add(BY_THE_CLOCK)
    wrong = [(what, said, is_) for what, said, is_ in differing if what not in excused]
    lacking = [f"its status lacks {what}" for what in _lacking(claims.status)]
    found.problems.extend(lacking[:MOST_NAMED])
    for what, said, is_ in wrong[:MOST_NAMED]:
        found.problems.append(
            f"the file says that {what} is {_short(said)}, but its events amount to {_short(is_)}"
        )
    if not wrong and not lacking:
        found.compared.append("the file's status")
    left_out = sorted({what for what, _, _ in differing if what in excused})
    left_out += _besides(claims.status, actual)
    if left_out:
        whose = "" if same_version else ", which another version of goodarm wrote"
        found.not_compared.append(f"{', '.join(left_out)} in its status{whose}")


def _differences(claimed: dict[str, Any], actual: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """What both have and is not the same: its name, as claimed, as it is."""
    for what in [name for name in actual if name in claimed]:
        if what == "arms" and isinstance(claimed[what], list):
            yield from _differing_arms(claimed[what], actual[what])
        elif not (eq if what in DECLARED else alike)(claimed[what], actual[what]):
            yield what, claimed[what], actual[what]


def _differing_arms(claimed: list[Any], actual: list[Any]) -> Iterator[tuple[str, Any, Any]]:
    if len(claimed) != len(actual) or not all(isinstance(arm, dict) for arm in claimed):
        yield "arms", claimed, actual
        return
    for said, is_ in zip(claimed, actual, strict=True):
        for what, a, b in _differences(said, is_):
            yield f"{what} of {is_['arm']!r}", a, b


def _lacking(status: dict[str, Any]) -> Iterator[str]:
    """What every version has written, and is not there."""
    yield from sorted(ALWAYS - status.keys())
    for number, arm in enumerate(_arms(status), 1):
        for what in sorted(ALWAYS_OF_ARMS - arm.keys()):
            yield f"{what} of option {number}"


def _besides(claimed: dict[str, Any], actual: dict[str, Any]) -> list[str]:
    """What is there and is not known."""
    besides = [_short(what) for what in sorted(claimed.keys() - actual.keys() - {"name"})]
    for said, is_ in zip(_arms(claimed), actual["arms"], strict=False):
        others = sorted(said.keys() - is_.keys())
        besides += [f"{_short(what)} of {_short(is_['arm'])}" for what in others]
    return besides


def _arms(status: dict[str, Any]) -> list[dict[str, Any]]:
    arms = status.get("arms")
    return [arm for arm in arms if isinstance(arm, dict)] if isinstance(arms, list) else []


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
