"""Finding an algorithm by name, with its options: ``S-TaS[order=desc]``, ``my_rule.py:RULE``."""

import hashlib
import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from goodarm.algorithms.contract import Algorithm
from goodarm.errors import InputError, unknown_name

ENTRY_POINTS = "goodarm.algorithms"


class Registry(Mapping[str, Algorithm]):
    """Every known algorithm by name, ours first; names are case-insensitive."""

    def __getitem__(self, name: str) -> Algorithm:
        known = _known()
        for candidate in known.values():
            if candidate.name.lower() == name.strip().lower():
                return candidate
        raise unknown_name("algorithm", name, known)

    def __iter__(self) -> Iterator[str]:
        return iter(_known())

    def __len__(self) -> int:
        return len(_known())


algorithms = Registry()


def find_algorithm(spec: str | Algorithm) -> Algorithm:
    """The algorithm that the text names: a name with options, or ``path/to/file.py:name``.

    >>> find_algorithm("apgai-fe").name
    'APGAI-FE'
    """
    if isinstance(spec, Algorithm):
        return spec
    match = re.fullmatch(r"\s*([^\[\]]*?)\s*(?:\[(.*)\])?\s*", spec, re.DOTALL)
    if match is None:
        raise InputError(f"algorithm {spec!r}: write a name and options, as in S-TaS[order=desc]")
    name, options = match.group(1), match.group(2)
    path, colon, variable = name.rpartition(":")
    algorithm = _from_file(path, variable) if colon and path.endswith(".py") else algorithms[name]
    return _with_options(algorithm, options, spec) if options is not None else algorithm


def _with_options(algorithm: Algorithm, text: str, spec: str) -> Algorithm:
    chosen: dict[str, Any] = dict(algorithm.chosen)
    for part in filter(None, (p.strip() for p in _split_options(text))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value:
            raise InputError(f"algorithm {spec!r}: write options as key=value, not {part!r}")
        if key not in algorithm.options:
            if not algorithm.options:
                raise InputError(f"algorithm {spec!r}: {algorithm.name} has no options")
            raise unknown_name(f"option of {algorithm.name}", key, algorithm.options)
        try:
            chosen[key] = algorithm.options[key].parse(value)
        except ValueError as error:
            raise InputError(f"algorithm {spec!r}: {key}={value}: {error}") from None
    return replace(algorithm, chosen=chosen)


def _split_options(text: str) -> list[str]:
    """Split at the commas that begin a new key, so that order=2,0,1 stays in one piece."""
    return re.split(r",(?=\s*[A-Za-z_]\w*\s*=)", text)


@cache
def _known() -> dict[str, Algorithm]:
    found: dict[str, Algorithm] = {}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        # Any module of this folder that has ALGORITHMS holds algorithms.
        loaded = importlib.import_module(f"goodarm.algorithms.{module.name}")
        for algorithm in getattr(loaded, "ALGORITHMS", ()):
            found[algorithm.name] = algorithm
    for point in entry_points(group=ENTRY_POINTS):
        algorithm = point.load()
        if not isinstance(algorithm, Algorithm):
            raise InputError(f"entry point {point.name!r} in {ENTRY_POINTS} is no Algorithm")
        found.setdefault(algorithm.name, algorithm)
    return found


@cache
def _from_file(path: str, variable: str) -> Algorithm:
    file = Path(path)
    if not file.is_file():
        raise InputError(f"algorithm file {path!r} does not exist")
    place = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]
    spec = importlib.util.spec_from_file_location(f"goodarm_file_{file.stem}_{place}", file)
    if spec is None or spec.loader is None:
        raise InputError(f"algorithm file {path!r} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    # Compiled code that was cached on disk looks its functions' module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    algorithm = getattr(module, variable, None)
    if not isinstance(algorithm, Algorithm):
        raise InputError(f"{path!r} has no Algorithm named {variable!r}")
    return replace(algorithm, source=f"{file.resolve()}:{variable}")
