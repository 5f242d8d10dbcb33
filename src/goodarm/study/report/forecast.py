"""How many more trials? Futures of the study, played out from where it stands.

Each future draws a mean for every arm from what the outcomes of all of them say (`possible_means`),
then lets the study's own algorithm go on with simulated outcomes until the stopping rule speaks.
Outcomes are as the outcome model draws them: normal with the declared σ, yes or no, or, where a
model does not say, with the scatter seen. Trials that are pending are answered first and count.

Far futures are played in strides: an arm that is chosen gets a thirty-second of its outcomes once
more before anything is asked again. If too many futures have no end by the horizon, they are played
four times as far, and so on, as long as that can be paid for; the farther, the fewer of them.
"""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from goodarm.study.evidence import ManyBars, OneBar
from goodarm.study.evidence.trail import USUAL_DELTA
from goodarm.study.log.fold import Fold
from goodarm.study.report.futures import ASSUMES, End, Futures
from goodarm.study.report.futures_many_bars import ManyBarsFutures
from goodarm.study.report.futures_one_bar import OneBarFutures

NEAR_HORIZON = 2_000  # trials
FARTHER = 4  # times
FAR_HORIZON, FAR_SHARE = 1_000_000, 100  # trials, or so many times those that the study has had
STEPS = 4_000  # that a future may cost on average, each about ten microseconds
FEWEST = 15  # futures that say enough
LOW, HIGH = 0.1, 0.9


@dataclass(frozen=True)
class Forecast:
    """How many more trials until the stopping rule speaks; None means more than `horizon`.

    In 80 of 100 futures the number lies between `low` and `high`; the share `unfinished` of them
    has no end within the horizon.
    """

    delta: float
    median: int | None
    low: int | None
    high: int | None
    horizon: int = field(metadata={"description": "How many trials were looked ahead."})
    runs: int = field(metadata={"description": "How many futures were played so far."})
    finished: float = field(
        metadata={"description": "The share of futures that end within the horizon."}
    )
    answers: dict[str, float] = field(
        metadata={"description": 'What they end with, several arms joined; "" is "none is good".'}
    )
    unfinished: float = field(
        default=0.0, metadata={"description": "The share of futures that take longer."}
    )
    assumes: str = ASSUMES

    def to_dict(self) -> dict[str, Any]:
        """The forecast as plain data."""
        return asdict(self)


def forecast(fold: Fold, delta: float | None, runs: int, horizon: int | None) -> Forecast:
    """Play `runs` futures of at most `horizon` trials each; without one, as far as is needed."""
    aim = delta or fold.settings.delta or USUAL_DELTA
    futures = futures_of(fold, aim)
    cap, ends = horizon or max(1, NEAR_HORIZON // futures.dearness), list[End]()
    for number in range(1, runs + 1):
        if horizon is None and number > FEWEST and futures.cost > cap * runs:
            break
        ends.append(futures.play(number, cap))
    if horizon is None:
        most = max(FAR_HORIZON, FAR_SHARE * fold.told)
        ends, cap = _look_farther(futures, ends, cap, most, STEPS * runs)
    lengths = sorted(end.steps for end in ends)
    reached = [end.answer for end in ends if end.steps <= cap]
    names = fold.settings.arms

    def quantile(share: float) -> int | None:
        steps = lengths[math.ceil(share * len(ends)) - 1]
        return steps if steps <= cap else None

    return Forecast(
        delta=aim,
        median=quantile(0.5),
        low=quantile(LOW),
        high=quantile(HIGH),
        horizon=cap,
        runs=len(ends),
        finished=len(reached) / len(ends),
        answers={
            ", ".join(names[arm] for arm in answer): reached.count(answer) / len(ends)
            for answer in sorted(set(reached))
        },
        unfinished=(len(ends) - len(reached)) / len(ends),
        assumes=futures.assumes,
    )


def _look_farther(
    futures: Futures, ends: list[End], cap: int, most: int, budget: int
) -> tuple[list[End], int]:
    """The same futures, played on until all but a few have ended, or it would take too long.

    Where all would take too long, the first of them are: they are as good as any others.
    """
    while cap < most and sum(end.steps > cap for end in ends) > (1.0 - HIGH) * len(ends):
        farther, played = min(FARTHER * cap, most), list[End]()
        for number, end in enumerate(ends, 1):
            if end.steps > cap:
                if futures.cost > budget:
                    break
                played.append(futures.play(number, farther))
            else:
                played.append(end)
        if len(played) < min(FEWEST, len(ends)):
            break
        ends, cap = played, farther
    return ends, cap


def futures_of(fold: Fold, delta: float) -> Futures:
    """The futures of a study, whatever it asks."""
    evidence = fold.evidence
    if isinstance(evidence, OneBar):
        return OneBarFutures(fold, evidence, delta)
    assert isinstance(evidence, ManyBars)
    return ManyBarsFutures(fold, evidence, delta)
