"""A dose-finding study that ends with "none is good", and says how sure it is.

Five doses, response measured with a standard deviation of 1.2, and a bar at a mean response of
1.2 that no dose reaches. An ordinary study would end "not significant". This one ends with a
statement: no dose clears the bar, with at most 5 % risk of being wrong.

Run it: python examples/dose_finding.py (draws dose_finding.png here, or elsewhere: --out FOLDER)
The picture in the documentation: python examples/dose_finding.py --out docs/images
"""

import random
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from matplotlib.figure import Figure

from goodarm import Gaussian, Study

PICTURE = "dose_finding.png"
DOSES = {"25 mg": 0.1, "50 mg": 0.2, "100 mg": 0.35, "200 mg": 0.5, "400 mg": 0.3}
BAR, SCATTER, DELTA = 1.2, 1.2, 0.05


def conduct(seed: int = 3, storage: Path | None = None) -> Study:
    """Patient after patient until the study has its answer."""
    patients = random.Random(seed)
    study = Study.create(
        "dose finding", list(DOSES), BAR, Gaussian(SCATTER), delta=DELTA, storage=storage, seed=seed
    )
    study.run(lambda trial: patients.gauss(DOSES[trial.arm], SCATTER), show_progress_bar=False)
    return study


def draw(study: Study) -> Figure:
    """Each dose's mean with its interval, all of which hold together; the bar on top."""
    arms = study.evidence
    figure = Figure(figsize=(7.0, 3.4), layout="constrained")
    ax = figure.subplots()
    for index, arm in enumerate(arms):
        ax.plot([arm.low, arm.high], [index, index], color="#606060", linewidth=2)
        ax.plot(arm.mean, index, "ko")
    ax.set_yticks(range(len(arms)), [f"{arm.arm}  (n = {arm.count})" for arm in arms])
    ax.axvline(BAR, color="black", linestyle="--", linewidth=1)
    ax.set_xlabel("mean response; the dashed line is the bar")
    ax.invert_yaxis()
    return figure


def main() -> None:
    parser = ArgumentParser(description="A dose-finding study.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the picture")
    out = parser.parse_args().out
    with tempfile.TemporaryDirectory() as folder:
        study = conduct(storage=Path(folder) / "studies.db")
        print(study.status().meaning)
        print(f"{len(study.trials)} patients")
        draw(study).savefig(out / PICTURE, dpi=110)


if __name__ == "__main__":
    main()
