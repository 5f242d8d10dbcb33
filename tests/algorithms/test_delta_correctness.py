"""δ-correctness of every fixed-confidence rule as it is used."""

import runpy
from pathlib import Path

import pytest

from goodarm import Instance, simulate

BENCH = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "delta_correctness.py"))


@pytest.mark.parametrize("instance", BENCH["INSTANCES"], ids=lambda i: i.name)
def test_delta_correct(instance) -> None:
    """Wilson's lower limit of the error rate is not above δ (the long version is in bench/)."""
    names = [name for name in BENCH["specs"](instance) if not name.startswith(("AP", "Un"))]
    names += ["APT-G", "S-TaS[order=desc]", "lil-HDoC[warmup=10]", "SEE[beta0=0.02]"]
    assert len(names) > 15
    for cell in BENCH["cells"](names, instance, runs=150, cap=3000):
        assert cell.correct, cell


def test_the_hardest_nulls() -> None:
    """Every rule and kind of outcome is played; who is wrong depends on the null."""
    names = BENCH["rules"]()
    assert {"Scout", "APGAI", "HDoC", "LUCB-G", "APT-G", "MS", "TaS", "Unif"} <= set(names)
    wanted = BENCH["nulls"]([1, 3], ["APGAI-FE"], runs=400, cap=300)
    assert [null.one for null in wanted] == [False] * 3 + [False, True] * 3
    found = [cell for null in wanted for cell in null.cells("cpu", seed=1)]
    assert all(cell.correct for cell in found)
    assert sum(cell.errors for cell in found) > 10
    for null in wanted:
        good = null.instance.good
        assert good.tolist() == ([True] + [False] * (null.K - 1) if null.one else [False] * null.K)


def test_where_all_arms_are_at_the_bar_only_none_is_wrong() -> None:
    null = BENCH["nulls"]([1], ["Unif"], runs=400, cap=300)[0]
    at, below = null.cells("cpu", seed=1)
    assert at.instance.endswith("all at the bar")
    exact = simulate(Instance(0.0, [0.0]), "Unif", delta=0.05, cap=300, runs=400, seed=1)["Unif"]
    assert at.errors == exact.errors.sum() > 0
    assert at.errors + below.errors == exact.stopped.sum()
