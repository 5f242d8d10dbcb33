"""What the study commands share: opening a study, reading its inputs, saying what was done."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from goodarm.cli.output import print_json
from goodarm.errors import InputError

if TYPE_CHECKING:
    from goodarm.study import Study, Trial

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
    from goodarm.study.report.status_text import printable, what_is_unlikely

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
    say(study, {"trial": trial.to_dict()}, _trial_text(trial), as_json)


def say_trials(study: "Study", trials: "Sequence[Trial]", as_json: bool) -> None:
    """What became of several trials."""
    data = {"trials": [trial.to_dict() for trial in trials]}
    say(study, data, "\n".join(map(_trial_text, trials)), as_json)


def _trial_text(trial: "Trial") -> str:
    from goodarm.study.report.status_text import printable

    value = "" if trial.value is None else f" = {trial.value:g}"
    return f"trial {trial.number} ({printable(trial.arm)}){value}: {trial.status}"


def login(name: str | None) -> str | None:
    """Who is doing this: who is named, or the login."""
    import getpass

    if name is not None:
        return name
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no login, as in some containers
        return None


def read_pairs(words: Sequence[str], arm: str | None) -> list[tuple[int | str, float]]:
    """Outcomes as they are typed: TRIAL VALUE, several times; with an arm, its values."""
    from goodarm.inputs import read_number

    if arm is not None and words:
        return [(arm, read_number("value", word)) for word in words]
    if arm is not None or not words or len(words) % 2:
        raise InputError("give a trial and its value (or several pairs), or --arm NAME and values")
    pairs = zip(words[::2], words[1::2], strict=True)
    return [(read_trial(trial), read_number("value", value)) for trial, value in pairs]


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
