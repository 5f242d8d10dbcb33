"""goodarm study archive, tag: where a study is found."""

from typing import Annotated

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.study.options import DEFAULT, By, MaybeReason, Name, Storage
from goodarm.cli.study.session import opened_study, say
from goodarm.wording import printable


def archive(
    name: Name,
    undo: Annotated[bool, typer.Option("--undo", help="Bring it back into the lists.")] = False,
    reason: MaybeReason = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Put the study away: lists leave it out, and nothing else changes."""
    with opened_study(name, storage, by) as study:
        change = study.unarchive if undo else study.archive
        change(reason)
        said = f"{name!r} is back in the lists" if undo else f"archived {name!r}"
        say(study, {"archived": study.archived}, said, as_json)


def tag(
    name: Name,
    tags: Annotated[
        list[str] | None, typer.Argument(help="Tags to add; without any, the tags are shown.")
    ] = None,
    remove: Annotated[list[str] | None, typer.Option(help="A tag to remove.")] = None,
    storage: Storage = DEFAULT,
    by: By = None,
    as_json: AsJson = False,
) -> None:
    """Give the study tags, by which `goodarm study list --tag` finds it."""
    with opened_study(name, storage, by) as study:
        present = study.tag(tags or (), remove or ()) if tags or remove else study.tags
        said = f"tags: {printable(', '.join(present)) or 'none'}"
        say(study, {"tags": present}, said, as_json)
