"""A gate that is kept in a study, so that it can go on where it stopped."""

from shlex import quote

from goodarm.errors import InputError
from goodarm.gating.question import GateQuestion
from goodarm.study.errors import OtherSettingsError, setting_text
from goodarm.study.study import Study
from goodarm.study.working.worker import StudyWorker

NAMES = {"threshold": "bar"}  # of settings, for those who ask a gate


def worker_at_gate(
    question: GateQuestion, command: str, name: str, storage: str, by: str | None = None
) -> StudyWorker:
    """A worker on the study in which this gate is kept; on a new one, the first time.

    A study with other settings is an InputError that names the setting.
    """
    try:
        Study.create(
            name,
            question.arms,
            question.bar,
            question.model,
            question.delta,
            storage=storage,
            seed=question.seed,
            goal=question.goal,
            budget=question.budget,
            by=by,
            load_if_exists=True,
            command=command,
        )
    except OtherSettingsError as other:
        raise InputError(_refusal(other)) from None
    return StudyWorker(name, storage, by, question.on_error)


def _refusal(other: OtherSettingsError) -> str:
    """Which setting differs, and what can be done."""
    what = NAMES.get(other.what, other.what)
    if other.what == "fingerprint":
        return (
            f"algorithm: the study {other.study!r} began with another version of goodarm, whose "
            "algorithm chooses otherwise; give another --study"
        )
    name = quote(other.study)
    remedy = f"give the same, or another --study; goodarm study run {name} goes on as it is"
    if other.what == "budget":
        remedy = f"give the same; goodarm study extend {name} --trials N adds to it"
    return (
        f"{what}: the study {other.study!r} was begun with {setting_text(other.there)}, not "
        f"{setting_text(other.given)}; {remedy}"
    )
