"""Eighteen protocols for making stem cells (the paper's RealL): which one succeeds often enough?

A protocol is good if it succeeds in at least half of the trials. We run one study live, as a
laboratory would, and then ask how many trials such studies take with other algorithms.

Run it: python examples/stem_cells.py (draws stem_cells.png here, or elsewhere: --out FOLDER)
The picture in the documentation: python examples/stem_cells.py --out docs/images
"""

import random
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from matplotlib.figure import Figure

from goodarm import Bernoulli, RunResult, Study, instances, simulate
from goodarm.plotting import plot_stopping_times

PICTURE = "stem_cells.png"
ALGORITHMS = ("Prospector", "Scout", "APGAI-FE", "APGAI", "TaS", "Unif")
DELTA = 0.05


def live(seed: int = 1) -> str:
    """One study to its end, the laboratory played by random numbers; the study's last sentence."""
    problem = instances["RealL"]
    truth = dict(zip(problem.names, problem.means.tolist(), strict=True))
    laboratory = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        study = Study.create(
            "stem cells",
            list(problem.names),
            problem.threshold,
            Bernoulli(),
            delta=DELTA,
            storage=Path(folder) / "studies.db",
            seed=seed,
        )
        status = study.run(
            lambda trial: float(laboratory.random() < truth[trial.arm]), show_progress_bar=False
        )
        return f"{status.meaning} ({len(study.trials)} trials)"


def many(runs: int = 2000) -> dict[str, RunResult]:
    """How many trials each algorithm takes until it may stop."""
    return simulate("RealL", ALGORITHMS, delta=DELTA, runs=runs, seed=1)


def draw(results: dict[str, RunResult]) -> Figure:
    """The distribution of the number of trials, one row per algorithm."""
    figure = Figure(figsize=(7.5, 3.6), layout="constrained")
    ax = figure.subplots()
    plot_stopping_times(results, ax=ax)
    ax.set_title("RealL: trials until sure at 95 %", loc="left")
    return figure


def main() -> None:
    parser = ArgumentParser(
        description="Which protocol for making stem cells succeeds often enough?"
    )
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the picture")
    out = parser.parse_args().out
    print(live())
    results = many()
    for name, result in results.items():
        print(f"{name:10s} mean {result.mean:7,.0f} trials, wrong {result.error_rate:.1%}")
    draw(results).savefig(out / PICTURE, dpi=110)


if __name__ == "__main__":
    main()
