"""Trials that are runs of a command, for `goodarm gate` and `goodarm study run`."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Protocol

import typer

from goodarm.cli.output import print_json
from goodarm.errors import InputError
from goodarm.wording import confidence, counted

if TYPE_CHECKING:
    from goodarm.gating.commands import Command
    from goodarm.gating.loop import Loop, Told
    from goodarm.gating.progress import Headway
    from goodarm.gating.result import GateResult
    from goodarm.gating.workers import Workers

WIDEST = 78  # characters in a line that is read easily
PAUSE = 0.1  # seconds between two looks at a line that is rewritten
STOPPED = 4  # exit code
ON_ERROR = "--on-error fail counts such a trial as a failure, retry:3 makes it again"
MOST_LISTED = 20  # numbers of trials in a message


class Player(Protocol):
    """A gate in memory, or a worker on a study."""

    def loop(self, workers: "Workers", heard: Callable[[], object] | None = None) -> "Loop":
        """What keeps the trials running."""
        ...

    def progress(self) -> "Headway":
        """How far it has come."""
        ...

    def result(self, error: str | None = None, interrupted: bool = False) -> "GateResult":
        """How it stands."""
        ...

    def remedies(self) -> list[str]:
        """What else can be done about a trial without an outcome."""
        ...

    def fates(self, loop: "Loop") -> dict[str, list[int]]:
        """What became of trials that ran when no more were to begin, where that is to be said."""
        ...


def read_command(
    words: Sequence[str], value: str, timeout: float | None, parallel: int, K: int
) -> "Command":
    """The command of a trial.

    One that would try the same thing for every arm, or overwrite its values, is refused.
    """
    from goodarm.gating.commands import ARM, FILE, SEED, TRIAL, Command, ValueSource
    from goodarm.gating.workers import MOST_WORKERS
    from goodarm.inputs import seconds, whole

    trial = Command(words, ValueSource.parse(value), seconds("timeout", timeout))
    whole("parallel", parallel, 1, MOST_WORKERS)
    if K > 1 and not trial.mentions(ARM):
        raise InputError(
            f"command: {K} arms, but no {ARM} in it, so all would be the same; write {ARM}"
        )
    unique = TRIAL in trial.value.path or SEED in trial.value.path
    if trial.value.kind == FILE and parallel > 1 and not unique:
        raise InputError(
            f"value: trials that run together would write one file, {trial.value.path!r}; put "
            f"{TRIAL} into its name"
        )
    return trial


class Making:
    """Making trials: with a line on a terminal, and with Ctrl-C."""

    def __init__(self, parallel: int) -> None:
        self._parallel = parallel
        self._loop: Loop | None = None

    def play(self, player: Player, trial: "Command") -> "GateResult":
        """Make trials until there is an answer, or until they must end without one."""
        from goodarm.gating.loop import CannotRunError, TrialError
        from goodarm.gating.workers import Threads

        line = _Line(player.progress)
        # Not in this thread even if there is one: Ctrl-C must not arrive while a process starts.
        workers = Threads(trial, self._parallel, trial.cancel)
        loop = self._loop = player.loop(workers, line if line.is_shown else None)
        with _interruptible(loop, line):
            try:
                loop.play()
                result = player.result()
            except TrialError as error:
                may = f"\n({'; '.join((ON_ERROR, *player.remedies()))})"
                cannot = isinstance(error.__cause__, CannotRunError)
                result = player.result(error=f"{error}{'' if cannot else may}")
            except KeyboardInterrupt:
                result = player.result(interrupted=True)
            finally:
                line.clear()
        for text, trials in player.fates(loop).items():
            if trials:
                print(f"{_trials(trials)} {text}", file=sys.stderr)
        return result

    @contextmanager
    def storage_errors(self) -> Iterator[None]:
        """Trouble with the database is exit code 4; outcomes that it did not take are shown."""
        try:
            yield
        except RuntimeError as error:
            from goodarm.study import StorageError

            if not isinstance(error, StorageError):
                raise
            print(f"error: {error}", file=sys.stderr)
            for call, told in () if self._loop is None else self._loop.untold:
                print(f"not recorded: trial {call.trial} = {_typed(told)}", file=sys.stderr)
            raise typer.Exit(STOPPED) from None


@contextmanager
def _interruptible(loop: "Loop", line: "_Line") -> Iterator[None]:
    """Ctrl-C, or a wish to terminate, ends the trials and leaves a report.

    Trials of a study that run are let end the first time, and cancelled the second.
    """
    interrupted = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        loop.interrupt()

    def wait(trials: list[int]) -> None:
        if interrupted:
            said = f"interrupted: no more trials begin; waiting for {_trials(trials)}"
            print(f"{said} (Ctrl-C again cancels what runs)", file=sys.stderr)
        elif line.is_shown:
            print(f"waiting for {_trials(trials)} (Ctrl-C cancels what runs)", file=sys.stderr)

    loop.waits = wait
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _typed(told: "Told") -> str:
    """An outcome as it would be typed."""
    if isinstance(told, Mapping):
        return " ".join(f"{name}={_typed(one)}" for name, one in told.items())
    size = "" if told.size == 1.0 else f"/{told.size:g}"
    return f"{told.value!r}{size}"


def _trials(numbers: Sequence[int]) -> str:
    """Trials in a message."""
    listed = ", ".join(str(number) for number in numbers[:MOST_LISTED])
    more = ", …" if len(numbers) > MOST_LISTED else ""
    return f"trial{'' if len(numbers) == 1 else 's'} {listed}{more}"


class _Line:
    """One line on a terminal, rewritten after outcomes: how far it is, and how far to go."""

    def __init__(self, progress: "Callable[[], Headway]") -> None:
        self.is_shown = sys.stderr.isatty()
        self._progress = progress
        self._next = 0.0

    def __call__(self) -> None:
        now = monotonic()
        if now < self._next:
            return
        self._next = now + PAUSE
        made, sure, left = self._progress()
        more = "" if left is None else f", about {left:,} more"
        text = f"{counted(made, 'trial')}, confidence {confidence(sure)}{more}"
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Leave nothing of it."""
        if self.is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def say_result(result: "GateResult", as_json: bool) -> None:
    """The result on standard output; where nobody reads it, the exit code must say it still."""
    try:
        if as_json:
            print_json(result.to_dict())
        else:
            width = min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)
            print("\n".join(result.lines(width)))
        sys.stdout.flush()
    except BrokenPipeError:
        _say_no_more()
    except OSError as error:  # an exit code would be taken for the answer
        _say_no_more()
        raise InputError(f"the output cannot be written: {error.strerror}") from None


def _say_no_more() -> None:
    """What is left of the output goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
