"""Events that are about the study as a whole: created, amended, renamed, extended, stopped."""

from typing import TYPE_CHECKING, Any

from goodarm.inputs import label
from goodarm.study.changes_of_arms import check_added, check_amendable, check_retired
from goodarm.study.declared import check_boundary, check_delta, check_more
from goodarm.study.log.events import LOG_FORMAT, Event
from goodarm.study.log.kinds.contract import Kind
from goodarm.study.roster import AddedArm
from goodarm.study.settings import Settings
from goodarm.study.trials import Trial
from goodarm.wording import confidence, counted, figure

if TYPE_CHECKING:
    from goodarm.study.log.fold import Fold


class Created(Kind):
    """The first event of every log."""

    name = "created"
    title = "created"
    about = (
        "the name, the settings, the seed, the algorithm and a fingerprint of what it chooses; "
        "`command` if a gate began it; without `boundary` and `decide` (earlier versions) they are "
        "`glr` and `as-told`"
    )


def check_creation(body: dict[str, Any]) -> None:
    """Raise a ValueError if nobody could have created this study, or not in this format."""
    if body.get("format", LOG_FORMAT) != LOG_FORMAT:
        raise ValueError(f"its format is {body['format']!r}, not {LOG_FORMAT}")
    Settings.from_data(body).check_values()


class Amended(Kind):
    """Another threshold, another stopping rule, or both."""

    name = "amended"
    title = "settings changed"
    about = "the bar or the stopping rule changes: `threshold`, `boundary`; why"
    carries = frozenset({"threshold", "boundary", "reason"})
    needs = frozenset({"reason"})
    is_change = True

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """The new ones could have been declared, and were not yet."""
        check_amendable(fold.settings)
        new = {what: value for what, value in event.body.items() if what != "reason"}
        if not new or any(getattr(fold.settings, what) == value for what, value in new.items()):
            raise ValueError("nothing changes")
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


class Renamed(Kind):
    """Another name for the study."""

    name = "renamed"
    title = "renamed"
    about = "the study has another `name`; why"
    carries = frozenset({"name", "reason"})
    needs = frozenset({"name"})
    is_change = True

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """It is a name, and another one."""
        if label("name", event.body["name"]) == fold.name:
            raise ValueError("the study had that name already")

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Nothing else changes."""
        fold.name = event.body["name"]
        return False

    def details(self, body: dict[str, Any]) -> str:
        """The new one."""
        return f"now {body['name']}"


class Extended(Kind):
    """The study goes on: with more trials, towards another δ, or for as long as wanted."""

    name = "extended"
    title = "extended"
    about = "the study continues: `trials` more, or until it is sure at 1 − `delta`; why"
    carries = frozenset({"trials", "delta", "reason"})
    is_change = True

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """There was something to extend, by something."""
        trials, delta = event.body.get("trials"), event.body.get("delta")
        if trials is not None:
            check_more(trials)
        if delta is None:
            if fold.is_open and (trials is None or fold.limit is None):
                raise ValueError("there was nothing to extend")
        elif check_delta(delta) == fold.settings.delta:
            raise ValueError("the study had that δ already")

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
        fold.going_on = delta is None and fold.evidence.finished
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
    needs = carries
    is_change = True

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """It was not stopped yet."""
        if fold.stopped is not None:
            raise ValueError("the study was stopped already")

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Nothing is suggested any more."""
        fold.stopped = event.body["reason"]
        return False


class ArmAdded(Kind):
    """One more arm, in a study that is under way."""

    name = "arm-added"
    title = "option added"
    about = (
        "there is one more option, `arm`, with its `label`, `cost` and `note`, and `thresholds` "
        "where every option has its own; why"
    )
    carries = frozenset({"arm", "label", "cost", "note", "thresholds", "reason"})
    needs = frozenset({"arm", "reason"})
    is_change = True

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """It could have been added."""
        check_added(fold, AddedArm.from_data(event.body))

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Its share of δ was laid aside beforehand."""
        return fold.add_arm(AddedArm.from_data(event.body))

    def details(self, body: dict[str, Any]) -> str:
        """Nothing but the arm itself."""
        return f"at {figure(body['cost'])} a trial" if "cost" in body else ""


class ArmRetired(Kind):
    """An arm is out: not tried any more, and not to be named."""

    name = "arm-retired"
    title = "option retired"
    about = "an option, `arm`, is not tried any more and cannot be named; why"
    carries = frozenset({"arm", "reason"})
    needs = carries
    is_change = True

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """It was there."""
        check_retired(fold, event.body["arm"])

    def apply(self, event: Event, fold: "Fold") -> bool:
        """The question is about the others."""
        return fold.retire_arm(fold.numbers[event.body["arm"]], event.body["reason"])


STUDY_KINDS = (
    Created(),
    Amended(),
    Renamed(),
    Extended(),
    Stopped(),
    ArmAdded(),
    ArmRetired(),
)
