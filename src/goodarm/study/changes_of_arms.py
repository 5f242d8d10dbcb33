"""Which changes a running study takes: other bars, more arms, fewer arms."""

from typing import TYPE_CHECKING

from goodarm.algorithms import find_algorithm
from goodarm.errors import InputError, unknown_name
from goodarm.inputs import MOST_ARMS, names
from goodarm.inquiry.criteria import bars_of_new
from goodarm.study.declared import PAPERS
from goodarm.study.roster import AddedArm
from goodarm.study.settings import Settings

if TYPE_CHECKING:
    from goodarm.study.log.fold import Fold


def check_amendable(settings: Settings) -> None:
    """Whether bar or stopping rule may be changed later."""
    if not settings.is_plain:
        raise InputError(
            "threshold, boundary: this study asks more than whether one option clears one bar, "
            "and keeps the bars it was created with; create another study"
        )


def check_added(fold: "Fold", arm: AddedArm) -> None:
    """Whether this arm may be added."""
    settings = fold.settings
    _check_changeable(fold)
    if arm.name in fold.numbers:
        was = "retired before" if fold.numbers[arm.name] in fold.roster.retired else "there already"
        raise InputError(f"arm: {arm.name!r} was {was}; give another name")
    if len(settings.arms) >= MOST_ARMS:
        raise InputError(f"arm: a study has at most {MOST_ARMS:,} arms")
    names([arm.name])
    bars_of_new(fold.criteria, arm.thresholds)
    for criterion in fold.criteria:
        criterion.outcome.check_arms(len(settings.arms) + 1)


def check_retired(fold: "Fold", name: str) -> None:
    """Whether the arm of that name may be retired."""
    settings = fold.settings
    _check_changeable(fold)
    if name not in fold.numbers:
        raise unknown_name("arm", name, settings.arms)
    if name == settings.control:
        raise InputError(f"arm: {name!r} is the control; the study needs it")
    number, retired = fold.numbers[name], fold.roster.retired
    if number in retired:
        raise InputError(f"arm: {name!r} was retired before")
    if len(settings.arms) - len(retired) - (settings.control is not None) == 1:
        raise InputError(f"arm: {name!r} is the only one left; stop the study instead")


def _check_changeable(fold: "Fold") -> None:
    settings = fold.settings
    if settings.boundary == PAPERS:
        raise InputError(
            f"arm: a study that stops by the paper's {PAPERS!r} keeps its arms; its boundary is "
            "for a fixed number of them"
        )
    # Raises what the algorithm cannot do.
    settings.inquiry(find_algorithm(settings.algorithm), fold.roster.founders)
