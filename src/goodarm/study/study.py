"""The study that users hold in their hands."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from datetime import datetime, timedelta
from pathlib import Path
from typing import TextIO, TypedDict, TypeVar, Unpack, overload

from goodarm.errors import InputError
from goodarm.inputs import LONGEST_NOTE, label, moment, seconds, text, whole
from goodarm.inquiry import Criterion
from goodarm.outcomes import Outcome
from goodarm.study import actions, asking
from goodarm.study.batches import Progress, tell_many
from goodarm.study.changing import ChangingStudy, remark
from goodarm.study.declared import MOST_AT_ONCE
from goodarm.study.errors import ConflictError, OtherSettingsError
from goodarm.study.log.events import read_event
from goodarm.study.log.importing import Imported, PastResults, enter_lines, source_of
from goodarm.study.log.ledger import Ledger, begin, identity
from goodarm.study.log.tables import ToldTable, read_outcomes
from goodarm.study.log.writing import Writing
from goodarm.study.report.status import Status
from goodarm.study.rows import GivenOutcome, GivenOutcomes
from goodarm.study.settings import Settings
from goodarm.study.storage import DEFAULT_STORAGE, Store, open_store
from goodarm.study.trials import Trial, trial_number
from goodarm.study.working.objectives import Callback, HowToRun, Objective, run_objective

T = TypeVar("T")
KEPT_UNLESS_GIVEN = ("seed", "boundary", "decide", "command")  # of a study that exists already


class MoreSettings(TypedDict, total=False):
    """What a study may ask beyond one good arm and one bar.

    `question` is "any" (one good arm), "all" (which are good), "top:3", or "in-order" (the first
    good one of the list). `criteria` are several measurements with their bars. Instead of a
    threshold, a `control` arm and a `margin` or a `lift` say what to be better than, and by how
    much. `reserve` is the share of δ for arms that are added later. `details` has, by arm, its
    `label`, the `cost` of a trial, and a `note`.
    """

    question: str
    criteria: Sequence[Criterion | str]
    control: str | None
    margin: float | None
    lift: float | None
    reserve: float
    details: Mapping[str, Mapping[str, object]]


class Study(ChangingStudy):
    """A real experiment: ask what to try next, tell what came out, know how sure you are.

    Everything is in the database when a method returns. Any number of threads, processes and
    people may work on one study; what they see is always the present state.
    """

    @classmethod
    def create(
        cls,
        name: str,
        arms: Sequence[str],
        threshold: float | Sequence[float] | None = None,
        outcome: Outcome | str | None = None,
        delta: float | None = Settings.delta,
        algorithm: str = Settings.algorithm,
        storage: str | Path | Store = DEFAULT_STORAGE,
        seed: int | None = None,
        goal: str = Settings.goal,
        *,
        budget: int | None = Settings.budget,
        lease: float | timedelta | None = Settings.lease,
        boundary: str | None = None,
        decide: str | None = None,
        by: str | None = None,
        load_if_exists: bool = False,
        command: str | None = None,
        key: str | None = None,
        **more: Unpack[MoreSettings],
    ) -> "Study":
        """Create a study.

        `threshold` is the bar that an arm's mean must clear (`goal="below"`: stay under), or one
        for each arm. `outcome` declares what an outcome is: `Bernoulli()`, `Bounded(lo, hi)` or
        `Gaussian(sigma)`. Instead of both, `criteria` declares several measurements, as in
        `["efficacy:bernoulli>=0.3", "harm:bernoulli<=0.1"]`; see `MoreSettings`. With `delta` the
        study ends by itself when it is sure at 1 − δ. At most `budget` trials are suggested, if
        given. A suggestion without an outcome stops counting as pending after `lease` seconds, if
        given. `boundary` is the stopping rule: the outcome model's certificates ("mixture"), or the
        paper's "glr". With `decide="as-asked"` an outcome counts once those of its arm's trials
        that were asked before it are known, so that delays cannot hurt; "as-told" is for delays
        that have nothing to do with the values. `by` is recorded with everything done.
        `load_if_exists` makes a script that is started again go on with its study. `command` is for
        the record: what makes the trials, if nothing else shall. A request repeated with
        the same `key` gives the same study.
        """
        declared = {
            "arms": arms,
            "threshold": threshold,
            "outcome": outcome,
            "delta": delta,
            "algorithm": algorithm,
            "seed": seed,
            "goal": goal,
            "budget": budget,
            "lease": lease,
            "boundary": boundary,
            "decide": decide,
            "command": command,
            **more,
        }
        return cls._begin(name, declared, storage, by, load_if_exists, key)

    @classmethod
    def _begin(
        cls,
        name: str,
        declared: dict[str, object],
        storage: str | Path | Store,
        by: str | None,
        load_if_exists: bool,
        key: str | None,
    ) -> "Study":
        left_out = {what for what in KEPT_UNLESS_GIVEN if declared[what] is None}
        settings = Settings.declare(**{k: v for k, v in declared.items() if k not in left_out})
        checked, who = label("name", name), None if by is None else label("by", by)
        store = open_store(storage).prepare(create=True)
        own = None if key is None else label("key", key)
        row, is_new = begin(store, checked, settings.to_data(), who, own)
        study = cls(Ledger(store, row), who)
        is_repeated = own is not None and row.uuid == identity(checked, own)
        if not is_new or is_repeated:
            study._check_same(settings, left_out, load_if_exists or is_repeated)
        return study

    @classmethod
    def load(
        cls, name: str, storage: str | Path | Store = DEFAULT_STORAGE, by: str | None = None
    ) -> "Study":
        """Take up a study that exists; `by` is recorded with everything done from here."""
        who = None if by is None else label("by", by)
        return cls(Ledger.find(open_store(storage).prepare(), label("name", name)), who)

    @overload
    def ask(
        self,
        n: None = None,
        *,
        arm: str | None = ...,
        lease: float | timedelta | None = ...,
        key: str | None = ...,
    ) -> Trial: ...

    @overload
    def ask(
        self,
        n: int,
        *,
        arm: str | None = ...,
        lease: float | timedelta | None = ...,
        key: str | None = ...,
    ) -> list[Trial]: ...

    def ask(
        self,
        n: int | None = None,
        *,
        arm: str | None = None,
        lease: float | timedelta | None = None,
        key: str | None = None,
    ) -> Trial | list[Trial]:
        """What to try next: `ask()` gives one trial, `ask(n)` a list of n.

        Suggestions without an outcome count as trials that leave their arm's mean as it is, so
        several in a row spread over the arms. `arm` overrides the algorithm. A request repeated
        with the same `key` gives the same trials.
        """
        count = 1 if n is None else whole("n", n, 1, MOST_AT_ONCE)
        wanted = None if arm is None else label("arm", arm)
        own_lease, request = seconds("lease", lease), actions.request_key(key)

        def work(writing: Writing) -> list[Trial]:
            time = writing.fold.settings.lease if own_lease is None else own_lease
            return asking.ask(writing, count, wanted, time, request)

        asked = self._commit(work)
        return asked[0] if n is None else asked

    def tell(
        self,
        trial_or_arm: Trial | int | str,
        value: float | Mapping[str, float],
        at: datetime | str | None = None,
        note: str | None = None,
        key: str | None = None,
        sure: bool = False,
        size: float | Mapping[str, float] | None = None,
    ) -> Trial:
        """Record an outcome: of a trial (itself or its number), or of an arm by name, unasked.

        The same outcome told again changes nothing; another value for the trial is a
        `ConflictError`. An outcome of an arm has no trial to go by: give a `key` of your own if
        the request may have to be repeated. `at` is when it was observed, by your clock. An
        outcome that the declared model makes next to impossible is an `UnlikelyOutcomeError`
        unless you say that you are `sure`. `size` is what the value is out of, where the outcome
        model has sizes: 37 successes of 1,000 are `tell("red", 37, size=1000)`. Where a trial has
        several measurements, `value` has those that are known by now, by their names.
        """
        own = remark("note", note)
        entry = actions.OutcomeEntry(value, size, moment("at", at), own, sure=bool(sure))
        return self._commit(_telling(trial_or_arm, entry, key))

    def tell_many(
        self,
        outcomes: Iterable[GivenOutcome],
        sure: bool = False,
        key: str | None = None,
        progress: Progress | None = None,
    ) -> list[Trial]:
        """Record outcomes that came in together, all or none: they count at one moment.

        Each is a trial (itself or its number), or an arm's name, and the value, and its size if it
        has one. There may be a million. A trial that was told the same before stays as it is;
        give a `key` of your own if a request with outcomes of arms may have to be repeated. `sure`
        as for `tell`. `progress` is called now and then with how many of how many are entered.
        """
        rows, request = GivenOutcomes(outcomes), actions.batch_key(key)
        return self._commit(
            lambda writing: tell_many(writing, rows, request, bool(sure), progress, listed=True)[1]
        )

    def tell_csv(
        self,
        path: str | Path | TextIO,
        sure: bool = False,
        key: str | None = None,
        progress: Progress | None = None,
    ) -> ToldTable:
        """As `tell_many`, from CSV: a file, or an open one.

        Its columns are trial or arm, and value or those of the outcome model, such as successes
        and trials, or one for each measurement; it may have at and note. Lines with trials count
        once, however often they are told. Lines with arms count each time, unless there is a `key`,
        or `import_csv` enters them.
        """
        table, request = read_outcomes(path, self.settings), actions.batch_key(key)

        def work(writing: Writing) -> ToldTable:
            already, _ = tell_many(writing, table, request, bool(sure), progress)
            return ToldTable(len(table) - already, already, table.unasked)

        return self._commit(work)

    def cancel(
        self, trial: Trial | int, reason: str | None = None, key: str | None = None
    ) -> Trial:
        """Withdraw a suggestion whose outcome will not come."""
        number, why, own = trial_number(trial), remark("reason", reason), actions.own_key(key)
        return self._commit(lambda writing: actions.cancel(writing, number, why, own))

    def cancel_all(self, reason: str | None = None, key: str | None = None) -> list[Trial]:
        """Withdraw every suggestion whose outcome has not come; once, for each `key`."""
        why, own = remark("reason", reason), None if key is None else actions.batch_key(key)
        awaited: list[int] = []  # should the confirmation be lost, the same ones are meant

        def work(writing: Writing) -> list[Trial]:
            awaited[:] = awaited or writing.fold.open
            return actions.cancel_all(writing, awaited, why, own)

        return self._commit(work)

    def retract(self, trial: Trial | int, reason: str, key: str | None = None) -> Trial:
        """Take an outcome back. The log keeps it, and the study says that it was taken back."""
        number, why = trial_number(trial), text("reason", reason, LONGEST_NOTE)
        own = actions.own_key(key)
        return self._commit(lambda writing: actions.retract(writing, number, why, own))

    def correct(
        self,
        trial: Trial | int,
        value: float | Mapping[str, float],
        reason: str,
        note: str | None = None,
        sure: bool = False,
        size: float | Mapping[str, float] | None = None,
        key: str | None = None,
    ) -> Trial:
        """Replace a wrong outcome by the right one. The log keeps both."""
        number, why = trial_number(trial), text("reason", reason, LONGEST_NOTE)
        own = actions.own_key(key)
        entry = actions.OutcomeEntry(value, size, note=remark("note", note), sure=bool(sure))
        return self._commit(lambda writing: actions.correct(writing, number, entry, why, own))

    def import_csv(
        self,
        path: str | Path | TextIO,
        source: str | None = None,
        sure: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """Enter past outcomes from CSV with the columns that `tell_csv` takes.

        `path` is a file, or an open one, which needs a `source`. All or none. A line of the same
        `source` (the file's name and folder, unless given) counts once, so a file that has grown
        can be imported again. Everything in it counts at one moment, so its order does not matter.
        """
        origin = source_of(path, source)
        table = read_outcomes(path, self.settings)
        return self._commit(
            lambda writing: enter_lines(writing, table, origin, bool(sure), progress)
        )

    def import_results(
        self,
        results: PastResults,
        source: str | None = None,
        sure: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """As `import_csv`, from results of other tools, which `goodarm.integrations` reads."""
        origin = source_of(results.path, results.source if source is None else source)
        return self._commit(
            lambda writing: enter_lines(writing, results, origin, bool(sure), progress)
        )

    def run(
        self,
        objective: Objective,
        trials: int | None = None,
        show_progress_bar: bool = True,
        sure: bool = False,
        *,
        n_jobs: int | None = None,
        callbacks: Iterable[Callback] = (),
        executor: Executor | None = None,
        on_error: str = "stop",
    ) -> Status:
        """Try what is suggested: `objective(trial)` gives the outcome; it may be a coroutine.

        Ends when the study has its answer or its limit, or after that many `trials`. One at a time
        is made in this thread; `n_jobs` of them in threads, on an event loop, or with an `executor`
        of processes or of a cluster. Several such runs may work on one study. After each outcome
        come the `callbacks(study, trial)`, which may stop the study. `sure` as for `tell`.

        Where the objective raises, or gives no outcome, the trial is cancelled and the exception
        passed on, once the trials that run have ended; `on_error` "fail" counts such a trial as the
        worst outcome, "retry:N" makes it again. So does Ctrl-C; a second one leaves at once.
        """
        how = HowToRun(
            trials, n_jobs, tuple(callbacks), show_progress_bar, executor, on_error, bool(sure)
        )
        return run_objective(self, self._ledger, self._by, objective, how)

    def renew(self, trial: Trial | int, lease: float | timedelta) -> Trial:
        """Let an open trial, which is still being made, expire only so many seconds from now."""
        number, time = trial_number(trial), seconds("lease", lease)
        if time is None:
            raise InputError("lease: give a number of seconds")
        return self._commit(lambda writing: asking.renew_one(writing, number, time))

    def _check_same(self, settings: Settings, left_out: set[str], wanted: bool) -> None:
        """Refuse settings other than those that the study was created with."""
        if not wanted:
            raise ConflictError(
                f"name: there is a study {self.name!r} already; load it, or give another name"
            )
        # The algorithm chooses by the stopping rule, too.
        free = left_out | ({"fingerprint"} if "boundary" in left_out else set()) | {"goodarm"}
        began = Settings.from_data(read_event(self.events(0, 1)[0].text).body)
        there = began.to_data()
        for what, value in settings.judged_as(began.outcome).to_data().items():
            if there.get(what) != value and what not in free:
                raise OtherSettingsError(self.name, what, there.get(what), value)


def _telling(
    trial_or_arm: Trial | int | str, entry: actions.OutcomeEntry, key: str | None
) -> Callable[[Writing], Trial]:
    """What `tell` does to the log, its inputs checked."""
    if isinstance(trial_or_arm, str):
        arm, request = label("arm", trial_or_arm), actions.request_key(key)
        return lambda writing: actions.tell_arm(writing, arm, entry, request)
    number, own = trial_number(trial_or_arm), actions.own_key(key)
    return lambda writing: actions.tell_trial(writing, number, entry, own)
