"""The study that users hold in their hands."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar, overload

from goodarm import defaults
from goodarm.errors import InputError
from goodarm.inputs import LONGEST_NOTE, label, moment, seconds, text, whole
from goodarm.outcomes import Outcome
from goodarm.study import actions
from goodarm.study.errors import ConflictError
from goodarm.study.log.events import Stored, read_event
from goodarm.study.log.export import choose_format, export_bytes, write_file
from goodarm.study.log.fold import OPEN
from goodarm.study.log.history import all_trials, log_frame
from goodarm.study.log.importing import Imported, check_source, enter_lines, read_outcomes
from goodarm.study.log.ledger import Ledger, Writing, begin
from goodarm.study.log.verify import Audit, Verification, check_head, derived
from goodarm.study.objective import run_objective
from goodarm.study.report.forecast import Forecast, forecast
from goodarm.study.report.status import ArmReport, Status, arm_reports, report
from goodarm.study.settings import AS_ASKED, MIXTURE, Settings, check_delta
from goodarm.study.storage import Store, Transaction, open_store
from goodarm.study.trials import Trial, trial_of

if TYPE_CHECKING:
    import polars

T = TypeVar("T")
DEFAULT_STORAGE = "sqlite:///studies.db"
MOST_AT_ONCE = 100_000
MOST_FUTURES = 100_000


class Study:
    """A real experiment: ask what to try next, tell what came out, know how sure you are.

    Everything is in the database when a method returns. Any number of threads, processes and
    people may work on one study; what they see is always the present state.
    """

    def __init__(self, ledger: Ledger, by: str | None = None) -> None:
        self._ledger = ledger
        self._by = by

    @classmethod
    def create(
        cls,
        name: str,
        arms: list[str] | tuple[str, ...],
        threshold: float,
        outcome: Outcome | str,
        delta: float | None = None,
        algorithm: str = defaults.ALGORITHM,
        storage: str | Path | Store = DEFAULT_STORAGE,
        seed: int | None = None,
        goal: str = "above",
        *,
        budget: int | None = None,
        lease: float | timedelta | None = None,
        boundary: str | None = None,
        decide: str | None = None,
        by: str | None = None,
        load_if_exists: bool = False,
    ) -> "Study":
        """Create a study.

        `threshold` is the bar that an arm's mean must clear (`goal="below"`: stay under).
        `outcome` declares what an outcome is: `Bernoulli()`, `Bounded(lo, hi)` or
        `Gaussian(sigma)`. With `delta` the study ends by itself when it is sure at 1 − δ. At most
        `budget` trials are suggested, if given. A suggestion without an outcome stops counting
        as pending after `lease` seconds, if given. `boundary` is the stopping rule: the outcome
        model's certificates ("mixture"), or the paper's "glr". With `decide="as-asked"` an
        outcome counts once those of its arm's trials that were asked before it are known, so that
        delays cannot hurt; "as-told" is for delays that have nothing to do with the values. `by`
        is recorded with everything done.
        `load_if_exists` makes a script that is started again go on with its study.
        """
        checked = label("name", name)
        settings = Settings.declare(
            arms, threshold, outcome, delta, algorithm, seed, goal, budget, lease,
            MIXTURE if boundary is None else boundary, AS_ASKED if decide is None else decide,
        )  # fmt: skip
        who = None if by is None else label("by", by)
        store = open_store(storage).prepare(create=True)
        row, is_new = begin(store, checked, settings.to_data(), who)
        study = cls(Ledger(store, row), who)
        if not is_new:
            free = {"goodarm"} | ({"seed"} if seed is None else set())
            if boundary is None:  # a study keeps the rule that it was created with
                free |= {"boundary", "fingerprint"}
            study._check_same(
                settings, free | ({"decide"} if decide is None else set()), load_if_exists
            )
        return study

    @classmethod
    def load(
        cls, name: str, storage: str | Path | Store = DEFAULT_STORAGE, by: str | None = None
    ) -> "Study":
        """Take up a study that exists; `by` is recorded with everything done from here."""
        who = None if by is None else label("by", by)
        return cls(Ledger.find(open_store(storage).prepare(), label("name", name)), who)

    @property
    def name(self) -> str:
        """The study's name."""
        return self._ledger.row.name

    @property
    def settings(self) -> Settings:
        """What was declared, with later changes."""
        return self._ledger.look(lambda fold: fold.settings)

    # What to do

    @overload
    def ask(
        self, n: None = None, *, arm: str | None = ..., lease: float | timedelta | None = ...,
        key: str | None = ...,
    ) -> Trial: ...  # fmt: skip

    @overload
    def ask(
        self, n: int, *, arm: str | None = ..., lease: float | timedelta | None = ...,
        key: str | None = ...,
    ) -> list[Trial]: ...  # fmt: skip

    def ask(
        self,
        n: int | None = None,
        *,
        arm: str | None = None,
        lease: float | timedelta | None = None,
        key: str | None = None,
    ) -> Trial | list[Trial]:
        """What to try next: `ask()` gives one trial, `ask(n)` a list of n.

        Suggestions without an outcome count as pulls that leave their arm's mean as it is, so
        several in a row spread over the arms. `arm` overrides the rule. A request repeated with
        the same `key` gives the same trials.
        """
        count = 1 if n is None else whole("n", n, 1, MOST_AT_ONCE)
        wanted = None if arm is None else label("arm", arm)
        given, request = seconds("lease", lease), actions.request_key(key)

        def work(writing: Writing) -> list[Trial]:
            time = writing.fold.settings.lease if given is None else given
            return actions.ask(writing, count, wanted, time, request)

        asked = self._commit(work)
        return asked[0] if n is None else asked

    def tell(
        self,
        trial_or_arm: Trial | int | str,
        value: float,
        at: datetime | str | None = None,
        note: str | None = None,
        key: str | None = None,
        sure: bool = False,
    ) -> Trial:
        """Record an outcome: of a trial (itself or its number), or of an arm by name, unasked.

        The same outcome told again changes nothing; another value for the trial is a
        `ConflictError`. An outcome of an arm has no trial to go by: give a `key` of your own if
        the request may have to be repeated. `at` is when it was observed, by your clock. An
        outcome that the declared model makes next to impossible is an `UnlikelyOutcomeError`
        unless you say that you are `sure`.
        """
        remark = None if note is None else text("note", note, LONGEST_NOTE)
        entry = actions.Entry(value, moment("at", at), remark, sure=bool(sure))
        return self._commit(_telling(trial_or_arm, entry, key))

    def tell_many(
        self, outcomes: Iterable[tuple[Trial | int | str, float]], sure: bool = False
    ) -> list[Trial]:
        """Record outcomes that came in together, all or none: they count at one moment.

        Each is a trial (itself or its number), or an arm's name, and the value.
        """
        entries = [
            _telling(what, actions.Entry(value, sure=bool(sure), more=True), None)
            for what, value in outcomes
        ]

        def work(writing: Writing) -> list[Trial]:
            told = [tell(writing) for tell in entries]
            writing.end_batch()
            return told

        return self._commit(work)

    def cancel(self, trial: Trial | int, reason: str | None = None) -> Trial:
        """Withdraw a suggestion whose outcome will not come."""
        why = None if reason is None else text("reason", reason, LONGEST_NOTE)
        number = _number(trial)
        return self._commit(lambda writing: actions.cancel(writing, number, why))

    def retract(self, trial: Trial | int, reason: str) -> Trial:
        """Take an outcome back. The log keeps it, and the study says that it was taken back."""
        number, why = _number(trial), text("reason", reason, LONGEST_NOTE)
        return self._commit(lambda writing: actions.retract(writing, number, why))

    def correct(
        self,
        trial: Trial | int,
        value: float,
        reason: str,
        note: str | None = None,
        sure: bool = False,
    ) -> Trial:
        """Replace a wrong outcome by the right one. The log keeps both."""
        number, why = _number(trial), text("reason", reason, LONGEST_NOTE)
        remark = None if note is None else text("note", note, LONGEST_NOTE)
        return self._commit(
            lambda writing: actions.correct(writing, number, value, why, remark, bool(sure))
        )

    def extend(
        self,
        trials: int | None = None,
        delta: float | None = None,
        reason: str | None = None,
        key: str | None = None,
    ) -> None:
        """Go on after the end, or beyond the budget; a smaller `delta` asks for more certainty."""
        more = None if trials is None else whole("trials", trials, 1, MOST_AT_ONCE)
        aim = None if delta is None else check_delta(delta)
        why = None if reason is None else text("reason", reason, LONGEST_NOTE)
        request = actions.request_key(key)
        self._commit(lambda writing: actions.extend(writing, more, aim, why, request))

    def amend(
        self,
        threshold: float | None = None,
        reason: str = "",
        key: str | None = None,
        boundary: str | None = None,
    ) -> None:
        """Change threshold or stopping rule; once outcomes are known, the study warns of it."""
        why, request = text("reason", reason, LONGEST_NOTE), actions.request_key(key)
        if threshold is None and boundary is None:
            raise InputError("give a threshold or a boundary to change to")
        self._commit(lambda writing: actions.amend(writing, threshold, boundary, why, request))

    def stop(self, reason: str, key: str | None = None) -> None:
        """End the study. Outcomes that still come in count; `extend` opens it again."""
        why, request = text("reason", reason, LONGEST_NOTE), actions.request_key(key)
        self._commit(lambda writing: actions.stop(writing, why, request))

    def import_csv(
        self, path: str | Path | TextIO, source: str | None = None, sure: bool = False
    ) -> Imported:
        """Enter past outcomes from CSV with the columns arm, value, and maybe at, note.

        `path` is a file, or an open one, which needs a `source`. All or none. A line of the same
        `source` (the file's name, unless given) counts once, so a file that has grown can be
        imported again. Everything in it counts at one moment, so its order does not matter.
        """
        if source is None and isinstance(path, str | Path):
            source = Path(path).name
        origin = check_source(source)
        lines = read_outcomes(path)
        return self._commit(lambda writing: enter_lines(writing, lines, origin, bool(sure)))

    def run(
        self,
        objective: Callable[[Trial], float],
        trials: int | None = None,
        show_progress_bar: bool = True,
        sure: bool = False,
    ) -> Status:
        """Try what the rule suggests, one after another: `objective(trial)` gives the outcome.

        Ends when the study has its answer or its limit, or after so many `trials`. A trial
        whose objective raises is cancelled, and the exception passed on. `sure` as for `tell`.
        """
        count = None if trials is None else whole("trials", trials, 1, 10**9)
        return run_objective(self, objective, count, show_progress_bar, bool(sure))

    # What is known

    @property
    def recommendation(self) -> str | None:
        """The arm to bet on now, or None when none looks good (or nothing is known)."""
        return self._ledger.look(lambda fold: fold.answer())

    @property
    def evidence(self) -> tuple[ArmReport, ...]:
        """What is known of each arm: count, mean, W, limits, share of the way."""
        return self._ledger.look(arm_reports)

    @property
    def confidence(self) -> float:
        """1 − the smallest δ at which the study would stop now; valid at all times together."""
        return self._ledger.look(lambda fold: fold.counted.confidence)

    def can_stop(self, delta: float | None = None) -> bool:
        """Whether the evidence suffices now for δ: the study's own, unless given."""
        aim = None if delta is None else check_delta(delta)

        def enough(level: float | None, check: Callable[[float], bool]) -> bool:
            if aim is None and level is None:
                raise InputError("delta: the study has none; give one, as in can_stop(0.05)")
            return check(aim if aim is not None else level or 0.0)

        return self._ledger.look(lambda f: enough(f.settings.delta, f.counted.can_stop))

    @property
    def finished(self) -> bool:
        """Whether nothing is suggested any more: answered, used up or stopped."""
        return self._ledger.look(lambda fold: fold.state != OPEN)

    @property
    def path(self) -> dict[str, Any]:
        """How the evidence grew: `points` of [t, a number for each arm], one in `every` outcomes.

        The number is W with the paper's boundary; with certificates it is the share of the way,
        1 where the arm is named, −1 where it is ruled out. With more than 40 arms a point has the
        largest and the smallest only.
        """
        return self._ledger.look(lambda fold: fold.path.state())

    @property
    def seq(self) -> int:
        """The number of the last event: the cheapest way to see whether anything has happened."""
        return self._ledger.read(lambda transaction: transaction.head(self._ledger.row.id))

    @property
    def head(self) -> str:
        """The hash that fixes the whole log; note it elsewhere to notice a log cut short."""
        return self._ledger.look(lambda fold: fold.head)

    def status(self, simultaneous: bool = False) -> Status:
        """Everything at one moment.

        `simultaneous` gives limits of the means that hold for all arms and both sides together,
        instead of those that the stopping rule goes by.
        """
        now = self._ledger.read(lambda transaction: transaction.now())
        return self._ledger.look(lambda fold: report(fold, now, simultaneous))

    def forecast(
        self, delta: float | None = None, runs: int = 100, horizon: int | None = None
    ) -> Forecast:
        """How many more trials until the study may stop at δ, by playing out `runs` futures."""
        aim = None if delta is None else check_delta(delta)
        futures = whole("runs", runs, 1, MOST_FUTURES)
        cap = None if horizon is None else whole("horizon", horizon, 1, 10**9)
        return self._ledger.look(lambda fold: forecast(fold, aim, futures, cap))

    @property
    def pending(self) -> tuple[Trial, ...]:
        """The suggestions whose outcomes are awaited, oldest first."""
        return self._ledger.look(
            lambda fold: tuple(
                Trial(
                    number=t.number,
                    arm=fold.settings.arms[t.arm],
                    asked_at=t.asked_at,
                    expires_at=t.expires_at,
                )
                for t in fold.open.values()
            )
        )

    def trial(self, number: int) -> Trial:
        """One trial and what became of it."""
        wanted = _number(number)
        found = self._ledger.read(lambda t: t.of_trial(self._ledger.row.id, wanted))
        if not found:
            raise InputError(f"trial: there is no trial {wanted}")
        return trial_of(read_event(stored.text) for stored in found)

    @property
    def trials(self) -> list[Trial]:
        """Every trial and what became of it."""
        return all_trials(read_event(stored.text) for stored in self.events())

    @property
    def history(self) -> "polars.DataFrame":
        """The log as a polars frame, one row an event."""
        return log_frame(self.events())

    def events(self, after: int = 0, limit: int | None = None) -> list[Stored]:
        """The log's events after number `after`, oldest first, at most `limit` of them."""
        study = self._ledger.row.id
        if limit is not None:
            return self._ledger.read(lambda t: t.page(study, after, limit))
        return self._ledger.read(lambda t: list(t.log(study, after)))

    def export(self, path: str | Path, format: str | None = None) -> Path:  # noqa: A002
        """Write the log to a new file: CSV, JSON or Parquet, by its ending unless given."""
        target = Path(path)
        write_file(target, self.export_bytes(choose_format(target, format)))
        return target

    def export_bytes(self, format: str) -> bytes:  # noqa: A002
        """The log as the bytes of a CSV, JSON or Parquet file."""
        wanted = choose_format(Path(), format)
        status = self.status()
        # Events that came in since the status was taken would not fit its head.
        return export_bytes(status, self.events()[: status.events], wanted)

    def verify(self, head: str | None = None) -> Verification:
        """Audit the log: chain, keys, every suggestion derived anew from log and seed.

        `head`, a hash noted earlier and elsewhere, also shows whether the end was cut off.
        """
        wanted, study = check_head(head), self._ledger.row

        def audit(transaction: Transaction) -> Verification:
            saved = derived(transaction, study.id)
            return Audit(transaction.log(study.id), study.uuid).run(saved, wanted)

        return self._ledger.read(audit)

    def _commit(self, work: Callable[[Writing], T]) -> T:
        return self._ledger.commit(work, self._by)

    def _check_same(self, settings: Settings, free: set[str], wanted: bool) -> None:
        if not wanted:
            raise ConflictError(
                f"name: there is a study {self.name!r} already; load it, or give another name"
            )
        first = read_event(self.events(0, 1)[0].text)
        there = Settings.from_data(first.body).to_data()
        for what, value in settings.to_data().items():
            if there[what] != value and what not in free:
                raise ConflictError(
                    f"name: the study {self.name!r} was created with another {what} "
                    f"({there[what]!r}, not {value!r}); give another name"
                )


def _telling(
    trial_or_arm: Trial | int | str, entry: actions.Entry, key: str | None
) -> Callable[[Writing], Trial]:
    """What `tell` does to the log, its inputs checked."""
    if isinstance(trial_or_arm, str):
        arm, request = label("arm", trial_or_arm), actions.request_key(key)
        return lambda writing: actions.tell_arm(writing, arm, entry, request)
    number, own = _number(trial_or_arm), None if key is None else actions.request_key(key)
    return lambda writing: actions.tell_trial(writing, number, entry, own)


def _number(trial: object) -> int:
    if isinstance(trial, Trial):
        return trial.number
    return whole("trial", trial, 1, 2**31 - 1)
