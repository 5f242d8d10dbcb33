"""Ten options, none of which clears the bar: who claims that one does?

Ten options of mean 0.40, a bar at 0.50, outcomes with standard deviation 0.5. Three people look
for an option that clears the bar:

* the first stops as soon as one outcome is above the bar (the usual "good enough?" callback);
* the second tries the options in turn and stops when an option with ten or more outcomes has a
  mean above the bar;
* the third uses goodarm at δ = 0.05.

Run it: python examples/none_is_good.py
"""

import numpy as np

from goodarm import Instance, simulate

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
    instance = Instance.create(BAR, [MEAN] * OPTIONS, sigma=NOISE)
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


if __name__ == "__main__":
    for what, value in compare().items():
        print(f"{what:28s} {value:10.1%}" if value <= 1 else f"{what:28s} {value:10,.0f}")
