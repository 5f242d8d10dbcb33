"""Live studies: an experiment in a database that outlives crashes, restarts and second thoughts.

`study.py` is what users hold, `service.py` what several studies are reached through. Below them:
`actions.py` turns requests into events, `ledger.py` appends them, `fold.py` is what they amount
to, `report.py`, `forecast.py` and `verify.py` look at it, `storage/` is the database.
"""

from goodarm.outcomes import Bernoulli, Bounded, Gaussian
from goodarm.study.errors import (
    ConflictError,
    StorageError,
    StudyClosedError,
    UnlikelyOutcomeError,
)
from goodarm.study.log.verify import Verification
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
