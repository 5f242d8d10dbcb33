"""Live studies: an experiment in a database that outlives crashes, restarts and second thoughts.

`study.py` is what users hold: it writes, and inherits from `view.py`, which looks. `studies.py` is
what several studies are reached through. `settings.py` declares what a study is about,
`algorithms.py` says which algorithms it may use, `actions.py` turns requests into events,
`objective.py` runs a function to the end. Below them: `log/` has the events and what they amount
to, `report/` what a study says of itself, `storage/` the database.
"""

from goodarm.outcomes import Bernoulli, Bounded, Gaussian
from goodarm.study.errors import (
    ConflictError,
    StorageError,
    StudyClosedError,
    UnlikelyOutcomeError,
)
from goodarm.study.log.seals import Seal
from goodarm.study.log.verification import Verification
from goodarm.study.report.forecast import Forecast
from goodarm.study.report.status import ArmReport, Status
from goodarm.study.studies import Studies, Summary
from goodarm.study.study import Study
from goodarm.study.trials import Trial

__all__ = [
    "ArmReport",
    "Bernoulli",
    "Bounded",
    "ConflictError",
    "Forecast",
    "Gaussian",
    "Seal",
    "Status",
    "StorageError",
    "Studies",
    "Study",
    "StudyClosedError",
    "Summary",
    "Trial",
    "UnlikelyOutcomeError",
    "Verification",
]
