"""Tags: short words by which studies are found together."""

from collections.abc import Iterable

from goodarm.errors import InputError
from goodarm.inputs import label

MOST_TAGS = 20
LONGEST_TAG = 50
BETWEEN = ", "


def check_tags(what: str, given: object) -> tuple[str, ...]:
    """Tags without repetitions, in the order of the alphabet; "Plate" and "plate" are one."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f'{what}: give a list of tags, such as ["spring", "lab 3"]')
    return tuple(sorted({_tag(what, tag) for tag in given}))


def changed_tags(
    present: Iterable[str], added: Iterable[str], removed: Iterable[str]
) -> tuple[str, ...]:
    """The tags after a change; an InputError if they are too many."""
    tags = tuple(sorted({*present, *added} - set(removed)))
    if len(tags) > MOST_TAGS:
        raise InputError(f"tags: {len(tags)}; a study has at most {MOST_TAGS}, so remove some")
    return tags


def write_tags(tags: Iterable[str]) -> str:
    """The tags as one text."""
    return BETWEEN.join(tags)


def read_tags(text: str) -> tuple[str, ...]:
    """The tags that `write_tags` wrote."""
    return tuple(text.split(BETWEEN)) if text else ()


def _tag(what: str, given: object) -> str:
    tag = label(what, given).lower()
    if "," in tag:
        raise InputError(f"{what}: {tag[:LONGEST_TAG]!r} has a comma in it; give two tags instead")
    if len(tag) > LONGEST_TAG:
        raise InputError(f"{what}: {len(tag)} characters; a tag has at most {LONGEST_TAG}")
    return tag
