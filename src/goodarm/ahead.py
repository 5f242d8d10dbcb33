"""Looking ahead: a run as if the outcomes that are still awaited had come in."""

from collections.abc import Callable

from goodarm.run import THRESHOLD, Run, copy_run
from goodarm.step import Step


class Ahead:
    """A run after t outcomes in which each awaited one has left its arm's mean as it is.

    For an arm without outcomes that mean is the threshold. `mean` gives an arm's mean, None where
    there is none. Of no use any more once an outcome has come in.
    """

    def __init__(self, run: Run, t: int, step: Step, mean: Callable[[int], float | None]) -> None:
        self._run, self._t, self._step, self._mean = run, t, step, mean
        self._is_copy = False

    def expect(self, arm: int) -> None:
        """One more outcome of the arm is awaited."""
        if not self._is_copy:
            self._run, self._is_copy = copy_run(self._run), True
        mean = self._mean(arm)
        self._t += 1
        value = self._run.levels[THRESHOLD] if mean is None else mean
        self._step.receive(self._run, self._t, arm, value)

    def next_arm(self) -> int | None:
        """The arm that the algorithm would try next, or None; asking changes nothing."""
        arm = self._step.choose(self._run, self._t)
        return arm if arm >= 0 else None
