"""goodarm study create."""

from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.study.options import DEFAULT, By, Name, Storage
from goodarm.cli.study.session import login, read_seconds, say, storage_errors
from goodarm.files import read_text
from goodarm.wording import counted

Setting = typer.Option()  # help and default: see `settings_command`


def create(
    name: Name,
    threshold: Annotated[float, Setting],
    outcome: Annotated[str, Setting],
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

    with storage_errors():
        study = Study.create(
            name,
            [*(arm or []), *_arm_lines(arms_from)],
            threshold,
            outcome,
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
        say(study, {"settings": settings.to_data()}, said, as_json)


def _arm_lines(path: Path | None) -> list[str]:
    """The arms in a text file, one per line."""
    lines = [] if path is None else read_text(path).splitlines()
    return [line.strip() for line in lines if line.strip()]
