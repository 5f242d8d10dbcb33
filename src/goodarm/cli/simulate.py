"""goodarm simulate: many runs of some algorithms on an instance."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from goodarm.cli.options import Algorithms, AsJson, Device, Instance, Seed, Threads, Threshold
from goodarm.cli.output import print_json
from goodarm.cli.questions import Control, Lift, Margin, Question, read_share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goodarm.instance import Instance as Problem
    from goodarm.simulation import AnytimeResult, RunResult
    from goodarm.simulation.job import Job

DEFAULT_ALGORITHMS = ("APGAI", "Unif")
RUNS = 1000

Delta = Annotated[float | None, typer.Option(help="Run until sure at 1 − δ; shows stopping times.")]
Budget = Annotated[int | None, typer.Option(help="Make this many pulls, then answer.")]
Horizon = Annotated[int | None, typer.Option(help="Show the error at every time up to this one.")]
Boundary = Annotated[
    str | None,
    typer.Option(help="With --delta: mixture (default), glr, glr-tables, glr\\[s=S], kano."),
]
Outcome = Annotated[
    str | None,
    typer.Option(
        help="What outcomes are taken for: MODELS; or sub-gaussian, if nothing but the arms' "
        "scales is known. By default the arms' own kind, and sub-gaussian with glr and kano."
    ),
]
Cap = Annotated[int | None, typer.Option(help="With --delta: give up a run after this many pulls.")]
Runs = Annotated[
    int | None, typer.Option(help="How many runs: 1,000, or 200 with a question of its own.")
]
Chunk = Annotated[int | None, typer.Option(help="Runs per task; changes nothing but speed.")]
Oracle = Annotated[
    bool,
    typer.Option(
        "--oracle",
        help="With --delta: add one who knows the means, and compare the others with it.",
    ),
]
Trace = Annotated[int | None, typer.Option(help="Replay this run in plain Python, step by step.")]


def simulate(
    instance: Instance,
    algorithm: Algorithms = None,
    delta: Delta = None,
    budget: Budget = None,
    horizon: Horizon = None,
    boundary: Boundary = None,
    outcome: Outcome = None,
    cap: Cap = None,
    runs: Runs = None,
    seed: Seed = 0,
    threads: Threads = None,
    chunk: Chunk = None,
    device: Device = "cpu",
    threshold: Threshold = None,
    oracle: Oracle = False,
    as_json: AsJson = False,
    trace: Trace = None,
    question: Question = "any",
    control: Control = None,
    margin: Margin = None,
    lift: Lift = None,
) -> None:
    """Simulate algorithms on an instance, with one of --delta, --budget and --horizon."""
    from goodarm.instance import load_instance
    from goodarm.simulation import simulate as run_simulation

    problem = load_instance(instance, threshold)
    specs = [*(algorithm or DEFAULT_ALGORITHMS)]
    limits: dict[str, Any] = {"delta": delta, "cap": cap, "outcome": outcome, "seed": seed}
    modes: dict[str, Any] = {"budget": budget, "horizon": horizon, "boundary": boundary}
    against = {"control": control, "margin": margin, "lift": read_share("lift", lift)}
    if question != "any" or any(value is not None for value in against.values()):
        refused = modes | {"chunk": chunk, "trace": trace, "oracle": oracle or None}
        asked = against | limits | {"runs": runs, "cores": threads}
        _simulate_question(problem, specs, question, refused, asked, as_json)
        return
    if oracle:
        _add_oracle(specs, delta)
    if trace is not None:
        _show_traces(_jobs(problem, specs, modes | limits), trace, as_json)
        return
    results = run_simulation(
        problem,
        specs,
        **modes,
        **limits,
        runs=RUNS if runs is None else runs,
        threads=threads,
        chunk=chunk,
        device=device,
        show_progress_bar=True,
    )
    _show_results(results, seed, RUNS if runs is None else runs, as_json, oracle)


def _jobs(problem: "Problem", specs: list[str], asked: "Mapping[str, Any]") -> "list[Job]":
    from goodarm.simulation.job import choose_mode, make_job

    limits = {name: asked[name] for name in ("delta", "budget", "horizon", "cap")}
    rest = {name: asked[name] for name in ("seed", "delta", "boundary", "outcome")}
    return [make_job(spec, problem, *choose_mode(**limits), **rest) for spec in specs]


def _simulate_question(
    problem: "Problem",
    specs: list[str],
    question: str,
    refused: "Mapping[str, object]",
    asked: "Mapping[str, Any]",
    as_json: bool,
) -> None:
    """A question whose answer may be a set of arms, or that compares with a control."""
    from goodarm.cli.simulate_tables import show_inquiries
    from goodarm.errors import InputError
    from goodarm.inquiry.simulating import simulate_inquiry

    for name, value in refused.items():
        if value is not None:
            raise InputError(f"{name}: only the question any, without a control, has it")
    given = {name: value for name, value in asked.items() if value is not None}
    if "delta" not in given:
        raise InputError("delta: this question is asked until it is sure; give --delta")
    found = simulate_inquiry(problem, specs, question, show_progress_bar=True, **given)
    results = list(found.values())
    if as_json:
        settings = {"instance": problem.name, "question": question, "seed": asked["seed"]}
        print_json({**settings, "results": [result.to_dict() for result in results]})
    else:
        show_inquiries(problem.name, results)


def _add_oracle(specs: list[str], delta: float | None) -> None:
    """Put it last, unless it is there already."""
    from goodarm.algorithms import find_algorithm
    from goodarm.errors import InputError
    from goodarm.simulation import oracle

    if delta is None:
        raise InputError(
            "oracle: it says what certainty costs, and without --delta nothing is certain; "
            "give --delta, or leave --oracle out"
        )
    if all(find_algorithm(spec).label != oracle.NAME for spec in specs):
        specs.append(oracle.NAME)


def _show_results(
    results: "Mapping[str, RunResult | AnytimeResult]",
    seed: int,
    runs: int,
    as_json: bool,
    oracle: bool,
) -> None:
    from goodarm.cli.simulate_tables import show_anytime, show_runs
    from goodarm.simulation import AnytimeResult, RunResult
    from goodarm.simulation.oracle import all_over_oracle

    every = list(results.values())
    by_run = [result for result in every if isinstance(result, RunResult)]
    ratios = all_over_oracle(by_run) if oracle else None
    if as_json:
        settings = {"instance": every[0].instance.name, "mode": every[0].mode}
        data = [result.to_dict() for result in every]
        for one, over in zip(data, ratios or (), strict=False):
            one["over_oracle"] = None if over is None else over.to_dict()
        print_json({**settings, "seed": seed, "runs": runs, "results": data})
    elif by_run:
        show_runs(by_run, ratios)
    else:
        show_anytime([result for result in every if isinstance(result, AnytimeResult)])


def _show_traces(jobs: "list[Job]", run: int, as_json: bool) -> None:
    from dataclasses import asdict

    from goodarm.cli.simulate_tables import show_trace
    from goodarm.inputs import whole
    from goodarm.simulation.loops.replay import trace

    whole("trace", run, 0, 2**63)
    if not as_json:
        for job in jobs:
            show_trace(job, run)
        return
    first = jobs[0]
    settings = {"instance": first.instance.name, "mode": first.mode, "seed": first.seed}
    traces = [
        {"algorithm": job.algorithm.label, "steps": [asdict(step) for step in trace(job, run)]}
        for job in jobs
    ]
    print_json({**settings, "run": run, "traces": traces})
