"""The laboratory: many runs of any algorithm on any instance.

`job.py` says what is to be simulated, `kernel.py` is the loop, `compiler.py` compiles it,
`chunk.py` plays a range of runs, `simulate.py` spreads chunks over threads, `results.py` holds
what came out, `trace.py` replays one run in plain Python. `splitting/` estimates errors too rare to
be counted, `delayed.py` plays studies that hear of outcomes late; `device.py` and `gpu.py` use a
GPU.
"""

from goodarm.simulation.loops.replay import Step, trace
from goodarm.simulation.results.comparison import Comparison, compare
from goodarm.simulation.results.result import AnytimeResult, RunResult, merge, wilson
from goodarm.simulation.runner import simulate
from goodarm.simulation.splitting import RareErrors, rare_errors

__all__ = [
    "AnytimeResult", "Comparison", "RareErrors", "RunResult", "Step", "compare", "merge",
    "rare_errors", "simulate", "trace", "wilson",
]  # fmt: skip
