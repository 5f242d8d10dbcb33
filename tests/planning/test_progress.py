"""How far a plan is: told as it goes, from 0 to 1, to whoever asks; and a way to give up."""

import pytest

from goodarm.planning.planner import answer
from goodarm.planning.question import PlanQuestion, PlanRequest


def question(**change: object) -> PlanQuestion:
    usual = {"means": [0.3, "0.7..0.9"], "threshold": 0.5, "outcome": "bernoulli", "delta": 0.1}
    carried_out = {"algorithms": ["APGAI-FE", "LUCB-G"], "batch": 5, "per_day": 3, "delay": 1}
    return PlanRequest(**{**usual, **carried_out, "runs": 100, **change}).checked()


@pytest.mark.parametrize("change", [{}, {"delta": None, "budget": 40, "algorithms": ["APGAI"]}])
def test_it_grows_to_one(change: dict) -> None:
    """LUCB-G has no answer at every time, which is one simulation fewer."""
    shares: list[float] = []
    answer(question(**change), shares.append)
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] < 0.3
    assert shares[-1] == pytest.approx(1.0)


def test_what_it_raises_ends_the_plan() -> None:
    heard: list[float] = []

    def report(share: float) -> None:
        heard.append(share)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer(question(), report)
    assert len(heard) == 1


def test_less_effort_is_fewer_runs() -> None:
    def played(effort: float) -> int:
        found = answer(question(runs=None, algorithms=["APGAI"]), effort=effort)
        return found.algorithms[0].runs

    assert 200 <= played(0.01) < played(0.05) < 100_000


def test_nothing_depends_on_threads() -> None:
    one, two = (answer(question(), threads=threads).to_dict() for threads in (1, 3))
    assert one == two
