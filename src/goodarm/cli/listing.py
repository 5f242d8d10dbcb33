"""goodarm list algorithms|instances|outcomes."""

from typing import Any

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json

listing = typer.Typer(
    help="What there is: algorithms, instances or outcome models.", no_args_is_help=True
)


@listing.command("algorithms")
def list_algorithms(as_json: AsJson = False) -> None:
    """Every algorithm: what it is, what it needs, what it guarantees."""
    from goodarm.algorithms import algorithms

    rows: list[dict[str, Any]] = [
        {
            "name": a.name,
            "settings": list(a.settings),
            "needs": list(a.needs),
            "options": {key: option.help for key, option in a.options.items()},
            "own_stopping": a.own_stopping,
            "summary": a.summary,
            "guarantee": a.guarantee,
            "reference": a.reference,
        }
        for a in algorithms.values()
    ]
    if as_json:
        print_json(rows)
        return
    from rich.markup import escape

    from goodarm.cli.tables import console, table
    from goodarm.wording import NOTHING

    columns = ["name", "settings", "needs", "options", "what it does", "reference"]
    lines = table("Algorithms", columns, left=6)
    short = {"anytime": "any", "fixed-budget": "budget", "fixed-confidence": "conf."}
    for row in rows:
        settings = ", ".join(short[setting] for setting in row["settings"])
        needs, options = (", ".join(row[key]) or NOTHING for key in ("needs", "options"))
        cells = row["name"], settings, needs, options, row["summary"], row["reference"]
        lines.add_row(*map(escape, cells))
    console().print(lines)


@listing.command("instances")
def list_instances(as_json: AsJson = False) -> None:
    """Every instance of the paper, by name."""
    from goodarm.instance import instances
    from goodarm.instance.catalogue import FAMILY_TEXTS

    if as_json:
        named = [{**i.to_dict(), "about": instances.describe(n)} for n, i in instances.items()]
        families = [{"name": f"{n}(K, g)", "about": about} for n, about in FAMILY_TEXTS.items()]
        print_json({"instances": named, "families": families})
        return
    from goodarm.cli.tables import console, table

    columns = ["name", "about", "kind", "K", "good", "threshold", "sigma"]
    lines = table("Instances", columns, left=3)
    for name, i in instances.items():
        sizes = str(i.K), str(len(i.good_arms)), f"{i.threshold:g}", f"{i.sigmas[0]:g}"
        lines.add_row(name, instances.describe(name), i.kinds[0], *sizes)
    for name, about in FAMILY_TEXTS.items():
        lines.add_row(f"{name}:K:g", about, "gaussian", "K", "g", "0", "1")
    console().print(lines)


@listing.command("outcomes")
def list_outcomes(as_json: AsJson = False) -> None:
    """Every outcome model: how it is written, what it is for."""
    from dataclasses import fields

    from goodarm.outcomes import outcomes

    rows: list[dict[str, Any]] = [
        {
            "name": model.name,
            "form": model.form(),
            "title": model.title,
            "summary": model.summary,
            "parameters": {f.name: f.metadata.get("help", "") for f in fields(model)},
            "simulated": model.functions.draw is not None,
        }
        for model in outcomes.values()
    ]
    if as_json:
        print_json(rows)
        return
    from rich.markup import escape

    from goodarm.cli.tables import console, table

    lines = table("Outcome models", ["form", "outcomes", "what it is for"], left=3)
    for row in rows:
        lines.add_row(*map(escape, (row["form"], row["title"], row["summary"])))
    console().print(lines)
