import pytest

from goodarm import instances, simulate
from goodarm.simulation import trace
from goodarm.simulation.job import make_job


@pytest.mark.parametrize("name", ["Thr1", "NoA1", "RealL", "Med2"])
@pytest.mark.parametrize("algorithm", ["APGAI", "APGAI-FE", "Unif"])
def test_the_replay_ends_where_the_compiled_run_does(name: str, algorithm: str) -> None:
    result = simulate(name, algorithm, delta=0.2, cap=2000, runs=6, seed=12)[algorithm]
    job = make_job(algorithm, instances[name], "fixed-confidence", 2000, seed=12, delta=0.2)
    for number in range(6):
        steps = list(trace(job, number))
        assert len(steps) == result.stopping_times[number]
        assert steps[-1].answer == result.answers[number]
        assert steps[-1].final


def test_a_step_says_what_was_seen() -> None:
    job = make_job("Unif", instances["Thr2"], "fixed-confidence", 40, delta=0.1, boundary="glr")
    steps = list(trace(job, 0))
    first = [step for step in steps if step.arm == 0]
    assert [step.count for step in first] == list(range(1, len(first) + 1))
    values = [step.value for step in first]
    assert first[-1].mean == pytest.approx(sum(values) / len(values))
    gap = (first[-1].mean - 0.35) * len(values) ** 0.5
    assert first[-1].evidence == pytest.approx(gap)
    assert steps[9].level == job.boundary.level(10)


@pytest.mark.parametrize("name", ["Thr1", "RealL"])
def test_a_certificate_needs_the_evidence_that_is_shown(name: str) -> None:
    job = make_job("APGAI", instances[name], "fixed-confidence", 3000, delta=0.1)
    steps = list(trace(job, 4))
    assert steps[-1].final
    assert steps[-1].answer == steps[-1].arm
    assert steps[-1].evidence >= steps[-1].level == steps[0].level
