"""Which dose helps at least 30 % of the patients and harms at most 15 %?

Five doses, two measurements of every patient, and an answer for every dose: it is good if both
hold. The risk of saying anything untrue of any of them is at most 5 %. A dose is given up as soon
as it is certain that it fails one of the two, so few patients get the harmful one.

Run it: python examples/efficacy_and_safety.py (draws efficacy_and_safety.png here, or --out FOLDER)
The picture in the documentation: python examples/efficacy_and_safety.py --out docs/images
"""

import random
from argparse import ArgumentParser
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from goodarm import Criterion, Inquiry

PICTURE = "efficacy_and_safety.png"
HELPED, HARMED = "helped", "harmed"
DOSES = {  # the truth: how many are helped, how many are harmed
    "5 mg": (0.05, 0.02),
    "10 mg": (0.18, 0.03),
    "20 mg": (0.46, 0.05),
    "40 mg": (0.64, 0.06),
    "80 mg": (0.66, 0.40),
}
EFFICACY, SAFETY, DELTA = 0.30, 0.15, 0.05
COLOURS = {"good": "#1b7837", "not good": "#b2182b", "undecided": "#808080"}


def conduct(seed: int = 2, most: int = 5000) -> Inquiry:
    """Patient after patient, until there is an answer for every dose."""
    criteria = [
        Criterion.declare("bernoulli", EFFICACY, name=HELPED),
        Criterion.declare("bernoulli", SAFETY, goal="below", name=HARMED),
    ]
    inquiry = Inquiry(list(DOSES), criteria, "all", DELTA, seed=seed)
    patients = random.Random(seed)
    while not inquiry.finished and inquiry.t < most:
        dose = inquiry.arms[inquiry.ask()]
        helps, harms = DOSES[dose]
        told = {HELPED: patients.random() < helps, HARMED: patients.random() < harms}
        inquiry.tell(dose, {name: float(value) for name, value in told.items()})
    return inquiry


def draw(inquiry: Inquiry) -> Figure:
    """Each dose with the limits of both means: green is good, red is not."""
    figure = Figure(figsize=(7.0, 4.4), layout="constrained")
    ax = figure.subplots()
    ax.add_patch(Rectangle((EFFICACY, -1), 1, 1 + SAFETY, color="#1b7837", alpha=0.1, linewidth=0))
    ax.axvline(EFFICACY, color="black", linestyle="--", linewidth=1)
    ax.axhline(SAFETY, color="black", linestyle="--", linewidth=1)
    across, up = inquiry.limits(0), inquiry.limits(1)
    for state in inquiry.states:
        (x, y), colour = state.means, COLOURS[state.standing]
        arm = state.arm
        ax.plot([across[0][arm], across[1][arm]], [y, y], color=colour, linewidth=1.5)
        ax.plot([x, x], [up[0][arm], up[1][arm]], color=colour, linewidth=1.5)
        ax.plot(x, y, "o", color=colour)
        label, top = f"{state.name}\nn = {state.count}", max(up[1][arm] or 0.0, SAFETY)
        above = {"textcoords": "offset points", "ha": "center", "fontsize": 9}
        ax.annotate(label, (x, top), (0, 4), color=colour, **above)
    ax.set_xlim(-0.03, 1)
    ax.set_ylim(-0.02, 0.75)
    ax.set_xlabel("share of patients who are helped (bar: at least 30 %)")
    ax.set_ylabel("share who are harmed (bar: at most 15 %)")
    return figure


def main() -> None:
    parser = ArgumentParser(description="Doses by efficacy and safety.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the picture")
    out = parser.parse_args().out
    inquiry = conduct()
    for state in inquiry.states:
        print(f"{state.name:6} {state.standing:9} after {state.count} patients")
    print(f"{inquiry.t} patients")
    draw(inquiry).savefig(out / PICTURE, dpi=110)


if __name__ == "__main__":
    main()
