"""goodarm gate: does a command clear the bar? Runs it until the answer is certain."""

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.command_options import OnError, Parallel, Timeout, Value, Words
from goodarm.cli.options import AsJson
from goodarm.cli.outcome_command import OUTCOME_HELP, OutcomeCommand
from goodarm.cli.output import check_folder
from goodarm.cli.study.options import DEFAULT, By, Storage
from goodarm.cli.trials_by_command import Making, Player, read_command, say_result
from goodarm.defaults import GATE_BUDGET, GATE_DELTA, GATE_OUTCOME
from goodarm.errors import InputError
from goodarm.files import read_text, unwritable, write
from goodarm.showing.page import path_of_page

if TYPE_CHECKING:
    from goodarm.gating.commands import Command
    from goodarm.gating.question import GateQuestion
    from goodarm.gating.result import GateResult

ALONE = "command"  # the arm where no arms are named

Bar = Annotated[float, typer.Option(help="What the mean must reach: 0.9 for 90 %.")]
Delta = Annotated[float, typer.Option(help="The answer is wrong with at most this probability.")]
Arms = Annotated[
    str | None, typer.Option(help="Names to choose from, with commas; by default one command.")
]
ArmsFile = Annotated[Path | None, typer.Option(help="A file of them, one per line.")]
Budget = Annotated[int, typer.Option(help="Stop, undecided, after this many trials.")]
Outcome = Annotated[
    str | None, typer.Option(help=f"{OUTCOME_HELP} Needed with any --value but exit.")
]
Goal = Annotated[str, typer.Option(help="above: higher is better; below: lower is better.")]
Seed = Annotated[int, typer.Option(help="The seed of all random numbers, and of {seed}.")]
InStudy = Annotated[
    str | None,
    typer.Option(
        "--study",
        help="Keep it in the study of this name: called again, it goes on where it stopped.",
    ),
]
Summary = Annotated[
    Path | None,
    typer.Option(help="Write a Markdown summary there (GitHub's job summary by itself)."),
]
JUnit = Annotated[Path | None, typer.Option(help="Write JUnit XML there.")]
Report = Annotated[
    Path | None,
    typer.Option(
        help="Write an HTML page there, to be sent to others; the command is in it, as typed."
    ),
]


class GateCommand(OutcomeCommand):
    """What follows the command's first word belongs to the command, with or without --."""

    allow_interspersed_args = False


def gate(
    command: Words,
    bar: Bar,
    delta: Delta = GATE_DELTA,
    arms: Arms = None,
    arms_file: ArmsFile = None,
    parallel: Parallel = 1,
    budget: Budget = GATE_BUDGET,
    timeout: Timeout = None,
    value: Value = "exit",
    outcome: Outcome = None,
    goal: Goal = "above",
    on_error: OnError = "stop",
    seed: Seed = 0,
    study: InStudy = None,
    storage: Storage = DEFAULT,
    by: By = None,
    summary: Summary = None,
    junit: JUnit = None,
    report: Report = None,
    as_json: AsJson = False,
) -> None:
    """Run a command until it is certain whether it clears the bar, and exit with the answer.

    Exit codes: 0 an arm clears it, 1 none does, 3 undecided, 4 a trial gave no outcome.
    """
    from goodarm.gating.question import GateQuestion, arm_names

    for what, path in (("summary", summary), ("junit", junit), ("report", report)):
        if path is not None:
            check_folder(what, path.parent)
    if report is not None:
        path_of_page("report", report)
    names = _names(arms, arms_file)
    asked = GateQuestion(
        arms=arm_names(names, ALONE),
        bar=bar,
        delta=delta,
        outcome=_outcome(outcome, value),
        goal=goal,
        budget=budget,
        on_error=on_error,
        seed=seed,
    )
    trial = read_command(command, value, timeout, parallel, len(asked.arms))
    _check_named(trial, names is not None)
    making = Making(parallel)
    with making.storage_errors():
        result = making.play(_player(asked, trial, value, study, storage, by), trial)
    say_result(result, as_json)
    if report is not None:
        result.report(report, shlex.join(command))
    _report(result, summary, junit)
    raise typer.Exit(result.exit_code)


def _names(arms: str | None, file: Path | None) -> list[str] | None:
    if arms is not None and file is not None:
        raise InputError("arms: both --arms and --arms-file given; give one")
    if file is not None:
        return [line.strip() for line in read_text(file).splitlines() if line.strip()]
    return None if arms is None else [name.strip() for name in arms.split(",")]


def _outcome(outcome: str | None, value: str) -> str:
    """What outcomes are: yes or no by the exit code; of a number, someone must say it."""
    from goodarm.gating.commands import ValueSource

    if value == "exit":
        if outcome not in (None, GATE_OUTCOME):
            raise InputError(
                f"outcome: {outcome!r} given, but an exit code is {GATE_OUTCOME}; read a number "
                "with --value stdout, json:PATH or file:PATH"
            )
        return GATE_OUTCOME
    if outcome is None:
        ValueSource.parse(value)
        raise InputError(
            f"outcome: --value {value} gives numbers; say which there can be, such as "
            "--outcome bounded:0:1 or gaussian:0.5 (goodarm list outcomes)"
        )
    return outcome


def _check_named(trial: "Command", named: bool) -> None:
    from goodarm.gating.commands import ARM

    if not named and trial.mentions(ARM):
        raise InputError(f"arms: {ARM} in the command, but no arms are named; give --arms")


def _player(
    asked: "GateQuestion",
    trial: "Command",
    value: str,
    study: str | None,
    storage: str,
    by: str | None,
) -> Player:
    """The gate: in memory, or in a study."""
    if study is None:
        from goodarm.gating.playing import RunningGate

        return RunningGate(asked)
    from goodarm.cli.study.session import login
    from goodarm.study.working.gates import worker_at_gate

    options = [] if value == "exit" else ["--value", value, "--"]
    return worker_at_gate(asked, shlex.join([*options, *trial.words]), study, storage, login(by))


def _report(result: "GateResult", summary: Path | None, junit: Path | None) -> None:
    """Files for other programs, and what GitHub is told."""
    page, annotated = os.environ.get("GITHUB_STEP_SUMMARY"), os.environ.get("GITHUB_ACTIONS")
    if not (summary or junit or page or annotated == "true"):
        return
    from goodarm.gating import report

    if summary is not None:
        write(summary, report.markdown(result))
    if junit is not None:
        write(junit, report.junit(result))
    if annotated == "true":
        print(report.annotation(result), file=sys.stderr)
    if page:
        try:
            with Path(page).open("a", encoding="utf-8") as file:
                file.write(report.markdown(result))
        except OSError as error:  # nobody asked for it here, and the answer stands
            print(f"warning: GITHUB_STEP_SUMMARY: {unwritable(Path(page), error)}", file=sys.stderr)
