"""What a study needs to know of its outcomes, whatever it asks."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from goodarm.asked_order import AskedOrder
from goodarm.certainty import Limits
from goodarm.outcomes.contract import Past, Reading

NOT_CERTAIN = "undecided"


class Awaiting(Protocol):
    """The evidence as if some outcomes that are still awaited had come in."""

    def expect(self, arm: int) -> None:
        """One more outcome of the arm is awaited."""
        ...

    def next_arm(self) -> int | None:
        """The arm to try next, or None."""
        ...


class SoFar(NamedTuple):
    """What is known of one measurement of an arm."""

    trials: int
    mean: float | None


class StudyEvidence(ABC):
    """The outcomes of a study. Some steer only: they count once those before them are known."""

    orders: tuple[AskedOrder, ...]
    """Of each measurement: what was told, but does not count yet."""
    uses_certificates: bool

    @property
    @abstractmethod
    def told(self) -> int:
        """The number of outcomes that stand."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether the stopping rule has spoken."""

    @property
    @abstractmethod
    def confidence(self) -> float:
        """How sure one may be of the answer now."""

    @property
    @abstractmethod
    def recommendation(self) -> tuple[int, ...]:
        """The arms to bet on now, best first; none where none looks good."""

    @property
    @abstractmethod
    def conclusion(self) -> tuple[int, ...]:
        """The arms that the stopping rule has named; none for "none is good"."""

    @property
    @abstractmethod
    def risk(self) -> float | None:
        """How probable a wrong answer may be; None without δ."""

    @abstractmethod
    def can_stop(self, delta: float) -> bool:
        """Whether the stopping rule would stop now at that δ."""

    @abstractmethod
    def ahead(self) -> Awaiting:
        """To look ahead from: which outcomes are still to come?"""

    @abstractmethod
    def enter(
        self, trial: int, arm: int, measure: int, told: Reading, more: bool, waits: bool
    ) -> None:
        """Enter an outcome; it counts at once unless it `waits` for a trial that is still open."""

    @abstractmethod
    def release(self, arm: int, measure: int, first_open: int | None) -> None:
        """Let those outcomes count that have nothing to wait for any more."""

    @abstractmethod
    def judge(self) -> None:
        """Look at what has changed: is anything certain now?"""

    @abstractmethod
    def past(self, arm: int, measure: int) -> Past:
        """What an arm has shown so far."""

    @abstractmethod
    def others(self, arm: int, measure: int) -> tuple[float, float, float]:
        """Amount, sum and squared scatter of what was told of an arm."""

    @abstractmethod
    def measured(self, arm: int) -> tuple[SoFar, ...]:
        """What was told of an arm, by measurement."""

    @abstractmethod
    def weight(self, arm: int) -> float:
        """W of an arm, of all that was told; 0 where nothing was."""

    @abstractmethod
    def shares(self) -> dict[int, float]:
        """How far each arm with outcomes has come: 1 is good, −1 not good."""

    @abstractmethod
    def standing(self, arm: int, share: float) -> str:
        """What is certain of an arm, in a word."""

    @abstractmethod
    def bar(self, arm: int, measure: int = 0) -> float | None:
        """What the mean of a measurement of an arm must clear; None against a control."""

    @abstractmethod
    def limits(self, measure: int, simultaneous: bool) -> Limits:
        """Lower and upper limits of every arm's mean, of the outcomes that count."""

    @abstractmethod
    def doubts(self) -> Iterator[str]:
        """What the outcomes say against the declared model."""

    @abstractmethod
    def trail(self) -> dict[str, Any]:
        """How the evidence grew."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Everything that the outcomes have left, as plain data."""

    @abstractmethod
    def restore(self, state: dict[str, Any]) -> None:
        """Take up what evidence of the same settings has given away."""

    def waiting(self, arm: int) -> int:
        """How many outcomes of the arm wait."""
        return sum(order.waiting(arm) for order in self.orders)

    def waiting_arms(self) -> list[int]:
        """The arms with outcomes that wait."""
        return sorted({arm for order in self.orders for arm in order.arms()})
