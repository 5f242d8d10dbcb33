"""δ-correctness of every fixed-confidence rule as it is used."""

import runpy
from pathlib import Path

import pytest

BENCH = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "delta_correctness.py"))


@pytest.mark.parametrize("instance", BENCH["INSTANCES"], ids=lambda i: i.name)
def test_delta_correct(instance) -> None:
    """Wilson's lower limit of the error rate is not above δ (the long version is in bench/)."""
    names = [name for name in BENCH["specs"](instance) if not name.startswith(("AP", "Un"))]
    names += ["APT-G", "S-TaS[order=desc]", "lil-HDoC[warmup=10]", "SEE[beta0=0.02]"]
    assert len(names) > 15
    for cell in BENCH["cells"](names, instance, runs=150, cap=3000):
        assert cell.correct, cell
