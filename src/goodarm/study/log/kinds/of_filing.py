"""Events that say where a study is found: archived, unarchived, tagged. Its question stays."""

from typing import TYPE_CHECKING, Any

from goodarm.study.log.events import Event
from goodarm.study.log.kinds.contract import Kind
from goodarm.study.tags import changed_tags, check_tags, read_tags, write_tags
from goodarm.study.trials import Trial

if TYPE_CHECKING:
    from goodarm.study.log.fold import Fold


class Archived(Kind):
    """Put away: lists leave it out."""

    name = "archived"
    title = "archived"
    about = "the study is put away: lists leave it out; why"
    carries = frozenset({"reason"})

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """It was not archived yet."""
        if fold.archived:
            raise ValueError("the study was archived already")

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Nothing else changes."""
        fold.archived = True
        return False


class Unarchived(Kind):
    """Back in the lists."""

    name = "unarchived"
    title = "brought back"
    about = "the study is in the lists again; why"
    carries = frozenset({"reason"})

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """It was archived."""
        if not fold.archived:
            raise ValueError("the study was not archived")

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Nothing else changes."""
        fold.archived = False
        return False


class Tagged(Kind):
    """Other tags."""

    name = "tagged"
    title = "tags"
    about = "the study has these `tags` now, with commas between them"
    carries = frozenset({"tags"})
    needs = carries

    def check(self, event: Event, fold: "Fold", trial: Trial | None) -> None:
        """They are tags, and others than before."""
        tags = read_tags(event.body["tags"])
        if changed_tags((), check_tags("tags", tags), ()) != tags:
            raise ValueError("the tags are not in order")
        if tags == fold.tags:
            raise ValueError("the study had these tags already")

    def apply(self, event: Event, fold: "Fold") -> bool:
        """Nothing else changes."""
        fold.tags = read_tags(event.body["tags"])
        return False

    def details(self, body: dict[str, Any]) -> str:
        """All of them."""
        return f"now {write_tags(read_tags(body['tags']))}" if body["tags"] else "now none"


FILING_KINDS = (Archived(), Unarchived(), Tagged())
