"""A gate whose trials are calls of a Python function."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from goodarm.defaults import GATE_BUDGET, GATE_DELTA, GATE_OUTCOME
from goodarm.errors import InputError
from goodarm.gating.hiring import hire
from goodarm.gating.playing import RunningGate, TrialError
from goodarm.gating.question import GateQuestion, arm_names
from goodarm.gating.result import GateResult
from goodarm.gating.workers import MOST_WORKERS
from goodarm.inputs import LONGEST_NAME, whole
from goodarm.instance.instance import ABOVE
from goodarm.outcomes import Outcome

Objective = Callable[..., Any]


def gate(
    fn: Objective,
    bar: float,
    *,
    delta: float = GATE_DELTA,
    arms: Sequence[str] | None = None,
    n_jobs: int = 1,
    budget: int | None = GATE_BUDGET,
    outcome: Outcome | str = GATE_OUTCOME,
    goal: str = ABOVE,
    on_error: str = "stop",
    seed: int = 0,
) -> GateResult:
    """Call a function until it is certain whether its mean clears the bar, with few calls.

    `fn(arm)` tries one of `arms`; without arms, `fn()` is the only thing that is tried. It may be
    a coroutine function. It gives True or False, 1 or 0, or a number that `outcome` allows for;
    `n_jobs` calls are made at once, in threads or on an event loop of their own. After `budget`
    calls (None: no limit) the answer is "undecided".

    An exception ends the gate and is passed on, unless `on_error` is "fail" (it counts as the worst
    outcome) or "retry:N". The answer is wrong with probability at most `delta` if outcomes are
    independent; they count in the order of asking, so slow failures do no harm.

    >>> from random import Random
    >>> chance = Random(1)
    >>> result = gate(lambda: chance.random() < 0.97, bar=0.85)
    >>> result.verdict, result.passed
    ('clears', True)
    """
    question = GateQuestion(
        arm_names(arms, _name(fn)), bar, delta, outcome, goal, budget, on_error, seed
    )
    many = whole("n_jobs", n_jobs, 1, MOST_WORKERS)
    takes_arm = _takes_arm(fn, question.arms, arms is not None)
    try:
        workers = hire(fn, lambda call: (call.arm,) if takes_arm else (), many)
        return RunningGate(question).play(workers)
    except TrialError as stop:
        cause = stop.__cause__
        if cause is None:
            raise
        remedy = "on_error='fail' counts such a trial as a failure, 'retry:3' makes it again"
        cause.add_note(f"{str(stop).partition(':')[0]}; {remedy}")
        raise cause from None


def _name(fn: Objective) -> str:
    """What a function is called that has no arms."""
    name = str(getattr(fn, "__name__", ""))[:LONGEST_NAME]
    return name if name.isidentifier() else "function"


def _takes_arm(fn: Objective, arms: tuple[str, ...], named: bool) -> bool:
    """Whether the function is called with the arm."""
    if not callable(fn):
        raise InputError(f"fn: {fn!r} is no function; give one that makes a trial")
    if named and _accepts(fn, arms[0]):
        return True
    if len(arms) == 1 and _accepts(fn):
        return False
    if named:
        raise InputError("fn: it cannot be called with an arm; give a function of one argument")
    raise InputError("fn: it cannot be called without arguments; name the arms with arms=")


def _accepts(fn: Objective, *arguments: str) -> bool:
    try:
        inspect.signature(fn).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # some built-in functions do not say what they take
        return True
    return True
