"""Which is the cheapest supplier whose parts are not much worse than today's?

Today's supplier is the control. Others are cheaper, and each is good enough if the share of its
parts that pass inspection is at most five points below today's (non-inferiority: a negative
margin). They are asked about in the order of their prices, so the first good one is the cheapest.
Nobody needs to know today's share beforehand: it is learnt beside the others.

Run it: python examples/cheaper_supplier.py (draws cheaper_supplier.png here, or --out FOLDER)
The picture in the documentation: python examples/cheaper_supplier.py --out docs/images
"""

import random
from argparse import ArgumentParser
from pathlib import Path

from matplotlib.figure import Figure

from goodarm import Criterion, Inquiry

PICTURE = "cheaper_supplier.png"
TODAY = "today's"
SUPPLIERS = {  # the price of a part, and the share that really passes; cheapest first
    "Alba": (0.61, 0.78),
    "Borea": (0.74, 0.82),
    "Cirrus": (0.80, 0.93),
    "Dorado": (0.95, 0.94),
    TODAY: (1.10, 0.93),
}
MARGIN, DELTA = -0.05, 0.05
COLOURS = {"Alba": "#b2182b", "Borea": "#e08214", "Cirrus": "#1b7837", "Dorado": "#808080"}

Course = dict[str, list[tuple[int, float]]]  # by supplier: after so many parts, so far


def conduct(seed: int = 2, most: int = 20_000) -> tuple[Inquiry, Course]:
    """Part after part; also how far each supplier had come, after every twenty parts."""
    inquiry = Inquiry(
        list(SUPPLIERS),
        Criterion.declare("bernoulli", margin=MARGIN, name="passes"),
        "in-order",
        DELTA,
        control=TODAY,
        seed=seed,
    )
    parts, path = random.Random(seed), {name: [(0, 0.0)] for name in SUPPLIERS}
    while not inquiry.finished and inquiry.t < most:
        supplier = inquiry.arms[inquiry.ask()]
        _, passes = SUPPLIERS[supplier]
        inquiry.tell(supplier, float(parts.random() < passes))
        if inquiry.t % 20 == 0 or inquiry.finished:
            for arm in inquiry.present:
                path[inquiry.arms[arm]].append((inquiry.t, 100.0 * inquiry.share(arm)))
    return inquiry, path


def bill(inquiry: Inquiry) -> float:
    """What the inspected parts have cost."""
    return sum(SUPPLIERS[state.name][0] * state.count for state in inquiry.states)


def draw(inquiry: Inquiry, path: Course) -> Figure:
    """How far each supplier has come towards one answer or the other."""
    figure = Figure(figsize=(8.5, 3.8), layout="constrained")
    ax = figure.subplots()
    for name, colour in COLOURS.items():
        times, shares = zip(*path[name], strict=True)
        price = f"{name}, {SUPPLIERS[name][0]:.2f} a part"
        tried = inquiry.states[inquiry.arms.index(name)].count
        label = f"{price}: {inquiry.standings[name]} (n = {tried})"
        ax.plot(times, shares, color=colour, linewidth=1.8, label=label)
    for level, says, up in ((100, "not worse by 5 points", 4), (-100, "worse by 5 points", -11)):
        ax.axhline(level, color="black", linestyle="--", linewidth=1)
        ax.annotate(f"certain: {says}", (0, level), (2, up), textcoords="offset points", fontsize=9)
    ax.set_ylim(-122, 122)
    ax.set_xlabel("parts inspected, those of today's supplier counted")
    ax.set_ylabel("per cent of the way")
    figure.legend(loc="outside right upper", fontsize=9, frameon=False)
    return figure


def main() -> None:
    parser = ArgumentParser(description="A cheaper supplier that is not much worse.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the picture")
    out = parser.parse_args().out
    inquiry, path = conduct()
    named = [inquiry.arms[arm] for arm in inquiry.conclusion]
    print(f"the cheapest that is good enough: {', '.join(named) or 'none'}")
    print(f"{inquiry.t} parts, which cost {bill(inquiry):,.0f}; standings {inquiry.standings}")
    draw(inquiry, path).savefig(out / PICTURE, dpi=110)


if __name__ == "__main__":
    main()
