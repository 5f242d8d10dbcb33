"""What the study commands share: opening a study, reading its inputs, saying what was done."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import typer

from goodarm.cli.output import print_json
from goodarm.errors import InputError
from goodarm.wording import counted, printable

if TYPE_CHECKING:
    from goodarm.outcomes import Outcome
    from goodarm.study import Study, Trial
    from goodarm.study.batches import Progress
    from goodarm.study.log.importing import Imported
    from goodarm.study.log.tables import ToldTable
    from goodarm.study.settings import Settings

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
REFUSED = 2  # exit code
T = TypeVar("T")


@contextmanager
def storage_errors() -> Iterator[None]:
    """Trouble with the database is one line and exit code 1."""
    from goodarm.study import StorageError

    try:
        yield
    except StorageError as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(1) from None


@contextmanager
def opened_study(name: str, storage: str, by: str | None = None) -> "Iterator[Study]":
    """The study of that name, for one command."""
    from goodarm.study import Study

    with storage_errors():
        yield Study.load(name, storage, login(by))


def surely(work: Callable[[bool], T], sure: bool) -> T:
    """Do what records outcomes; at a terminal, a person is asked about an unlikely one."""
    from goodarm.study import UnlikelyOutcomeError
    from goodarm.study.report.status_text import what_is_unlikely

    try:
        return work(sure)
    except UnlikelyOutcomeError as error:
        if not at_terminal():
            raise
        if typer.confirm(f"{printable(what_is_unlikely(error))} Record it?", err=True):
            return work(True)
        print("nothing was recorded", file=sys.stderr)
        raise typer.Exit(REFUSED) from None


def at_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def say(
    study: "Study", data: dict[str, Any], text: str, as_json: bool, only_results: bool = False
) -> None:
    """What was done, and the head hash, which is worth noting elsewhere."""
    head = study.head
    if as_json:
        print_json({"study": study.name, **data, "head": head})
    else:
        print(text)
        print(f"head {head}", file=sys.stderr if only_results else sys.stdout)


def say_trial(study: "Study", trial: "Trial", as_json: bool) -> None:
    """What became of a trial."""
    say(study, {"trial": trial.to_dict()}, _trial_text(trial, study.settings), as_json)


def say_trials(study: "Study", trials: "Sequence[Trial]", as_json: bool) -> None:
    """What became of several trials."""
    settings = study.settings
    data = {"trials": [trial.to_dict() for trial in trials]}
    said = "\n".join(_trial_text(trial, settings) for trial in trials)
    say(study, data, said, as_json)


def _trial_text(trial: "Trial", settings: "Settings") -> str:
    told = trial.told_text(settings.every_criterion)
    value = f" = {told}" if told else ""
    return f"trial {trial.number} ({printable(trial.arm)}){value}: {trial.status}"


def table_text(done: "Imported | ToldTable") -> str:
    """What became of the lines of a table."""
    were = "was" if done.already == 1 else "were"
    return f"{counted(done.added, 'outcome')} added, {done.already:,} {were} there already"


def with_progress(work: "Callable[[Progress | None], T]") -> T:
    """Do work that takes a while; at a terminal, standard error shows how far it has come."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        return work(None)
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("outcomes"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=console, transient=True) as bars:
        task = bars.add_task("outcomes", total=None)
        return work(lambda done, total: bars.update(task, completed=done, total=total))


def login(name: str | None) -> str | None:
    """Who is doing this: who is named, or the login."""
    import getpass

    if name is not None:
        return name
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no login, as in some containers
        return None


def pair_words(words: Sequence[str], arm: str | None) -> list[tuple[int | str, str]]:
    """Outcomes as they are typed: TRIAL VALUE, several times; with an arm, its values."""
    if arm is not None and words:
        return [(arm, word) for word in words]
    if arm is not None or not words or len(words) % 2:
        raise InputError(
            "give a trial and its value (or several pairs), --arm NAME and values, or --csv FILE"
        )
    return [(read_trial(trial), word) for trial, word in zip(words[::2], words[1::2], strict=True)]


def read_outcome(
    outcome: "Outcome", word: str, size: float | None, exposure: float | None = None
) -> tuple[float, float | None]:
    """The value and the size of an outcome as it is typed; the size may be an option as well."""
    if exposure is not None:
        if outcome.columns[1] != "exposure":
            raise InputError(f"exposure: {outcome.name} outcomes have none; leave --exposure out")
        if size is not None:
            raise InputError("exposure: give --exposure or --size, not both")
        size = exposure
    told = outcome.read(word)
    if told.size == 1.0:
        return told.value, size
    if size is not None:
        raise InputError(f"size: {word!r} has one already; give it once")
    return told.value, told.size


def table_opener(path: Path) -> "Callable[[], Path | TextIO]":
    """What gives a table, as often as it is wanted: the file, or standard input for -."""
    from io import StringIO

    if str(path) != "-":
        return lambda: path
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
        return lambda: StringIO(text, newline="")
    except UnicodeDecodeError:
        raise InputError("cannot read standard input: it is not UTF-8 text") from None


def read_seconds(text: str | None) -> float | None:
    """A duration such as 90, 15m, 2h or 7d."""
    from goodarm.inputs import read_number

    if text is None:
        return None
    amount, unit = (text[:-1], text[-1]) if text[-1:] in UNITS else (text, "s")
    try:
        return read_number("lease", amount) * UNITS[unit]
    except InputError:
        raise InputError(f"lease: {text!r} is not a time; write 90, 15m, 2h or 7d") from None


def read_trial(text: str) -> int:
    """A trial's number."""
    try:
        return int(text)
    except ValueError:
        raise InputError(
            f"trial: {text!r} is not a number; for an arm write --arm {text!r} VALUE"
        ) from None
