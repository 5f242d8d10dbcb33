"""When may we stop: boundaries (what level the evidence must reach) and verdicts (has it?)."""

from goodarm.stopping.any_time import (
    ConfidenceSequence,
    confidence_sequence,
    log_smallest_delta,
    smallest_delta,
)
from goodarm.stopping.boundaries import BOUNDARIES, Boundary, parse_boundary

__all__ = [
    "BOUNDARIES",
    "Boundary",
    "ConfidenceSequence",
    "confidence_sequence",
    "log_smallest_delta",
    "parse_boundary",
    "smallest_delta",
]
