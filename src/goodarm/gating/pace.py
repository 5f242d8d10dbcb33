"""How many trials to ask for ahead, so that no worker waits while outcomes are being recorded."""

import math

WORTH_IT = 0.05  # of a trial's time; what is asked for ahead is asked for knowing less
LEAST_MOST = 4  # trials to be asked for ahead at most, if there are fewer workers
INERTIA = 0.8


class Pace:
    """Watches how long trials take, and how long it takes to record outcomes and ask for more.

    With eight trials of 50 ms at a time and 5 ms to record an outcome four are asked for ahead, and
    two outcomes are recorded together; with trials of a second none, and each at once.
    """

    def __init__(self, many: int) -> None:
        self._many = many  # workers; 0 for those that never look ahead
        self._recording = self._trial = 0.0  # seconds

    @property
    def ahead(self) -> int:
        """How many more trials to ask for than there are workers."""
        return min(2 * self._meanwhile, max(self._many, LEAST_MOST))

    def may_wait(self, begun: int) -> bool:
        """Whether so many trials are enough to wait for another outcome before recording any."""
        return self._meanwhile > 0 and begun >= self._many + self._meanwhile

    @property
    def patience(self) -> float:
        """Seconds for which an outcome may wait to be recorded."""
        return self._trial

    @property
    def _meanwhile(self) -> int:
        """How many trials may well end while outcomes are recorded; 0 if that hardly matters."""
        if self._many == 0 or self._trial == 0.0 or self._recording <= WORTH_IT * self._trial:
            return 0
        mean = self._many * self._recording / self._trial
        return math.ceil(mean + math.sqrt(mean))  # as chance has it, a few more than the mean

    def note(self, recording: float, trial: float) -> None:
        """Recording outcomes has taken so many seconds; a trial takes so many, 0 if unknown."""
        self._recording = smoothed(self._recording, recording)
        self._trial = trial


def smoothed(before: float, now: float) -> float:
    """A mean in which what was long ago counts little; 0 before the first."""
    return now if before == 0.0 else INERTIA * before + (1.0 - INERTIA) * now
