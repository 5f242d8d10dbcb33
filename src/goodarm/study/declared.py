"""How a setting is declared: what it means, how it is checked, how the log has it."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import MISSING
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.inputs import number, whole
from goodarm.inquiry import Criterion, Question
from goodarm.instance.instance import ABOVE, BELOW
from goodarm.rng import MAX_SEED
from goodarm.stopping.boundaries import parse_boundary

MIXTURE, PAPERS = "mixture", "glr"
AS_ASKED, AS_TOLD = "as-asked", "as-told"
MOST_AT_ONCE = 100_000  # trials in one request


def check_boundary(value: object) -> str:
    """A stopping rule that holds for any sampling, with late and missing outcomes."""
    name = parse_boundary(str(value), 2, 0.5).name
    if name not in (MIXTURE, PAPERS):
        raise InputError(
            f"boundary: a live study stops by {MIXTURE!r} or the paper's {PAPERS!r}, not {name!r}"
        )
    return name


def check_delta(value: object) -> float:
    """δ, strictly between 0 and 1."""
    delta = number("delta", value)
    if not 0.0 < delta < 1.0:
        raise InputError(
            f"delta: {value!r} is not strictly between 0 and 1; 0.05 means sure at 95 %"
        )
    return delta


def check_more(value: object) -> int:
    """How many more trials a study may make."""
    return whole("trials", value, 1, MOST_AT_ONCE)


def check_goal(value: object) -> str:
    """Which side is good."""
    if value not in (ABOVE, BELOW):
        raise InputError(f"goal: {value!r} is neither 'above' nor 'below'")
    return str(value)


def check_decide(value: object) -> str:
    """When outcomes count."""
    if value not in (AS_ASKED, AS_TOLD):
        raise unknown_name("decide", str(value), (AS_ASKED, AS_TOLD))
    return str(value)


def check_question(value: object) -> str:
    """What is asked."""
    return Question.parse(str(value)).text()


def read_criteria(value: Any) -> tuple[Criterion, ...]:
    """Criteria as objects or texts."""
    if isinstance(value, str | Criterion):
        value = (value,)
    if not isinstance(value, Sequence) or not all(isinstance(o, str | Criterion) for o in value):
        raise InputError(
            f"criteria: {value!r:.60} is not a list of criteria; write them as "
            "'works:bernoulli>=0.3'"
        )
    return tuple(
        Criterion.parse(one) if isinstance(one, str) else Criterion.from_data(one.to_data())
        for one in value
    )


def check_seed(value: object) -> int:
    """The seed; a random one where none is given."""
    # 53 bits, so that programs that read numbers as doubles keep the seed exactly.
    return secrets.randbits(53) if value is None else whole("seed", value, 0, MAX_SEED)


def same(value: Any) -> Any:
    """As it is."""
    return value


def declared(
    help: str,  # noqa: A002
    check: Callable[[Any], Any] = same,
    *,
    earlier: Any = MISSING,
    write: Callable[[Any], Any] = same,
    read: Callable[[Any], Any] = same,
    rare: bool = False,
    per_arm: bool = False,
) -> dict[str, Any]:
    """What a setting means, how it is checked, and how the log has it.

    A log of a version that did not have the setting yet means `earlier`. A `rare` one is left out
    of the log where it is not used. Of one that is `per_arm` there may be one for each arm.
    """
    known = {"help": help, "check": check, "earlier": earlier, "write": write, "read": read}
    return {**known, "rare": rare, "per_arm": per_arm}


def optional(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same check of what may be left out."""
    return lambda value: None if value is None else check(value)
