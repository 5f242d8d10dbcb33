"""What tools work on: the studies of one database, opened when they are first asked for."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from goodarm.errors import InputError
from goodarm.remote.failures import NotFoundError
from goodarm.study import Studies, Study


@dataclass
class Workplace:
    """A database, and what may be done there by whom."""

    storage: str
    may_write: bool = False
    by: str | None = None
    _studies: Studies | None = None
    _lock: Lock = field(default_factory=Lock)

    @property
    def studies(self) -> Studies:
        """All studies; a database that is not there is made only by those who may write."""
        with self._lock:
            if self._studies is None:
                self._studies = Studies(self.storage, create=self.may_write)
            return self._studies


@dataclass(frozen=True)
class Visit:
    """One call of a tool: what it works on, and who hears how far it has come (from 0 to 1)."""

    workplace: Workplace
    heard: Callable[[float], None]

    @property
    def studies(self) -> Studies:
        """All studies."""
        return self.workplace.studies

    def open(self, name: str) -> Study:
        """The study of that name."""
        studies = self.studies
        try:
            return studies.open(name, self.workplace.by)
        except InputError as error:
            raise NotFoundError(f"{error}; list_studies shows which there are") from None
