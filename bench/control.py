"""What it costs that the bar is another option's mean: trials against those of a known bar.

    python bench/control.py [--runs 900] [--delta 0.05] [--cores 2]

An option that differs from the bar by Δ is tried until that is certain; then the same with a
control that has the bar's mean, itself to be learnt. With one option in question theory says four
times the trials: half of them go to the control, and the difference has twice the variance. With k
options that share the control it is Σ(1 + 1/√k)² of what they take at a known bar (question "all",
equal differences): the control is tried √k times as often as each of them.
"""

import argparse
import math
from collections.abc import Sequence

import bare_machine  # noqa: F401  (before goodarm)
from goodarm import Bernoulli, Criterion, Gaussian, Outcome
from goodarm.algorithms import find_algorithm
from goodarm.inquiry.playing import PlayedInquiries
from goodarm.inquiry.processes import Processes, processes
from goodarm.inquiry.question import Question
from goodarm.inquiry.simulating import play_each
from goodarm.inquiry.supposed import Supposed, SupposedArm

CAP = 200_000
PAIRS: tuple[tuple[str, Outcome, float, float], ...] = (
    ("Gaussian, σ = 1, Δ = 1", Gaussian(1.0), 0.0, 1.0),
    ("Gaussian, σ = 1, Δ = −1", Gaussian(1.0), 0.0, -1.0),
    ("Gaussian, σ = 1, Δ = 0.5", Gaussian(1.0), 0.0, 0.5),
    ("yes or no, 0.7 against 0.5", Bernoulli(), 0.5, 0.7),
    ("yes or no, 0.3 against 0.5", Bernoulli(), 0.5, 0.3),
    ("yes or no, 0.3 against 0.1", Bernoulli(), 0.1, 0.3),
    ("yes or no, 0.1 against 0.3", Bernoulli(), 0.3, 0.1),
)
SHARING = (1, 4, 16)


def played(
    work: Processes,
    model: Outcome,
    bar: float,
    means: Sequence[float],
    delta: float,
    runs: int,
    with_control: bool,
) -> PlayedInquiries:
    """Runs with the question "all", at a known bar or against a control that has its mean."""
    given = {"margin": 0.0} if with_control else {"threshold": bar}
    every = [bar, *means] if with_control else list(means)
    supposed = Supposed(
        tuple(f"arm {arm}" for arm in range(len(every))),
        (Criterion.declare(model, **given),),  # type: ignore[arg-type]
        Question.parse("all"),
        delta,
        (tuple(SupposedArm(model, mean, mean) for mean in every),),
        "arm 0" if with_control else None,
    )
    default = [find_algorithm("Prospector")]
    return play_each(work, supposed, default, range(runs), CAP, 1, lambda done, trials: None)[0]


def row(label: str, known: PlayedInquiries, against: PlayedInquiries, theory: float) -> str:
    """Both means, their ratio with its standard error, and what theory says."""
    ratio = against.mean / known.mean
    errors = (against.standard_error / against.mean, known.standard_error / known.mean)
    error = ratio * math.hypot(*errors)
    means = f"{known.mean:9,.1f} {against.mean:9,.1f}"
    return f"{label:30} {means} {ratio:6.2f} ± {error:.2f} {theory:6.2f} {ratio / theory:7.2f}"


def main() -> None:
    """Print a row for each pair, and for each number of options that share a control."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=900)
    parser.add_argument("--delta", type=float, default=0.05)
    parser.add_argument("--cores", type=int)
    options = parser.parse_args()
    ratios = f"{'ratio':>6}   s.e. {'theory':>6} {'/theory':>7}"
    print(f"{'case':30} {'known':>9} {'control':>9} {ratios}", flush=True)
    with processes(options.cores) as work:
        for label, model, bar, mean in PAIRS:
            both = [
                played(work, model, bar, [mean], options.delta, options.runs, with_control)
                for with_control in (False, True)
            ]
            print(row(label, *both, theory=4.0), flush=True)
        for many in SHARING:
            runs = max(60, options.runs // many)  # a sum of so many scatters less
            means = [1.0, -1.0] * (many // 2) or [1.0]
            both = [
                played(work, Gaussian(1.0), 0.0, means, options.delta, runs, with_control)
                for with_control in (False, True)
            ]
            theory = (1.0 + 1.0 / math.sqrt(many)) ** 2
            print(row(f"{many} sharing, Gaussian, |Δ| = 1", *both, theory=theory), flush=True)


if __name__ == "__main__":
    main()
