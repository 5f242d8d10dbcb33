"""Running a function on a study to the end, with a progress bar where a person looks at it."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goodarm.errors import InputError
from goodarm.gating.hiring import hire
from goodarm.gating.loop import Loop, TrialError
from goodarm.gating.question import FAIL, OnError
from goodarm.gating.workers import MOST_WORKERS, OneByOne
from goodarm.inputs import whole
from goodarm.study.log.ledger import Ledger
from goodarm.study.report.status import Status
from goodarm.study.settings import Settings
from goodarm.study.trials import Trial
from goodarm.study.working.desk import Heartbeat, StudyDesk
from goodarm.study.working.made import worst_outcomes
from goodarm.wording import NOTHING, confidence

if TYPE_CHECKING:
    from goodarm.study.study import Study

MOST_TRIALS = 10**9
Objective = Callable[[Trial], Any]
Callback = Callable[["Study", Trial], object]


@dataclass(frozen=True)
class HowToRun:
    """How a function is run on a study."""

    trials: int | None
    n_jobs: int | None
    callbacks: Sequence[Callback]
    show_progress_bar: bool
    executor: Executor | None
    on_error: str
    sure: bool


def run_objective(
    study: "Study", ledger: Ledger, by: str | None, objective: Objective, how: HowToRun
) -> Status:
    """Ask, try, tell, until there is nothing to ask for or the trials are done."""
    settings = ledger.look(lambda fold: fold.settings)
    trials = check_end(how.trials, settings)
    policy = check_policy(how.on_error, settings)
    if not callable(objective):
        raise InputError(
            f"objective: {objective!r:.80} is no function; give one that makes a trial"
        )

    def call_back(trial: Trial) -> None:
        for callback in how.callbacks:
            callback(study, trial)

    desk = StudyDesk(ledger, by, trials, how.sure, told=call_back if how.callbacks else None)
    many = _how_many(how.n_jobs, how.executor)
    workers = hire(objective, lambda call: (desk.trial(call),), many, how.executor)
    beats = Heartbeat(desk) if isinstance(workers, OneByOne) else nullcontext()
    with _bar(study.name, desk, trials or settings.budget, how.show_progress_bar) as heard, beats:
        try:
            Loop(desk, workers, policy, heard).play()
        except TrialError as stop:
            cause = stop.__cause__
            if cause is None:
                raise
            cause.add_note(_remedy(stop, desk.without[0]))
            raise cause from None
    return study.status()


def check_end(trials: object, settings: Settings) -> int | None:
    """How many trials to make; a study that never ends needs to be told."""
    if trials is not None:
        return whole("trials", trials, 1, MOST_TRIALS)
    if settings.delta is None and settings.budget is None:
        raise InputError("trials: without delta and budget the study would never end; give trials")
    return None


def check_policy(on_error: str, settings: Settings) -> OnError:
    """What is done about a trial without an outcome."""
    policy = OnError.parse(on_error)
    if policy.kind == FAIL:
        worst_outcomes(settings)
    return policy


def _how_many(n_jobs: object, executor: Executor | None) -> int:
    """How many trials are made at once; as many as an executor has workers, if it says so."""
    if n_jobs is None and executor is not None:
        n_jobs = getattr(executor, "_max_workers", None)
        if n_jobs is None:
            raise InputError("n_jobs: say how many trials this executor may run at once")
    return 1 if n_jobs is None else whole("n_jobs", n_jobs, 1, MOST_WORKERS)


def _remedy(stop: TrialError, trial: int) -> str:
    """What can be done about a trial without an outcome."""
    return (
        f"{str(stop).partition(' gave ')[0]} was cancelled. If what went wrong has to do with the "
        f"outcome, tell one all the same, with study.tell({trial}, value); on_error='fail' counts "
        "such a trial as a failure, 'retry:3' makes it again"
    )


@contextmanager
def _bar(
    name: str, desk: StudyDesk, total: int | None, wanted: bool
) -> Iterator[Callable[[], None] | None]:
    """What is to be called after outcomes, so that a person can see how far it is."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    if not wanted or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("trials, confidence {task.fields[confidence]}{task.fields[left]}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(name, total=total, confidence=NOTHING, left="")

        def heard() -> None:
            now = desk.headway()
            left = "" if now.left is None else f", about {now.left:,} more"
            bar.update(task, completed=desk.made, confidence=confidence(now.confidence), left=left)

        yield heard
