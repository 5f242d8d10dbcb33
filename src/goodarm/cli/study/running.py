"""goodarm study run: a worker whose trials are runs of a command."""

from typing import Annotated

import typer

from goodarm.cli.command_options import OnError, Parallel, Timeout, Value, Words
from goodarm.cli.options import AsJson
from goodarm.cli.study.options import DEFAULT, By, Name, Storage, Sure
from goodarm.cli.study.session import login
from goodarm.cli.trials_by_command import Making, read_command, say_result


def run(
    name: Name,
    command: Words,
    parallel: Parallel = 1,
    timeout: Timeout = None,
    value: Value = "exit",
    on_error: OnError = "stop",
    trials: Annotated[
        int | None, typer.Option(help="Make this many trials at most, this time.")
    ] = None,
    sure: Sure = False,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Make the trials of a study by running a command, until it has its answer.

    Any number of such workers may work on one study. Exit codes: 0 an arm clears the bar, 1 none
    does, 3 undecided, 4 a trial gave no outcome, or there is trouble with the database.
    """
    from goodarm.study.working.worker import StudyWorker

    making = Making(parallel)
    with making.storage_errors():
        worker = StudyWorker(name, storage, login(by), on_error, trials, sure)
        trial = read_command(command, value, timeout, parallel, len(worker.settings.arms))
        worker.check_value(trial.value)
        result = making.play(worker, trial)
    say_result(result, as_json)
    raise typer.Exit(result.exit_code)
