"""The command line: parses, shows, never computes. Each command is a file of this folder."""

import os
import signal
import sys
from types import FrameType


def main() -> None:
    """Run the command; a wrong input is one line on standard error and exit code 2."""
    signal.signal(signal.SIGINT, _leave)
    from goodarm.cli.app import app
    from goodarm.errors import InputError

    try:
        app()
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has left, as `head` does
        os._exit(0)


def _leave(number: int, frame: FrameType | None) -> None:
    """Ctrl-C: leave at once, whatever threads still compile or simulate."""
    if sys.stderr.isatty():
        sys.stderr.write("\x1b[?25h")  # a progress bar had hidden the cursor
    sys.stderr.write("interrupted\n")
    sys.stderr.flush()
    os._exit(130)
