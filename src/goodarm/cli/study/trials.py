"""goodarm study ask, tell, cancel, retract, correct."""

import sys
from typing import Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.study.options import (
    DEFAULT,
    By,
    Key,
    MaybeReason,
    Name,
    Number,
    Reason,
    Storage,
    Sure,
)
from goodarm.cli.study.session import (
    opened_study,
    read_pairs,
    read_seconds,
    say,
    say_trial,
    say_trials,
    surely,
)
from goodarm.errors import InputError

NOTHING_TO_ASK = 3  # exit code


def ask(
    name: Name,
    n: Annotated[int, typer.Option("-n", help="How many trials.")] = 1,
    arm: Annotated[str | None, typer.Option(help="Try this arm, whatever is suggested.")] = None,
    lease: Annotated[str | None, typer.Option(help="Expires after: 90, 15m, 2h or 7d.")] = None,
    key: Key = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """What to try next. Exit code 3 if there is nothing: answered, used up or stopped."""
    from goodarm.study import StudyClosedError
    from goodarm.study.report.status_text import printable

    with opened_study(name, storage, by) as study:
        try:
            trials = study.ask(n, arm=arm, lease=read_seconds(lease), key=key)
        except StudyClosedError as error:
            print(f"nothing to try: {error}", file=sys.stderr)
            raise typer.Exit(NOTHING_TO_ASK) from None
        said = "\n".join(f"{trial.number}\t{printable(trial.arm)}" for trial in trials)
        data = {"trials": [trial.to_dict() for trial in trials]}
        say(study, data, said, as_json, only_results=True)


def tell(
    name: Name,
    outcomes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TRIAL VALUE [TRIAL VALUE]...",
            help="Trials by number, each with its outcome; with --arm, values.",
        ),
    ] = None,
    arm: Annotated[str | None, typer.Option(help="An outcome of this arm, not asked for.")] = None,
    at: Annotated[str | None, typer.Option(help="When it was observed (ISO 8601).")] = None,
    note: Annotated[str | None, typer.Option(help="A remark; kept in the log.")] = None,
    key: Key = None,
    sure: Sure = False,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Record an outcome: `tell STUDY TRIAL VALUE`, or `tell STUDY --arm NAME VALUE`.

    Several at once, as in `tell STUDY 4 1 5 0`, count at one moment, all or none.
    """
    pairs = read_pairs(outcomes or [], arm)
    if len(pairs) > 1 and (at, note, key) != (None, None, None):
        raise InputError("--at, --note and --key go with one outcome; tell them one by one")
    with opened_study(name, storage, by) as study:
        if len(pairs) > 1:
            told = surely(lambda sure: study.tell_many(pairs, sure), sure)
            say_trials(study, told, as_json)
        else:
            what, value = pairs[0]
            one = surely(lambda sure: study.tell(what, value, at, note, key, sure), sure)
            say_trial(study, one, as_json)


def cancel(
    name: Name,
    trial: Number,
    reason: MaybeReason = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Withdraw a suggestion whose outcome will not come."""
    with opened_study(name, storage, by) as study:
        say_trial(study, study.cancel(trial, reason), as_json)


def retract(
    name: Name,
    trial: Number,
    reason: Reason,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Take an outcome back; the log keeps it, and readers are told."""
    with opened_study(name, storage, by) as study:
        say_trial(study, study.retract(trial, reason), as_json)


def correct(
    name: Name,
    trial: Number,
    value: Annotated[float, typer.Argument(help="The right outcome.")],
    reason: Reason,
    sure: Sure = False,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Replace a wrong outcome by the right one; the log keeps both."""
    with opened_study(name, storage, by) as study:
        right = surely(lambda sure: study.correct(trial, value, reason, sure=sure), sure)
        say_trial(study, right, as_json)
