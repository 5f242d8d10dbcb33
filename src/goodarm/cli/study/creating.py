"""goodarm study create."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.questions import ArmsFrom, Costs, Criteria, Lift, read_share
from goodarm.cli.study.arms import ListedArms, Thresholds
from goodarm.cli.study.options import DEFAULT, By, Name, Storage
from goodarm.cli.study.session import at_terminal, login, read_seconds, say, storage_errors
from goodarm.errors import InputError
from goodarm.wording import counted

if TYPE_CHECKING:
    from goodarm.outcomes import Outcome, Suggestions
    from goodarm.study import Study

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
    threshold: Thresholds = None,
    outcome: Annotated[str | None, Setting] = None,
    like: Like = None,
    arm: Annotated[list[str] | None, typer.Option(help="An arm; give several.")] = None,
    arms_from: ArmsFrom = None,
    question: Annotated[str, Setting] = "",
    criterion: Criteria = None,
    control: Annotated[str | None, Setting] = None,
    margin: Annotated[float | None, Setting] = None,
    lift: Lift = None,
    cost: Costs = None,
    reserve: Annotated[float, Setting] = 0.0,
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

    listed = ListedArms(arms_from, arm or (), cost or ())
    found = None if like is None else _suggestions(like, listed.bars(threshold or ()), as_json)
    model = outcome or (None if criterion else _suggested(found, like))
    names = listed.names or ([] if found is None else list(found.arms))
    with storage_errors():
        study = Study.create(
            name,
            names,
            listed.bars(threshold or ()),
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
            question=question,
            criteria=criterion or (),
            control=control,
            margin=margin,
            lift=read_share("lift", lift),
            reserve=reserve,
            details=listed.details,
        )
        _say_created(study, found, like, as_json)


def _say_created(
    study: "Study", found: "Suggestions | None", like: Path | None, as_json: bool
) -> None:
    settings = study.settings
    arms = counted(len(settings.arms), "arm")
    said = f"created {study.name!r} with {arms}, seed {settings.seed}"
    data = {"settings": settings.to_data()}
    if found is not None and like is not None:
        data["suggestions"] = found.to_dict()
        said += f"\n{_not_imported(found, settings.outcome, study.name, like)}"
    say(study, data, said, as_json)


def _suggestions(path: Path, bar: float | list[float] | None, as_json: bool) -> "Suggestions":
    """What recorded outcomes suggest, shown with the checks."""
    if bar is None or isinstance(bar, list):
        raise InputError("threshold: --like needs one bar for all arms; give --threshold")
    from goodarm.instance import suggest_outcome

    found = suggest_outcome(path, bar)
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
