"""What an export says besides its events: is it what they amount to?

Whoever is sent a file reads its status and not its events. So an audit derives the status anew
and compares. Versions differ in what a status has and in how they word it: what another version
wrote is compared as far as both have it, and the rest is named.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from goodarm import __version__
from goodarm.study.log.alike import alike
from goodarm.study.log.export import Claims
from goodarm.study.log.fold import Fold
from goodarm.study.report.status import report

WORDING = ("meaning", "cautions", "outcome")  # texts, which other versions word in other ways
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
    if isinstance(claims.status, dict):
        _compare_status(claims, fold, found)
    else:
        found.problems.append("the file has no status")
    return found


def _compare_status(claims: Claims, fold: Fold, found: ClaimsCheck) -> None:
    now = fold.last_at if claims.at is None else str(claims.at)
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
    for what, said, is_ in wrong[:MOST_NAMED]:
        found.problems.append(
            f"the file says that {what} is {_short(said)}, but its events amount to {_short(is_)}"
        )
    if not wrong:
        found.compared.append("the file's status")
    left_out = sorted({what for what, _, _ in differing if what in excused})
    left_out += sorted(claims.status.keys() - actual.keys() - {"name"})
    if left_out:
        whose = "" if same_version else ", which another version of goodarm wrote"
        found.not_compared.append(f"{', '.join(left_out)} in its status{whose}")


def _differences(claimed: dict[str, Any], actual: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """What both have and is not the same: its name, as claimed, as it is."""
    for what in [name for name in actual if name in claimed]:
        if what == "arms" and isinstance(claimed[what], list):
            yield from _differing_arms(claimed[what], actual[what])
        elif not alike(claimed[what], actual[what]):
            yield what, claimed[what], actual[what]


def _differing_arms(claimed: list[Any], actual: list[Any]) -> Iterator[tuple[str, Any, Any]]:
    if len(claimed) != len(actual) or not all(isinstance(arm, dict) for arm in claimed):
        yield "arms", claimed, actual
        return
    for said, is_ in zip(claimed, actual, strict=True):
        for what, a, b in _differences(said, is_):
            yield f"{what} of {is_['arm']!r}", a, b


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
