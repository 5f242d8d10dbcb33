"""What it costs to answer for every arm, on the paper's instances.

    python bench/all_good.py [--runs 2000] [--delta 0.05]

With the question "all" an arm that is answered is not tried again, and each arm needs its own
trials, whatever the order: their number is the sum of the arms' own stopping times at δ/K. Uniform
sampling until the last arm is answered takes K times the longest of them. The least that any method
can take is of the order of Σ 2σ²/Δ² ln(K/δ).
"""

import argparse
import math

import numpy as np

from goodarm import Instance, instances, simulate


def own_times(instance: Instance, delta: float, runs: int) -> np.ndarray | None:
    """Stopping times of each arm alone, a column for each; None if a mean is at the bar."""
    columns = []
    for arm in range(instance.K):
        mean, sigma = float(instance.means[arm]), float(instance.sigmas[arm])
        if mean == instance.threshold:
            return None
        kind = instance.kinds[arm]
        scale = {"sigma": sigma} if kind == "gaussian" else {}
        alone = Instance(instance.threshold, [mean], kind=kind, name="alone", **scale)
        result = simulate(
            alone, "Unif", delta=delta / instance.K, runs=runs, seed=arm, cap=10_000_000
        )["Unif"]
        columns.append(np.asarray(result.stopping_times))
    return np.column_stack(columns)


def divergence(instance: Instance, arm: int) -> float:
    """What an outcome tells on average, in nats: kl(μ, θ)."""
    mean, bar = float(instance.means[arm]), instance.threshold
    if instance.kinds[arm] == "gaussian":
        return 0.5 * ((mean - bar) / float(instance.sigmas[arm])) ** 2
    pairs = ((mean, bar), (1.0 - mean, 1.0 - bar))
    return sum(p * math.log(p / q) for p, q in pairs if p > 0.0)


def main() -> None:
    """Print a row for each instance."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--delta", type=float, default=0.05)
    options = parser.parse_args()
    print(f"{'instance':16} {'K':>3} {'trials':>10} {'uniform':>10} {'times':>6} {'/ bound':>10}")
    for name, instance in instances.items():
        if instance.K > 100 or not set(instance.kinds) <= {"gaussian", "bernoulli"}:
            continue
        times = own_times(instance, options.delta, options.runs)
        if times is None:
            continue
        ours = times.sum(axis=1).mean()
        uniform = instance.K * times.max(axis=1).mean()
        nats = math.log(instance.K / options.delta)
        bound = sum(nats / divergence(instance, arm) for arm in range(instance.K))
        row = f"{name:16} {instance.K:3} {ours:10,.0f} {uniform:10,.0f} {uniform / ours:6.2f}"
        print(f"{row} {ours / bound:10.2f}", flush=True)


if __name__ == "__main__":
    main()
