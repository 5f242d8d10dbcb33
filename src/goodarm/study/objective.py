"""Running a study in one process, with a progress bar where a person looks at it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from goodarm.errors import InputError
from goodarm.study.errors import StudyClosedError
from goodarm.study.report.status import Status
from goodarm.study.trials import Trial
from goodarm.wording import NOTHING, confidence

if TYPE_CHECKING:
    from goodarm.study.study import Study


def run_objective(
    study: "Study",
    objective: Callable[[Trial], float],
    trials: int | None,
    show_progress_bar: bool,
    sure: bool = False,
) -> Status:
    """Ask, try, tell, until there is nothing to ask for or the trials are done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    settings = study.settings
    if trials is None and settings.delta is None and settings.budget is None:
        raise InputError("trials: without delta and budget the study would never end; give trials")
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("trials, confidence {task.fields[confidence]}"),
    )
    silent = not show_progress_bar or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=silent) as bar:
        task = bar.add_task(study.name, total=trials or settings.budget, confidence=NOTHING)
        done = 0
        while trials is None or done < trials:
            try:
                trial = study.ask()
            except StudyClosedError:
                break
            study.tell(trial, _try(study, objective, trial), sure=sure)
            done += 1
            if not silent:
                bar.update(task, completed=done, confidence=confidence(study.confidence))
    return study.status()


def _try(study: "Study", objective: Callable[[Trial], float], trial: Trial) -> float:
    try:
        return objective(trial)
    except BaseException as error:
        study.cancel(trial, f"the objective raised {type(error).__name__}")
        raise
