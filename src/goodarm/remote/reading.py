"""What a request means: which trial or arm, which outcome model."""

from dataclasses import fields
from typing import Any

from goodarm.errors import InputError, unknown_name
from goodarm.outcomes import Outcome, outcomes
from goodarm.remote.bodies import OutcomeData, Pair, Tell


def trial_or_arm(outcome: Tell | Pair) -> int | str:
    """What an outcome is of: exactly one of the two must be given."""
    if (outcome.trial is None) == (outcome.arm is None):
        raise InputError("give either a trial (its number) or an arm (its name)")
    return outcome.trial if outcome.trial is not None else outcome.arm or ""


def entry(position: int, pair: Pair) -> Any:
    """A trial or an arm, its value, and its size if it has one."""
    try:
        what = trial_or_arm(pair)
    except InputError as error:
        raise InputError(f"outcomes.{position}: {error}") from None
    return (what, pair.value) if pair.size is None else (what, pair.value, pair.size)


def declared(data: str | OutcomeData) -> str | Outcome:
    """The model that a text, or an object with its parameters by name, describes."""
    if isinstance(data, str):
        return data
    parameters = data.model_extra or {}
    if data.kind not in outcomes:
        raise unknown_name("outcome", data.kind, list(outcomes))
    known = {field.name: field.default is None for field in fields(outcomes[data.kind])}
    given = {name: value for name, value in parameters.items() if value is not None}
    missing = [name for name, may_be_left_out in known.items() if not may_be_left_out]
    if not set(missing) <= set(given) or not set(parameters) <= set(known):
        takes = [name if name in missing else f"{name} (optional)" for name in known]
        raise InputError(
            f"outcome: {data.kind} takes {', '.join(takes) or 'no parameters'}, not "
            f"{', '.join(sorted(given)) or 'nothing'}"
        )
    return outcomes[data.kind](**given)
