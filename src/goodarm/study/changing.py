"""A study that goes on in another way: extended, amended, with other arms, filed, stopped."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from goodarm.errors import InputError
from goodarm.inputs import LONGEST_NOTE, text
from goodarm.inputs import label as name_of
from goodarm.study import actions, changes
from goodarm.study.arms import ArmDetails
from goodarm.study.declared import check_delta, check_more
from goodarm.study.log.ledger import Ledger
from goodarm.study.log.writing import Writing
from goodarm.study.tags import check_tags
from goodarm.study.view import StudyView

T = TypeVar("T")


class ChangingStudy(StudyView):
    """What can be changed of a study once it is under way; the log has it, with the reason."""

    def __init__(self, ledger: Ledger, by: str | None = None) -> None:
        super().__init__(ledger)
        self._by = by

    def extend(
        self,
        trials: int | None = None,
        delta: float | None = None,
        reason: str | None = None,
        key: str | None = None,
    ) -> None:
        """Go on after the end, or beyond the budget; a smaller `delta` asks for more certainty."""
        more = None if trials is None else check_more(trials)
        aim = None if delta is None else check_delta(delta)
        why, request = remark("reason", reason), actions.request_key(key)
        self._commit(lambda writing: changes.extend(writing, more, aim, why, request))

    def amend(
        self,
        threshold: float | None = None,
        reason: str = "",
        key: str | None = None,
        boundary: str | None = None,
    ) -> None:
        """Change threshold or stopping rule; once outcomes are known, the study warns of it."""
        why, request = text("reason", reason, LONGEST_NOTE), actions.request_key(key)
        if threshold is None and boundary is None:
            raise InputError("give a threshold or a boundary to change to")
        self._commit(lambda writing: changes.amend(writing, threshold, boundary, why, request))

    def rename(self, name: str, reason: str | None = None, key: str | None = None) -> None:
        """Give the study another name. The log keeps the old one; nothing else changes."""
        new, why, request = (
            name_of("name", name),
            remark("reason", reason),
            actions.request_key(key),
        )
        self._commit(lambda writing: changes.rename(writing, new, why, request))

    def archive(self, reason: str | None = None, key: str | None = None) -> None:
        """Put the study away: lists leave it out. Nothing else changes; `unarchive` undoes it."""
        why, request = remark("reason", reason), actions.request_key(key)
        self._commit(lambda writing: changes.archive(writing, why, request))

    def unarchive(self, reason: str | None = None, key: str | None = None) -> None:
        """Bring the study back into the lists."""
        why, request = remark("reason", reason), actions.request_key(key)
        self._commit(lambda writing: changes.unarchive(writing, why, request))

    def tag(
        self, add: Iterable[str] = (), remove: Iterable[str] = (), key: str | None = None
    ) -> tuple[str, ...]:
        """Add tags and remove others; the tags that it has then. They are kept in small letters."""
        new, old = check_tags("tags", add), check_tags("tags", remove)
        request = actions.request_key(key)
        self._commit(lambda writing: changes.tag(writing, new, old, request))
        return self.tags

    def add_arm(
        self,
        name: str,
        reason: str,
        *,
        threshold: float | Mapping[str, float] | None = None,
        label: str | None = None,
        cost: float | None = None,
        note: str | None = None,
        key: str | None = None,
    ) -> None:
        """One more arm, while the study is under way; it gets a share of δ fixed beforehand.

        In a study without a `reserve` that share comes on top: a wrong answer is then as probable
        as 10δ/9. `threshold` is its bar where every arm has its own.
        """
        said = ArmDetails.declare(name_of("arm", name), label=label, cost=cost, note=note)
        why, request = text("reason", reason, LONGEST_NOTE), actions.request_key(key)
        self._commit(lambda writing: changes.add_arm(writing, said, threshold, why, request))

    def retire_arm(self, name: str, reason: str, key: str | None = None) -> None:
        """Take an arm out: it is not tried any more and cannot be named; the others go on."""
        arm, why = name_of("arm", name), text("reason", reason, LONGEST_NOTE)
        request = actions.request_key(key)
        self._commit(lambda writing: changes.retire_arm(writing, arm, why, request))

    def stop(self, reason: str, key: str | None = None) -> None:
        """End the study. Outcomes that still come in count; `extend` opens it again."""
        why, request = text("reason", reason, LONGEST_NOTE), actions.request_key(key)
        self._commit(lambda writing: changes.stop(writing, why, request))

    def _commit(self, work: Callable[[Writing], T]) -> T:
        return self._ledger.commit(work, self._by)


def remark(what: str, value: str | None) -> str | None:
    """A remark that may be left out."""
    return None if value is None else text(what, value, LONGEST_NOTE)
