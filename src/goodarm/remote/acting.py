"""What a request does to a study, the same for everyone who sends one."""

from typing import Any

from goodarm.errors import InputError
from goodarm.remote import bodies
from goodarm.remote.reading import declared, entry, trial_or_arm
from goodarm.study import Forecast, Study, Trial

FUTURES = 40  # of a forecast: about a second of computing


def new_settings(body: bodies.NewStudy) -> dict[str, Any]:
    """Name and settings of a study to create."""
    return body.model_dump(exclude_none=False) | {
        "outcome": None if body.outcome is None else declared(body.outcome)
    }


def ask(study: Study, body: bodies.Ask) -> list[Trial]:
    """What to try next."""
    return study.ask(body.n, arm=body.arm, lease=body.lease, key=body.key)


def tell(study: Study, body: bodies.Tell) -> Trial:
    """Record an outcome."""
    what = trial_or_arm(body)
    return study.tell(what, body.value, body.at, body.note, body.key, body.sure, body.size)


def tell_many(study: Study, body: bodies.TellMany) -> list[Trial]:
    """Record outcomes that came in together."""
    many = len(body.outcomes)
    if many > bodies.MOST_LISTED and not body.brief:
        raise InputError(
            f"outcomes: {many:,}; an answer lists at most {bodies.MOST_LISTED:,} trials, so send "
            '"brief": true, or fewer at once'
        )
    entries = [entry(position, pair) for position, pair in enumerate(body.outcomes)]
    return study.tell_many(entries, body.sure, body.key)


def correct(study: Study, body: bodies.Correct) -> Trial:
    """Replace a wrong outcome by the right one."""
    said = (body.trial, body.value, body.reason, body.note, body.sure, body.size, body.key)
    return study.correct(*said)


def forecast_of(study: Study) -> Forecast:
    """How many more trials, within what a server has time for."""
    return study.forecast(runs=FUTURES)


def add_arm(study: Study, body: bodies.AddArm) -> None:
    """One more arm."""
    said = body.model_dump(include=set(bodies.OptionDetails.model_fields))
    study.add_arm(body.arm, body.reason, threshold=body.threshold, key=body.key, **said)


def retire_arm(study: Study, body: bodies.RetireArm) -> None:
    """One less."""
    study.retire_arm(body.arm, body.reason, body.key)
