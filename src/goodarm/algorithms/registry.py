"""Finding an algorithm by name, with its options: ``S-TaS[order=desc]``, ``my_file.py:NAME``."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from goodarm.algorithms.contract import Algorithm
from goodarm.algorithms.own_file import load_algorithm
from goodarm.errors import InputError, unknown_name
from goodarm.plugins import declared, installed


class AlgorithmRegistry(Mapping[str, Algorithm]):
    """Every algorithm by name, ours first; names are case-insensitive."""

    def __getitem__(self, name: str) -> Algorithm:
        for algorithm in _by_name().values():
            if algorithm.name.lower() == name.strip().lower():
                return algorithm
        raise unknown_name("algorithm", name, _by_name())

    def __iter__(self) -> Iterator[str]:
        return iter(_by_name())

    def __len__(self) -> int:
        return len(_by_name())


algorithms = AlgorithmRegistry()


def find_algorithm(spec: str | Algorithm) -> Algorithm:
    """The algorithm that the text names: a name with options, or ``path/to/file.py:NAME``.

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
    from_file = colon and path.endswith(".py")
    if name.endswith(".py"):
        raise InputError(f"algorithm {spec!r}: name the algorithm in the file, as in {name}:RULE")
    algorithm = load_algorithm(path, variable) if from_file else algorithms[name]
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
def _by_name() -> dict[str, Algorithm]:
    by_name = {one.name: one for one in declared("goodarm.algorithms", "ALGORITHMS")}
    for label, algorithm in installed("goodarm.algorithms"):
        if not isinstance(algorithm, Algorithm):
            raise InputError(f"{label} is no Algorithm")
        by_name.setdefault(algorithm.name, algorithm)
    return by_name
