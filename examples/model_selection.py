"""Which model configuration clears an accuracy bar? One trial is one random split.

Eight classifiers on the breast-cancer data that come with scikit-learn, deliberately starved of
features (only the first four), and a bar at an accuracy of 0.87. The accuracy on a random test
set scatters from split to split; its mean over all splits is what must clear the bar. Trying
every configuration equally often would spend most splits where they decide nothing.

Run it: python examples/model_selection.py (it needs scikit-learn, and draws model_selection.png
into this folder, or another: --out FOLDER)
The picture in the documentation: python examples/model_selection.py --out docs/images
"""

from argparse import ArgumentParser
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from goodarm import Experiment

PICTURE = "model_selection.png"
BAR, DELTA, MOST = 0.87, 0.05, 2000
SCATTER = 0.05  # of an accuracy on 114 cases: at most 0.5/sqrt(114) from the draw of the cases

DATA, LABELS = load_breast_cancer(return_X_y=True)
CONFIGURATIONS = {
    "stump": lambda: DecisionTreeClassifier(max_depth=1),
    "tree": lambda: DecisionTreeClassifier(),
    "1 neighbour": lambda: KNeighborsClassifier(1),
    "15 neighbours": lambda: KNeighborsClassifier(15),
    "naive Bayes": lambda: GaussianNB(),
    "forest of 3": lambda: RandomForestClassifier(3),
    "logistic, strong penalty": lambda: make_pipeline(StandardScaler(), LogisticRegression(C=1e-4)),
    "logistic": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
}


def accuracy(configuration: str, split: int) -> float:
    """The accuracy on the fifth of the data that this split leaves out."""
    parts = train_test_split(DATA[:, :4], LABELS, test_size=0.2, random_state=split)
    np.random.seed(split)  # scikit-learn's models draw from here
    model = CONFIGURATIONS[configuration]().fit(parts[0], parts[2])
    return float(model.score(parts[1], parts[3]))


def search(most: int = MOST) -> Experiment:
    """Try configurations until one is surely above the bar, or none is."""
    experiment = Experiment(list(CONFIGURATIONS), threshold=BAR, sigma=SCATTER, delta=DELTA, seed=1)
    for split in range(most):
        arm = experiment.ask()
        if arm is None or experiment.finished:
            break
        experiment.tell(arm, accuracy(experiment.names[arm], split))
    return experiment


def draw(experiment: Experiment) -> Figure:
    """How often each configuration was tried, and its mean accuracy against the bar."""
    arms = experiment.evidence
    figure = Figure(figsize=(8.5, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    names = [arm.name for arm in arms]
    left.barh(names, [arm.count for arm in arms], color="#9a9a9a", edgecolor="black")
    left.set_xlabel("trials (random splits)")
    right.plot([arm.mean for arm in arms], names, "ko")
    right.axvline(BAR, color="black", linestyle="--", linewidth=1)
    right.set_xlabel(f"mean accuracy; the bar is {BAR}")
    left.invert_yaxis()
    return figure


def main() -> None:
    parser = ArgumentParser(description="Which model configuration clears an accuracy bar?")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the picture")
    out = parser.parse_args().out
    experiment = search()
    best = experiment.recommendation
    answer = "none clears the bar" if best is None else f"{experiment.names[best]} clears the bar"
    state = f"sure at {1 - DELTA:.0%}" if experiment.finished else "not sure yet"
    print(f"{answer} of {BAR}: {state} after {experiment.t} splits")
    for arm in experiment.evidence:
        print(f"{arm.name:26s} {arm.count:4d} trials, mean {arm.mean:.3f}")
    draw(experiment).savefig(out / PICTURE, dpi=110)


if __name__ == "__main__":
    main()
