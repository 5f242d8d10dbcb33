"""When may we stop: boundaries (what level the evidence must reach) and verdicts (has it?).

`contract.py` says what a boundary is, `families/` holds them, one file per family, `boundaries.py`
finds one by name, `verdicts.py` judges a run by whichever it carries, `any_time.py` says what holds
at all times with the paper's boundary.
"""

from goodarm.stopping.any_time import (
    ConfidenceSequence,
    confidence_sequence,
    log_smallest_delta,
    smallest_delta,
)
from goodarm.stopping.boundaries import BOUNDARIES, parse_boundary
from goodarm.stopping.contract import Boundary

__all__ = [
    "BOUNDARIES",
    "Boundary",
    "ConfidenceSequence",
    "confidence_sequence",
    "log_smallest_delta",
    "parse_boundary",
    "smallest_delta",
]
