"""Which workers make trials that are calls of a Python function."""

import inspect
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any

from goodarm.errors import InputError
from goodarm.gating.question import Call
from goodarm.gating.workers import Elsewhere, OneByOne, Threads, Workers

Arguments = Callable[[Call], tuple[Any, ...]]
"""What the function is called with for a trial."""


def hire(
    fn: Callable[..., Any], arguments: Arguments, many: int, executor: Executor | None = None
) -> Workers:
    """Whoever can call such a function that many times at once."""
    awaited = is_awaited(fn)
    if executor is not None:
        if awaited:
            raise InputError(
                "executor: a coroutine function needs none; n_jobs says how many run at once"
            )
        return Elsewhere(lambda call: executor.submit(fn, *arguments(call)), many)

    def play(call: Call) -> object:
        given = fn(*arguments(call))
        if inspect.iscoroutine(given):
            given.close()
            raise InputError("fn: it gave a coroutine; give the coroutine function itself")
        return given

    def start(call: Call) -> Coroutine[Any, Any, object]:
        coroutine: Coroutine[Any, Any, object] = fn(*arguments(call))
        return coroutine

    if awaited:
        from goodarm.gating.coroutines import Coroutines

        return Coroutines(start, many)
    return OneByOne(play) if many == 1 else Threads(play, many)


def is_awaited(fn: Callable[..., Any]) -> bool:
    """Whether a call of the function gives a coroutine."""
    return inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(
        getattr(fn, "__call__", None)  # noqa: B004
    )
