"""What a kind of event is."""

from typing import TYPE_CHECKING, Any, ClassVar

from goodarm.study.log.events import Event
from goodarm.study.log.standing import StandingOutcomes
from goodarm.study.trials import Trial

if TYPE_CHECKING:
    from goodarm.study.log.fold import Fold


class Kind:
    """One kind of event; most do nothing of some of this."""

    name: ClassVar[str]
    title: ClassVar[str]
    """In a table of events."""
    about: ClassVar[str]
    """When it happens and what it carries."""
    carries: ClassVar[frozenset[str]] = frozenset()
    """What its body may have."""
    needs: ClassVar[frozenset[str]] = frozenset()
    """What of that its body must have."""
    is_change: ClassVar[bool] = False
    """Whether it changes what was declared or told before, as a reader of a report should know."""
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

    def move_outcome(self, event: Event, standing: StandingOutcomes) -> None:
        """Add or remove the outcome that begins or ceases to stand."""

    def remark(self, body: dict[str, Any]) -> str:
        """What is special about this one, in a word or two after the title."""
        return ""

    def details(self, body: dict[str, Any]) -> str:
        """What has changed, besides arm, value, note and reason."""
        return ""
