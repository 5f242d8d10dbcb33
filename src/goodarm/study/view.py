"""Looking at a study: everything that can be known of it, none of it written."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from goodarm.errors import InputError
from goodarm.extras import LAB, need
from goodarm.files import write
from goodarm.inputs import whole
from goodarm.showing.markup import Html
from goodarm.showing.page import path_of_page
from goodarm.showing.snippet import Shown, snippet
from goodarm.study.declared import check_delta
from goodarm.study.errors import StorageError
from goodarm.study.log.columns import log_frame
from goodarm.study.log.events import Stored, read_event
from goodarm.study.log.export import choose_format, exported, write_new
from goodarm.study.log.fold import Fold
from goodarm.study.log.kinds import all_trials, trial_of
from goodarm.study.log.ledger import Ledger
from goodarm.study.log.seals import Seal, check_head, check_seal
from goodarm.study.log.verification import Verification
from goodarm.study.log.verify import Audit, derived
from goodarm.study.report.course import course
from goodarm.study.report.drawn import EvidenceCurves, evidence_curves
from goodarm.study.report.forecast import Forecast, forecast
from goodarm.study.report.in_short import status_html, status_lines
from goodarm.study.report.page import ReportedStudy, study_page
from goodarm.study.report.protocol import protocol, protocol_page
from goodarm.study.report.status import ArmReport, Status, arm_reports
from goodarm.study.report.status import report as status_of
from goodarm.study.settings import Settings
from goodarm.study.storage import Transaction
from goodarm.study.trials import Trial, trial_number

if TYPE_CHECKING:
    import polars
    from matplotlib.figure import Figure

T = TypeVar("T")
MOST_FUTURES = 100_000


class StudyView(Shown):
    """What is known of a study; always as the database has it now."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    @property
    def name(self) -> str:
        """The study's name."""
        return self._ledger.row.name

    @property
    def settings(self) -> Settings:
        """What was declared, with later changes."""
        return self._ledger.look(lambda fold: fold.settings)

    @property
    def archived(self) -> bool:
        """Whether the study is put away, so that lists leave it out."""
        return self._ledger.look(lambda fold: fold.archived)

    @property
    def tags(self) -> tuple[str, ...]:
        """The study's tags, in the order of the alphabet."""
        return self._ledger.look(lambda fold: fold.tags)

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
        return self._ledger.look(lambda fold: fold.evidence.confidence)

    def can_stop(self, delta: float | None = None) -> bool:
        """Whether the evidence suffices now for δ: the study's own, unless given."""
        aim = None if delta is None else check_delta(delta)

        def enough(level: float | None, check: Callable[[float], bool]) -> bool:
            if aim is None and level is None:
                raise InputError("delta: the study has none; give one, as in can_stop(0.05)")
            return check(aim if aim is not None else level or 0.0)

        return self._ledger.look(lambda f: enough(f.settings.delta, f.evidence.can_stop))

    @property
    def finished(self) -> bool:
        """Whether nothing is suggested any more: answered, used up or stopped."""
        return self._ledger.look(lambda fold: not fold.is_open)

    @property
    def evidence_trail(self) -> dict[str, Any]:
        """How the evidence grew: `points` of [t, a number for each arm], one in `every` outcomes.

        The number is W with the paper's boundary; with certificates it is the share of the way,
        1 where the arm is named, −1 where it is ruled out. With more than 40 arms a point has the
        largest and the smallest only.
        """
        return self._ledger.look(lambda fold: fold.evidence.trail())

    def evidence_curves(self) -> EvidenceCurves:
        """The same up to the present, for drawing; `shares` are those of what is needed."""
        return self._look(False)[2]

    @property
    def magnitude(self) -> float:
        """How large its numbers are: the average of an arm, or the bar, that is furthest from 0."""

        def largest(fold: Fold) -> float:
            known = map(fold.evidence.measured, range(len(fold.settings.arms)))
            means = (one.mean or 0.0 for arm in known for one in arm)
            bars = (criterion.reference for criterion in fold.criteria)
            return max(map(abs, (*bars, *means)))

        return self._ledger.look(largest)

    @property
    def last_trial(self) -> int:
        """The number of the latest trial; 0 where there is none."""
        return self._ledger.look(lambda fold: fold.next_trial - 1)

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
        return self._status_at(self._now(), simultaneous)

    def forecast(
        self, delta: float | None = None, runs: int = 100, horizon: int | None = None
    ) -> Forecast:
        """How many more trials until the study may stop at δ, by playing out `runs` futures.

        Each is played for at most `horizon` trials. Without one the horizon grows as long as it
        takes, and can be computed in a few seconds; far ones are reached by fewer futures.
        """
        aim = None if delta is None else check_delta(delta)
        futures = whole("runs", runs, 1, MOST_FUTURES)
        cap = None if horizon is None else whole("horizon", horizon, 1, 10**9)
        return self._ledger.look(lambda fold: forecast(fold, aim, futures, cap))

    @property
    def pending(self) -> tuple[Trial, ...]:
        """The suggestions whose outcomes are awaited, oldest first."""

        def look(fold: Fold) -> list[Trial]:
            trials = [t.as_trial(fold.settings.arms) for t in fold.open.values()]
            return [self.trial(t.number) if t.number in fold.measured else t for t in trials]

        return tuple(self._ledger.look(look))

    def trial(self, number: int) -> Trial:
        """One trial and what became of it."""
        wanted = trial_number(number)
        events = self._ledger.read(lambda t: list(t.of_trials(self._ledger.row.id, [wanted])))
        if not events:
            raise InputError(f"trial: there is no trial {wanted}")
        return trial_of(read_event(stored.text) for stored in events)

    def some_trials(self, first: int, last: int) -> list[Trial]:
        """The trials with numbers from `first` to `last` and what became of them."""
        numbers, study = list(range(max(1, first), last + 1)), self._ledger.row.id
        events = self._ledger.read(lambda t: list(t.of_trials(study, numbers)))
        return all_trials(read_event(stored.text) for stored in events)

    @property
    def trials(self) -> list[Trial]:
        """Every trial and what became of it."""
        return all_trials(read_event(stored.text) for stored in self.events())

    @property
    def history(self) -> "polars.DataFrame":
        """The log as a polars frame, one row per event."""
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
        wanted = choose_format(target, format)
        self._export(wanted, lambda pieces: write_new(target, pieces))
        return target

    def export_bytes(self, format: str) -> bytes:  # noqa: A002
        """The log as the bytes of a CSV, JSON or Parquet file."""
        return self._export(choose_format(Path(), format), b"".join)

    def _export(self, wanted: str, use: Callable[[Iterator[bytes]], T]) -> T:
        now, study = self._now(), self._ledger.row.id
        status = self._status_at(now)

        def work(transaction: Transaction) -> T:
            # Events that came in since the status was taken would not fit its head.
            log = islice(transaction.log(study), status.events)
            return use(exported(status, now, log, wanted))

        return self._ledger.read(work)

    def report(self, path: str | Path, simultaneous: bool = False) -> Path:
        """Write the study to an HTML file that needs nothing else, to be sent to others.

        It has the question, the answer and how sure it is, the arms with their limits, pictures,
        changes and corrections, and how to check all that. A file that is there is replaced.
        `simultaneous` as for `status`.
        """
        target = path_of_page("path", path)
        write(target, self.report_text(simultaneous))
        return target

    def report_text(self, simultaneous: bool = False) -> str:
        """The text of that file."""
        status, settings, curves = self._look(simultaneous)
        study, until, criteria = self._ledger.row.id, status.events, settings.every_criterion
        past = self._ledger.read(lambda transaction: course(transaction, study, until, criteria))
        return study_page(ReportedStudy(status, settings, curves, past))

    def protocol_text(self) -> str:
        """A page, as text, with what was declared before the first outcome and what fixes it."""
        study, name, until = self._ledger.row.id, self.name, self.seq
        return protocol_page(self._ledger.read(lambda t: protocol(t, study, name, until)))

    def plot(self) -> "Figure":
        """The arms with their limits, and how the evidence grew, as a matplotlib figure.

        `goodarm.plotting.plot_study` and `plot_evidence` draw one of them, on axes of yours.
        """
        need(LAB, "a picture")
        from goodarm.plotting import draw_study

        return draw_study(self)

    def _now(self) -> str:
        return self._ledger.read(lambda transaction: transaction.now())

    def _status_at(self, now: str, simultaneous: bool = False) -> Status:
        def look(fold: Fold) -> Status:
            # Many look at the same; leases that run out are all that changes without an event.
            same = ("status", fold.head, simultaneous, tuple(fold.expired(now)))
            return self._ledger.noted(same, lambda: status_of(fold, now, simultaneous))

        status = self._ledger.look(look)
        return status if status.name else replace(status, name=self.name)

    def seal(self) -> Seal:
        """The study's name, its number of events, its head and the time, to be kept elsewhere."""
        now = self._now()
        return self._ledger.look(lambda fold: Seal(self.name, fold.seq, fold.head, now))

    def verify(self, head: str | None = None, seal: Seal | str | None = None) -> Verification:
        """Audit the log: chain, keys, every suggestion derived anew from log and seed.

        `head`, a hash noted earlier and elsewhere, also shows whether the end was cut off; so does
        a `seal`, or its text.
        """
        wanted, sealed = check_head(head), check_seal(seal)

        def audit(transaction: Transaction) -> Verification:
            study = transaction.study(self._ledger.row.id)
            saved = derived(transaction, study.id)
            log = transaction.log(study.id)
            return Audit(log, study.uuid, study.name).run(saved, wanted, seal=sealed)

        return self._ledger.read(audit)

    def _look(self, simultaneous: bool) -> tuple[Status, Settings, EvidenceCurves]:
        """What is known, what was declared and how it came to be known, of one moment."""
        now = self._now()

        def look(fold: Fold) -> tuple[Status, Settings, EvidenceCurves]:
            status = status_of(fold, now, simultaneous)
            status = status if status.name else replace(status, name=self.name)
            return status, fold.settings, evidence_curves(status, fold.evidence.trail()["points"])

        return self._ledger.look(look)

    def _in_short(self) -> Iterator[str]:
        try:
            lines = status_lines(self.status())
        except StorageError as error:
            yield f"Study {self.name!r} cannot be read: {error}"
            return
        yield f"Study in {self._ledger.store}"
        yield from lines

    def _in_html(self) -> Html:
        try:
            status, _, curves = self._look(False)
        except StorageError as error:
            return snippet(f"{self.name} cannot be read", str(error))
        return status_html(status, curves)
