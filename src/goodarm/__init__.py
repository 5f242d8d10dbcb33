"""Find an option that clears the bar, or learn that none does, with few noisy trials.

Names are loaded on first use, so that ``import goodarm`` is instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Algorithm": "goodarm.algorithms",
    "AnytimeResult": "goodarm.simulation",
    "Arm": "goodarm.instance",
    "Bernoulli": "goodarm.outcomes",
    "Bounded": "goodarm.outcomes",
    "Certificate": "goodarm.outcomes",
    "ConflictError": "goodarm.study",
    "Experiment": "goodarm.experiment",
    "Gaussian": "goodarm.outcomes",
    "InputError": "goodarm.errors",
    "Instance": "goodarm.instance",
    "Outcome": "goodarm.outcomes",
    "Plan": "goodarm.planning",
    "RunResult": "goodarm.simulation",
    "StorageError": "goodarm.study",
    "Studies": "goodarm.study",
    "Study": "goodarm.study",
    "StudyClosedError": "goodarm.study",
    "Trial": "goodarm.study",
    "certificate": "goodarm.outcomes",
    "compare": "goodarm.simulation",
    "find_algorithm": "goodarm.algorithms",
    "instances": "goodarm.instance",
    "load_instance": "goodarm.instance",
    "merge": "goodarm.simulation",
    "plan": "goodarm.planning",
    "rare_errors": "goodarm.simulation",
    "simulate": "goodarm.simulation",
}

__all__ = [
    "Algorithm",
    "AnytimeResult",
    "Arm",
    "Bernoulli",
    "Bounded",
    "Certificate",
    "ConflictError",
    "Experiment",
    "Gaussian",
    "InputError",
    "Instance",
    "Outcome",
    "Plan",
    "RunResult",
    "StorageError",
    "Studies",
    "Study",
    "StudyClosedError",
    "Trial",
    "__version__",
    "certificate",
    "compare",
    "find_algorithm",
    "instances",
    "load_instance",
    "merge",
    "plan",
    "rare_errors",
    "simulate",
]

if TYPE_CHECKING:
    from goodarm.algorithms import Algorithm, find_algorithm
    from goodarm.errors import InputError
    from goodarm.experiment import Experiment
    from goodarm.instance import Arm, Instance, instances, load_instance
    from goodarm.outcomes import Bernoulli, Bounded, Certificate, Gaussian, Outcome, certificate
    from goodarm.planning import Plan, plan
    from goodarm.simulation import AnytimeResult, RunResult, compare, merge, rare_errors, simulate
    from goodarm.study import (
        ConflictError,
        StorageError,
        Studies,
        Study,
        StudyClosedError,
        Trial,
    )


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'goodarm' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
