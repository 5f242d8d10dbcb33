"""Errors too rare to be counted, by splitting: runs that come close to one are continued often.

`estimate.py` is the method, `nearness.py` says how close a run is to an error, `resampling.py`
decides which runs are continued, `population.py` holds the runs and plays them on, `gpu.py` does
that on a GPU.
"""

from goodarm.simulation.splitting.estimate import RareErrors, rare_errors

__all__ = ["RareErrors", "rare_errors"]
