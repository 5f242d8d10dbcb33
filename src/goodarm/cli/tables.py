"""Tables for the terminal."""

import math
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.simulation import AnytimeResult, RunResult, trace
from goodarm.simulation.job import Job
from goodarm.stopping.boundaries import MIXTURE

ROWS_OF_TIMES = 12
WIDEST = 10_000  # columns of a terminal


def console() -> Console:
    """Standard output; wide enough for a table where it is no terminal."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=120)


class FittingTable(Table):
    """A table that is never cut: where its columns do not fit, each row becomes a few lines."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The table, or its rows one below the other."""
        free = options.update(max_width=WIDEST)
        if Measurement.get(console, free, self).maximum <= options.max_width:
            yield from super().__rich_console__(console, options)
            return
        yield Text.from_markup(str(self.title), style="bold")
        heads = [Text.from_markup(str(column.header)) for column in self.columns]
        widest = max(head.cell_len for head in heads)
        for row in zip(*(column.cells for column in self.columns), strict=True):
            yield Text()
            for head, cell in zip(heads, row, strict=True):
                line = Text("  ") + head + Text(" " * (widest - head.cell_len + 2))
                yield line + Text.from_markup(str(cell))
        yield Text()


def table(title: str, columns: Sequence[str], left: int = 1) -> Table:
    """An empty table; the first `left` columns are text, the others numbers."""
    made = FittingTable(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for index, column in enumerate(columns):
        made.add_column(
            column, justify="left" if index < left else "right", no_wrap=index >= left or left == 1
        )
    return made


def number(value: float) -> str:
    """A number as a person would write it: 12,301 or 3.14 or 1.2e-05."""
    if value == 0 or math.isinf(value):
        return f"{value:g}"
    size = abs(value)
    if size >= 1e9 or size < 1e-4:
        return f"{value:.2e}"
    if size >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if size >= 10 else f"{value:.4g}"


def rate(value: float, low: float, high: float) -> str:
    """An error rate with its interval."""
    return escape(f"{value:.3g} [{low:.2g}, {high:.2g}]")


def show_runs(results: Sequence[RunResult]) -> None:
    """Stopping times and errors, one row an algorithm."""
    first = results[0]
    timed = first.mode == FIXED_CONFIDENCE
    limit = f"{first.job.limit:,}"
    rules = " or ".join(dict.fromkeys(r.job.describe()["boundary"] for r in results))
    what = f"δ = {first.job.delta:g} ({rules}), cap {limit}" if timed else f"T = {limit}"
    kinds = " or ".join(dict.fromkeys(r.job.outcome.name for r in results))
    runs = f"{first.runs:,} runs, seed {first.job.seed}"
    settings = f"{first.mode}, {what}, {kinds} outcomes, {runs}"
    title = escape(f"{first.instance.name}: {settings}")
    columns = ["algorithm", "error [95 %]"]
    if timed:
        columns += ["mean ± s.e.", "std", "median", "5 %–95 %", "stopped"]
    shown = table(title, [*columns, "Mpulls/s"])
    for r in results:
        cells = [escape(r.algorithm), rate(r.error_rate, *r.error_interval())]
        if timed:
            cells += [
                f"{number(r.mean)} ± {number(r.se)}",
                number(r.std),
                number(r.quantile(0.5)),
                f"{number(r.quantile(0.05))}–{number(r.quantile(0.95))}",
                f"{100 * r.stopped.mean():.1f} %",
            ]
        cells.append(f"{r.pulls_per_second / 1e6:.0f}")
        shown.add_row(*cells)
    console().print(shown)


def show_anytime(results: Sequence[AnytimeResult]) -> None:
    """The error at a dozen times, one column an algorithm."""
    first = results[0]
    title = (
        f"{escape(first.instance.name)}: error by time [95 % interval], {first.runs:,} runs, "
        f"seed {first.job.seed}"
    )
    shown = table(title, ["t", *(escape(r.algorithm) for r in results)], left=0)
    intervals = [r.error_interval() for r in results]
    for row in _some(len(first.times)):
        cells = [f"{first.times[row]:,}"]
        for r, (low, high) in zip(results, intervals, strict=True):
            known = r.defined[row]
            cells.append(rate(r.error_rate[row], low[row], high[row]) if known else "–")
        shown.add_row(*cells)
    console().print(shown)


def show_trace(job: Job, run: int) -> None:
    """One run, a line an observation, as it is computed."""
    names = job.instance.names
    out = console()
    settings = ", ".join(f"{k} {v}" for k, v in job.describe().items() if v is not None)
    out.print(f"run {run}: {settings}", markup=False, soft_wrap=True)
    width = max(len("answer"), *(len(name) for name in names))
    # Certificates have no boundary for W: there is only a W without which they cannot suffice.
    needed = "at least" if job.boundary.kind == MIXTURE else "boundary"
    head = ("t", "arm", "value", "N", "mean", "W", needed, "answer")
    layout = f"{{:>7}}  {{:<{width}}}  {{:>10}}  {{:>6}}  {{:>10}}  {{:>9}}  {{:>9}}  {{}}"
    out.print(layout.format(*head), markup=False, soft_wrap=True)
    for s in trace(job, run):
        answer = "none" if s.answer == -1 else "undefined" if s.answer < 0 else names[s.answer]
        cells: list[Any] = [
            s.t, names[s.arm], f"{s.value:.4f}", s.count, f"{s.mean:.4f}", f"{s.evidence:.4f}",
            "" if s.level is None else f"{s.level:.4f}", answer + ("  (final)" if s.final else ""),
        ]  # fmt: skip
        out.print(layout.format(*cells), markup=False, soft_wrap=True)


def _some(count: int) -> list[int]:
    """About a dozen positions from 0 to count − 1, denser at the start."""
    if count <= ROWS_OF_TIMES:
        return list(range(count))
    ratio = count ** (1 / (ROWS_OF_TIMES - 1))
    return sorted({min(count - 1, round(ratio**i) - 1) for i in range(ROWS_OF_TIMES)})
