"""goodarm simulate: many runs of some algorithms on an instance."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from goodarm.simulation import AnytimeResult, RunResult
    from goodarm.simulation.job import Job


def simulate(
    instance: Annotated[
        str, typer.Argument(help="A name (goodarm list instances), TwoG:100:30, or a file.")
    ],
    algorithm: Annotated[
        list[str] | None,
        typer.Option("--algorithm", "-a", help="An algorithm; may be given several times."),
    ] = None,
    delta: Annotated[
        float | None, typer.Option(help="Run until sure at 1 − δ; shows stopping times.")
    ] = None,
    budget: Annotated[int | None, typer.Option(help="Make this many pulls, then answer.")] = None,
    horizon: Annotated[
        int | None, typer.Option(help="Show the error at every time up to this one.")
    ] = None,
    boundary: Annotated[
        str | None,
        typer.Option(help="With --delta: mixture (default), glr, glr-tables, glr[s=S], kano."),
    ] = None,
    outcome: Annotated[
        str | None,
        typer.Option(
            help="What outcomes are taken for: MODELS; or sub-gaussian, all that is known being "
            "the arms' scales. By default the arms' own kind, and sub-gaussian with glr and kano."
        ),
    ] = None,
    cap: Annotated[
        int | None, typer.Option(help="With --delta: give a run up after this many pulls.")
    ] = None,
    runs: Annotated[int, typer.Option(help="How many runs.")] = 1000,
    seed: Annotated[int, typer.Option(help="The seed of all random numbers.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads; all cores by default.")] = None,
    chunk: Annotated[
        int | None, typer.Option(help="Runs per task; changes nothing but speed.")
    ] = None,
    device: Annotated[str, typer.Option(help="cpu, or cuda for a GPU.")] = "cpu",
    threshold: Annotated[
        float | None, typer.Option(help="Replace the instance's threshold.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, not a table.")] = False,
    trace: Annotated[
        int | None, typer.Option(help="Replay this run in plain Python, step by step.")
    ] = None,
) -> None:
    """Simulate algorithms on an instance: --delta, --budget or --horizon, one of the three."""
    from goodarm.instance import load_instance
    from goodarm.simulation import simulate as run_simulation
    from goodarm.simulation.job import choose_mode, make_job, whole

    problem = load_instance(instance, threshold)
    specs = algorithm or ["APGAI", "Unif"]
    if trace is not None:
        mode, limit = choose_mode(delta, budget, horizon, cap)
        jobs = [
            make_job(spec, problem, mode, limit, seed, delta, boundary, None, outcome)
            for spec in specs
        ]
        _trace(jobs, whole("trace", trace, 0, 2**63), as_json)
        return
    results = run_simulation(
        problem,
        specs,
        delta=delta,
        budget=budget,
        horizon=horizon,
        boundary=boundary,
        outcome=outcome,
        cap=cap,
        runs=runs,
        seed=seed,
        threads=threads,
        chunk=chunk,
        device=device,
        show_progress_bar=True,
    )
    first = next(iter(results.values()))
    if as_json:
        shown = {
            "instance": problem.name,
            "mode": first.mode,
            "seed": seed,
            "runs": runs,
            "results": [result.to_dict() for result in results.values()],
        }
        print(json.dumps(shown, indent=2, ensure_ascii=False))
    else:
        _show(list(results.values()))


def _show(results: "list[RunResult | AnytimeResult]") -> None:
    from goodarm.cli import tables
    from goodarm.simulation import AnytimeResult, RunResult

    timed = [r for r in results if isinstance(r, RunResult)]
    if timed:
        tables.show_runs(timed)
    else:
        tables.show_anytime([r for r in results if isinstance(r, AnytimeResult)])


def _trace(jobs: "list[Job]", number: int, as_json: bool) -> None:
    from dataclasses import asdict

    from goodarm.simulation.trace import trace

    if as_json:
        job = jobs[0]
        shown = {"instance": job.instance.name, "mode": job.mode, "seed": job.seed, "run": number}
        traces = [
            {"algorithm": job.algorithm.label, "steps": [asdict(s) for s in trace(job, number)]}
            for job in jobs
        ]
        print(json.dumps({**shown, "traces": traces}, indent=2))
        return
    from goodarm.cli.tables import show_trace

    for job in jobs:
        show_trace(job, number)
