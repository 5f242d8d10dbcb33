"""Which outcomes count for the certificates: those of each arm, in the order of asking.

The outcomes of an arm in the order in which their trials were asked are independent draws, whatever
is told when. So what counts is what is known of them up to the first trial that is still open:
neither the order of telling nor a delay that depends on the value can then hurt. Trials that were
withdrawn or have expired are skipped; an outcome without an ask has the number of its entry.
"""

from heapq import heappop, heappush

from goodarm.outcomes.contract import Reading


class AskedOrder:
    """Outcomes that were told, but wait for a trial of their arm that was asked before them."""

    def __init__(self) -> None:
        # By arm: a heap of trials with their outcomes.
        self._waiting: dict[int, list[tuple[int, Reading]]] = {}

    def put(self, arm: int, trial: int, told: Reading) -> None:
        """Take in an outcome."""
        heappush(self._waiting.setdefault(arm, []), (trial, told))

    def release(self, arm: int, first_open: int | None) -> list[Reading]:
        """The outcomes of the arm that count from now on, given its first open trial."""
        waiting = self._waiting.get(arm, [])
        ready = []
        while waiting and (first_open is None or waiting[0][0] < first_open):
            ready.append(heappop(waiting)[1])
        return ready

    def waiting(self, arm: int) -> int:
        """How many outcomes of the arm wait."""
        return len(self._waiting.get(arm, ()))

    def arms(self) -> list[int]:
        """The arms with outcomes that wait."""
        return sorted(arm for arm, trials in self._waiting.items() if trials)

    def state(self) -> list[list[float]]:
        """What waits, as plain data."""
        return sorted([a, t, *told] for a, trials in self._waiting.items() for t, told in trials)

    def restore(self, state: list[list[float]]) -> None:
        """Take up what `state` gave away."""
        for arm, trial, value, size in state:
            self.put(int(arm), int(trial), Reading(value, size))
