"""goodarm study …: run a real experiment from the shell."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from goodarm import defaults
from goodarm.cli.outcome_command import OUTCOME_HELP, OutcomeCommand
from goodarm.cli.study_session import (
    BOUNDARY_HELP,
    DECIDE_HELP,
    arm_lines,
    login,
    opened_study,
    print_json,
    read_pairs,
    read_seconds,
    say,
    say_trial,
    say_trials,
    storage_errors,
    surely,
)
from goodarm.errors import InputError

study = typer.Typer(
    help="Run a real experiment: ask what to try, tell what came out, know when to stop.",
    no_args_is_help=True,
)

STORAGE_HELP = "The database: a file, sqlite:///file, or postgresql+psycopg://user@host/db."
# Negative outcomes are not options.
VALUES = {"ignore_unknown_options": True}
NOTHING_TO_ASK = 3

Storage = Annotated[str, typer.Option(envvar="GOODARM_STORAGE", help=STORAGE_HELP)]
Name = Annotated[str, typer.Argument(metavar="STUDY", help="The study's name.")]
Number = Annotated[int, typer.Argument(metavar="TRIAL", help="The trial's number.")]
Reason = Annotated[str, typer.Option(help="Why; kept in the log.")]
Key = Annotated[
    str | None, typer.Option(help="Repeating a request with the same key changes nothing.")
]
By = Annotated[
    str | None, typer.Option(envvar="GOODARM_BY", help="Who is doing this; default: the login.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Sure = Annotated[
    bool, typer.Option("--sure", help="Record it though the declared outcome makes it unlikely.")
]
DEFAULT = "sqlite:///studies.db"


@study.command(cls=OutcomeCommand)
def create(
    name: Name,
    threshold: Annotated[float, typer.Option(help="The bar that an arm's mean must clear.")],
    outcome: Annotated[str, typer.Option(help=OUTCOME_HELP)],
    arm: Annotated[list[str] | None, typer.Option(help="An arm; give several.")] = None,
    arms_from: Annotated[
        Path | None, typer.Option(help="A text file with one arm a line.", dir_okay=False)
    ] = None,
    delta: Annotated[float | None, typer.Option(help="Stop by itself when sure at 1 − δ.")] = None,
    goal: Annotated[str, typer.Option(help="above: more is better; below: less is.")] = "above",
    algorithm: Annotated[
        str, typer.Option("--algorithm", "-a", help="The rule.")
    ] = defaults.ALGORITHM,
    boundary: Annotated[str, typer.Option(help=BOUNDARY_HELP)] = "mixture",
    decide: Annotated[str, typer.Option(help=DECIDE_HELP)] = "as-asked",
    budget: Annotated[int | None, typer.Option(help="Suggest at most so many trials.")] = None,
    lease: Annotated[
        str | None, typer.Option(help="Suggestions expire after: 90, 15m, 2h or 7d.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed; random if not given.")] = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Create a study."""
    from goodarm.study import Study

    with storage_errors():
        made = Study.create(
            name,
            [*(arm or []), *arm_lines(arms_from)],
            threshold,
            outcome,
            delta,
            algorithm,
            storage,
            seed,
            goal,
            budget=budget,
            lease=read_seconds(lease),
            boundary=boundary,
            decide=decide,
            by=login(by),
        )
        count = len(made.settings.arms)
        arms = "1 arm" if count == 1 else f"{count} arms"
        said = f"created {name!r} with {arms}, seed {made.settings.seed}"
        say(made, {"settings": made.settings.to_data()}, said, as_json)


@study.command()
def ask(
    name: Name,
    n: Annotated[int, typer.Option("-n", help="How many trials.")] = 1,
    arm: Annotated[str | None, typer.Option(help="Try this arm, whatever the rule says.")] = None,
    lease: Annotated[str | None, typer.Option(help="Expires after: 90, 15m, 2h or 7d.")] = None,
    key: Key = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """What to try next. Exit code 3 if there is nothing: answered, used up or stopped."""
    from goodarm.study import StudyClosedError
    from goodarm.study.report.status_text import printable

    with opened_study(name, storage, by) as opened:
        try:
            trials = opened.ask(n, arm=arm, lease=read_seconds(lease), key=key)
        except StudyClosedError as error:
            print(f"nothing to try: {error}", file=sys.stderr)
            raise typer.Exit(NOTHING_TO_ASK) from None
        said = "\n".join(f"{trial.number}\t{printable(trial.arm)}" for trial in trials)
        say(
            opened,
            {"trials": [trial.to_dict() for trial in trials]},
            said,
            as_json,
            only_results=True,
        )


@study.command(context_settings=VALUES)
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
    with opened_study(name, storage, by) as opened:
        if len(pairs) > 1:
            told = surely(lambda sure: opened.tell_many(pairs, sure), sure)
            say_trials(opened, told, as_json)
        else:
            what, value = pairs[0]
            one = surely(lambda sure: opened.tell(what, value, at, note, key, sure), sure)
            say_trial(opened, one, as_json)


@study.command()
def cancel(
    name: Name,
    trial: Number,
    reason: Annotated[str | None, typer.Option(help="Why; kept in the log.")] = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Withdraw a suggestion whose outcome will not come."""
    with opened_study(name, storage, by) as opened:
        say_trial(opened, opened.cancel(trial, reason), as_json)


@study.command()
def retract(
    name: Name,
    trial: Number,
    reason: Reason,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Take an outcome back; the log keeps it, and readers are told."""
    with opened_study(name, storage, by) as opened:
        say_trial(opened, opened.retract(trial, reason), as_json)


@study.command(context_settings=VALUES)
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
    with opened_study(name, storage, by) as opened:
        right = surely(lambda sure: opened.correct(trial, value, reason, sure=sure), sure)
        say_trial(opened, right, as_json)


@study.command()
def extend(
    name: Name,
    trials: Annotated[int | None, typer.Option(help="So many more trials.")] = None,
    delta: Annotated[float | None, typer.Option(help="Go on until sure at 1 − δ.")] = None,
    reason: Annotated[str | None, typer.Option(help="Why; kept in the log.")] = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Go on after the end, or beyond the budget."""
    with opened_study(name, storage, by) as opened:
        opened.extend(trials, delta, reason)
        say(opened, {}, f"extended {name!r}", as_json)


@study.command(context_settings=VALUES)
def amend(
    name: Name,
    reason: Reason,
    bar: Annotated[
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
    if bar is not None and threshold is not None:
        raise InputError("threshold: it is given twice; give it once")
    with opened_study(name, storage, by) as opened:
        opened.amend(bar if threshold is None else threshold, reason, boundary=boundary)
        now = opened.settings
        said = f"{name!r} has the threshold {now.threshold:g} and stops by {now.boundary}"
        say(opened, {"threshold": now.threshold, "boundary": now.boundary}, said, as_json)


@study.command()
def stop(
    name: Name,
    reason: Reason,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """End the study; outcomes that still come in count."""
    with opened_study(name, storage, by) as opened:
        opened.stop(reason)
        say(opened, {}, f"stopped {name!r}", as_json)


@study.command()
def status(
    name: Name,
    simultaneous: Annotated[
        bool,
        typer.Option(
            "--simultaneous", help="Limits that hold for all arms and both sides at once."
        ),
    ] = False,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """The answer, the evidence and how far it must go, the next suggestion."""
    with opened_study(name, storage) as opened:
        shown = opened.status(simultaneous)
    if as_json:
        print_json(shown.to_dict())
    else:
        from goodarm.study.report.status_text import picture

        print(picture(shown))


@study.command()
def forecast(
    name: Name,
    delta: Annotated[float | None, typer.Option(help="For this δ, not the study's own.")] = None,
    runs: Annotated[int, typer.Option(help="How many futures to play.")] = 100,
    horizon: Annotated[int | None, typer.Option(help="Trials a future at most.")] = None,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """How many more trials until the study may stop."""
    with opened_study(name, storage) as opened:
        seen = opened.forecast(delta, runs, horizon)
    if as_json:
        print_json(seen.to_dict())
        return
    from goodarm.study.report.status_text import forecast_text

    print(forecast_text(seen))


@study.command()
def export(
    name: Name,
    path: Annotated[Path, typer.Argument(help="A new file: .csv, .json or .parquet.")],
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Write the whole log to a file."""
    with opened_study(name, storage) as opened:
        opened.export(path)
        say(opened, {"path": str(path)}, f"wrote {path}", as_json)


@study.command()
def verify(
    name: Name,
    head: Annotated[
        str | None, typer.Option(help="A head hash noted earlier: was the end cut off?")
    ] = None,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Audit the log: derive everything anew. STUDY may be a JSON export. Exit code 1 if wrong."""
    if name.endswith(".json") and Path(name).is_file():
        from goodarm.study.log.verify import verify_file

        found = verify_file(Path(name), head)
    else:
        with opened_study(name, storage) as opened:
            found = opened.verify(head)
    if as_json:
        print_json(found.to_dict())
    else:
        from goodarm.study.report.status_text import verification_text

        print(verification_text(found))
    if not found.ok:
        raise typer.Exit(1)


@study.command("list")
def list_studies(
    search: Annotated[str | None, typer.Argument(help="A part of the name.")] = None,
    storage: Storage = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """All studies and how they stand."""
    from goodarm.study import Studies
    from goodarm.study.report.status import percent
    from goodarm.study.report.status_text import printable

    with storage_errors():
        rows = Studies(storage).list(search)
    if as_json:
        print_json([row.to_dict() for row in rows])
        return
    from rich.text import Text

    from goodarm.cli.tables import console, table

    shown = table(
        "Studies", ["name", "state", "answer", "confidence", "trials", "pending", "head"], 3
    )
    for row in rows:
        answer = "–" if row.answer is None else printable(row.answer)
        shown.add_row(
            Text(printable(row.name)), row.state, Text(answer), percent(row.confidence),
            str(row.told), str(row.open), row.head[:12],
        )  # fmt: skip
    console().print(shown)


@study.command("import")
def import_outcomes(
    name: Name,
    path: Annotated[Path, typer.Argument(help="CSV with arm, value and maybe at, note.")],
    source: Annotated[
        str | None, typer.Option(help="Where they come from; default: the file's name.")
    ] = None,
    sure: Sure = False,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Enter past outcomes, which count at one moment; a line of the same source counts once."""
    with opened_study(name, storage, by) as opened:
        done = surely(lambda sure: opened.import_csv(path, source, sure), sure)
        said = f"{done.added} outcomes added, {done.already} were there already"
        say(opened, done._asdict(), said, as_json)
