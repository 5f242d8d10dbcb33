"""What `goodarm bench` refuses; what it measures is no test."""

import pytest

from goodarm import InputError
from goodarm.simulation.bench import measure


@pytest.mark.parametrize("repeat", [0, -1, 1.5])
def test_at_least_one_measurement(repeat: float) -> None:
    with pytest.raises(InputError, match="repeat: "):
        measure(repeat)
