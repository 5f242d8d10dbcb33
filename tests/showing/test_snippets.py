"""What results say of themselves in a terminal and in a notebook."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np
import pytest

import goodarm
from goodarm.gating.result import ArmTally, GateResult
from goodarm.planning import Estimate, Plan, PlanRequest, Recommendation, TrialsUntilSure
from goodarm.planning.by_algorithm import AlgorithmPlan
from goodarm.showing.snippet import Shown
from goodarm.simulation import AnytimeResult, Comparison, RareErrors, RunResult
from goodarm.simulation.job import make_job
from goodarm.study import StorageError, Study

Reader = Callable[[str], Element]
HOSTILE = "<script>alert('&')</script>"
INSTANCE = goodarm.Instance(0.5, [0.7, 0.4], names=[HOSTILE, "b"])


def run_result() -> RunResult:
    job = make_job("APGAI", INSTANCE, "fixed-confidence", 100, delta=0.05)
    times, answers = np.array([10, 20, 100]), np.array([0, 1, -1], dtype=np.int32)
    stopped = np.array([True, True, False])
    return RunResult(job, 0, 3, np.array([80, 50]), 1.0, times, answers, stopped)


def fixed_budget() -> RunResult:
    result = run_result()
    return replace(result, job=make_job("APGAI", INSTANCE, "fixed-budget", 100))


def anytime_result(defined: int = 4) -> AnytimeResult:
    job = make_job("APGAI", INSTANCE, "anytime", 4, times=[1, 2, 3, 4])
    undefined = np.array([0] * defined + [5] * (4 - defined))
    wrong = np.array([900, 500, 20, 0])
    return AnytimeResult(job, 0, 1000, np.array([2, 2]), 1.0, job.times, wrong, undefined)


def rare(known: bool) -> RareErrors:
    estimates = np.array([[0.2, 1e-6, np.nan], [0.3, 2e-6, np.nan]])
    return RareErrors((5, 50, 500), estimates if known else np.full((2, 3), np.nan), 1000)


def gate_result(count: int) -> GateResult:
    arms = [ArmTally(HOSTILE, 30, 0.9, 0.8, None)]
    arms += [ArmTally(f"arm {i}", 1, i / count, 0.0, 1.0) for i in range(1, count)]
    limits = {"delta": 0.05, "outcome": "bernoulli", "confidence": 0.96, "budget": 1000, "seed": 0}
    ran = {"trials": 29 + count, "unused": 0, "failed": 0, "retried": 0, "seconds": 1.0}
    question = {"bar": 0.7, "goal": "above", "error": None, "arms": tuple(arms)}
    return GateResult(verdict="clears", arm=HOSTILE, **limits, **ran, **question)  # type: ignore[arg-type]


def plan_of(delta: float | None) -> Plan:
    """A plan as a simulation would make it."""
    means = [0.4, 0.8]
    asked = PlanRequest(threshold=0.5, outcome="bernoulli", means=means, delta=delta, budget=90)
    rate = Estimate(0.01, 0.0, 0.03)
    quantiles = {"0.05": 5.0, "0.5": 20.0, "0.9": 80.0, "0.95": None}
    trials = TrialsUntilSure(Estimate(30.0, 25.0, None), quantiles, Estimate(0.1, 0.0, 0.2), 90)
    algorithms = tuple(
        AlgorithmPlan(name, "mixture", 100, trials if delta else None, {}, rate, {}, ())
        for name in ("Prospector", HOSTILE)
    )
    best = Recommendation("Prospector", f"Because of {HOSTILE}.", "trials", "Prospector", {})
    return Plan(asked.checked(), algorithms, best, ())


CASES: dict[str, tuple[Callable[[], Shown], str]] = {
    "runs": (run_result, "δ = 0.05, 3 runs: stopping time 43.33 ± 28"),
    "runs at the cap": (run_result, "33.3 % at the cap, wrong 33.3 %"),
    "a budget": (fixed_budget, "budget 100, 3 runs: wrong 66.7 %"),
    "any time": (anytime_result, "wrong 90 % at t = 1, 50 % at t = 2, 0 % at t = 4"),
    "no answer yet": (lambda: anytime_result(0), "wrong –"),
    "rare errors": (lambda: rare(True), "wrong 0.25 ± 0.05 at t = 5"),
    "none estimated": (lambda: rare(False), "nowhere estimated"),
    "a comparison": (
        lambda: Comparison(HOSTILE, "b", "error", -0.5, 0.1, -0.7, -0.3, 0.2),
        "error −0.5 (−0.7 to −0.3)",
    ),
    "a single run": (
        lambda: Comparison("a", "b", "error", 0.5, np.inf, -np.inf, np.inf, 0.0),
        "+0.5 (−∞ to ∞)",
    ),
    "a gate": (lambda: gate_result(1), "30 trials, mean 0.9, limits 0.8 to ∞"),
    "a gate of many": (lambda: gate_result(100), "… and 93 more in between"),
    "a certificate": (
        lambda: goodarm.certificate("bernoulli", 0.85, [1] * 42),
        "The mean is above 0.85.",
    ),
    "nothing certified": (lambda: goodarm.certificate("gaussian", 0.85, []), "Neither side"),
    "a plan": (lambda: plan_of(0.05), "more than 30 trials on average (5–95 % 5 to > 90, 10.0 %"),
    "a plan without δ": (lambda: plan_of(None), "Prospector: wrong 1.0 % (0.0 % to 3.0 %)"),
}


@pytest.mark.parametrize("case", CASES)
def test_it_says_what_it_is(harmless: Reader, case: str) -> None:
    make, said = CASES[case]
    thing = make()
    assert said in repr(thing)
    assert len(repr(thing).splitlines()) <= 11
    shown = harmless(thing._repr_html_())
    assert any(element.tag == "strong" and element.text for element in shown.iter())
    assert HOSTILE not in thing._repr_html_()


def test_everything_that_ends_a_cell_says_what_it_is() -> None:
    shown = ["AnytimeResult", "Certificate", "Comparison", "GateResult", "Plan", "RareErrors"]
    for name in [*shown, "RunResult", "Status", "Study"]:
        kind: Any = getattr(goodarm, name)
        assert kind.__repr__ is Shown.__repr__, name
        assert callable(kind._repr_html_), name


def test_a_study_and_its_status(harmless: Reader, tmp_path: Path) -> None:
    names = [f"{HOSTILE} {i}" for i in range(100)]
    study = Study.create("s", names, 0.5, "bernoulli", storage=tmp_path / "s.db", delta=0.05)
    harmless(study._repr_html_())
    assert "0 trials, confidence 0 % (aims at 95 %)" in repr(study)
    study.tell_many([(name, i % 2) for i, name in enumerate(names)])
    study.ask(3)
    lines = repr(study).splitlines()
    assert lines[0] == f"Study in sqlite:///{tmp_path}/s.db"
    assert lines[1:] == repr(study.status()).splitlines()
    assert len(lines) <= 13
    assert "  … and 93 more in between" in lines
    assert lines[-1] == "100 trials, 3 pending, confidence 0 % (aims at 95 %)"
    for thing in (study, study.status()):
        text = "".join(harmless(thing._repr_html_()).itertext())
        assert "… and 88 more" in text
        assert f"{HOSTILE} 0" in text or f"{HOSTILE} 1" in text
    assert "ruled out" in study._repr_html_(), "the evidence is drawn"


def test_a_study_whose_database_is_gone_says_so(tmp_path: Path) -> None:
    study = Study.create("s", ["a"], 0.5, "bernoulli", storage=tmp_path / "s.db")
    (tmp_path / "s.db").unlink()
    with pytest.raises(StorageError):
        study.status()
    assert "Study 's' cannot be read" in repr(study)
    assert "cannot be read" in study._repr_html_()
