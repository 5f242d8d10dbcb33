"""goodarm study extend, amend, rename, stop: whether and how a study goes on."""

from typing import Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.study.options import DEFAULT, By, MaybeReason, Name, Reason, Storage
from goodarm.cli.study.session import opened_study, say
from goodarm.errors import InputError


def extend(
    name: Name,
    trials: Annotated[int | None, typer.Option(help="How many more trials.")] = None,
    delta: Annotated[float | None, typer.Option(help="Go on until sure at 1 − δ.")] = None,
    reason: MaybeReason = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Go on after the end, or beyond the budget."""
    with opened_study(name, storage, by) as study:
        study.extend(trials, delta, reason)
        say(study, {}, f"extended {name!r}", as_json)


def amend(
    name: Name,
    reason: Reason,
    new_threshold: Annotated[
        float | None, typer.Argument(metavar="[THRESHOLD]", help="The same as --threshold.")
    ] = None,
    threshold: Annotated[float | None, typer.Option(help="The new threshold.")] = None,
    boundary: Annotated[
        str | None, typer.Option(help="The new stopping rule: mixture or glr.")
    ] = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Change threshold or stopping rule; if outcomes are known already, readers are warned."""
    if new_threshold is not None and threshold is not None:
        raise InputError("threshold: it is given twice; give it once")
    with opened_study(name, storage, by) as study:
        study.amend(new_threshold if threshold is None else threshold, reason, boundary=boundary)
        now = study.settings
        said = f"{name!r} has the threshold {now.threshold:g} and stops by {now.boundary}"
        say(study, {"threshold": now.threshold, "boundary": now.boundary}, said, as_json)


def rename(
    name: Name,
    new_name: Annotated[str, typer.Argument(metavar="NEW", help="Its new name.")],
    reason: MaybeReason = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Give the study another name; the log keeps the old one."""
    with opened_study(name, storage, by) as study:
        study.rename(new_name, reason)
        say(study, {}, f"renamed {name!r} to {study.name!r}", as_json)


def stop(
    name: Name,
    reason: Reason,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """End the study; outcomes that still come in count."""
    with opened_study(name, storage, by) as study:
        study.stop(reason)
        say(study, {}, f"stopped {name!r}", as_json)
