"""A trial that runs a command: no shell, one process group, and what it said if it went wrong.

{arm}, {trial} and {seed} are filled in wherever they stand in the command, nothing else is: other
braces stay as they are. An outcome is the exit code (0 success, 1 failure), or a number that the
command writes. Whatever else happens is an error, which a gate handles as it was told.
"""

import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Timer
from typing import IO, Any

from goodarm.errors import InputError
from goodarm.gating.loop import CannotRunError, FruitlessError
from goodarm.gating.question import Call
from goodarm.wording import shown

EXIT, STDOUT, JSON, FILE = "exit", "stdout", "json", "file"
ARM, TRIAL, SEED = "{arm}", "{trial}", "{seed}"
GRACE = 2.0  # seconds to end in peace before a process is killed
MOST_READ = 2**20  # bytes of output in which a number is looked for
TAIL = 400  # bytes of output in a message
BLANK = re.compile(r"\{(arm|trial|seed)\}")
NEVER_WRITTEN = (0, 0)  # a time that no file is written at


class CommandError(FruitlessError):
    """A command was run and gave no outcome."""


@dataclass(frozen=True)
class ValueSource:
    """Where the outcome of a command is: its exit code, or a number that it writes."""

    kind: str = EXIT
    path: str = ""

    @classmethod
    def parse(cls, text: str) -> "ValueSource":
        """Read ``exit``, ``stdout``, ``json``, ``json:PATH`` or ``file:PATH``.

        >>> ValueSource.parse("json:results.0.score").path
        'results.0.score'
        """
        kind, _, path = text.partition(":")
        if (kind in (EXIT, STDOUT, JSON) and text == kind) or (kind in (JSON, FILE) and path):
            return cls(kind, path)
        raise InputError(
            f"value: {text!r} is none of exit, stdout, json:PATH and file:PATH; write json:score"
        )


class Command:
    """Runs a command once for each call; `cancel` ends whatever runs, for good."""

    def __init__(
        self,
        words: Sequence[str],
        value: ValueSource | None = None,
        timeout: float | None = None,
    ) -> None:
        if not words:
            raise InputError("command: nothing to run; write it after --")
        self.words = tuple(words)
        self.value = value or ValueSource()
        self.timeout = timeout
        self._running: set[subprocess.Popen[bytes]] = set()
        self._cancelled = False
        self._lock = Lock()

    def mentions(self, blank: str) -> bool:
        """Whether {arm}, {trial} or {seed} stands in the command or the path of its value."""
        return any(blank in text for text in (*self.words, self.value.path))

    def __call__(self, call: Call) -> object:
        """What the command gave: 1 or 0 by its exit code, or what it wrote."""
        kind, written = self.value.kind, Path(_filled(self.value.path, call))
        if kind == FILE and written.exists():
            os.utime(written, NEVER_WRITTEN)  # a number of an earlier trial must not be read
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
            is_read = kind in (STDOUT, JSON)
            errors = complained if is_read else said  # one after the other, as on a terminal
            code, ran_out = self._run(call, said, errors)
            if ran_out:
                raise CommandError(f"still running after {self.timeout:g} s{_tail(errors)}")
            if code != 0 and (code != 1 or kind != EXIT):
                raise CommandError(f"{_ending(code, kind)}{_tail(errors)}")
            if kind == EXIT:
                return float(code == 0)
            text = _output(said) if is_read else _content(written)
        return _in_json(text, self.value.path) if kind == JSON else _last_line(text)

    def cancel(self) -> None:
        """End every process, and start no more."""
        with self._lock:
            self._cancelled = True
            running = list(self._running)
        for process in running:
            _signal(process, signal.SIGTERM)
        for process in running:
            _end(process)

    def _run(self, call: Call, said: IO[bytes], errors: IO[bytes]) -> tuple[int, bool]:
        """The exit code, and whether the time had run out."""
        process = self._start([_filled(word, call) for word in self.words], said, errors)
        ran_out: list[bool] = []

        def expire() -> None:
            ran_out.append(True)
            _end(process)

        # `process.wait(timeout)` would look only every 50 ms whether the command has ended.
        timer = None if self.timeout is None else Timer(self.timeout, expire)
        try:
            if timer is not None:
                timer.daemon = True
                timer.start()
            return process.wait(), bool(ran_out)
        except BaseException:  # Ctrl-C
            _end(process)
            raise
        finally:
            if timer is not None:
                timer.cancel()
            with self._lock:
                self._running.discard(process)

    def _start(
        self, words: list[str], said: IO[bytes], errors: IO[bytes]
    ) -> "subprocess.Popen[bytes]":
        with self._lock:
            if self._cancelled:
                raise CommandError("cancelled before it began")
            try:
                process = subprocess.Popen(
                    words,
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=errors,
                    start_new_session=True,  # so that Ctrl-C is ours, and its children end with it
                )
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or error
                raise CannotRunError(f"{words[0]!r} cannot be run: {why}") from error
            self._running.add(process)
            return process


def _filled(text: str, call: Call) -> str:
    """The text with the call's arm, number and seed; what an arm's name says is left alone."""
    if "{" not in text:
        return text
    blanks = {ARM: call.arm, TRIAL: str(call.trial), SEED: str(call.seed)}
    return BLANK.sub(lambda found: blanks[found[0]], text)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ask the process and its children to end, then make them."""
    _signal(process, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    _signal(process, signal.SIGKILL)
    process.wait()


def _signal(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it has ended already
        os.killpg(process.pid, number)


def _ending(code: int, kind: str) -> str:
    """How a command ended that gave no outcome."""
    if code < 0:
        names = {number.value: number.name for number in signal.Signals}
        return f"ended by {names.get(-code, f'signal {-code}')}"
    if kind == EXIT:
        return f"exit code {code}, which is neither 0 (success) nor 1 (failure)"
    return f"exit code {code}; a value counts only with exit code 0"


def _output(file: IO[bytes]) -> str:
    size = file.seek(0, os.SEEK_END)
    if size > MOST_READ:
        raise CommandError(f"{size:,} bytes of output; a value is read from at most {MOST_READ:,}")
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def _tail(file: IO[bytes]) -> str:
    """The end of what a command has said, for a message."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - TAIL))
    text = file.read().decode("utf-8", "replace").strip()
    return f". It said:\n{shown(text)}" if text else ""


def _content(path: Path) -> str:
    """The text of the file in which a trial has left its value."""
    try:
        if path.stat().st_mtime_ns == 0:
            raise CommandError(f"it has not written {str(path)!r}, which is of an earlier trial")
        with path.open("rb") as file:
            return _output(file)
    except OSError as error:
        raise CommandError(f"{str(path)!r} cannot be read: {error.strerror}") from error


def _last_line(text: str) -> str:
    """The last line that is not empty: logs may come before the value."""
    if not text.strip():
        raise CommandError("it has written nothing where a value should be")
    return text.strip().splitlines()[-1]


def _in_json(text: str, path: str) -> object:
    """What is at ``results.0.score`` in a JSON text; all of it, if there is no path."""
    try:
        found: Any = json.loads(text)
    except ValueError:
        raise CommandError(f"its output is no JSON: {text.strip()[:TAIL]!r}") from None
    for key in path.split(".") if path else ():
        try:
            found = found[int(key)] if isinstance(found, list) else found[key]
        except (KeyError, IndexError, TypeError, ValueError):
            raise CommandError(f"its JSON has nothing at {path!r}: no {key!r}") from None
    if isinstance(found, list) or found is None:
        where = f" at {path!r}" if path else ""
        raise CommandError(f"its JSON has {json.dumps(found)[:80]}{where}; that is no number")
    return found
