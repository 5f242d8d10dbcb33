"""A worker on a study whose trials are runs of a command, and what it has to say in the end."""

from collections.abc import Callable
from shlex import quote
from time import monotonic

from goodarm.errors import InputError
from goodarm.gating.commands import EXIT, JSON, ValueSource
from goodarm.gating.loop import Loop
from goodarm.gating.progress import Headway
from goodarm.gating.result import (
    INTERRUPTED,
    NONE_CLEARS,
    ONE_CLEARS,
    STOPPED,
    UNDECIDED,
    ArmTally,
    GateResult,
)
from goodarm.gating.workers import Workers
from goodarm.study.log.fold import SPENT
from goodarm.study.log.ledger import Ledger
from goodarm.study.report.status import Status, report
from goodarm.study.storage import open_store
from goodarm.study.working.desk import StudyDesk
from goodarm.study.working.objectives import check_end, check_policy


class StudyWorker:
    """Makes trials of a study until it has its answer; like a gate, but what it does is kept."""

    def __init__(
        self,
        name: str,
        storage: str,
        by: str | None = None,
        on_error: str = "stop",
        trials: int | None = None,
        sure: bool = False,
    ) -> None:
        self._ledger = Ledger.find(open_store(storage).prepare(), name)
        self.settings = self._ledger.look(lambda fold: fold.settings)
        self._policy = check_policy(on_error, self.settings)
        self._most = check_end(trials, self.settings)
        self._desk = StudyDesk(self._ledger, by, self._most, sure, as_text=True)
        self._began = monotonic()

    def check_value(self, value: ValueSource) -> None:
        """Refuse what cannot give the outcomes of this study."""
        criteria = self.settings.every_criterion
        if len(criteria) > 1 and value.kind != JSON:
            names = ", ".join(criterion.name for criterion in criteria)
            raise InputError(
                f"value: a trial has several measurements, {names}; let the command write JSON "
                "with a number for each name, and give --value json (or json:PATH)"
            )
        if value.kind == EXIT and not self.settings.outcome.yes_or_no:
            raise InputError(
                f"value: an exit code is yes or no, and outcomes of this study are "
                f"{self.settings.outcome.text()}; say where the number is, as --value stdout does"
            )

    def loop(self, workers: Workers, heard: Callable[[], object] | None = None) -> Loop:
        """What keeps the trials running."""
        return Loop(self._desk, workers, self._policy, heard)

    def progress(self) -> Headway:
        """How far the study has come."""
        return self._desk.headway()

    def remedies(self) -> list[str]:
        """How trials without an outcome can count all the same."""
        trials = self._desk.without
        which = "it" if len(trials) == 1 else f"trials {', '.join(map(str, trials))}"
        were = "was" if len(trials) == 1 else "were"
        first = f"goodarm study tell {quote(self._ledger.row.name)} {trials[0]} VALUE"
        return [f"{which} {were} cancelled, and {first} tells its outcome all the same"]

    def fates(self, loop: Loop) -> dict[str, list[int]]:
        """What became of trials that ran when no more were to begin, but for the usual end."""
        desk = self._desk
        kept = [trial for trial in loop.let_end if trial not in (*desk.without, *desk.interrupted)]
        return {
            "ended, and the outcome is kept": [] if desk.finished else kept,
            "cancelled while running": desk.interrupted,
            "cancelled for want of an outcome": desk.without,
        }

    def result(self, error: str | None = None, interrupted: bool = False) -> GateResult:
        """Where the study stands."""
        status = self._status()
        if status.decided:
            verdict = NONE_CLEARS if status.decision is None else ONE_CLEARS
        elif interrupted:
            verdict = INTERRUPTED
        else:
            verdict = UNDECIDED if error is None else STOPPED
        desk, model, is_plain = self._desk, self.settings.outcome, status.is_plain
        return GateResult(
            verdict=verdict,
            arm=status.decision,
            bar=status.threshold if is_plain else status.one_bar(),
            goal=status.goal,
            delta=status.risk,
            outcome=model.text(),
            confidence=status.confidence,
            trials=status.trials,
            budget=status.limit,
            unused=len(desk.interrupted),
            failed=desk.failed,
            retried=desk.retried,
            seed=status.seed,
            seconds=monotonic() - self._began,
            error=self._why(status) if verdict == UNDECIDED else error,
            arms=tuple(
                ArmTally(
                    arm=arm.arm,
                    count=arm.count,
                    mean=arm.mean,
                    low=model.low if arm.low is None else arm.low,
                    high=model.high if arm.high is None else arm.high,
                    standing=None if is_plain else arm.standing,
                    measure=arm.measurements[0].name if arm.measurements else None,
                )
                for arm in status.arms
            ),
            study=status.name,
            made=desk.made,
            elsewhere=status.pending,
            meaning=None if is_plain else status.meaning,
        )

    def _status(self) -> Status:
        now = self._ledger.read(lambda transaction: transaction.now())
        return self._ledger.look(lambda fold: report(fold, now))

    def _why(self, status: Status) -> str | None:
        """Why there is no answer yet."""
        if status.stopped is not None:
            return f"the study was stopped ({status.stopped})"
        if status.state == SPENT:
            return None  # the budget
        if self._desk.made == self._most:
            return "the trials asked for are made"
        return "there is nothing left to try"
