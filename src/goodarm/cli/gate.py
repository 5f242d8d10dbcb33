"""goodarm gate: does a command clear the bar? Runs it until the answer is certain."""

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.outcome_command import OUTCOME_HELP, OutcomeCommand
from goodarm.cli.output import check_folder, print_json
from goodarm.defaults import GATE_BUDGET, GATE_DELTA, GATE_OUTCOME
from goodarm.errors import InputError
from goodarm.files import read_text, unwritable, write
from goodarm.showing.page import path_of_page
from goodarm.wording import confidence, counted

if TYPE_CHECKING:
    from goodarm.gating.commands import Command
    from goodarm.gating.playing import RunningGate
    from goodarm.gating.question import GateQuestion
    from goodarm.gating.result import GateResult

ALONE = "command"  # the arm where no arms are named
WIDEST = 78  # characters in a line that is read easily
PAUSE = 0.1  # seconds between two looks at a line that is rewritten
ON_ERROR = "--on-error fail counts such a trial as a failure, retry:3 makes it again"


Words = Annotated[
    list[str],
    typer.Argument(
        metavar="COMMAND",
        help="What makes a trial, after --; {arm}, {trial} and {seed} in it are filled in, and "
        "there is no shell.",
    ),
]
Bar = Annotated[float, typer.Option(help="What the mean must reach: 0.9 for 90 %.")]
Delta = Annotated[float, typer.Option(help="The answer is wrong with at most this probability.")]
Arms = Annotated[
    str | None, typer.Option(help="Names to choose from, with commas; by default one command.")
]
ArmsFile = Annotated[Path | None, typer.Option(help="A file of them, one per line.")]
Parallel = Annotated[int, typer.Option(help="Trials that run at the same time.")]
Budget = Annotated[int, typer.Option(help="Stop, undecided, after this many trials.")]
Timeout = Annotated[
    float | None, typer.Option(help="Seconds that a trial may take; longer is an error.")
]
Value = Annotated[
    str,
    typer.Option(
        help="Where the outcome is: exit (code 0 success, 1 failure), stdout (its last line), "
        "json:PATH (in its output, such as json:results.0.score), file:PATH."
    ),
]
Outcome = Annotated[
    str | None, typer.Option(help=f"{OUTCOME_HELP} Needed with any --value but exit.")
]
Goal = Annotated[str, typer.Option(help="above: higher is better; below: lower is better.")]
OnError = Annotated[
    str,
    typer.Option(
        help="A trial without an outcome (a crash, a timeout, no number): fail counts it as "
        "the worst outcome, retry:N makes it again, stop ends with exit code 4."
    ),
]
Seed = Annotated[int, typer.Option(help="The seed of all random numbers, and of {seed}.")]
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
    summary: Summary = None,
    junit: JUnit = None,
    report: Report = None,
    as_json: AsJson = False,
) -> None:
    """Run a command until it is certain whether it clears the bar, and exit with the answer.

    Exit codes: 0 an arm clears it, 1 none does, 3 undecided, 4 a trial gave no outcome.
    """
    from goodarm.gating.commands import Command, ValueSource
    from goodarm.gating.question import GateQuestion, arm_names

    for what, path in (("summary", summary), ("junit", junit), ("report", report)):
        if path is not None:
            check_folder(what, path.parent)
    if report is not None:
        path_of_page("report", report)
    source = ValueSource.parse(value)
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
    trial = Command(command, source, _timeout(timeout))
    _check_blanks(trial, len(asked.arms), names is not None, parallel)
    result = _play(asked, trial, parallel)
    _say(result, as_json)
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
    if value == "exit":
        if outcome not in (None, GATE_OUTCOME):
            raise InputError(
                f"outcome: {outcome!r} given, but an exit code is {GATE_OUTCOME}; read a number "
                "with --value stdout, json:PATH or file:PATH"
            )
        return GATE_OUTCOME
    if outcome is None:
        raise InputError(
            f"outcome: --value {value} gives numbers; say which there can be, such as "
            "--outcome bounded:0:1 or gaussian:0.5 (goodarm list outcomes)"
        )
    return outcome


def _timeout(seconds: float | None) -> float | None:
    from goodarm.inputs import seconds as checked

    return checked("timeout", seconds)


def _check_blanks(trial: "Command", K: int, named: bool, parallel: int) -> None:
    """Refuse a command that would try the same thing for every arm, or overwrite its values."""
    from goodarm.gating.commands import ARM, FILE, SEED, TRIAL
    from goodarm.gating.workers import MOST_WORKERS
    from goodarm.inputs import whole

    whole("parallel", parallel, 1, MOST_WORKERS)
    if K > 1 and not trial.mentions(ARM):
        raise InputError(
            f"command: {K} arms, but no {ARM} in it, so all would be the same; write {ARM}"
        )
    if not named and trial.mentions(ARM):
        raise InputError(f"arms: {ARM} in the command, but no arms are named; give --arms")
    unique = TRIAL in trial.value.path or SEED in trial.value.path
    if trial.value.kind == FILE and parallel > 1 and not unique:
        raise InputError(
            f"value: trials that run together would write one file, {trial.value.path!r}; put "
            f"{TRIAL} into its name"
        )


def _play(asked: "GateQuestion", trial: "Command", parallel: int) -> "GateResult":
    from goodarm.gating.playing import CannotRunError, RunningGate, TrialError
    from goodarm.gating.workers import OneByOne, Threads

    running = RunningGate(asked)
    workers = OneByOne(trial) if parallel == 1 else Threads(trial, parallel, trial.cancel)
    with _interruptible():
        line = _Line()
        try:
            return running.play(workers, line if line.is_shown else None)
        except TrialError as error:
            may = "" if isinstance(error.__cause__, CannotRunError) else f"\n({ON_ERROR})"
            return running.result(error=f"{error}{may}")
        except KeyboardInterrupt:
            return running.result(interrupted=True)
        finally:
            line.clear()


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C, or a wish to terminate, ends the trials and leaves a report."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Line:
    """One line on a terminal, rewritten after outcomes: how far it is, and how far to go."""

    def __init__(self) -> None:
        self.is_shown = sys.stderr.isatty()
        self._next = 0.0

    def __call__(self, running: "RunningGate") -> None:
        now = monotonic()
        if now < self._next:
            return
        self._next = now + PAUSE
        left = running.expected_left()
        more = "" if left is None else f", about {left:,} more"
        sure = confidence(running.experiment.confidence)
        text = f"{counted(running.entered, 'trial')}, confidence {sure}{more}"
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    def clear(self) -> None:
        if self.is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _say(result: "GateResult", as_json: bool) -> None:
    """The result on standard output; where nobody reads it, the exit code must say it still."""
    try:
        if as_json:
            print_json(result.to_dict())
        else:
            width = min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)
            print("\n".join(result.lines(width)))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
