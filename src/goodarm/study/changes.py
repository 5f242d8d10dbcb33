"""What is done to a study as a whole: its settings, its name, its arms, where it is found.

As in `actions.py`, each may run twice for one request.
"""

from collections.abc import Iterable, Mapping

from goodarm.errors import InputError
from goodarm.inputs import label, number
from goodarm.study.actions import used
from goodarm.study.arms import ArmDetails
from goodarm.study.changes_of_arms import check_added, check_amendable, check_retired
from goodarm.study.declared import check_boundary
from goodarm.study.errors import ConflictError
from goodarm.study.log import kinds
from goodarm.study.log.fold import OPEN
from goodarm.study.log.writing import Writing
from goodarm.study.roster import AddedArm
from goodarm.study.tags import changed_tags, write_tags


def stop(writing: Writing, reason: str, key: str) -> None:
    """End the study; outcomes that still come in count."""
    if writing.fold.stopped is None and writing.under_key(key) is None:
        writing.add(kinds.Stopped.name, {"reason": reason}, key)


def extend(
    writing: Writing, more: int | None, delta: float | None, reason: str | None, key: str
) -> None:
    """Go on: with more trials, towards another δ, or for as long as wanted."""
    fold = writing.fold
    if writing.under_key(key) is not None:
        return
    if delta is not None and delta == fold.settings.delta:
        raise InputError(f"delta: the study already aims at {delta:g}; give another, or none")
    if delta is None and fold.state == OPEN:
        if fold.limit is None:
            raise InputError("the study is open and has no limit that could be extended")
        if more is None:
            raise InputError("the study is open; say how many more trials, or how sure it shall be")
    writing.add(kinds.Extended.name, {"trials": more, "delta": delta, "reason": reason}, key)


def amend(writing: Writing, threshold: object, boundary: object, reason: str, key: str) -> None:
    """Change threshold or stopping rule, for the record, with a warning if there are outcomes."""
    settings = writing.fold.settings
    check_amendable(settings)
    wanted: dict[str, object] = {}
    if threshold is not None:
        wanted["threshold"] = settings.outcome.check_threshold(threshold)
    if boundary is not None:
        wanted["boundary"] = check_boundary(boundary)
    changed = {what: value for what, value in wanted.items() if value != getattr(settings, what)}
    if changed and writing.under_key(key) is None:
        writing.add(kinds.Amended.name, {**changed, "reason": reason}, key)


def rename(writing: Writing, name: str, reason: str | None, key: str) -> None:
    """Give the study another name, which no other study has."""
    if writing.fold.name == name or writing.under_key(key) is not None:
        return
    if writing.is_taken(name):
        raise ConflictError(f"name: there is a study {name!r} already; give another name")
    writing.add(kinds.Renamed.name, {"name": name, "reason": reason}, key)


def archive(writing: Writing, reason: str | None, key: str) -> None:
    """Put the study away."""
    if not writing.fold.archived and writing.under_key(key) is None:
        writing.add(kinds.Archived.name, {"reason": reason}, key)


def unarchive(writing: Writing, reason: str | None, key: str) -> None:
    """Bring the study back."""
    if writing.fold.archived and writing.under_key(key) is None:
        writing.add(kinds.Unarchived.name, {"reason": reason}, key)


def tag(writing: Writing, added: Iterable[str], removed: Iterable[str], key: str) -> None:
    """Add some tags, remove others."""
    tags = changed_tags(writing.fold.tags, added, removed)
    if tags != writing.fold.tags and writing.under_key(key) is None:
        writing.add(kinds.Tagged.name, {"tags": write_tags(tags)}, key)


def add_arm(
    writing: Writing,
    details: ArmDetails,
    threshold: float | Mapping[str, float] | None,
    reason: str,
    key: str,
) -> None:
    """One more arm; the guarantee keeps a share of δ for it."""
    bars = {} if threshold is None else threshold
    if not isinstance(bars, Mapping):
        bars = {writing.fold.criteria[0].name: number("threshold", bars)}
    arm = AddedArm(label("arm", details.name), details, dict(bars))
    body = {**arm.to_data(), "reason": reason}
    if _was_done(writing, kinds.ArmAdded.name, body, key):
        return
    check_added(writing.fold, arm)
    writing.add(kinds.ArmAdded.name, body, key)


def retire_arm(writing: Writing, name: str, reason: str, key: str) -> None:
    """Take an arm out; the others go on."""
    body = {"arm": name, "reason": reason}
    if _was_done(writing, kinds.ArmRetired.name, body, key):
        return
    check_retired(writing.fold, name)
    writing.add(kinds.ArmRetired.name, body, key)


def _was_done(writing: Writing, kind: str, body: Mapping[str, object], key: str) -> bool:
    """Whether an earlier attempt at the same request succeeded; its key is not for another one."""
    earlier = writing.under_key(key)
    if earlier is None:
        return False
    if (earlier.kind, earlier.body) != (kind, body):
        raise used(earlier, key)
    return True
