"""Which files of other tools a study can import, by the name of their format."""

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path

from goodarm.errors import InputError, unknown_name
from goodarm.integrations.lm_eval import read_lm_eval
from goodarm.integrations.promptfoo import read_promptfoo
from goodarm.integrations.records import Records

FORMATS: dict[str, Callable[..., Records]] = {
    "promptfoo": read_promptfoo,
    "lm-eval": read_lm_eval,
}


def read_results(form: str, path: str | Path, picks: Iterable[str] = ()) -> Records:
    """The outcomes in a file; `picks` are KEY=VALUE texts for what the format leaves open."""
    if form not in FORMATS:
        raise unknown_name("format", form, ["csv", *FORMATS])
    reader = FORMATS[form]
    known = [
        name
        for name, parameter in inspect.signature(reader).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    options: dict[str, str] = {}
    for pick in picks:
        key, equals, value = pick.partition("=")
        if not equals or not value or key not in known or key in options:
            raise InputError(
                f"pick: {pick!r} is not one of {', '.join(f'{name}=…' for name in known)}, each at "
                f"most once, which are what {form} leaves open"
            )
        options[key] = value
    return reader(path, **options)
