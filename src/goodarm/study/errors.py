"""What can go wrong in a study besides a wrong input."""

from goodarm.errors import InputError
from goodarm.outcomes.registry import outcome_from_data


class ConflictError(InputError):
    """The study already holds something else: another value, another study of that name."""


class OtherSettingsError(ConflictError):
    """The study of that name was created with another setting: `what`, `there` and not `given`."""

    def __init__(self, study: str, what: str, there: object, given: object) -> None:
        super().__init__(
            f"name: there is a study {study!r} already, with {what} = {setting_text(there)}, not "
            f"{setting_text(given)}; give another name"
        )
        self.study, self.what, self.there, self.given = study, what, there, given


def setting_text(value: object) -> str:
    """A setting as its log has it, in words; an outcome model as one types it."""
    if isinstance(value, dict) and "kind" in value:
        return outcome_from_data(value).text()
    return "none" if value is None else f"{value!r:.200}"


class StudyClosedError(InputError):
    """The study has ended; there is nothing to try unless it is extended."""


REMEDY = "If it is right, say so (sure=True, --sure)"


BY_CORRECTING = " (study.correct, `goodarm study correct`)"
"""How an outcome is corrected, for Python and the shell; other faces have buttons of their own."""


class UnlikelyOutcomeError(InputError):
    """An outcome that the declared model makes next to impossible; nothing was recorded.

    Its message ends with REMEDY, which other faces than Python and the shell word for themselves.
    """


class StorageError(RuntimeError):
    """The database cannot do what it must: full, locked, out of reach, damaged, too new or old.

    Nothing of what was to be written has been written, unless the message says otherwise.
    """
