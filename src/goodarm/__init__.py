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
    "Bernoulli": "goodarm.study",
    "Bounded": "goodarm.study",
    "ConflictError": "goodarm.study",
    "Experiment": "goodarm.experiment",
    "Gaussian": "goodarm.study",
    "InputError": "goodarm.errors",
    "Instance": "goodarm.instance",
    "Plan": "goodarm.planning",
    "RunResult": "goodarm.simulation",
    "StorageError": "goodarm.study",
    "Studies": "goodarm.study",
    "Study": "goodarm.study",
    "StudyClosedError": "goodarm.study",
    "Trial": "goodarm.study",
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
    "ConflictError",
    "Experiment",
    "Gaussian",
    "InputError",
    "Instance",
    "Plan",
    "RunResult",
    "StorageError",
    "Studies",
    "Study",
    "StudyClosedError",
    "Trial",
    "__version__",
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
    from goodarm.planning import Plan, plan
    from goodarm.simulation import AnytimeResult, RunResult, compare, merge, rare_errors, simulate
    from goodarm.study import (
        Bernoulli,
        Bounded,
        ConflictError,
        Gaussian,
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
