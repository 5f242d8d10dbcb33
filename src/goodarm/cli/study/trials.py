"""goodarm study ask, tell, cancel, retract, correct."""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.study.measurements import (
    TypedOutcome,
    is_measured,
    measured_words,
    read_typed,
)
from goodarm.cli.study.options import (
    DEFAULT,
    By,
    Exposure,
    Key,
    MaybeNumber,
    MaybeReason,
    Name,
    Number,
    Reason,
    Size,
    Storage,
    Sure,
)
from goodarm.cli.study.session import (
    opened_study,
    pair_words,
    read_seconds,
    say,
    say_trial,
    say_trials,
    surely,
    table_opener,
    table_text,
    with_progress,
)
from goodarm.errors import InputError
from goodarm.wording import counted, printable

if TYPE_CHECKING:
    from goodarm.study import Study, Trial

NOTHING_TO_ASK = 3  # exit code


def ask(
    name: Name,
    n: Annotated[int, typer.Option("-n", help="How many trials.")] = 1,
    arm: Annotated[str | None, typer.Option(help="Try this arm, whatever is suggested.")] = None,
    lease: Annotated[str | None, typer.Option(help="Expires after: 90, 15m, 2h or 7d.")] = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="How many trials of each arm, not one line for each.")
    ] = False,
    key: Key = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """What to try next. Exit code 3 if there is nothing: answered, used up or stopped."""
    from goodarm.study import StudyClosedError

    with opened_study(name, storage, by) as study:
        try:
            trials = study.ask(n, arm=arm, lease=read_seconds(lease), key=key)
        except StudyClosedError as error:
            print(f"nothing to try: {error}", file=sys.stderr)
            raise typer.Exit(NOTHING_TO_ASK) from None
        if summary:
            _say_allocation(study, trials, as_json)
            return
        said = "\n".join(f"{trial.number}\t{printable(trial.arm)}" for trial in trials)
        data = {"trials": [trial.to_dict() for trial in trials]}
        say(study, data, said, as_json, only_results=True)


def tell(
    name: Name,
    outcomes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TRIAL VALUE [TRIAL VALUE]...",
            help="Trials by number, each with its outcome; with --arm, values. 37/1000 is 37 of "
            "1,000. Of several measurements: TRIAL NAME=VALUE [NAME=VALUE]...",
        ),
    ] = None,
    arm: Annotated[str | None, typer.Option(help="An outcome of this arm, not asked for.")] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            help="A table of outcomes, or - for standard input: trial or arm; value, or the "
            "model's columns such as successes, trials; maybe at, note."
        ),
    ] = None,
    size: Size = None,
    exposure: Exposure = None,
    at: Annotated[str | None, typer.Option(help="When it was observed (ISO 8601).")] = None,
    note: Annotated[str | None, typer.Option(help="A remark; kept in the log.")] = None,
    key: Key = None,
    sure: Sure = False,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Record an outcome: `tell STUDY TRIAL VALUE`, or `tell STUDY --arm NAME VALUE`.

    Several at once, as in `tell STUDY 4 1 5 0` or a table, count at one moment, all or none.
    """
    if csv is not None:
        if outcomes or (arm, size, exposure, at, note) != (None,) * 5:
            raise InputError("--csv: the table has everything; give no outcomes besides")
        with opened_study(name, storage, by) as study:
            _tell_table(study, csv, key, sure, as_json)
        return
    pairs: list[tuple[int | str, TypedOutcome]]
    if is_measured(outcomes or []):
        pairs = [measured_words(outcomes or [], arm)]
    else:
        pairs = list(pair_words(outcomes or [], arm))
    if len(pairs) > 1 and (size, exposure, at, note, key) != (None,) * 5:
        raise InputError(
            "--size, --exposure, --at, --note and --key go with one outcome; tell them one by "
            "one, or --csv"
        )
    with opened_study(name, storage, by) as study:
        settings = study.settings
        told = [(what, *read_typed(settings, word, size, exposure)) for what, word in pairs]
        if len(told) > 1:
            say_trials(study, surely(lambda sure: study.tell_many(told, sure), sure), as_json)
            return
        what, value, own = told[0]
        one = surely(lambda sure: study.tell(what, value, at, note, key, sure, own), sure)
        say_trial(study, one, as_json)


def cancel(
    name: Name,
    trial: MaybeNumber = None,
    all_pending: Annotated[
        bool, typer.Option("--all-pending", help="Every suggestion without an outcome.")
    ] = False,
    reason: MaybeReason = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Withdraw a suggestion whose outcome will not come, or all of them."""
    if (trial is None) != all_pending:
        raise InputError("trial: give its number, or --all-pending for every one, but not both")
    with opened_study(name, storage, by) as study:
        if trial is not None:
            say_trial(study, study.cancel(trial, reason), as_json)
            return
        trials = study.cancel_all(reason)
        data = {"trials": [one.to_dict() for one in trials]}
        say(study, data, f"{counted(len(trials), 'trial')} cancelled", as_json)


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
    value: Annotated[
        list[str], typer.Argument(help="The right outcome; NAME=VALUE of several measurements.")
    ],
    reason: Reason,
    size: Size = None,
    exposure: Exposure = None,
    sure: Sure = False,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Replace a wrong outcome by the right one; the log keeps both."""
    with opened_study(name, storage, by) as study:
        if is_measured(value):
            right_one: TypedOutcome = measured_words([str(trial), *value], None)[1]
        elif len(value) == 1:
            right_one = value[0]
        else:
            raise InputError(f"value: {len(value)} values for one outcome; give one")
        told, own = read_typed(study.settings, right_one, size, exposure)
        right = surely(lambda sure: study.correct(trial, told, reason, None, sure, own), sure)
        say_trial(study, right, as_json)


def _tell_table(study: "Study", path: Path, key: str | None, sure: bool, as_json: bool) -> None:
    table = table_opener(path)
    done = surely(lambda sure: with_progress(lambda p: study.tell_csv(table(), sure, key, p)), sure)
    say(study, done._asdict(), table_text(done), as_json)
    if done.unasked and key is None and not as_json:
        print(
            f"{counted(done.unasked, 'line')} named no trial: told again, they would count again. "
            "`goodarm study import` counts a line of a file once, --key a whole table.",
            file=sys.stderr,
        )


def _say_allocation(study: "Study", trials: "Sequence[Trial]", as_json: bool) -> None:
    """How many trials of each arm, in the order of the arms."""
    asked = Counter(trial.arm for trial in trials)
    arms = [(arm, asked[arm]) for arm in study.settings.arms if arm in asked]
    first, last = trials[0].number, trials[-1].number
    data = {
        "allocation": [{"arm": arm, "trials": many} for arm, many in arms],
        "first_trial": first,
        "last_trial": last,
    }
    said = "\n".join(f"{printable(arm)}\t{many}" for arm, many in arms)
    say(study, data, said, as_json, only_results=True)
    if not as_json:
        print(f"trials {first} to {last}", file=sys.stderr)
