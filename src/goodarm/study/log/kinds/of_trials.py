"""Events that are about a trial: asked, renewed, told, cancelled, expired, retracted."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from goodarm.outcomes.contract import Reading
from goodarm.study.log.events import Event
from goodarm.study.log.kinds.contract import Kind
from goodarm.study.log.standing import StandingOutcomes, ToldOutcome
from goodarm.study.trials import CANCELLED, EXPIRED, OPEN, RETRACTED, TOLD, OpenTrial, Trial

if TYPE_CHECKING:
    from goodarm.study.log.fold import Fold


class Asked(Kind):
    """A suggestion, or an arm that a person chose."""

    name = "asked"
    title = "suggested"
    about = (
        "a suggestion: `trial`, `arm`, `expires_at` (the end of its lease); `chosen` if a person "
        "chose"
    )
    carries = frozenset({"trial", "arm", "expires_at", "chosen"})
    needs = frozenset({"trial", "arm"})

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """The study takes more trials, which are numbered without a gap.

        Whether the suggestion is right is seen elsewhere.
        """
        if event.body["trial"] != fold.next_trial:
            raise ValueError(f"its trial should have the number {fold.next_trial}")
        # A lease that the same request found run out may have let outcomes count that decide.
        just_decided = fold.evidence.finished and event.at == fold.last_at
        if not fold.is_open and (fold.stopped is not None or not just_decided):
            raise ValueError(f"the study took no more trials: it was {fold.state}")
        _check_lease(event)

    def apply(self, event: Event, fold: "Fold") -> bool:
        """The trial is open."""
        body = event.body
        arm = fold.numbers[body["arm"]]
        fold.open_trial(OpenTrial(body["trial"], arm, event.at, body.get("expires_at")))
        fold.next_trial = body["trial"] + 1
        fold.tally["chosen" if body.get("chosen") else "asked"] += 1
        return False

    def next_trial(self, event: Event, trial: Trial | None) -> Trial:
        """A new trial."""
        body = event.body
        return Trial(
            number=body["trial"],
            arm=body["arm"],
            asked_at=event.at,
            expires_at=body.get("expires_at"),
            by=event.by,
        )

    def remark(self, body: dict[str, Any]) -> str:
        """Who chose."""
        return "chosen by a person" if body.get("chosen") else ""


class Renewed(Kind):
    """A longer lease for a trial that is still being made."""

    name = "renewed"
    title = "lease renewed"
    about = "a suggestion is still being tried: `trial`, `expires_at` (the new end of its lease)"
    carries = frozenset({"trial", "expires_at"})
    needs = carries

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """The trial is open; when its lease ends is for whoever makes it to say."""
        if trial is None or trial.status != OPEN:
            raise ValueError("the trial was not open")
        _check_lease(event)

    def apply(self, event: Event, fold: "Fold") -> bool:
        """It expires later."""
        number = event.body["trial"]
        fold.open[number] = replace(fold.open[number], expires_at=event.body["expires_at"])
        return False

    def next_trial(self, event: Event, trial: Trial | None) -> Trial:
        """The trial, open as before."""
        return replace(_known(event, trial), expires_at=event.body["expires_at"])


class Told(Kind):
    """An outcome, asked for or not, in time or late, or the right one instead of a wrong one."""

    name = "told"
    title = "outcome"
    about = (
        "an outcome: `trial`, `arm`, `value`, `size` (if it is not 1), `note`, `observed_at` (the "
        "client's clock); `more` if others follow that count at the same moment; `imported` from a "
        "file; the event that it `corrects`; of several measurements, which `measure` it is, and "
        "whether others of the trial are still `awaited`"
    )
    carries = frozenset(
        {"trial", "arm", "value", "size", "observed_at", "note", "imported", "more", "corrects"}
        | {"measure", "awaited"}
    )
    needs = frozenset({"trial", "arm", "value"})
    moves_outcomes = True

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """The value is of the declared kind, and the trial had none."""
        body, number = event.body, event.body["trial"]
        measure = fold.measure(body.get("measure"))
        criterion = fold.criteria[measure]
        told = (body["value"], body.get("size", 1.0))
        if criterion.outcome.check_sized(*told, criterion.reference) != told:
            raise ValueError("the value is not a number of the declared kind")
        if trial is None and number != fold.next_trial:
            raise ValueError(f"its trial should have the number {fold.next_trial}")
        if trial is not None and (trial.status == TOLD or trial.arm != body["arm"]):
            raise ValueError("the trial had its outcome, or another arm")
        if trial is not None and trial.status == RETRACTED and "corrects" not in body:
            raise ValueError("the trial's outcome was taken back, and this does not correct it")
        if not fold.lacks(number, measure) or (
            bool(body.get("awaited")) == fold.completes(number, measure)
        ):
            raise ValueError("the trial has other measurements than it says")

    def apply(self, event: Event, fold: "Fold") -> bool:
        """The outcome counts, at once or when those before it are known."""
        body = event.body
        trial, arm, more = body["trial"], fold.numbers[body["arm"]], bool(body.get("more"))
        measure = fold.measure(body.get("measure"))
        was_open, is_first = trial in fold.open, trial not in fold.measured
        if was_open and not body.get("awaited"):
            fold.close_trial(trial)
        if not was_open and (is_first or body.get("corrects")):
            late = trial < fold.next_trial
            fold.tally["corrected" if body.get("corrects") else "late" if late else "unasked"] += 1
            fold.next_trial = max(fold.next_trial, trial + 1)
        if fold.stopped is not None:
            fold.tally["after the end"] += 1
        if body.get("imported"):
            fold.tally["imported"] += 1
        fold.enter(trial, arm, measure, Reading(body["value"], body.get("size", 1.0)), more)
        if not more:
            fold.evidence.judge()
        return False

    def next_trial(self, event: Event, trial: Trial | None) -> Trial:
        """The trial has its outcome."""
        body = event.body
        if "measure" in body:
            return _measured(event, trial)
        return Trial(  # not `replace`, which is slow: there may be a million
            number=body["trial"],
            arm=body["arm"] if trial is None else trial.arm,
            status=TOLD,
            value=body["value"],
            size=body.get("size"),
            asked_at=None if trial is None else trial.asked_at,
            expires_at=None if trial is None else trial.expires_at,
            told_at=event.at,
            observed_at=body.get("observed_at"),
            note=body.get("note"),
            by=event.by,
        )

    def move_outcome(self, event: Event, standing: StandingOutcomes) -> None:
        """One more stands; one that it corrects does not."""
        body = event.body
        size, measure = body.get("size", 1.0), body.get("measure", "")
        if "corrects" in body and standing.stands(body["corrects"], body["trial"], measure):
            raise ValueError("what it corrects still stands")
        told = ToldOutcome(body["trial"], body["arm"], body["value"], size, measure)
        standing.add(event.seq, told)

    def remark(self, body: dict[str, Any]) -> str:
        """Where it comes from."""
        return "correction" if body.get("corrects") else "imported" if body.get("imported") else ""


class Withdrawn(Kind):
    """What cancelling and expiring have in common."""

    carries = frozenset({"trial", "reason"})
    needs = frozenset({"trial"})
    status: ClassVar[str]

    def apply(self, event: Event, fold: "Fold") -> bool:
        """The trial is open no more, and what waited for it counts."""
        trial = fold.close_trial(event.body["trial"])
        if trial is None:
            raise LookupError(f"trial {event.body['trial']} is not open")
        fold.tally[self.name] += 1
        fold.count(trial.arm)
        fold.evidence.judge()
        return False

    def next_trial(self, event: Event, trial: Trial | None) -> Trial:
        """The trial is withdrawn."""
        reason = event.body.get("reason")
        return replace(_known(event, trial), status=self.status, reason=reason, by=event.by)


class Cancelled(Withdrawn):
    """A suggestion whose outcome will not come."""

    name = "cancelled"
    title = "cancelled"
    about = "a suggestion stops counting: its outcome will not come; why"
    status = CANCELLED


class Expired(Withdrawn):
    """A suggestion whose lease has run out."""

    name = "expired"
    title = "expired"
    about = "a suggestion stops counting: its lease has run out"
    carries = frozenset({"trial"})
    status = EXPIRED

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """It had run out."""
        awaited = fold.open.get(event.body["trial"])
        end = None if awaited is None else awaited.expires_at
        if end is None or end > event.at:
            raise ValueError("the trial had no lease that had run out")


class Retracted(Kind):
    """An outcome taken back."""

    name = "retracted"
    title = "retracted"
    about = (
        "an outcome stops counting: `told` is the event that told it, `measure` which of several "
        "it is; why"
    )
    carries = frozenset({"trial", "told", "measure", "reason"})
    needs = frozenset({"trial", "told", "reason"})
    is_change = True
    moves_outcomes = True

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """There is something to take back."""
        several = "measure" in event.body
        if trial is None or (trial.status != TOLD and not several):
            raise ValueError("there was no outcome to retract")

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Everything but this outcome counts."""
        fold.tally[self.name] += 1
        return True

    def next_trial(self, event: Event, trial: Trial | None) -> Trial:
        """The trial has no outcome any more, or one measurement less."""
        reason, measure = event.body.get("reason"), event.body.get("measure")
        before = _known(event, trial)
        if measure is not None:
            values, sizes = dict(before.values or {}), dict(before.sizes or {})
            values.pop(measure, None)
            sizes.pop(measure, None)
            return replace(
                before,
                status=RETRACTED,
                values=values or None,
                sizes=sizes or None,
                reason=reason,
                by=event.by,
            )
        return replace(before, status=RETRACTED, value=None, size=None, reason=reason, by=event.by)

    def move_outcome(self, event: Event, standing: StandingOutcomes) -> None:
        """One less stands."""
        body = event.body
        standing.remove(body["told"], body["trial"], body.get("measure", ""))


def _measured(event: Event, trial: Trial | None) -> Trial:
    """The trial with one more measurement; it stays as it is while others are awaited."""
    body, measure = event.body, event.body["measure"]
    before = Trial(body["trial"], body["arm"]) if trial is None else trial
    sizes = dict(before.sizes or {})
    if "size" in body:
        sizes[measure] = body["size"]
    return replace(
        before,
        status=before.status if body.get("awaited") else TOLD,
        values={**(before.values or {}), measure: body["value"]},
        sizes=sizes or None,
        told_at=event.at,
        observed_at=body.get("observed_at", before.observed_at),
        note=body.get("note", before.note),
        by=event.by,
    )


def _check_lease(event: Event) -> None:
    if event.body.get("expires_at", event.at) < event.at:
        raise ValueError("its lease ended before it began")


def _known(event: Event, trial: Trial | None) -> Trial:
    if trial is None:
        raise ValueError(f"event {event.seq} is about a trial that does not exist")
    return trial


TRIAL_KINDS = (Asked(), Renewed(), Told(), Cancelled(), Expired(), Retracted())
