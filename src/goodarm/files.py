"""Reading and writing files: whole or not at all, and an error that says what to do."""

import os
import tempfile
from pathlib import Path

from goodarm.errors import InputError

ENDLESS = ("/dev/full", "/dev/zero", "/dev/random", "/dev/urandom")


def write(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    """Write beside the file and move it there: nobody ever sees half of it."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    part = None
    try:
        if path.exists() and not path.is_file():  # a device or a pipe is written to, not replaced
            path.write_bytes(data)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-", suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
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
    if str(path) in ENDLESS:
        raise InputError(f"cannot read {str(path)!r}: it never ends; give a file")
    try:
        return Path(path).read_text(encoding="utf-8-sig")
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
