"""What came out of a gate."""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from goodarm.files import write
from goodarm.instance.instance import ABOVE
from goodarm.showing.forest import AGAINST, FOR, DrawnArm, both_ends
from goodarm.showing.markup import Html
from goodarm.showing.page import path_of_page
from goodarm.showing.snippet import MOST_IN_SHORT, WIDTH, Shown
from goodarm.wording import confidence, counted, figure, wrapped

ONE_CLEARS, NONE_CLEARS, UNDECIDED = "clears", "none", "undecided"
STOPPED, INTERRUPTED = "stopped", "interrupted"
EXIT_CODES = {ONE_CLEARS: 0, NONE_CLEARS: 1, UNDECIDED: 3, STOPPED: 4, INTERRUPTED: 130}
NO_LIMIT = ("−∞", "∞")


@dataclass(frozen=True)
class ArmTally:
    """The outcomes of one arm: how many, their mean, and limits of the true mean.

    A limit is None where there is none. Where a study asks for more than one arm that clears one
    bar, `standing` is what is certain of the arm, or that it is the control, or retired; and where
    a trial has several measurements, `measure` is the one whose mean and limits these are.
    """

    arm: str
    count: int
    mean: float | None
    low: float | None
    high: float | None
    standing: str | None = None
    measure: str | None = None

    @property
    def limits(self) -> str:
        """Both limits, for people."""
        low, high = NO_LIMIT
        low = low if self.low is None else figure(self.low, 3)
        return f"{low} to {high if self.high is None else figure(self.high, 3)}"

    @property
    def text(self) -> str:
        """The arm in a line."""
        name = self.arm if self.standing is None else f"{self.arm} ({self.standing})"
        what = "" if self.measure is None else f"{self.measure}: "
        mean = f"{what}mean {figure(self.mean)}, limits {self.limits}"
        return f"{name}: {counted(self.count, 'trial')}, {mean}"


@dataclass(frozen=True, repr=False)
class GateResult(Shown):
    """The answer of a gate, and what it rests on; true in a condition if an arm clears the bar.

    `verdict` is "clears" (and `arm` the one that does), "none", "undecided" (the budget is used
    up), "stopped" (a trial gave no outcome: `error`) or "interrupted". `unused` trials were
    running, or waited for one that was, when the gate ended: they do not count. `failed` counts
    the errors that were taken for failures, `retried` those that were tried again. Where all this
    is kept in a `study`, `made` is how many of its trials were made this time, and `elsewhere` how
    many others are making still. One that asks for more than one arm that clears one bar says in
    `meaning` what its answer is; its `bar` is None if there is no such number.
    """

    verdict: str
    arm: str | None
    bar: float | None
    goal: str
    delta: float | None
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
    study: str | None = None
    made: int | None = None
    elsewhere: int = 0
    meaning: str | None = None

    def __bool__(self) -> bool:
        return self.passed

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
        if self.verdict == STOPPED:
            return f"Stopped, undecided: {self.error}"
        is_certain = self.verdict in (ONE_CLEARS, NONE_CLEARS)
        why = "interrupted" if self.verdict == INTERRUPTED else self.error
        undecided = f"Undecided, {why or 'the budget is used up'}"
        if self.meaning is not None:
            return self.meaning if is_certain else f"{undecided}. {self.meaning}"
        reached, missed = ("at least", "below") if self.goal == ABOVE else ("at most", "above")
        bar, beyond = f"{reached} {self.bar:g}", f"{missed} {self.bar:g}"
        sure = f"confidence {confidence(self.confidence)}"
        if self.verdict == ONE_CLEARS:
            return f"{self.arm} clears the bar: its mean is {bar} ({sure})."
        if not is_certain:
            return f"{undecided}: nobody can be sure yet whether a mean is {bar} ({sure})."
        if len(self.arms) == 1:
            return f"{self.arms[0].arm} does not clear the bar: its mean is {beyond} ({sure})."
        return f"No arm clears the bar: every mean is {beyond} ({sure})."

    @property
    def facts(self) -> str:
        """How many trials it took, and what became of those that did not go as they should."""
        most = "" if self.budget is None else f" of at most {self.budget:,}"
        said = [f"{counted(self.trials, 'trial')}{most}"]
        if self.made is not None and self.made != self.trials:
            said.append(f"{self.made:,} of them now")
        if self.elsewhere:
            are = "is" if self.elsewhere == 1 else "are"
            said.append(f"{self.elsewhere:,} more {are} running elsewhere")
        if self.failed:
            said.append(f"{counted(self.failed, 'error')} counted as failures")
        if self.retried:
            said.append(f"{counted(self.retried, 'error')} tried again")
        if self.unused:
            were = "was" if self.unused == 1 else "were"
            said.append(f"{self.unused:,} more {were} running at the end and cancelled")
        return "; ".join(said) + "."

    def lines(self, width: int = WIDTH, most: int | None = None) -> Iterator[str]:
        """The result for people, in lines that fit; with `most`, of that many arms at most."""
        for said in (*self.headline.splitlines(), self.facts):
            yield from wrapped(said, width, cut=True)
        shown = self.arms if most is None else both_ends(self.arms, most, self._rank)
        for tally in shown:
            yield from wrapped(tally.text, width, "  ", "    ", cut=True)
        if len(shown) < len(self.arms):
            yield f"  … and {len(self.arms) - len(shown):,} more in between"

    def report(self, path: str | Path, command: str | None = None) -> Path:
        """Write the result to an HTML file that needs nothing else, to be sent to others.

        `command` is what was tried, if the file is to say it. A file that is there is replaced.
        """
        from goodarm.gating.page import gate_page

        target = path_of_page("path", path)
        write(target, gate_page(self, command))
        return target

    def drawn_arms(self) -> list[DrawnArm]:
        """The arms as pictures take them."""
        against = AGAINST if self.verdict == NONE_CLEARS else ""
        return [
            DrawnArm(
                name=tally.arm,
                count=tally.count,
                mean=tally.mean,
                low=tally.low,
                high=tally.high,
                look=FOR if self._is_named(tally) else against,
                rank=self._rank(tally),
                leads=self._is_named(tally),
            )
            for tally in self.arms
        ]

    def _is_named(self, tally: ArmTally) -> bool:
        return self.passed and tally.arm == self.arm

    def _rank(self, tally: ArmTally) -> float:
        """How good an arm looks: the one that is named comes first."""
        if self._is_named(tally):
            return math.inf
        if tally.mean is None or self.bar is None:
            return 0.0
        return tally.mean - self.bar if self.goal == ABOVE else self.bar - tally.mean

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data."""
        return {**asdict(self), "passed": self.passed, "exit_code": self.exit_code}

    def _in_short(self) -> Iterator[str]:
        return self.lines(most=MOST_IN_SHORT)

    def _in_html(self) -> Html:
        from goodarm.gating.page import gate_html

        return gate_html(self)
