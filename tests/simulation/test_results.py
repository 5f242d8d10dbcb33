import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from goodarm import InputError, simulate
from goodarm.simulation import wilson


@given(st.integers(1, 10**6), st.floats(0, 1), st.sampled_from([0.9, 0.95, 0.999]))
def test_wilson_against_scipy(runs: int, share: float, level: float) -> None:
    errors = round(share * runs)
    low, high = wilson(errors, runs, level)
    exact = stats.binomtest(errors, runs).proportion_ci(level, method="wilson")
    assert float(low) == pytest.approx(exact.low, rel=1e-9, abs=1e-12)
    assert float(high) == pytest.approx(exact.high, rel=1e-9, abs=1e-12)


def test_wilson_covers_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(0)
    errors = generator.binomial(400, 0.03, size=4000)
    low, high = wilson(errors, 400)
    covered = ((low <= 0.03) & (high >= 0.03)).mean()
    assert 0.93 < covered < 0.98


def test_the_papers_own_intervals() -> None:
    """The table of RealL has 2e-4 to 6e-3 for 1 error in 1,000 runs, 0 to 4e-3 for none."""
    low, high = wilson(1, 1000)
    assert (round(float(low), 4), round(float(high), 3)) == (0.0002, 0.006)
    low, high = wilson(0, 1000)
    assert (float(low), round(float(high), 3)) == (0.0, 0.004)


@pytest.mark.parametrize("write", ["to_json", "to_parquet"])
def test_a_file_that_cannot_be_written_is_named(tmp_path, write: str) -> None:
    result = simulate("Thr2", "Unif", budget=12, runs=2)["Unif"]
    (tmp_path / "taken").touch()
    getattr(result, write)(tmp_path / "new folder" / "result")
    assert (tmp_path / "new folder" / "result").stat().st_size > 0
    with pytest.raises(InputError, match=r"cannot write .*taken/result.*choose another"):
        getattr(result, write)(tmp_path / "taken" / "result")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["taken"]
