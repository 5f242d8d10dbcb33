"""A process that answers calls, one after the other, over its standard input and output.

Threads would take turns, and what `multiprocessing` starts runs the caller's script anew if that
does not guard against it. This one is told a function and its arguments on its standard input,
answers on its standard output, and ends when the input does: with its caller, whatever has ended
that. The pickles go from one program to itself; nothing from outside is read.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

Result = TypeVar("Result")


class EndedError(Exception):
    """The process has ended, or was ended, in the middle of a call."""


class PipedProcess:
    """One process; whoever has it calls from one thread at a time and ends it with `end`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    @property
    def has_ended(self) -> bool:
        """Whether it cannot be called any more."""
        return self._process.poll() is not None

    def call(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """What a function of some module returns or raises there."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump((function, arguments), process.stdin)
            process.stdin.flush()
            is_well, answer = pickle.load(process.stdout)
        except (OSError, ValueError, EOFError, pickle.UnpicklingError):
            raise EndedError("the process has ended") from None
        if is_well:
            return answer  # type: ignore[no-any-return]
        raise answer

    def kill(self) -> None:
        """End it from any thread, also in the middle of a call."""
        self._process.kill()

    def end(self) -> None:
        """End it, and let go of what it held."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what it was not told any more
                if stream is not None:
                    stream.close()
        self._process.wait()


def answer_calls() -> None:
    """The life of the process."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anyone prints is no answer
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except (EOFError, KeyboardInterrupt):
            return
        try:
            answer = True, function(*arguments)
        except KeyboardInterrupt:  # Ctrl-C is for the caller, who will end us
            return
        except Exception as error:
            answer = False, error
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    answer_calls()
