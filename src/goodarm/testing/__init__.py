"""Conformance kits, for our own work and for others': algorithms, outcome models, storages.

`algorithm.py` asks whether an algorithm behaves alike plain and compiled, `outcome.py` whether a
model's certificates prove what they claim, `storage.py` whether a database keeps what is promised
of the log of a study.
"""

from typing import TYPE_CHECKING, Any

from goodarm.testing.algorithm import check_algorithm
from goodarm.testing.contract import ContractError, CudaToolsMissingError
from goodarm.testing.outcome import check_outcome
from goodarm.testing.ptx import lower_to_ptx

if TYPE_CHECKING:
    from goodarm.testing.storage import check_storage

__all__ = [
    "ContractError",
    "CudaToolsMissingError",
    "check_algorithm",
    "check_outcome",
    "check_storage",
    "lower_to_ptx",
]


def __getattr__(name: str) -> Any:
    # Whoever tests an algorithm need not load SQLAlchemy.
    if name == "check_storage":
        from goodarm.testing.storage import check_storage

        return check_storage
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
