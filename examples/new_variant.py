"""A new variant in week three: it joins a test that is under way, and the guarantee stays.

Three pages are compared with today's: which are better by three points or more? In week three
somebody has another idea. A tenth of δ was laid aside for that at the beginning (`reserve`), so the
new page joins as it is, with no test begun anew and nothing thrown away; and a page that nobody
wants any more is retired.

Run it: python examples/new_variant.py (draws new_variant.png here, or --out FOLDER)
The picture in the documentation: python examples/new_variant.py --out docs/images
"""

import random
from argparse import ArgumentParser
from pathlib import Path

from matplotlib.figure import Figure

from goodarm import Criterion, Inquiry

PICTURE = "new_variant.png"
TODAY, LATE, DROPPED = "today's", "friendly", "video"
PAGES = {TODAY: 0.25, "short": 0.38, "big button": 0.15, DROPPED: 0.28, LATE: 0.42}  # the truth
COLOURS = {
    TODAY: "#a0a0a0",
    "short": "#1b7837",
    "big button": "#b2182b",
    DROPPED: "#e08214",
    LATE: "#2166ac",
}
MARGIN, DELTA, A_DAY, JOINS, LEAVES = 0.03, 0.05, 100, 15, 22

Days = dict[str, list[tuple[int, float]]]


def conduct(seed: int = 1, most: int = 60) -> tuple[Inquiry, Days]:
    """Day after day, until there is an answer for every page; also how far each had come."""
    inquiry = Inquiry(
        [TODAY, "short", "big button", DROPPED],
        Criterion.declare("bernoulli", margin=MARGIN, name="clicks"),
        "all",
        DELTA,
        control=TODAY,
        seed=seed,
        reserve=0.1,
    )
    visitors, days = random.Random(seed), {name: [] for name in PAGES}
    for day in range(1, most + 1):
        if day == JOINS:
            inquiry.add_arm(LATE)
            days[LATE].append((day - 1, 0.0))
        if day == LEAVES:
            inquiry.retire_arm(DROPPED)
        for _ in range(A_DAY):
            if inquiry.finished and day > JOINS:
                break
            page = inquiry.arms[inquiry.ask()]
            inquiry.tell(page, float(visitors.random() < PAGES[page]))
        for arm in inquiry.present:
            days[inquiry.arms[arm]].append((day, 100.0 * inquiry.share(arm)))
        if inquiry.finished and day > JOINS:
            break
    return inquiry, days


def draw(inquiry: Inquiry, days: Days) -> Figure:
    """How far each page has come towards one answer or the other, day by day."""
    figure = Figure(figsize=(8.5, 3.8), layout="constrained")
    ax = figure.subplots()
    for state in inquiry.states:
        if state.name != TODAY:
            numbers, shares = zip(*days[state.name], strict=True)
            label = f"{state.name}: {state.standing} (n = {state.count:,})"
            ax.plot(numbers, shares, color=COLOURS[state.name], linewidth=1.8, label=label)
    for level, says in ((100, "better by 3 points"), (-100, "not better by 3 points")):
        ax.axhline(level, color="black", linestyle="--", linewidth=1)
        ax.annotate(f"certain: {says}", (0, level), (2, 4), textcoords="offset points", fontsize=9)
    for day, what in ((JOINS, f"{LATE} joins"), (LEAVES, f"{DROPPED} is retired")):
        ax.axvline(day - 1, color="#707070", linestyle=":", linewidth=1)
        beside = {"textcoords": "offset points", "ha": "right", "fontsize": 9}
        ax.annotate(what, (day - 1, -80), (-3, 0), **beside)
    ax.set_ylim(-115, 125)
    ax.set_xlim(left=0)
    ax.set_xlabel(f"days, {A_DAY} visitors each")
    ax.set_ylabel("per cent of the way")
    figure.legend(loc="outside right upper", fontsize=9, frameon=False)
    return figure


def main() -> None:
    parser = ArgumentParser(description="A variant that joins a running test.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the picture")
    out = parser.parse_args().out
    inquiry, days = conduct()
    for state in inquiry.states:
        print(f"{state.name:12} {state.standing:10} {state.count:6,} visitors")
    print(f"{inquiry.t:,} visitors; a wrong answer with probability {inquiry.risk:g} at most")
    draw(inquiry, days).savefig(out / PICTURE, dpi=110)


if __name__ == "__main__":
    main()
