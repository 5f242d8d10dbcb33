"""The kinds of events: what each carries, what it does to a study, and how people read it.

A class of its own for each kind; `KINDS` finds it by name. Everything else that deals with events
(the fold, the trials, the audit, the page) asks the kind. Its `about` is a row of the table in
docs/studies.md, and `actions.py` has the requests that add it.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from goodarm.study.log.events import Event
from goodarm.study.settings import check_boundary
from goodarm.study.trials import CANCELLED, EXPIRED, RETRACTED, TOLD, OpenTrial, Trial
from goodarm.wording import confidence, counted, figure

if TYPE_CHECKING:
    from goodarm.study.log.fold import Fold


class ToldOutcome(NamedTuple):
    """An outcome that was told and not taken back."""

    trial: int
    arm: str
    value: float


Standing = dict[int, ToldOutcome]
"""The outcomes that stand, by the number of the event that told each."""


class Kind:
    """One kind of event; most do nothing of some of this."""

    name: ClassVar[str]
    title: ClassVar[str]
    """In a table of events."""
    about: ClassVar[str]
    """When it happens and what it carries."""
    carries: ClassVar[frozenset[str]] = frozenset()
    """What its body may have."""
    moves_outcomes: ClassVar[bool] = False
    """Whether outcomes begin or cease to stand with it."""

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """Raise a ValueError if the study would have refused it; for an audit."""

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Change the state of the study; true if all outcomes must be gone through anew."""
        raise ValueError(f"{self.name!r} cannot happen later")

    def next_trial(self, event: Event, trial: Trial | None) -> Trial:
        """What it makes of its trial."""
        raise ValueError(f"{self.name!r} is about no trial")

    def move_outcome(self, event: Event, standing: Standing) -> None:
        """Add or remove the outcome that begins or ceases to stand."""

    def remark(self, body: dict[str, Any]) -> str:
        """What is special about this one, in a word or two after the title."""
        return ""

    def details(self, body: dict[str, Any]) -> str:
        """What has changed, besides arm, value, note and reason."""
        return ""


class Created(Kind):
    """The first event of every log."""

    name = "created"
    title = "created"
    about = (
        "the settings, the seed, the algorithm and a fingerprint of what it chooses; without "
        "`boundary` and `decide` (earlier versions) they are `glr` and `as-told`"
    )


class Asked(Kind):
    """A suggestion, or an arm that a person chose."""

    name = "asked"
    title = "suggested"
    about = "a suggestion: trial, arm, when its lease ends; `chosen` if a person chose"
    carries = frozenset({"trial", "arm", "expires_at", "chosen"})

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """Trials are numbered without a gap; whether the suggestion is right is seen elsewhere."""
        if event.body["trial"] != fold.next_trial:
            raise ValueError(f"its trial should have the number {fold.next_trial}")

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


class Told(Kind):
    """An outcome, asked for or not, in time or late, or the right one in place of a wrong one."""

    name = "told"
    title = "outcome"
    about = (
        "an outcome: trial, arm, value, note, `observed_at` (the client's clock); `more` if others "
        "follow that count at the same moment; `imported` from a file; `corrects` an earlier event"
    )
    carries = frozenset(
        {"trial", "arm", "value", "observed_at", "note", "imported", "more", "corrects"}
    )
    moves_outcomes = True

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """The value is of the declared kind, and the trial had none."""
        body, settings = event.body, fold.settings
        if settings.outcome.check(body["value"], settings.threshold) != body["value"]:
            raise ValueError("the value is not a number of the declared kind")
        if trial is None and body["trial"] != fold.next_trial:
            raise ValueError(f"its trial should have the number {fold.next_trial}")
        if trial is not None and (trial.status == TOLD or trial.arm != body["arm"]):
            raise ValueError("the trial had its outcome, or another arm")

    def apply(self, event: Event, fold: "Fold") -> bool:
        """The outcome counts, at once or when those before it are known."""
        body = event.body
        trial, arm, more = body["trial"], fold.numbers[body["arm"]], bool(body.get("more"))
        if fold.close_trial(trial) is None:
            late = trial < fold.next_trial
            fold.tally["corrected" if body.get("corrects") else "late" if late else "unasked"] += 1
            fold.next_trial = max(fold.next_trial, trial + 1)
        if fold.stopped is not None:
            fold.tally["after the end"] += 1
        if body.get("imported"):
            fold.tally["imported"] += 1
        fold.enter(trial, arm, body["value"], more)
        fold.count(arm, more)
        return False

    def next_trial(self, event: Event, trial: Trial | None) -> Trial:
        """The trial has its outcome."""
        body = event.body
        return replace(
            trial or Trial(number=body["trial"], arm=body["arm"]),
            status=TOLD,
            value=body["value"],
            told_at=event.at,
            observed_at=body.get("observed_at"),
            note=body.get("note"),
            reason=None,
            by=event.by,
        )

    def move_outcome(self, event: Event, standing: Standing) -> None:
        """One more stands."""
        body = event.body
        standing[event.seq] = ToldOutcome(body["trial"], body["arm"], body["value"])

    def remark(self, body: dict[str, Any]) -> str:
        """Where it comes from."""
        return "correction" if body.get("corrects") else "imported" if body.get("imported") else ""


class Withdrawn(Kind):
    """What cancelling and expiring have in common."""

    carries = frozenset({"trial", "reason"})
    status: ClassVar[str]

    def apply(self, event: Event, fold: "Fold") -> bool:
        """The trial is open no more, and what waited for it counts."""
        trial = fold.close_trial(event.body["trial"])
        if trial is None:
            raise LookupError(f"trial {event.body['trial']} is not open")
        fold.tally[self.name] += 1
        fold.count(trial.arm, more=False)
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
    status = EXPIRED


class Retracted(Kind):
    """An outcome taken back."""

    name = "retracted"
    title = "retracted"
    about = "an outcome stops counting: `told` is the event that told it; why"
    carries = frozenset({"trial", "told", "reason"})
    moves_outcomes = True

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """There is something to take back."""
        if trial is None or trial.status != TOLD:
            raise ValueError("there was no outcome to retract")

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Everything but this outcome counts."""
        fold.tally[self.name] += 1
        return True

    def next_trial(self, event: Event, trial: Trial | None) -> Trial:
        """The trial has no outcome any more."""
        reason = event.body.get("reason")
        before = _known(event, trial)
        return replace(before, status=RETRACTED, value=None, reason=reason, by=event.by)

    def move_outcome(self, event: Event, standing: Standing) -> None:
        """One less stands."""
        del standing[event.body["told"]]


class Amended(Kind):
    """Another threshold, another stopping rule, or both."""

    name = "amended"
    title = "settings changed"
    about = "the threshold or the stopping rule changes: `threshold`, `boundary`; why"
    carries = frozenset({"threshold", "boundary", "reason"})

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """The new ones could have been declared."""
        if "threshold" in event.body:
            fold.settings.outcome.check_threshold(event.body["threshold"])
        if "boundary" in event.body:
            check_boundary(event.body["boundary"])

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Everything that was told is judged anew."""
        for what in ("threshold", "boundary"):
            if what in event.body:
                fold.amend(what, event)
        return True

    def details(self, body: dict[str, Any]) -> str:
        """The new ones."""
        changes = [f"bar now {figure(body['threshold'])}"] if "threshold" in body else []
        changes += [f"stops by {body['boundary']}"] if "boundary" in body else []
        return ", ".join(changes)


class Extended(Kind):
    """The study goes on: with more trials, towards another δ, or for as long as wanted."""

    name = "extended"
    title = "extended"
    about = "the study goes on: `trials` more, or until it is sure at 1 − `delta`; why"
    carries = frozenset({"trials", "delta", "reason"})

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Another limit, perhaps another δ, by which everything is then judged anew."""
        trials, delta = event.body.get("trials"), event.body.get("delta")
        ended = not fold.is_open
        if trials is None:
            fold.limit = None if ended else fold.limit
        elif ended:
            fold.limit = fold.used + trials
        else:
            fold.limit = trials + (fold.limit or 0)
        fold.stopped = None
        fold.going_on = delta is None and fold.counted.finished
        if delta is None:
            return False
        fold.amend("delta", event)
        return True

    def details(self, body: dict[str, Any]) -> str:
        """How far."""
        changes = [counted(body["trials"], "more trial")] if "trials" in body else []
        changes += [f"until {confidence(1.0 - body['delta'])} sure"] if "delta" in body else []
        return ", ".join(changes)


class Stopped(Kind):
    """The end, by a person."""

    name = "stopped"
    title = "stopped"
    about = "the study ends; why"
    carries = frozenset({"reason"})

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Nothing is suggested any more."""
        fold.stopped = event.body["reason"]
        return False


KINDS: dict[str, Kind] = {
    kind.name: kind()
    for kind in (
        Created,
        Asked,
        Told,
        Cancelled,
        Expired,
        Retracted,
        Amended,
        Extended,
        Stopped,
    )
}
MOVING_OUTCOMES = tuple(name for name, kind in KINDS.items() if kind.moves_outcomes)


def kind_of(event: Event) -> Kind:
    """The kind of an event; one that is not known is a ValueError."""
    if event.kind not in KINDS:
        raise ValueError(f"an event of unknown kind {event.kind!r}")
    return KINDS[event.kind]


def next_trial(event: Event, trial: Trial | None = None) -> Trial:
    """What an event makes of its trial."""
    return kind_of(event).next_trial(event, trial)


def trial_of(events: Iterable[Event]) -> Trial:
    """The trial that these events, all of one trial, amount to."""
    trial: Trial | None = None
    for event in events:
        trial = next_trial(event, trial)
    if trial is None:
        raise ValueError("no events")
    return trial


def all_trials(events: Iterable[Event]) -> list[Trial]:
    """Every trial and what became of it, in the order of their numbers."""
    trials: dict[int, Trial] = {}
    for event in events:
        if event.trial is not None:
            trials[event.trial] = next_trial(event, trials.get(event.trial))
    return [trials[number] for number in sorted(trials)]


def standing_outcomes(events: Iterable[Event]) -> Iterable[ToldOutcome]:
    """The outcomes that stand after these events, in the order in which they were told."""
    standing: Standing = {}
    for event in events:
        kind_of(event).move_outcome(event, standing)
    return standing.values()


def _known(event: Event, trial: Trial | None) -> Trial:
    if trial is None:
        raise ValueError(f"event {event.seq} is about a trial that does not exist")
    return trial
