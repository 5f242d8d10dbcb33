"""An A/B/n test with a conversion bar and daily batches.

Five pages, a bar at a conversion of 10 %, four hundred visitors a day. Which page each visitor of
the day will see is fixed in the morning; what they did is known in the evening. How much does
that cost, compared with deciding visitor by visitor? One page lies just above the bar: a test
that settles on it first takes far longer, which is the tail on the right of the picture. So the
typical test takes more visitors in batches, since it takes whole days; but the average one takes
fewer, since the visitors of the first day are spread over all pages before any of them leads.

Run it: python examples/ab_test.py (writes docs/images/ab_test.png)
"""

import random
from pathlib import Path
from statistics import median

import numpy as np
from matplotlib.figure import Figure

from goodarm import Experiment, Instance, plan, simulate

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "ab_test.png"
PAGES = {"as it is": 0.07, "short form": 0.22, "video": 0.05, "big button": 0.12, "new text": 0.08}
BAR, DELTA, VISITORS = 0.10, 0.05, 400


def one_test(per_day: int, seed: int) -> tuple[int, str]:
    """The days until the test stops, and the page that it names."""
    experiment = Experiment(list(PAGES), threshold=BAR, sigma=0.5, delta=DELTA, seed=seed)
    visitors, days = random.Random(seed), 0
    while not experiment.finished:
        days += 1
        morning = [experiment.ask() for _ in range(per_day)]
        for arm in morning:
            clicked = visitors.random() < PAGES[experiment.names[arm]]
            experiment.tell(arm, float(clicked))
    best = experiment.conclusion
    return days, "none" if best is None else experiment.names[best]


def compare(tests: int = 20, per_day: int = VISITORS) -> dict[str, object]:
    """Daily batches played out, beside the same test decided visitor by visitor."""
    batched = [one_test(per_day, seed) for seed in range(tests)]
    instance = Instance(BAR, list(PAGES.values()), kind="bernoulli", names=list(PAGES))
    single = simulate(instance, "APGAI-FE", delta=DELTA, runs=2000, seed=1)["APGAI-FE"]
    planned = plan(
        list(PAGES.values()), threshold=BAR, outcome="bernoulli", delta=DELTA, per_day=per_day,
        algorithms=["APGAI-FE"],
    )  # fmt: skip
    return {
        "days": [days for days, _ in batched],
        "answers": [page for _, page in batched],
        "visitors, in batches": median(days for days, _ in batched) * per_day,
        "visitors, one by one": single.quantile(0.5),
        "one by one": single,
        "by a day's batch": planned.algorithms[0].practice[0],
    }


def draw(found: dict[str, object], per_day: int = VISITORS) -> Figure:
    """The visitors needed: one by one as a histogram, each batched test as a mark."""
    figure = Figure(figsize=(7.5, 3.4), layout="constrained")
    ax = figure.subplots()
    times = found["one by one"].stopping_times
    bins = np.geomspace(times.min(), times.max(), 50)
    ax.set_xscale("log")
    ax.hist(times, bins=bins, color="#c8c8c8", edgecolor="#707070", label="decided one by one")
    visitors = [per_day * days for days in found["days"]]
    ax.plot(visitors, [0] * len(visitors), "k|", markersize=22, label=f"batches of {per_day}")
    ax.set_xlabel("visitors until sure at 95 %")
    ax.set_ylabel("simulated tests")
    ax.legend(frameon=False)
    return figure


def main() -> None:
    found = compare()
    print("days of each test:", *found["days"])
    print("answers:", ", ".join(sorted(set(found["answers"]))))
    for what in ("visitors, in batches", "visitors, one by one"):
        print(f"{what}: {found[what]:,.0f} (median)")
    cost = found["by a day's batch"].extra
    print(f"batches cost {cost.value:,.0f} visitors on average [{cost.low:,.0f}, {cost.high:,.0f}]")
    draw(found).savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    main()
