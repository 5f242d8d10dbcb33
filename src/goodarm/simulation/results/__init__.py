"""What simulations give.

`by_run.py` has the result of every run, `by_time.py` the error at every time, `base.py` what both
share, `merging.py` puts parts together, `comparison.py` sets two results side by side.
"""

from goodarm.simulation.results.base import Result, wilson
from goodarm.simulation.results.by_run import RunResult
from goodarm.simulation.results.by_time import AnytimeResult
from goodarm.simulation.results.comparison import Comparison, compare
from goodarm.simulation.results.merging import from_chunk, merge

__all__ = [
    "AnytimeResult",
    "Comparison",
    "Result",
    "RunResult",
    "compare",
    "from_chunk",
    "merge",
    "wilson",
]
