"""An algorithm from a user's own file, ``path/to/file.py:NAME``, and what may be wrong with it."""

import hashlib
import importlib.util
import sys
import traceback
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType

from goodarm.algorithms.contract import Algorithm
from goodarm.errors import InputError


@cache
def load_algorithm(path: str, name: str) -> Algorithm:
    """The Algorithm of that name in the file; an InputError says what is wrong with the file."""
    module = _load(Path(path))
    if name not in vars(module):
        others = [key for key, value in vars(module).items() if isinstance(value, Algorithm)]
        remedy = f"it has {', '.join(others)}" if others else "define one with Algorithm(…)"
        raise InputError(f"{path!r} has no Algorithm named {name!r}; {remedy}")
    algorithm = getattr(module, name)
    if not isinstance(algorithm, Algorithm):
        raise InputError(
            f"{path!r} has no Algorithm named {name!r}: that is of type {type(algorithm).__name__};"
            f" write {name} = Algorithm(…)"
        )
    return replace(algorithm, source=f"{Path(path).resolve()}:{name}")


def _load(file: Path) -> ModuleType:
    if not file.is_file():
        raise InputError(f"algorithm file {str(file)!r} does not exist")
    digest = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]
    stem = file.stem.replace(".", "_")  # a dot would make it a part of another module
    spec = importlib.util.spec_from_file_location(f"goodarm_file_{stem}_{digest}", file)
    if spec is None or spec.loader is None:
        raise InputError(f"algorithm file {str(file)!r} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    # Compiled code that was cached on disk looks its functions' module up by name.
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise InputError(fault_in_file(file, error)) from error
    return module


def fault_in_file(file: Path, error: BaseException) -> str:
    """One line on an error that comes from the user's own file: where, what, and what to do."""
    line = error.lineno if isinstance(error, SyntaxError) else _last_line(file, error)
    where = f"algorithm file {str(file)!r}" + (f", line {line}" if line else "")
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    what = " ".join(f"{type(error).__name__}: {words}".split())
    return f"{where}: {what}; correct it there (docs/adding-an-algorithm.md has an example)"


def _last_line(file: Path, error: BaseException) -> int | None:
    """The line of the file in which the error came up, or from which it was reached."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == file.resolve()]
    return lines[-1] if lines else None
