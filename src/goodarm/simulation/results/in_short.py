"""Results of simulations in a line, and in a notebook with a picture."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.showing.chart import Chart, Curve
from goodarm.showing.forest import DrawnArm, lay_out
from goodarm.showing.markup import Html
from goodarm.showing.scale import Scale, scale_over, steps_of_factors
from goodarm.showing.snippet import snippet
from goodarm.showing.tables import Heading, plain_table
from goodarm.simulation.job import LIMIT_NAMES
from goodarm.wording import NOTHING, counted, figure

if TYPE_CHECKING:
    from goodarm.simulation.results.base import Result
    from goodarm.simulation.results.by_run import RunResult
    from goodarm.simulation.results.by_time import AnytimeResult
    from goodarm.simulation.results.comparison import Comparison

SIZE = {"height": 130, "width": 420}
BINS = 30
LOOKS = (0.25, 0.5, 1.0)  # at an error over time, as shares of the way
MOST_POINTS = 150


def run_line(result: "RunResult") -> str:
    """What was simulated, the stopping time if it varies, how many runs were wrong."""
    said = []
    if result.mode == FIXED_CONFIDENCE:
        time = f"{figure(result.mean)} ± {figure(result.se, 2)}"
        said.append(f"stopping time {time}, median {figure(result.quantile(0.5))}")
        capped = 1.0 - float(result.stopped.mean())
        said += [f"{rate(capped)} at the cap"] if capped else []
    low, high = result.error_interval()
    said.append(f"wrong {rate(result.error_rate)} ({rate(low)} to {rate(high)})")
    return f"{_what(result)}: {', '.join(said)}"


def run_html(result: "RunResult", answers: dict[str, float]) -> Html:
    """How the stopping times are spread, or, with a fixed budget, the answers."""
    named = sorted(answers.items(), key=lambda item: -item[1])[:6]
    table = plain_table(
        (Heading("answer"), Heading("share of runs", right=True)),
        [(name, rate(share)) for name, share in named],
    )
    picture = _spread(result) if result.mode == FIXED_CONFIDENCE else None
    return snippet(run_line(result), table, picture)


def time_line(result: "AnytimeResult") -> str:
    """What was simulated, and how many runs were wrong at a few times."""
    said = [
        f"{rate(float(result.error_rate[i]))} at t = {result.times[i]:,}" for i in _looks(result)
    ]
    return f"{_what(result)}: wrong {', '.join(said) or NOTHING}"


def time_html(result: "AnytimeResult") -> Html:
    """The error against time, with its interval."""
    low, high = result.error_interval()
    defined = np.flatnonzero(result.defined)
    if not len(defined):
        return snippet(time_line(result))
    at = defined[np.unique(np.linspace(0, len(defined) - 1, MOST_POINTS).astype(int))]
    times = [float(t) for t in result.times[at]]
    columns = [values[at].tolist() for values in (result.error_rate, low, high)]
    return snippet(time_line(result), error_picture(times, *columns))


def error_picture(
    times: Sequence[float], rates: Sequence[float], low: Sequence[float], high: Sequence[float]
) -> Html | None:
    """Errors against time with their intervals; logarithmic, and only where there are any."""
    seen = [i for i, error in enumerate(rates) if error > 0.0]
    if not seen:
        return None
    y = scale_over([*(rates[i] for i in seen), *(high[i] for i in seen)], log=True)
    floor = y.low
    known = [(t, error if error > 0.0 else None) for t, error in zip(times, rates, strict=True)]
    band = [(times[i], max(low[i], floor), max(high[i], floor)) for i in seen]
    chart = Chart(
        label="The share of wrong answers against time",
        x=scale_over([times[0], times[-1]]),
        y=y,
        x_name="observations t",
        y_name="share of wrong answers, with 95 % intervals",
        curves=[Curve("", known, band=band)],
    )
    return chart.draw(**SIZE)


def comparison_line(found: "Comparison") -> str:
    """The difference with its interval."""
    sign = "+" if found.difference > 0.0 else ""
    return (
        f"{found.first} − {found.second}: {found.quantity} {sign}{figure(found.difference)} "
        f"({figure(found.low)} to {figure(found.high)}), correlation {figure(found.correlation, 2)}"
    )


def comparison_html(found: "Comparison") -> Html:
    """The same, beside zero."""
    name = f"{found.first} − {found.second}"
    low, high = (end if math.isfinite(end) else None for end in (found.low, found.high))
    drawn = DrawnArm(name, 1, found.difference, low, high)
    forest = lay_out([drawn], 0.0)
    columns = (Heading("of"), Heading("difference", right=True), Heading(""), Heading("limits"))
    line = (found.quantity, figure(found.difference), forest.rows[0].picture(), drawn.limits)
    table = plain_table(columns, [line, ("", "", forest.axis(), "")])
    return snippet(name, table, note="Paired, run by run; the dashed line is no difference.")


def rate(share: float) -> str:
    """A probability of error, which may be tiny, as people read it."""
    return f"{figure(100.0 * share, 3)} %"


def _what(result: "Result") -> str:
    job = result.job
    how = (
        f"δ = {job.delta:g}" if job.delta is not None else f"{LIMIT_NAMES[job.mode]} {job.limit:,}"
    )
    return f"{result.algorithm} on {result.instance.name}, {how}, {counted(result.runs, 'run')}"


def _looks(result: "AnytimeResult") -> list[int]:
    """A few places among those times at which there was an answer in every run."""
    defined = np.flatnonzero(result.defined)
    if not len(defined):
        return []
    wanted = [share * float(result.times[-1]) for share in LOOKS]
    places = np.searchsorted(result.times[defined], wanted)
    return sorted({int(defined[min(place, len(defined) - 1)]) for place in places})


def _spread(result: "RunResult") -> Html:
    """The stopping times as bars, on a logarithmic scale: they have long right tails."""
    times = result.stopping_times.astype(np.float64)
    low, high = float(times.min()), float(times.max())
    if low == high:
        low, high = 0.5 * low, 2.0 * high
    counts, edges = np.histogram(times, bins=np.geomspace(low, high, BINS + 1))
    ticks = tuple((tick, figure(tick)) for tick in steps_of_factors(low, high))
    return Chart(
        label="How the stopping times are spread, on a logarithmic scale",
        x=Scale(low, high, ticks, log=True),
        y=scale_over([0, int(counts.max())]),
        x_name="stopping time, logarithmic",
        y_name="runs",
        bars=list(zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)),
    ).draw(**SIZE)
