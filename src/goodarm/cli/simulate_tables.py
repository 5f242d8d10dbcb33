"""The tables of `goodarm simulate`: results of many runs, or one run step by step."""

from collections.abc import Sequence

from rich.markup import escape

from goodarm.algorithms.contract import FIXED_CONFIDENCE
from goodarm.cli.tables import console, rate, table
from goodarm.inquiry.simulating import InquiryResult
from goodarm.run import NONE
from goodarm.simulation import AnytimeResult, OverOracle, RunResult
from goodarm.simulation.job import Job
from goodarm.simulation.loops.replay import trace
from goodarm.wording import NOTHING, figure, share

ROWS_OF_TIMES = 12


def show_runs(
    results: Sequence[RunResult], over_oracle: Sequence[OverOracle | None] | None = None
) -> None:
    """Stopping times and errors, one row per algorithm; maybe also how they compare with Oracle."""
    timed = results[0].mode == FIXED_CONFIDENCE
    columns = ["algorithm", "error [95 %]"]
    if timed:
        columns += ["mean ± s.e.", "std", "median", "5 %–95 %", "stopped"]
    if over_oracle is not None:
        columns.append("over oracle + K − 1")
    rows = table(_title(results), [*columns, "Mpulls/s"])
    for index, result in enumerate(results):
        cells = [escape(result.algorithm), rate(result.error_rate, *result.error_interval())]
        if timed:
            low, median, high = (figure(result.quantile(q)) for q in (0.05, 0.5, 0.95))
            cells += [f"{figure(result.mean)} ± {figure(result.se)}", figure(result.std)]
            cells += [median, f"{low}–{high}", share(float(result.stopped.mean()))]
        if over_oracle is not None:
            cells.append(_over_oracle(result, over_oracle[index]))
        rows.add_row(*cells, f"{result.pulls_per_second / 1e6:.0f}")
    console().print(rows)


def show_inquiries(instance: str, results: Sequence[InquiryResult]) -> None:
    """Trials and wrong answers of any question, one row per algorithm."""
    first = results[0]
    asked = first.supposed
    criterion = asked.criteria[0].describe()
    title = (
        f"{instance}: {asked.question.text()}, {criterion}, δ = {asked.delta:g}, "
        f"cap {first.cap:,}, {first.runs:,} runs, seed {first.seed}"
    )
    columns = ["algorithm", "wrong [95 %]", "mean ± s.e.", "median", "5 %–95 %", "stopped"]
    rows = table(escape(title), columns)
    for result in results:
        low, median, high = (figure(result.quantile(q)) for q in (0.05, 0.5, 0.95))
        rows.add_row(
            escape(result.algorithm),
            rate(result.error_rate, *result.error_interval()),
            f"{figure(result.mean)} ± {figure(result.se)}",
            median,
            f"{low}–{high}",
            share(float(result.played.stopped.mean())),
        )
    console().print(rows)


def _over_oracle(result: RunResult, over: OverOracle | None) -> str:
    """The ratio, which is at least that where not every run was done."""
    if over is None:
        return NOTHING
    more = "" if result.stopped.all() else "> "
    return f"{more}{figure(over.ratio, 3)} ± {figure(over.se, 2)}"


def _title(results: Sequence[RunResult]) -> str:
    """What was simulated; where algorithms differ in it, with every variant."""
    first = results[0]
    limit = f"{first.job.limit:,}"
    how = f"T = {limit}"
    if first.mode == FIXED_CONFIDENCE:
        boundaries = " or ".join(dict.fromkeys(r.job.describe()["boundary"] for r in results))
        how = f"δ = {first.job.delta:g} ({boundaries}), cap {limit}"
    outcomes = " or ".join(dict.fromkeys(r.job.outcome.name for r in results))
    runs = f"{first.runs:,} runs, seed {first.job.seed}"
    return escape(f"{first.instance.name}: {first.mode}, {how}, {outcomes} outcomes, {runs}")


def show_anytime(results: Sequence[AnytimeResult]) -> None:
    """The error at a dozen times, one column per algorithm."""
    first = results[0]
    title = (
        f"{escape(first.instance.name)}: error by time [95 % interval], {first.runs:,} runs, "
        f"seed {first.job.seed}"
    )
    rows = table(title, ["t", *(escape(result.algorithm) for result in results)], left=0)
    intervals = [result.error_interval() for result in results]
    for index in _some(len(first.times)):
        cells = [f"{first.times[index]:,}"]
        for result, (low, high) in zip(results, intervals, strict=True):
            text = rate(result.error_rate[index], low[index], high[index])
            cells.append(text if result.defined[index] else "–")
        rows.add_row(*cells)
    console().print(rows)


def _some(count: int) -> list[int]:
    """About a dozen indices from 0 to count − 1, denser at the start."""
    if count <= ROWS_OF_TIMES:
        return list(range(count))
    ratio = count ** (1 / (ROWS_OF_TIMES - 1))
    return sorted({min(count - 1, round(ratio**i) - 1) for i in range(ROWS_OF_TIMES)})


def show_trace(job: Job, run: int) -> None:
    """One run, a line per observation, as it is computed."""
    names = job.instance.names
    out = console()
    settings = ", ".join(f"{k} {v}" for k, v in job.describe().items() if v is not None)
    # Certificates have no boundary for W: there is only a W without which they cannot suffice.
    needed = "at least" if job.boundary.by_certificates else "boundary"
    head = ("t", "arm", "value", "N", "mean", "W", needed, "answer")
    width = max(len("answer"), *(len(name) for name in names))
    layout = f"{{:>7}}  {{:<{width}}}  {{:>10}}  {{:>6}}  {{:>10}}  {{:>9}}  {{:>9}}  {{}}"
    is_wide = len(layout.format(*head)) + width + len("  (final)") <= out.width
    if not is_wide:
        layout = layout.replace("  {:>9}", f"\n{'':9}{{:>9}}", 1)  # from W on, a line of its own
    out.print(f"run {run}: {settings}", markup=False, soft_wrap=is_wide)
    out.print(layout.format(*head), markup=False, soft_wrap=True)
    for step in trace(job, run):
        level = "" if step.level is None else f"{step.level:.4f}"
        numbers = f"{step.mean:.4f}", f"{step.evidence:.4f}", level
        answer = _answer(step.answer, names) + ("  (final)" if step.final else "")
        cells = step.t, names[step.arm], f"{step.value:.4f}", step.count, *numbers, answer
        out.print(layout.format(*cells), markup=False, soft_wrap=True)


def _answer(answer: int, names: Sequence[str]) -> str:
    if answer >= 0:
        return names[answer]
    return "none" if answer == NONE else "undefined"
