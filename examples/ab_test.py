"""An A/B/n test with a conversion bar and daily batches.

Five pages, a bar at a conversion of 10 %, fifty visitors per day. Which page each of the day's
visitors will see is fixed in the morning; what they did is known in the evening. How much does that
cost, compared with deciding visitor by visitor? About one day's visitors: a test in batches takes
whole days, and on its last day it cannot make use of what that day's first visitors did.

Run it: python examples/ab_test.py (draws ab_test.png into this folder, or another: --out FOLDER)
The picture in the documentation: python examples/ab_test.py --out docs/images
"""

import random
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from statistics import median

import numpy as np
from matplotlib.figure import Figure

from goodarm import Experiment, Instance, plan, simulate
from goodarm.defaults import ALGORITHM

PICTURE = "ab_test.png"
PAGES = {"as it is": 0.07, "short form": 0.22, "video": 0.05, "big button": 0.12, "new text": 0.08}
BAR, DELTA, VISITORS = 0.10, 0.05, 50


def one_test(per_day: int, seed: int) -> tuple[int, str]:
    """The days until the test stops, and the page that it names."""
    experiment = Experiment(
        list(PAGES), BAR, algorithm=ALGORITHM, outcome="bernoulli", delta=DELTA, seed=seed
    )
    visitors, days = random.Random(seed), 0
    while not experiment.finished:
        days += 1
        morning = [experiment.ask() for _ in range(per_day)]
        for arm in morning:
            clicked = visitors.random() < PAGES[experiment.names[arm]]
            experiment.tell(arm, float(clicked))
    best = experiment.conclusion
    return days, "none" if best is None else experiment.names[best]


def compare(tests: int = 200, per_day: int = VISITORS) -> dict[str, object]:
    """Daily batches played out, beside the same test decided visitor by visitor."""
    batched = [one_test(per_day, seed) for seed in range(tests)]
    instance = Instance(BAR, list(PAGES.values()), kind="bernoulli", names=list(PAGES))
    single = simulate(instance, ALGORITHM, delta=DELTA, runs=2000, seed=1)[ALGORITHM]
    planned = plan(
        list(PAGES.values()),
        threshold=BAR,
        outcome="bernoulli",
        delta=DELTA,
        per_day=per_day,
        algorithms=[ALGORITHM],
    )
    return {
        "days": [days for days, _ in batched],
        "answers": [page for _, page in batched],
        "visitors, in batches": median(days for days, _ in batched) * per_day,
        "visitors, one by one": single.quantile(0.5),
        "one by one": single,
        "by a day's batch": planned.algorithms[0].schedules[0],
    }


def draw(comparison: dict[str, object], per_day: int = VISITORS) -> Figure:
    """The visitors needed: one by one as a histogram, each batched test as a dot."""
    figure = Figure(figsize=(7.5, 3.4), layout="constrained")
    ax = figure.subplots()
    times = comparison["one by one"].stopping_times
    bins = np.geomspace(times.min(), times.max(), 50)
    ax.hist(times, bins=bins, color="#c8c8c8", edgecolor="#707070", label="decided one by one")
    for days, tests in Counter(comparison["days"]).items():
        heights = [2 * number for number in range(1, tests + 1)]
        label = (
            f"in batches of {per_day}, each dot a test" if days == min(comparison["days"]) else ""
        )
        ax.plot([per_day * days] * tests, heights, "ko", markersize=3, label=label)
    ax.set_xscale("log")
    ticks = [tick for tick in (10, 20, 50, 100, 200, 500, 1000, 2000) if tick <= times.max()]
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    ax.set_xticks([], minor=True)
    ax.set_xlabel(f"visitors until sure at {100 * (1 - DELTA):g} %")
    ax.set_ylabel("simulated tests")
    ax.legend(frameon=False)
    return figure


def main() -> None:
    parser = ArgumentParser(description="An A/B/n test in daily batches.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the picture")
    out = parser.parse_args().out
    comparison = compare()
    days = sorted(Counter(comparison["days"]).items())
    print("tests by their days:", ", ".join(f"{tests} took {number}" for number, tests in days))
    print("answers:", ", ".join(sorted(set(comparison["answers"]))))
    for what in ("visitors, in batches", "visitors, one by one"):
        print(f"{what}: {comparison[what]:,.0f} (median)")
    cost = comparison["by a day's batch"].extra
    print(f"batches cost {cost.value:,.0f} visitors on average [{cost.low:,.0f}, {cost.high:,.0f}]")
    draw(comparison).savefig(out / PICTURE, dpi=110)


if __name__ == "__main__":
    main()
