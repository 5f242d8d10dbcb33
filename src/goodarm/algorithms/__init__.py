"""Every algorithm, one file each; `contract.py` says what an algorithm is."""

from goodarm.algorithms.contract import Algorithm, Option, Setting
from goodarm.algorithms.registry import algorithms, find_algorithm

__all__ = ["Algorithm", "Option", "Setting", "algorithms", "find_algorithm"]
