"""How soon are broken assumptions noticed, and how often is a sound study doubted?

    python bench/watches.py [--paths 4000] [--length 2000] [--only WORD] [--seed N] [--json FILE]

First table: outcomes of the declared kind, one arm at the threshold; the share of paths that are
ever doubted within `length` outcomes, by each of the model's watches. All of them together may
doubt 1 % of the paths.
Second table: outcomes that break the model, a quarter of the paths; the number of outcomes until
the first doubt, the share of paths with a certificate that wrongly reaches 1/0.05 (above, below
the threshold), and the share in which that happens before the first doubt.
Every watch is evaluated after every outcome (batches: after every fourth), for all paths at once;
a test holds these versions against the watches themselves.
"""

import argparse
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from goodarm.outcomes import tilts
from goodarm.outcomes.bernoulli import Bernoulli
from goodarm.outcomes.contract import Levels, Outcome
from goodarm.outcomes.exponential import Exponential
from goodarm.outcomes.gaussian import Gaussian
from goodarm.outcomes.poisson import Poisson
from goodarm.outcomes.student import PRECISIONS
from goodarm.outcomes.symmetric import Symmetric
from goodarm.outcomes.watches import drift, lopsided, over_dispersion, skewness, wide_scatter
from goodarm.outcomes.watches import uneven_batches as batches
from goodarm.outcomes.watches import uneven_durations as durations
from goodarm.outcomes.watches.contract import DOUBT, Watch

Floats = NDArray[np.float64]
NEVER = 10**9
BLOCK = 500  # paths
ALPHA = 0.05


def log_mean(logs: Floats) -> Floats:
    top = logs.max(axis=0)
    return np.asarray(top + np.log(np.exp(logs - top).mean(axis=0)))


def counts_ahead(x: Floats) -> Floats:
    return np.arange(1.0, x.shape[1] + 1.0)


# The watches, for paths of one arm: where the evidence first reaches the level of one arm.


def first(reached: NDArray[np.bool_], times: Floats | None = None) -> NDArray[np.int64]:
    at = reached.argmax(axis=1)
    when = at + 1 if times is None else times[at].astype(int)
    return np.where(reached.any(axis=1), when, NEVER)


def see_over_dispersion(x: Floats, theta: float, level: float) -> NDArray[np.int64]:
    x = x[:, 1:]  # the first is passed over
    n, total, logs = counts_ahead(x), np.cumsum(x, axis=1), []
    for excess in over_dispersion.EXCESSES:
        r = theta / excess
        rises = special.gammaln(x + r) - special.gammaln(r) - x * math.log(r)
        z = total / (n * r)
        logs.append(np.cumsum(rises, axis=1) - r * n * ((1.0 + z) * np.log1p(z) - z))
    return first(log_mean(np.array(logs)) >= level, n + 1.0)


def see_uneven_durations(x: Floats, theta: float, level: float) -> NDArray[np.int64]:
    n, total, logs = counts_ahead(x), np.cumsum(x, axis=1), []
    values, chances = durations.gamma_nodes(1.0)
    tilts = np.exp(np.linspace(-12.0, 6.0, 20001))
    for power, beta in durations.ALTERNATIVES:
        factors = (1.0 + values / tilts[:, None]) ** -power * chances
        shares = factors.sum(axis=1)
        rates = factors @ values / shares  # τm
        gains = np.log(rates) + 1.0 - rates - np.log(shares)
        means = np.log(rates / tilts)  # of m/β
        gain = np.interp(np.log(total / (n * beta * theta)), means[::-1], gains[::-1])
        logs.append(n * gain - power * np.cumsum(np.log1p(x / (beta * theta)), axis=1))
    return first(log_mean(np.array(logs)) >= level)


def see_uneven_batches(x: Floats, size: float, level: float, every: int = 4) -> NDArray[np.int64]:
    """Batches of one size."""
    paths, length = x.shape
    states = np.zeros((len(batches.EXCESSES), 3, paths))
    total, found, times = np.cumsum(x, axis=1), [], []
    for i in range(length):
        trials = (i + 1) * size + 2.0
        middle = 2.0 * np.arcsin(np.sqrt((total[:, i] + 1.0) / trials))
        width = 1.0 / math.sqrt(trials)
        if i > batches.KEPT:  # the first is passed over
            states += _parabolas(x[:, i - batches.KEPT, None], size, middle, width)
        if (i + 1) % every == 0:
            recent = _parabolas(x[:, max(1, i + 1 - batches.KEPT) : i + 1], size, middle, width)
            height, slope, bend = np.moveaxis(states + recent, 1, 0)
            with np.errstate(divide="ignore", invalid="ignore"):
                low = np.where(bend > 0.0, height - 0.25 * slope**2 / bend, np.minimum(height, 0.0))
            found.append(log_mean(low) >= level)
            times.append(i + 1.0)
    return first(np.array(found).T, np.array(times))


def _parabolas(x: Floats, m: float, middle: Floats, width: float) -> Floats:
    rates = np.sin(0.5 * (middle[:, None] + width * np.array([-1.0, 0.0, 1.0]))) ** 2
    p = rates.T[:, :, None]
    found = []
    for excess in batches.EXCESSES:
        weight = m / excess
        a, b = p * weight, (1.0 - p) * weight
        values = special.gammaln(x + a) - special.gammaln(a) - x * np.log(p)
        values += special.gammaln(m - x + b) - special.gammaln(b) - (m - x) * np.log1p(-p)
        values -= math.lgamma(m + weight) - math.lgamma(weight)
        below, centre, above = values.sum(axis=2)
        slope = (above - below) / (2.0 * width)
        bend = np.maximum((above - 2.0 * centre + below) / (2.0 * width**2), 0.0)
        constant = centre - (slope - bend * middle) * middle
        found.append((constant, slope - 2.0 * bend * middle, bend))
    return np.array(found)


def see_wide_scatter(x: Floats, sigma: float, level: float) -> NDArray[np.int64]:
    n, total = counts_ahead(x), np.cumsum(x, axis=1)
    squares = (np.cumsum(x**2, axis=1) - total**2 / n) / sigma**2
    logs = [
        0.5 * (1.0 - c**-2.0) * squares - (n - 1.0) * math.log(c) for c in wide_scatter.EXCESSES
    ]
    return first((log_mean(np.array(logs)) >= level) & (n > 1.0))


def see_skewness(x: Floats, level: float) -> NDArray[np.int64]:
    n = counts_ahead(x)
    m, m2, m3 = (np.cumsum(x**k, axis=1) / n for k in (1, 2, 3))
    var = m2 - m**2
    with np.errstate(divide="ignore", invalid="ignore"):
        g = (m3 - 3.0 * m * m2 + 2.0 * m**3) / var**1.5
    far = -stats.norm.ppf(0.5 * math.exp(-level) / skewness.AS_MANY_LOOKS)
    reached = (np.abs(g) > skewness.LARGEST) & (n >= skewness.ENOUGH)
    rows, columns = np.nonzero(reached)
    scores = [skewness.normal_score(g[i, j], n[j]) for i, j in zip(rows, columns, strict=True)]
    reached[rows, columns] = np.abs(scores) >= far
    return first(reached)


def see_lopsided(x: Floats, level: float) -> NDArray[np.int64]:
    threes = np.sort(x[:, : x.shape[1] // 3 * 3].reshape(len(x), -1, 3), axis=2)
    right = np.cumsum(threes[:, :, 0] + threes[:, :, 2] > 2.0 * threes[:, :, 1], axis=1)
    both = counts_ahead(right)
    a = lopsided.PRIOR
    logs = special.betaln(right + a, both - right + a) - special.betaln(a, a)
    return first(logs + both * math.log(2.0) >= level, 3.0 * both)


def see_drift(watch: drift.Drift, x: Floats, level: float) -> NDArray[np.int64]:
    """At the looks, with the watch's own tails."""
    ends = [int(drift.due(k)) for k in range(drift.LOOKS)]
    total, when = np.cumsum(x, axis=1), np.full(len(x), NEVER)
    least = -level - math.log(2.0 * drift.LOOKS * drift.SPLITS)
    tail = np.vectorize(lambda *parts: watch.log_tail(0, *parts), otypes=[float])
    for number, end in enumerate(ends):
        for back in drift.BACK:
            if end > x.shape[1] or number < back:
                continue
            split = ends[number - back]
            before, after = total[:, split - 1], total[:, end - 1] - total[:, split - 1]
            logs = tail(float(split), before, float(end - split), after)
            when = np.where((logs <= least) & (when == NEVER), end, when)
    return when


# The certificates of one arm, both sides: where they first are at ln(1/α).


def wrong_by_sums(
    model: Outcome, theta: float, totals: Floats, n: Floats
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For the engine's models, whose certificates rise with the sum."""
    numbers, found = np.asarray(model.numbers(theta, 1.0, Levels())), []
    for at, sign in ((tilts.GOOD_SLOPES, 1.0), (tilts.BAD_SLOPES, -1.0)):
        parts = (numbers[i : i + tilts.STEPS] for i in (tilts.LOG_WEIGHTS, at, at + tilts.STEPS))
        needed = tilts.needed_sums(tilts.Terms(*parts), n, -math.log(ALPHA))
        found.append(first(sign * totals >= needed))
    return found[0], found[1]


def wrong_by_student(x: Floats, theta: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n, d = counts_ahead(x), x - theta
    total = np.cumsum(d, axis=1)
    squares = np.maximum(np.cumsum(d**2, axis=1) - total**2 / n, 0.0)
    found = []
    for sign in (1.0, -1.0):
        logs = []
        for rho in PRECISIONS:
            with np.errstate(divide="ignore", invalid="ignore"):
                r = total**2 / ((n + rho) * squares + rho * total**2 / n)
            y = np.log1p(r)
            z = np.where(sign * total > 0.0, np.sqrt((n - 0.5) * y), -np.sqrt(n * y))
            log = math.log(2.0) + 0.5 * np.log(rho / (n + rho)) + 0.5 * n * y
            logs.append(log + special.log_ndtr(z))
        found.append(first((log_mean(np.array(logs)) >= -math.log(ALPHA)) & (n >= 5.0)))
    return found[0], found[1]


# What is simulated


Wrong = tuple[NDArray[np.int64], NDArray[np.int64]]
Played = tuple[dict[str, NDArray[np.int64]], Wrong | None]
Draw = Callable[[np.random.Generator, int, int], Floats]


class Case(NamedTuple):
    """Outcomes, in words, and what they are taken for."""

    name: str
    model: Outcome
    theta: float
    draw: Draw
    size: float = 1.0  # of a batch
    moves: bool = False  # then it has no mean that certificates could be wrong about


def play(model: Outcome, theta: float, x: Floats, size: float = 1.0) -> Played:
    """When each watch first doubts, and when the certificates first reach their level."""
    n, seen, wrong = counts_ahead(x) * size, {}, None
    for watch in model.watches(theta):
        seen[watch.name] = _see(watch, model, theta, x, size)
    totals = np.cumsum(x, axis=1)
    if isinstance(model, Exponential):
        wrong = wrong_by_sums(model, theta, totals / theta, n)
    elif isinstance(model, Poisson | Bernoulli):
        wrong = wrong_by_sums(model, theta, totals, n)
    elif isinstance(model, Gaussian) and model.sigma is not None:
        wrong = wrong_by_sums(model, theta, (totals - n * theta) / model.scales(1)[0], n)
    elif isinstance(model, Gaussian):
        wrong = wrong_by_student(x, theta)
    return seen, wrong


def _see(watch: Watch, model: Outcome, theta: float, x: Floats, size: float) -> NDArray[np.int64]:
    level, never = watch.level(), np.full(len(x), NEVER)
    if isinstance(watch, drift.DriftAcross):
        return see_drift(watch, (x > theta).astype(float), level)
    if isinstance(watch, drift.Drift):
        return never if size > 1.0 else see_drift(watch, x, level)  # batches: their own watch
    if watch.name == over_dispersion.OverDispersion.name:
        return see_over_dispersion(x, theta, level)
    if watch.name == durations.UnevenDurations.name:
        return see_uneven_durations(x, theta, level)
    if watch.name == batches.UnevenBatches.name:
        return see_uneven_batches(x, size, level) if size > 1.0 else never
    if watch.name == wide_scatter.WideScatter.name:
        return see_wide_scatter(x, model.scales(1)[0], level)
    if isinstance(watch, lopsided.Lopsided):
        return see_lopsided(x, level)
    if isinstance(watch, skewness.Skewness):
        return see_skewness(x, level)
    return never  # few distinct values: none of these laws


def sound() -> Iterator[Case]:
    """Outcomes of the declared kind."""
    for rate in (0.3, 3.0, 200.0):
        yield Case(f"Poisson, mean {rate:g}", Poisson(), rate, of(stats.poisson(rate)))
    yield Case("Poisson, mean 1, bar 3", Poisson(), 3.0, of(stats.poisson(1.0)))
    yield Case("exponential", Exponential(), 1.0, of(stats.expon()))
    yield Case("exponential, mean 5, bar 1", Exponential(), 1.0, of(stats.expon(scale=5.0)))
    for size, rate in ((1000, 0.04), (1000, 0.5), (10, 0.04), (2, 0.9)):
        draw = of(stats.binom(size, rate))
        yield Case(f"batches of {size} at {rate:g}", Bernoulli(), rate, draw, float(size))
    for rate in (0.04, 0.3, 0.5):
        yield Case(f"yes or no at {rate:g}", Bernoulli(), rate, of(stats.bernoulli(rate)))
    yield Case("normal, σ known", Gaussian(1.0), 0.0, of(stats.norm()))
    yield Case("normal, σ not known", Gaussian(), 0.0, of(stats.norm()))
    yield Case("normal as symmetric", Symmetric(), 0.0, of(stats.norm()))
    yield Case("Student t, 2 freedoms, as symmetric", Symmetric(), 0.0, of(stats.t(2.0)))


def broken() -> Iterator[Case]:
    """Outcomes of another kind, with mean θ."""
    for ratio in (2.0, 1.3):
        law = stats.nbinom(3.0 / (ratio - 1.0), 1.0 / ratio)
        yield Case(f"negative binomial, variance {ratio:g} × mean", Poisson(), 3.0, of(law))
    durable = {
        "gamma, shape 0.5": stats.gamma(0.5),
        "gamma, shape 0.8": stats.gamma(0.8),
        "Weibull, shape 0.7": stats.weibull_min(0.7),
        "lognormal(0, 1)": stats.lognorm(1.0),
        "lognormal(0, 1.5)": stats.lognorm(1.5),
    }
    for name, law in durable.items():
        yield Case(f"{name}, as exponential", Exponential(), float(law.mean()), of(law))
    for size, rate, sd in ((1000, 0.04, 0.006), (50, 0.5, 0.07)):
        weight = rate * (1.0 - rate) / sd**2 - 1.0
        law = stats.betabinom(size, rate * weight, (1.0 - rate) * weight)
        name = f"batches of {size} at {rate:g}, sd {sd:g}"
        yield Case(name, Bernoulli(), rate, of(law), float(size))
    yield Case("σ is 1.5 times the declared one", Gaussian(1.0), 0.0, of(stats.norm(0.0, 1.5)))
    skewed = {"exponential": stats.expon(), "gamma, shape 4": stats.gamma(4.0)}
    for name, law in (skewed | {"lognormal(0, 1)": durable["lognormal(0, 1)"]}).items():
        yield Case(f"{name}, as normal, σ not known", Gaussian(), float(law.mean()), of(law))
    yield Case("exponential as symmetric", Symmetric(), 1.0, of(stats.expon()))
    for change, late in ((200, 0.5), (500, 0.4)):
        draw = of(stats.bernoulli(0.3), stats.bernoulli(late), change)
        name = f"rate from .3 to {late:g} after {change}"
        yield Case(name, Bernoulli(), 0.35, draw, moves=True)
    draw = of(stats.norm(-0.3), stats.norm(0.3), 200)
    yield Case("mean from −.3σ to .3σ after 200", Gaussian(), 0.0, draw, moves=True)


def of(law: Any, later: Any = None, change: int = 0) -> Draw:
    """Independent draws; from another law after a change."""

    def draw(generator: np.random.Generator, paths: int, length: int) -> Floats:
        x = law.rvs((paths, length), random_state=generator).astype(float)
        if later is not None:
            x[:, change:] = later.rvs((paths, length - change), random_state=generator)
        return np.asarray(x)

    return draw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paths", type=int, default=4000)
    parser.add_argument("--length", type=int, default=2000)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    rows: list[dict[str, Any]] = []
    print(f"Ever doubted though sound, in % (at most {100 * DOUBT:g} in all)")
    for number, case in enumerate(sound()):
        if asked.only in case.name:
            rows.append(report_sound(case, asked, number))
    print("\nBroken: outcomes until the first doubt; wrong certificates, and those before it, in %")
    for number, case in enumerate(broken(), 100):
        if asked.only in case.name:
            rows.append(report_broken(case, asked, number))
    if asked.json is not None:
        asked.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False))


def simulate(case: Case, paths: int, length: int, seed: tuple[int, int]) -> Played:
    """In blocks, to save memory; a fifth of the length for batches, which are slow."""
    generator, length = np.random.default_rng(seed), length // 5 if case.size > 1.0 else length
    blocks = [
        play(case.model, case.theta, case.draw(generator, BLOCK, length), case.size)
        for _ in range(math.ceil(paths / BLOCK))
    ]
    seen = {name: np.concatenate([block[0][name] for block in blocks]) for name in blocks[0][0]}
    wrong = [block[1] for block in blocks if block[1] is not None]
    if not wrong:
        return seen, None
    above, below = (np.concatenate(side) for side in zip(*wrong, strict=True))
    return seen, (above, below)


def report_sound(case: Case, asked: argparse.Namespace, number: int) -> dict[str, Any]:
    seen, _ = simulate(case, asked.paths, asked.length, (asked.seed, number))
    shares = {name: float(np.mean(when < NEVER)) for name, when in seen.items()}
    texts = (f"{name} {100 * share:.2f}" for name, share in shares.items())
    print(f"  {case.name:38s} {'; '.join(texts)}", flush=True)
    return {"outcomes": case.name, "model": case.model.text(), "doubted": shares}


def report_broken(case: Case, asked: argparse.Namespace, number: int) -> dict[str, Any]:
    seen, wrong = simulate(case, asked.paths // 4, asked.length, (asked.seed, number))
    when = np.min(list(seen.values()), axis=0)
    low, median, high = (_time(np.quantile(when, q, method="higher")) for q in (0.25, 0.5, 0.75))
    row = {
        "outcomes": case.name,
        "model": case.model.text(),
        "doubted": float(np.mean(when < NEVER)),
        "quartiles": [low, median, high],
    }
    line = f"  {case.name:58s} {100 * row['doubted']:5.1f} %  {low} / {median} / {high}"
    if wrong is not None and not case.moves:
        row["wrong"] = [float(np.mean(side < NEVER)) for side in wrong]
        row["wrong before"] = [float(np.mean(side < np.minimum(when, NEVER))) for side in wrong]
        line += "  " + "  ".join(
            f"{100 * all_:.1f} → {100 * before:.1f}"
            for all_, before in zip(row["wrong"], row["wrong before"], strict=True)
        )
    print(line, flush=True)
    return row


def _time(when: float) -> str:
    return "never" if when >= NEVER else f"{when:.0f}"


if __name__ == "__main__":
    main()
