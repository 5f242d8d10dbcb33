"""Reading and writing files: whole or not at all, and an error that says what to do."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from goodarm.errors import InputError

ENDLESS = ("/dev/full", "/dev/zero", "/dev/random", "/dev/urandom")


def write(path: Path, content: str | bytes | Iterable[bytes], mode: int = 0o644) -> None:
    """Write beside the file and move it there: nobody ever sees half of it."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    pieces = (data,) if isinstance(data, bytes) else data
    part = None
    try:
        if path.exists() and not path.is_file():  # a device or a pipe is written to, not replaced
            with path.open("wb") as device:
                device.writelines(pieces)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-", suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
        os.chmod(part, mode & ~_umask())
        os.replace(part, path)
    except BaseException as error:  # Ctrl-C must not leave a part behind either
        if part is not None:
            Path(part).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise unwritable(path, error) from error
        raise


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file, without a byte-order mark."""
    with opened(path) as file:
        return file.read()


@contextmanager
def opened(path: str | Path) -> Iterator[TextIO]:
    """A UTF-8 file to read from, without a byte-order mark."""
    if str(path) in ENDLESS:
        raise InputError(f"cannot read {str(path)!r}: it never ends; give a file")
    try:
        with Path(path).open(encoding="utf-8-sig") as file:
            yield file
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"cannot read {str(path)!r}: it is not UTF-8 text") from None


def unwritable(path: Path, error: OSError) -> InputError:
    """What to tell a user whose file could not be written."""
    return InputError(
        f"cannot write {str(path)!r}: {error.strerror or error}; choose another file or folder"
    )


def _umask() -> int:
    """What this process takes away from the mode of a new file; it can only be read by setting."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
