"""Compiling an algorithm's plain functions, cached on disk between processes.

numba can call a plain function from compiled code once it has been registered. This module finds
every plain function that an algorithm reaches, registers it, and makes a stamp of all their
bytecode: numba's own cache does not notice when a function in *another* file was edited, and
would go on running the old algorithm.
"""

import hashlib
import platform
import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from functools import cache
from threading import Lock
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from goodarm.extras import LAB, need
from goodarm.run import reset
from goodarm.simulation.compile_errors import rehearse
from goodarm.simulation.job import Job
from goodarm.simulation.loops.rewards import make_draw, make_reward
from goodarm.step import Step, make_step

COMPILE_OPTIONS: Any = {
    "nogil": True,  # chunks run on threads
    "error_model": "numpy",  # no exception checks around divisions
    "_nrt": False,  # no reference counts: nothing is allocated, and they cost ten times the step
}

_registered: set[FunctionType] = set()
_kernels: dict[tuple[Any, ...], Any] = {}
_one_at_a_time = Lock()


class Parts(NamedTuple):
    """The plain functions that every loop over runs is made of."""

    step: Step
    draw: Callable[..., float]  # the next reward of an arm
    reward: Callable[..., float]  # that at a given quantile


def parts_of(job: Job) -> Parts:
    """The parts for a job: its algorithm, its outcome model, its kinds of arm.

    Every compiled loop asks for them, so this is where an algorithm is tried in plain Python first.
    """
    need(LAB, "simulate")
    rehearse(job)
    families = job.instance.families
    return Parts(make_step(job.algorithm, job.outcome), make_draw(families), make_reward(families))


def roots(parts: Parts) -> tuple[Callable[..., Any], ...]:
    """The functions that the loops over runs call."""
    return (*parts.step, parts.draw, reset)


def reached(functions: tuple[Callable[..., Any], ...]) -> list[FunctionType]:
    """These functions and every plain function that they call, directly or not."""
    closure: dict[FunctionType, None] = {}
    waiting = [f for f in functions if isinstance(f, FunctionType)]
    while waiting:
        function = waiting.pop()
        if function not in closure:
            closure[function] = None
            waiting += [v for _, v in _references(function) if isinstance(v, FunctionType)]
    return list(closure)


def fields_read(job: Job) -> set[str]:
    """Names that the algorithm's, model's and boundary's functions mention: what they may read."""
    step = make_step(job.algorithm, job.outcome)
    model = [function for function in job.outcome.functions if function is not None]
    own = (step.start, step.choose, job.algorithm.observe, step.judge, step.answer)
    functions = reached((*own, *model))
    return {name for function in functions for name in _names(function.__code__)}


@cache  # a function that is edited is another function
def source_stamp(
    parts: Parts, make: Callable[..., Any], helpers: tuple[Callable[..., Any], ...] = ()
) -> str:
    """A hash of everything that a compiled loop is made of, and of the versions that make it.

    `make` is the function that makes the loop, with what it calls in its own file; `helpers` are
    what the loop calls besides the parts.
    """
    import numba

    digest = hashlib.sha256()
    for version in (platform.python_version(), numba.__version__, np.__version__):
        digest.update(version.encode())
    functions = [*_makers(make), *reached((*roots(parts), *helpers))]
    for text in sorted(_describe(function) for function in functions):
        digest.update(text.encode())
    return digest.hexdigest()[:32]


def _makers(make: Callable[..., Any]) -> list[FunctionType]:
    """The function that makes a loop, and those of its own file that it is put together from."""
    return [f for f in reached((make,)) if f.__module__ == make.__module__]


def _describe(function: FunctionType) -> str:
    constants = [
        (name, repr(value.tolist() if isinstance(value, np.ndarray) else value))
        for name, value in _references(function)
        if isinstance(value, int | float | str | tuple | np.ndarray | np.generic)
    ]
    return f"{function.__module__}{_describe_code(function.__code__)}{sorted(constants)}"


def register(functions: tuple[Callable[..., Any], ...]) -> None:
    """Let compiled code call these functions and all that they reach."""
    from numba.extending import register_jitable

    for function in reached(functions):
        if function not in _registered:
            _registered.add(function)
            # Without inlining, every call would copy the run's descriptors: twice the time.
            register_jitable(forceinline=True)(function)


def compiled(
    parts: Parts, make: Callable[..., Any], helpers: tuple[Callable[..., Any], ...] = ()
) -> Any:
    """The loop make(parts, stamp, decorate), compiled for the CPU."""
    from numba import njit

    return made_once(
        parts,
        make,
        lambda stamp, cached: make(
            parts,
            stamp,
            lambda loop: kept_by_stamp(
                njit(**COMPILE_OPTIONS, cache=cached)(with_own_cache(loop, stamp)), stamp
            ),
        ),
        helpers,
    )


def kept_by_stamp(dispatcher: Any, stamp: str) -> Any:
    """The compiled loop; where the disk is full it is used all the same, and compiled again.

    It is found again by its stamp, which says all. numba would look for a pickle of the functions
    that the loop calls, which the same sources give differently from one kind of process to
    another: every loop would be compiled once in a program and once more in a test or a worker.
    """
    keep = dispatcher._cache.save_overload

    def keep_if_possible(signature: Any, result: Any) -> None:
        with suppress(OSError):
            keep(signature, result)

    dispatcher._cache.save_overload = keep_if_possible
    dispatcher._cache._index_key = lambda signature, codegen: (
        signature,
        codegen.magic_tuple(),
        stamp,
    )
    return dispatcher


def with_own_cache(loop: Callable[..., Any], stamp: str) -> Callable[..., Any]:
    """The loop under a name of its own, from which numba makes the name of its file on disk.

    One file for all versions of a loop would be read before it is known which version it is from,
    and fails to load once a class that it mentions has moved to another module.
    """
    loop.__qualname__ = f"{loop.__qualname__}.{stamp}"
    return loop


def made_once(
    parts: Parts,
    make: Callable[..., Any],
    build: Callable[[str, bool], Any],
    helpers: tuple[Callable[..., Any], ...] = (),
    purpose: Hashable = None,
) -> Any:
    """The kernel that `build` builds with `make` from the parts and `helpers`, for a purpose.

    `build` is told the stamp of the sources, and whether the result can be cached on disk. It is
    called once in a process: algorithms that share their functions share the kernel.
    """
    with _one_at_a_time:
        stamp = source_stamp(parts, make, helpers)
        key = (parts, stamp, purpose)
        if key not in _kernels:
            register((*roots(parts), *helpers))
            _kernels[key] = build(stamp, _can_be_cached(roots(parts)))
        return _kernels[key]


def _can_be_cached(functions: tuple[Callable[..., Any], ...]) -> bool:
    """Compiled code from the disk looks its functions' modules up by name: they must have one.

    A function that was made by exec, or in a script run by another, has none.
    """
    return all(
        vars(sys.modules[f.__module__]) is f.__globals__ if f.__module__ in sys.modules else False
        for f in reached(functions)
    )


def _references(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What the function's code refers to by name: globals, module members, closure cells."""
    names = set(_names(function.__code__))
    for name in sorted(names):
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            for member in sorted(names):
                if isinstance(getattr(value, member, None), FunctionType):
                    yield f"{name}.{member}", getattr(value, member)
        elif value is not None:
            yield name, value
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _describe_code(code: CodeType) -> str:
    constants = [_describe_code(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return f"{code.co_name}{code.co_code.hex()}{constants}{code.co_names}{code.co_varnames}"
