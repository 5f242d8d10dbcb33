"""goodarm league: every algorithm on many instances; who is never far from the best?

Two tables: of errors at any time (`league_errors.py`), or, with --trials, of pulls until an
algorithm is sure (`league_trials.py`).
"""

from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.options import AsJson, Device, Fresh, Seed, Threads
from goodarm.cli.output import check_folder
from goodarm.errors import InputError

LEAST_EFFORT, MOST_EFFORT = 1e3, 1e13

Trials = Annotated[
    bool,
    typer.Option("--trials", help="Count the pulls until an algorithm is sure, instead of errors."),
]
Quick = Annotated[
    bool, typer.Option("--quick", help="Fewer algorithms, instances and runs: about a minute.")
]
Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithm",
        "-a",
        help="A name, or path/to/file.py:NAME; give several, all by default.",
    ),
]
Deltas = Annotated[
    list[float] | None,
    typer.Option(
        "--delta", help="With --trials: a probability of error, 0.1, 0.05 and 0.001 by default."
    ),
]
Groups = Annotated[
    list[str] | None,
    typer.Option(
        "--group",
        help="With --trials: paper, sizes, published, rates or judging, all five by default; "
        "training; or later.",
    ),
]
Effort = Annotated[
    float | None,
    typer.Option(help="Pulls to simulate for each algorithm and instance (and probability)."),
]
Deep = Annotated[
    int,
    typer.Option(
        help="After that, this many rounds of splitting for errors too rare to count; for a GPU."
    ),
]
Load = Annotated[
    list[Path] | None,
    typer.Option(
        help="Score, draw and deepen this file of an earlier league instead; with --trials "
        "several are joined."
    ),
]


def league(
    trials: Trials = False,
    quick: Quick = False,
    algorithm: Algorithms = None,
    delta: Deltas = None,
    group: Groups = None,
    effort: Effort = None,
    deep: Deep = 0,
    out: Annotated[Path, typer.Option(help="Where results and pictures are written.")] = Path(
        "league"
    ),
    load: Load = None,
    seed: Seed = 0,
    threads: Threads = None,
    device: Device = "cpu",
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Compare algorithms: each one's error, or pulls, over the best one's, on many instances."""
    from goodarm.inputs import whole
    from goodarm.rng import MAX_SEED

    check_folder("out", out)
    whole("deep", deep, 0, 10_000)
    whole("seed", seed, 0, MAX_SEED)
    if threads is not None:
        whole("threads", threads, 1, 4096)
    if effort is not None and not LEAST_EFFORT <= effort <= MOST_EFFORT:
        raise InputError(
            f"effort: {effort:g} is outside {LEAST_EFFORT:,.0f} to {MOST_EFFORT:g} pulls"
        )
    if trials:
        from goodarm.cli.league_trials import TrialsOrder

        if deep:
            raise InputError(f"deep: {deep} rounds are of the league of errors; leave out --trials")
        trials_order = TrialsOrder(
            quick, algorithm, delta, group, effort, seed, threads, device, fresh
        )
        trials_order.carry_out(out, load or [], as_json)
        return
    from goodarm.cli.league_errors import ErrorsOrder

    if delta or group:
        raise InputError(f"{'delta' if delta else 'group'}: only with --trials; add it")
    if load and len(load) > 1:
        raise InputError(f"load: {len(load)} files; give one, or several with --trials")
    order = ErrorsOrder(quick, algorithm, effort, deep, seed, threads, device, fresh)
    order.carry_out(out, load[0] if load else None, as_json)
