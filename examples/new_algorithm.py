"""A new algorithm in a few lines, and what it is worth beside APGAI.

A coin decides, every time, between APGAI's choice and the arm with the fewest pulls.

Run it: python examples/new_algorithm.py (draws new_algorithm.png here, or elsewhere: --out FOLDER)
The picture in the documentation: python examples/new_algorithm.py --out docs/images
Or use it by name: goodarm simulate Thr1 -a examples/new_algorithm.py:RULE --delta 0.1
"""

from argparse import ArgumentParser
from pathlib import Path

from matplotlib.figure import Figure

from goodarm import Algorithm, compare, instances, simulate
from goodarm.run import Run, decision, leader

PICTURE = "new_algorithm.png"


# --- the algorithm ------------------------------------------------------------------------------
def choose(run: Run, t: int) -> int:
    """With probability 0.8 the leader, else the arm with the fewest pulls."""
    if decision(run, t, 1) < 0.8:
        return leader(run, t)
    least = 0
    for arm in range(len(run.counts)):
        if run.counts[arm] < run.counts[least]:
            least = arm
    return least


RULE = Algorithm(
    name="Coin",
    summary="APGAI four times of five, the least-pulled arm otherwise.",
    reference="this example",
    guarantee="δ-correct with the GLR boundary, like every algorithm",
    choose=choose,
)
# ------------------------------------------------------------------------------------------------


def differences(runs: int = 1000, delta: float = 0.1, cap: int = 20_000) -> dict[str, tuple]:
    """For every instance: how many more pulls Coin needs than APGAI, over APGAI's mean."""
    shares = {}
    for name in instances:
        results = simulate(name, [RULE, "APGAI"], delta=delta, cap=cap, runs=runs, seed=1)
        paired, scale = compare(results["Coin"], results["APGAI"]), results["APGAI"].mean
        shares[name] = (paired.difference / scale, paired.low / scale, paired.high / scale)
    return shares


def draw(shares: dict[str, tuple]) -> Figure:
    """The paired differences with their intervals, one row per instance."""
    figure = Figure(figsize=(7.0, 3.8), layout="constrained")
    ax = figure.subplots()
    for index, (value, low, high) in enumerate(shares.values()):
        ax.plot([100 * low, 100 * high], [index, index], color="#606060", linewidth=2)
        ax.plot(100 * value, index, "ko")
    ax.axvline(0, color="black", linestyle="--", linewidth=1)
    ax.set_yticks(range(len(shares)), list(shares))
    ax.set_xlabel("pulls that Coin needs beyond APGAI's, % of APGAI's mean (95 % interval)")
    ax.invert_yaxis()
    return figure


def main() -> None:
    parser = ArgumentParser(description="A new algorithm beside APGAI.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the picture")
    out = parser.parse_args().out
    shares = differences()
    for name, (value, low, high) in shares.items():
        print(f"{name:16s} {100 * value:+6.1f} % [{100 * low:+.1f}, {100 * high:+.1f}]")
    draw(shares).savefig(out / PICTURE, dpi=110)


if __name__ == "__main__":
    main()
