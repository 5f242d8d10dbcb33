"""A new algorithm in a few lines, and what it is worth beside APGAI.

The rule: a coin decides, every time, between APGAI's choice and the arm with the fewest pulls.

Run it: python examples/new_algorithm.py (writes docs/images/new_algorithm.png)
Or use it by name: goodarm simulate Thr1 -a examples/new_algorithm.py:RULE --delta 0.1
"""

from pathlib import Path

from matplotlib.figure import Figure

from goodarm import Algorithm, compare, instances, simulate
from goodarm.run import Run, decision, leader

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "new_algorithm.png"


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
    guarantee="δ-correct with the GLR boundary, like every rule",
    choose=choose,
)
# ------------------------------------------------------------------------------------------------


def differences(runs: int = 1000, delta: float = 0.1, cap: int = 20_000) -> dict[str, tuple]:
    """For every instance: how many trials Coin needs more than APGAI, over APGAI's mean."""
    found = {}
    for name in instances:
        results = simulate(name, [RULE, "APGAI"], delta=delta, cap=cap, runs=runs, seed=1)
        paired, scale = compare(results["Coin"], results["APGAI"]), results["APGAI"].mean
        found[name] = (paired.difference / scale, paired.low / scale, paired.high / scale)
    return found


def draw(found: dict[str, tuple]) -> Figure:
    """The paired differences with their intervals, one row an instance."""
    figure = Figure(figsize=(7.0, 3.8), layout="constrained")
    ax = figure.subplots()
    for place, (value, low, high) in enumerate(found.values()):
        ax.plot([100 * low, 100 * high], [place, place], color="#606060", linewidth=2)
        ax.plot(100 * value, place, "ko")
    ax.axvline(0, color="black", linestyle="--", linewidth=1)
    ax.set_yticks(range(len(found)), list(found))
    ax.set_xlabel("trials that Coin needs more than APGAI, % of APGAI's mean (95 % interval)")
    ax.invert_yaxis()
    return figure


def main() -> None:
    found = differences()
    for name, (value, low, high) in found.items():
        print(f"{name:16s} {100 * value:+6.1f} % [{100 * low:+.1f}, {100 * high:+.1f}]")
    draw(found).savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    main()
