"""When may we stop: boundaries (what level the evidence must reach) and verdicts (has it?)."""

from goodarm.stopping.boundaries import BOUNDARIES, Boundary, parse_boundary

__all__ = ["BOUNDARIES", "Boundary", "parse_boundary"]
