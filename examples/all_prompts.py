"""Which of these prompts pass at least 80 % of the time? All of them, please, not just one.

Ten prompts, of which some are clearly good, some clearly bad and some close to the bar. Each is
tried until it is certain on which side it is, and no longer: a hopeless one takes a dozen calls,
one near the bar hundreds. Giving every prompt the same number of calls until the last one is
certain takes several times as many.

Run it: python examples/all_prompts.py (draws all_prompts.png here, or --out FOLDER)
The picture in the documentation: python examples/all_prompts.py --out docs/images
"""

import random
from argparse import ArgumentParser
from pathlib import Path

from matplotlib.figure import Figure

from goodarm import Criterion, Inquiry

PICTURE = "all_prompts.png"
PROMPTS = {  # the share of calls that really pass
    "as it is": 0.60,
    "shorter": 0.45,
    "polite": 0.62,
    "with an example": 0.90,
    "three examples": 0.93,
    "step by step": 0.95,
    "in German": 0.30,
    "as a table": 0.72,
    "asks back": 0.55,
    "checks itself": 0.97,
}
BAR, DELTA = 0.80, 0.05
COLOURS = {"good": "#1b7837", "not good": "#b2182b", "undecided": "#808080"}


def conduct(seed: int = 5, most: int = 50_000) -> Inquiry:
    """Call after call, until there is an answer for every prompt."""
    inquiry = Inquiry(list(PROMPTS), Criterion.declare("bernoulli", BAR), "all", DELTA, seed=seed)
    calls = random.Random(seed)
    while not inquiry.finished and inquiry.t < most:
        prompt = inquiry.arms[inquiry.ask()]
        inquiry.tell(prompt, float(calls.random() < PROMPTS[prompt]))
    return inquiry


def evenly(inquiry: Inquiry) -> int:
    """The calls if every prompt got as many as the one that needs the most."""
    return len(inquiry.arms) * max(state.count for state in inquiry.states)


def draw(inquiry: Inquiry) -> Figure:
    """The limits of every mean on the left, the calls that it took on the right."""
    figure = Figure(figsize=(7.5, 3.9), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    states = sorted(inquiry.states, key=lambda state: state.means[0] or 0.0)
    low, high = inquiry.limits()
    for row, state in enumerate(states):
        colour = COLOURS[state.standing]
        left.plot([low[state.arm], high[state.arm]], [row, row], color=colour, linewidth=2)
        left.plot(state.means[0], row, "o", color=colour, markersize=5)
        right.barh(row, state.count, color=colour, height=0.6)
        right.annotate(
            f"{state.count:,}", (state.count, row), (3, -3), textcoords="offset points", fontsize=8
        )
    left.axvline(BAR, color="black", linestyle="--", linewidth=1)
    left.set_yticks(range(len(states)), [state.name for state in states])
    left.set_xlim(0, 1)
    left.set_xlabel("share that passes; the bar is dashed")
    right.set_xlim(0, 1.2 * max(state.count for state in states))
    right.set_xlabel(f"calls: {inquiry.t:,} in all, evenly {evenly(inquiry):,}")
    return figure


def main() -> None:
    parser = ArgumentParser(description="All prompts above the bar.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the picture")
    out = parser.parse_args().out
    inquiry = conduct()
    print("above the bar: " + ", ".join(inquiry.arms[arm] for arm in inquiry.conclusion))
    print(f"{inquiry.t:,} calls; evenly {evenly(inquiry):,}")
    draw(inquiry).savefig(out / PICTURE, dpi=110)


if __name__ == "__main__":
    main()
