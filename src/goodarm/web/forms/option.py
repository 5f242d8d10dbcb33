"""One more option, as a form: its name, what is said of it, and its bars where each has its own."""

import re
from collections.abc import Mapping
from typing import Annotated, NamedTuple

from fastapi import Depends

from goodarm.inputs import read_number
from goodarm.study import Study
from goodarm.study.settings import Settings
from goodarm.web.forms.typed import inputs_named, optional_number, optional_text

_INPUT = re.compile(r"arm|label|cost|note|reason|key|bar[0-9]{1,2}")


class OwnBar(NamedTuple):
    """A bar that every option has of its own: its input on the page, and of which measurement."""

    input: str
    name: str


def own_bars(settings: Settings) -> list[OwnBar]:
    """The bars that a new option needs."""
    numbered = enumerate(settings.every_criterion, 1)
    return [OwnBar(f"bar{n}", one.name) for n, one in numbered if isinstance(one.threshold, tuple)]


def add_typed_option(study: Study, typed: Mapping[str, str]) -> None:
    """Add the option that was typed."""
    said = {name: text.strip() for name, text in typed.items()}
    bars = {
        bar.name: read_number("threshold", said.get(bar.input, ""))
        for bar in own_bars(study.settings)
    }
    study.add_arm(
        said.get("arm", ""),
        said.get("reason", ""),
        threshold=bars or None,
        label=optional_text(said.get("label", "")),
        cost=optional_number("cost", said.get("cost", "")),
        note=optional_text(said.get("note", "")),
        key=optional_text(said.get("key", "")),
    )


TypedOption = Annotated[dict[str, str], Depends(inputs_named(_INPUT))]
"""What was typed into the form, by the names of its inputs."""
