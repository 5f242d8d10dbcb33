"""Trials that run themselves: does a command or a function clear the bar?

`question` is what is asked, `playing` keeps trials running until the answer is certain, `workers`
make them (in threads or on an event loop), `commands` and `functions` are what they may be,
`result` is what came out, `report` writes that down for other programs.
"""

from goodarm.gating.functions import gate
from goodarm.gating.result import ArmTally, GateResult

__all__ = ["ArmTally", "GateResult", "gate"]
