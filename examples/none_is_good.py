"""Ten options, none of which clears the bar: who claims that one does?

Ten options of mean 0.40, a bar at 0.50, outcomes with standard deviation 0.5. Three people look
for an option that clears the bar:

* the first stops as soon as one outcome is above the bar (the usual "good enough?" callback);
* the second tries the options in turn and stops when an option with ten or more outcomes has a
  mean above the bar;
* the third uses goodarm at δ = 0.05.

Run it: python examples/none_is_good.py (draws none_is_good.png here, or elsewhere: --out FOLDER)
The picture in the documentation: python examples/none_is_good.py --out docs/images
"""

from argparse import ArgumentParser
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from goodarm import Instance, simulate

PICTURE = "none_is_good.png"
MEAN, BAR, NOISE, OPTIONS, RUNS, DELTA = 0.40, 0.50, 0.5, 10, 2000, 0.05


def first_value_above(values: np.ndarray) -> np.ndarray:
    """Whether any single outcome is above the bar."""
    return (values > BAR).any(axis=(1, 2))


def running_mean_above(values: np.ndarray, least: int = 10) -> np.ndarray:
    """Whether some option's mean is above the bar at any time from its tenth outcome on."""
    rounds = np.arange(1, values.shape[1] + 1)[None, :, None]
    means = values.cumsum(axis=1) / rounds
    return (means[:, least - 1 :] > BAR).any(axis=(1, 2))


def compare(runs: int = RUNS, seed: int = 1) -> dict[str, float]:
    """How often each of the three claims a winner, and what goodarm needs."""
    instance = Instance(BAR, [MEAN] * OPTIONS, sigma=NOISE)
    result = simulate(instance, "APGAI", delta=DELTA, runs=runs, seed=seed)["APGAI"]
    rounds = int(result.mean / OPTIONS)  # the others get as many trials as goodarm used
    generator = np.random.default_rng(seed)
    values = generator.normal(MEAN, NOISE, size=(runs, rounds, OPTIONS))
    return {
        "one value above the bar": float(first_value_above(values).mean()),
        "running mean above the bar": float(running_mean_above(values).mean()),
        "goodarm": result.error_rate,
        "goodarm says none": float((result.answers == -1).mean()),
        "goodarm trials, median": result.quantile(0.5),
    }


def draw(claims: dict[str, float]) -> Figure:
    """How often each of the three claims a winner where there is none."""
    rows = {
        "stop when one outcome\nis above the bar": claims["one value above the bar"],
        "stop when a running mean\nis above the bar": claims["running mean above the bar"],
        f"goodarm, δ = {DELTA:g}": claims["goodarm"],
    }
    figure = Figure(figsize=(7.2, 2.6), layout="constrained")
    ax = figure.subplots()
    shares = [100 * share for share in rows.values()]
    ax.barh(list(rows), shares, color=["#b0b0b0", "#b0b0b0", "black"], edgecolor="black")
    for index, share in enumerate(shares):
        ax.text(share + 1, index, f"{share:.1f} %", va="center")
    says = f'says "none is good" in {claims["goodarm says none"]:.1%} of the runs'
    ax.text(shares[2] + 12, 2, says, va="center", style="italic")
    ax.set_xlim(0, 114)
    ax.set_xticks(range(0, 101, 25))
    ax.set_xlabel("runs that claim a winner, %: ten options, none of which clears the bar")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.invert_yaxis()
    return figure


def main() -> None:
    parser = ArgumentParser(
        description="Ten options, none of which clears the bar: who claims that one does?"
    )
    parser.add_argument("--out", type=Path, default=Path(), help="the folder for the picture")
    out = parser.parse_args().out
    claims = compare()
    for what, value in claims.items():
        print(f"{what:28s} {value:10.1%}" if value <= 1 else f"{what:28s} {value:10,.0f}")
    draw(claims).savefig(out / PICTURE, dpi=110)


if __name__ == "__main__":
    main()
