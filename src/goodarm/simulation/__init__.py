"""The laboratory: many runs of any algorithm on any instance.

Here: `job.py` says what is to be simulated, `chunk.py` plays a range of its runs, `runner.py`
spreads chunks over threads or an executor and has `simulate`, `store.py` keeps finished chunks on
disk, `progress.py` shows how far it is. `device.py` and `gpu.py` use a GPU. `oracle.py` is
the yardstick for stopping times, `bench.py` measures what a step costs.

`loops/`: `kernel.py` is the loop over runs, `gpu_kernel.py` the same for CUDA, `delayed.py` for
outcomes that come late, `replay.py` for one run in plain Python; `truth.py` is what all runs share,
`rewards.py` draws outcomes, `compiler.py` compiles and caches.

`results/`: what came out, run by run or time by time, merged and compared.

`splitting/`: errors too rare to be counted.
"""

from goodarm.simulation.loops.replay import TraceStep, trace
from goodarm.simulation.oracle import OraclePrice, OverOracle, oracle_price, over_oracle
from goodarm.simulation.results import (
    AnytimeResult,
    Comparison,
    RunResult,
    compare,
    merge,
    wilson,
)
from goodarm.simulation.runner import simulate
from goodarm.simulation.splitting import RareErrors, rare_errors

__all__ = [
    "AnytimeResult",
    "Comparison",
    "OraclePrice",
    "OverOracle",
    "RareErrors",
    "RunResult",
    "TraceStep",
    "compare",
    "merge",
    "oracle_price",
    "over_oracle",
    "rare_errors",
    "simulate",
    "trace",
    "wilson",
]
