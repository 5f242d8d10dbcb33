"""What came out of a gate."""

import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from goodarm.instance.instance import ABOVE
from goodarm.wording import confidence, counted, figure

ONE_CLEARS, NONE_CLEARS, UNDECIDED = "clears", "none", "undecided"
STOPPED, INTERRUPTED = "stopped", "interrupted"
EXIT_CODES = {ONE_CLEARS: 0, NONE_CLEARS: 1, UNDECIDED: 3, STOPPED: 4, INTERRUPTED: 130}
NO_LIMIT = ("−∞", "∞")
WIDTH = 78  # characters in a line that is read easily


@dataclass(frozen=True)
class ArmTally:
    """The outcomes of one arm: how many, their mean, and limits of the true mean.

    A limit is None where there is none.
    """

    arm: str
    count: int
    mean: float | None
    low: float | None
    high: float | None

    @property
    def limits(self) -> str:
        """Both limits, for people."""
        low, high = NO_LIMIT
        low = low if self.low is None else figure(self.low, 3)
        return f"{low} to {high if self.high is None else figure(self.high, 3)}"


@dataclass(frozen=True, repr=False)
class GateResult:
    """The answer of a gate, and what it rests on; true in a condition if an arm clears the bar.

    `verdict` is "clears" (and `arm` the one that does), "none", "undecided" (the budget is used
    up), "stopped" (a trial gave no outcome: `error`) or "interrupted". `unused` trials were
    running, or waited for one that was, when the gate ended: they do not count. `failed` counts
    the errors that were taken for failures, `retried` those that were tried again.
    """

    verdict: str
    arm: str | None
    bar: float
    goal: str
    delta: float
    outcome: str
    confidence: float
    trials: int
    budget: int | None
    unused: int
    failed: int
    retried: int
    seed: int
    seconds: float
    error: str | None
    arms: tuple[ArmTally, ...]

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    @property
    def passed(self) -> bool:
        """Whether some arm certainly clears the bar."""
        return self.verdict == ONE_CLEARS

    @property
    def exit_code(self) -> int:
        """0 an arm clears the bar, 1 none does, 3 undecided, 4 stopped, 130 interrupted."""
        return EXIT_CODES[self.verdict]

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        reached, missed = ("at least", "below") if self.goal == ABOVE else ("at most", "above")
        bar, beyond = f"{reached} {self.bar:g}", f"{missed} {self.bar:g}"
        sure = f"confidence {confidence(self.confidence)}"
        if self.verdict == ONE_CLEARS:
            return f"{self.arm} clears the bar: its mean is {bar} ({sure})."
        if self.verdict == NONE_CLEARS and len(self.arms) == 1:
            return f"{self.arms[0].arm} does not clear the bar: its mean is {beyond} ({sure})."
        if self.verdict == NONE_CLEARS:
            return f"No arm clears the bar: every mean is {beyond} ({sure})."
        if self.verdict == STOPPED:
            return f"Stopped, undecided: {self.error}"
        why = "interrupted" if self.verdict == INTERRUPTED else "the budget is used up"
        return f"Undecided, {why}: nobody can be sure yet whether a mean is {bar} ({sure})."

    @property
    def facts(self) -> str:
        """How many trials it took, and what became of those that did not go as they should."""
        most = "" if self.budget is None else f" of at most {self.budget:,}"
        said = [f"{counted(self.trials, 'trial')}{most}"]
        if self.failed:
            said.append(f"{counted(self.failed, 'error')} counted as failures")
        if self.retried:
            said.append(f"{counted(self.retried, 'error')} tried again")
        if self.unused:
            were = "was" if self.unused == 1 else "were"
            said.append(f"{self.unused:,} more {were} running at the end and cancelled")
        return "; ".join(said) + "."

    def lines(self, width: int = WIDTH) -> Iterator[str]:
        """The result for people, in lines that fit."""
        for said in (*self.headline.splitlines(), self.facts):
            yield from _wrapped(said, width)
        for tally in self.arms:
            mean = f"mean {figure(tally.mean)}, limits {tally.limits}"
            text = f"{tally.arm}: {counted(tally.count, 'trial')}, {mean}"
            yield from _wrapped(text, width, "  ")

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data."""
        return {**asdict(self), "passed": self.passed, "exit_code": self.exit_code}


def _wrapped(text: str, width: int, indent: str = "") -> Iterator[str]:
    """Lines that fit; a number stays with its sign of per cent."""
    lines = textwrap.TextWrapper(width, initial_indent=indent, subsequent_indent=2 * indent)
    lines.break_on_hyphens = False
    for line in lines.wrap(text.replace(" %", "\u00a0%")):
        yield line.replace("\u00a0%", " %")
