"""What a tool is: a name, what an agent must know of it, what it takes, and what it does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from goodarm.mcp_server.answers import Answer
from goodarm.mcp_server.workplace import Visit
from goodarm.remote.bodies import Sent

StudyName = Annotated[str, Field(description="The study's name, as list_studies shows it.")]


class OfStudy(Sent):
    """What is about one study."""

    study: StudyName


@dataclass(frozen=True)
class ToolEntry:
    """One tool; `description` is for a language model: what it does, when to use it, units."""

    name: str
    title: str
    description: str
    body: type[Sent]
    run: Callable[[Visit, Any], Answer]
    writes: bool = False
    repeatable: bool = True  # whether the same call again changes nothing more
