"""What certainty costs: trials with the paper's stopping rule, with certificates, and at the least.

    python bench/price_of_certainty.py [--runs N] [--out FILE]

Four measurements at δ = 0.05, all rules on the same outcomes (one seed):

* questions that people ask, with the paper's rule (`glr`, every outcome as Gaussian), with
  certificates that take every outcome as Gaussian, too, and with those of the outcome's own model
  (`mixture`); each time the better of two sampling rules;
* the paper's instances, with the default algorithm;
* one arm, against its distance from the bar, beside the lower bound ln(1/δ)/KL;
* one arm exactly at the bar, the hardest place: how often the answer is wrong, as a share of δ.

Writes docs/data/price.json, which examples/price_figure.py turns into the picture and the tables
of docs/price.md.
"""

import argparse
import json
import math
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

from goodarm import Instance, simulate
from goodarm.defaults import ALGORITHM
from goodarm.instance import instances
from goodarm.theory import lower_bound

DELTA, SEED, CAP = 0.05, 1, 20_000_000
FEWER = 10  # rules that need many more trials get a tenth of the runs
MORE = 4  # wrong answers are rare, so that more runs are needed to count them
RULES = (ALGORITHM, "APGAI-FE")
STOPPING = {  # what it is called in the data: boundary, what outcomes are taken for
    "glr": ("glr", "sub-gaussian"),
    "plain": ("mixture", "sub-gaussian"),
    "mixture": ("mixture", None),
}
PROMPTS = [*np.linspace(0.80, 0.88, 11).tolist(), 0.95]
QUESTIONS = {  # in words: bar, rates
    "five variants at .02 .025 .03 .035 .05, bar .04": (0.04, [0.02, 0.025, 0.03, 0.035, 0.05]),
    "five variants at .02, bar .04: none is good": (0.04, [0.02] * 5),
    "four at .002, one at .01, bar .005": (0.005, [0.002] * 4 + [0.01]),
    "eleven prompts at .80 to .88, one at .95, bar .90": (0.90, PROMPTS),
    "one option at .98, bar .85": (0.85, [0.98]),
    "one option at .95, bar .85": (0.85, [0.95]),
    "one option at .60, bar .85": (0.85, [0.60]),
}
GAUSSIAN_QUESTIONS = {"Thr1, Gaussian outcomes": "Thr1", "NoA2, Gaussian, none is good": "NoA2"}
EFFECTS = (0.05, 0.07, 0.1, 0.14, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0)
BAR = 0.04
TRIALS_AT_BAR = 3_000
RATES = (
    0.0025, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.034, 0.036,
    0.044, 0.046, 0.05, 0.06, 0.07, 0.08, 0.1, 0.14, 0.2, 0.3, 0.4,
)  # fmt: skip


def measure(instance: Instance, rules: tuple[str, ...], stopping: str, runs: int) -> dict:
    """Mean trials of the better rule, with its standard error and its wrong answers."""
    boundary, outcome = STOPPING[stopping]
    found = simulate(
        instance,
        rules,
        delta=DELTA,
        boundary=boundary,
        outcome=outcome,
        cap=CAP,
        runs=runs,
        seed=SEED,
        threads=1,
    )
    rule = min(found, key=lambda name: found[name].mean)
    best = found[rule]
    assert best.stopped.all(), f"{instance.name}: raise the cap"
    return {
        "rule": rule,
        "mean": round(best.mean, 2),
        "se": round(best.se, 2),
        "runs": runs,
        "wrong": int(best.errors.sum()),
    }


def questions(runs: int) -> Iterator[dict]:
    asked = {
        words: Instance(bar, rates, kind="bernoulli", name=words)
        for words, (bar, rates) in QUESTIONS.items()
    }
    asked |= {words: instances[name] for words, name in GAUSSIAN_QUESTIONS.items()}
    for words, instance in asked.items():
        rules = RULES if instance.K > 1 else RULES[:1]
        few = max(2, runs // FEWER)
        ways = [s for s in STOPPING if s != "plain" or instance.families != ("gaussian",)]
        found = {s: measure(instance, rules, s, runs if s == "mixture" else few) for s in ways}
        yield {"question": words, **found}


def paper_instances(runs: int) -> Iterator[dict]:
    for name, instance in instances.items():
        found = {s: measure(instance, RULES[:1], s, runs) for s in ("glr", "mixture")}
        bound = lower_bound(instance, DELTA).kl_form if instance.families == ("gaussian",) else None
        yield {
            "instance": name,
            "K": instance.K,
            "good": bool(instance.good.any()),
            **found,
            "bound": bound and round(bound, 1),
        }


def one_arm(runs: int) -> Iterator[dict]:
    for effect in EFFECTS:
        arm = Instance(0.0, [effect], name=f"{effect:g} σ")
        yield {"kind": "gaussian", "at": effect, **_against_bound(arm, effect**2 / 2.0, runs)}
    for rate in RATES:
        arm = Instance(BAR, [rate], kind="bernoulli", name=f"rate {rate:g}")
        nats = rate * math.log(rate / BAR) + (1 - rate) * math.log((1 - rate) / (1 - BAR))
        yield {"kind": "bernoulli", "at": rate, **_against_bound(arm, nats, runs)}


def _against_bound(arm: Instance, nats: float, runs: int) -> dict:
    found = {
        "glr": measure(arm, RULES[:1], "glr", max(2, runs // FEWER)),
        "mixture": measure(arm, RULES[:1], "mixture", runs),
    }
    return {**found, "bound": round(-math.log(DELTA) / nats, 2)}


def share_of_delta(runs: int) -> Iterator[dict]:
    """An arm at the bar is good; of two equally likely mistakes only one can count."""
    arms = {
        "gaussian": Instance(0.0, [0.0], name="at the bar"),
        "bernoulli": Instance(BAR, [BAR], kind="bernoulli", name="at the bar"),
    }
    for (kind, arm), stopping in product(arms.items(), ("glr", "mixture")):
        boundary, outcome = STOPPING[stopping]
        found = simulate(
            arm,
            RULES[0],
            delta=DELTA,
            boundary=boundary,
            outcome=outcome,
            cap=TRIALS_AT_BAR,
            runs=MORE * runs,
            seed=SEED,
            threads=1,
        )[RULES[0]]
        low, high = found.error_interval()
        yield {
            "kind": kind,
            "stopping": stopping,
            "trials": TRIALS_AT_BAR,
            "runs": MORE * runs,
            "wrong": int(found.errors.sum()),
            "share": found.error_rate / DELTA,
            "low": low / DELTA,
            "high": high / DELTA,
        }


def show(row: dict) -> None:
    if "share" in row:
        print(f"{row['kind']} at the bar, {row['stopping']}: {row['share']:.2%} of δ", flush=True)
        return
    what = row.get("question") or row.get("instance") or f"{row['kind']} {row['at']:g}"
    means = ", ".join(
        f"{s} {row[s]['mean']:,.0f} ± {row[s]['se']:,.1f} ({row[s]['wrong']} of "
        f"{row[s]['runs']:,} wrong)"
        for s in STOPPING
        if s in row
    )
    print(f"{what}: {means}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--out", type=Path, default=Path("docs/data/price.json"))
    options = parser.parse_args()
    began = time.perf_counter()
    found: dict = {"delta": DELTA, "seed": SEED, "bar": BAR}
    for part in (questions, paper_instances, one_arm, share_of_delta):
        found[part.__name__] = []
        for row in part(options.runs):
            show(row)
            found[part.__name__].append(row)
        print(f"{time.perf_counter() - began:.0f} s", flush=True)
    options.out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
