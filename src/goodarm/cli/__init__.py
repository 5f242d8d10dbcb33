"""The command line: parses, shows, never computes. Each command is a file of this folder."""

import os
import signal
import sys
from types import FrameType
from typing import NoReturn


def main() -> None:
    """Run the command; a wrong input is one line on standard error and exit code 2."""
    signal.signal(signal.SIGINT, _leave)
    from goodarm.cli import plain_text
    from goodarm.cli.app import app
    from goodarm.errors import InputError

    plain_text.install()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # a full disk is found out here, not while Python shuts down
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has left, as `head` does
        os._exit(0)
    except OSError as error:
        _give_up(error)


def _give_up(error: OSError) -> NoReturn:
    """The system refused: one line, and no second attempt to write what could not be written."""
    what = "the output cannot be written" if error.filename is None else repr(error.filename)
    sys.stderr.write(f"error: {what}: {error.strerror or error}\n")
    sys.stderr.flush()
    os._exit(1)


def _leave(number: int, frame: FrameType | None) -> None:
    """Ctrl-C: leave at once, whatever threads still compile or simulate."""
    if sys.stderr.isatty():
        sys.stderr.write("\x1b[?25h")  # a progress bar had hidden the cursor
    sys.stderr.write("interrupted\n")
    sys.stderr.flush()
    os._exit(130)
