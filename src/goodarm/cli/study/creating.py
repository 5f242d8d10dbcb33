"""goodarm study create."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.study.options import DEFAULT, By, Name, Storage
from goodarm.cli.study.session import at_terminal, login, read_seconds, say, storage_errors
from goodarm.errors import InputError
from goodarm.files import read_text
from goodarm.wording import counted

if TYPE_CHECKING:
    from goodarm.outcomes import Outcome, Suggestions

Setting = typer.Option()  # help and default: see `settings_command`
Like = Annotated[
    Path | None,
    typer.Option(
        help="Recorded outcomes (CSV: arm, value, or with sizes: arm, successes, trials) that "
        "those of the study will be like: they name the arms and suggest the outcome model. They "
        "are not imported.",
        dir_okay=False,
    ),
]


def create(
    name: Name,
    threshold: Annotated[float, Setting],
    outcome: Annotated[str | None, Setting] = None,
    like: Like = None,
    arm: Annotated[list[str] | None, typer.Option(help="An arm; give several.")] = None,
    arms_from: Annotated[
        Path | None, typer.Option(help="A text file with one arm per line.", dir_okay=False)
    ] = None,
    delta: Annotated[float | None, Setting] = None,
    goal: Annotated[str, Setting] = "",
    algorithm: Annotated[str, typer.Option("--algorithm", "-a")] = "",
    boundary: Annotated[str | None, Setting] = None,
    decide: Annotated[str | None, Setting] = None,
    budget: Annotated[int | None, Setting] = None,
    lease: Annotated[
        str | None, typer.Option(help="Suggestions expire after: 90, 15m, 2h or 7d.")
    ] = None,
    seed: Annotated[int | None, Setting] = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Create a study."""
    from goodarm.study import Study

    found = None if like is None else _suggestions(like, threshold, as_json)
    model = outcome or _suggested(found, like)
    names = [*(arm or []), *_arm_lines(arms_from)] or ([] if found is None else list(found.arms))
    with storage_errors():
        study = Study.create(
            name,
            names,
            threshold,
            model,
            delta,
            algorithm,
            storage,
            seed,
            goal,
            budget=budget,
            lease=read_seconds(lease),
            boundary=boundary,
            decide=decide,
            by=login(by),
        )
        settings = study.settings
        arms = counted(len(settings.arms), "arm")
        said = f"created {name!r} with {arms}, seed {settings.seed}"
        data = {"settings": settings.to_data()}
        if found is not None:
            data["suggestions"] = found.to_dict()
            said += f"\n{_not_imported(found, settings.outcome, name, like)}"
        say(study, data, said, as_json)


def _suggestions(path: Path, threshold: float, as_json: bool) -> "Suggestions":
    """What recorded outcomes suggest, shown with the checks."""
    from goodarm.instance import suggest_outcome

    found = suggest_outcome(path, threshold)
    if not as_json:
        from goodarm.cli.outcome_tables import show_suggestions

        show_suggestions(found)
    return found


def _suggested(found: "Suggestions | None", path: Path | None) -> str:
    """The suggested model; what only a person can know of it must be confirmed."""
    if found is None:
        raise InputError(
            "outcome: say what an outcome is with --outcome: bernoulli for yes or no, gaussian for "
            "measurements; goodarm outcomes helps to choose"
        )
    text, confirm = found.outcome.text(), found.best.confirm
    if found.best.doubts:
        raise InputError(
            f"outcome: every model that {path} can be from is doubted; the least doubtful is "
            f"{text}: {' '.join(found.best.doubts)} Name a model with --outcome, or see goodarm "
            f"outcomes --data {path}"
        )
    if confirm is None or (at_terminal() and typer.confirm(f"Is it so that {confirm}?", err=True)):
        return text
    raise InputError(
        f"outcome: {path} suggests {text}, but only if {confirm}; if that is so, add --outcome "
        f"{text}, else see goodarm outcomes --data {path}"
    )


def _not_imported(found: "Suggestions", model: "Outcome", name: str, path: Path | None) -> str:
    """What becomes of the recorded outcomes."""
    how = f"goodarm study import {name} {path} enters them"
    if found.sized and not model.size_form:
        how = "they are batches; tell each as one outcome, its value over its size"
    return f"outcomes are {model.text()}; those in {path} are not part of the study ({how})"


def _arm_lines(path: Path | None) -> list[str]:
    """The arms in a text file, one per line."""
    lines = [] if path is None else read_text(path).splitlines()
    return [line.strip() for line in lines if line.strip()]
