"""goodarm list algorithms|instances|outcomes."""

import json
from typing import Annotated, Any

import typer

listing = typer.Typer(
    help="What there is: algorithms, instances or outcome models.", no_args_is_help=True
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, not a table.")]


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
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    from goodarm.cli.tables import console, table

    shown = table(
        "Algorithms", ["name", "settings", "needs", "options", "what it does", "reference"], 6
    )
    short = {"anytime": "any", "fixed-budget": "budget", "fixed-confidence": "conf."}
    for row in rows:
        shown.add_row(
            row["name"],
            ", ".join(short[s] for s in row["settings"]),
            ", ".join(row["needs"]) or "–",
            ", ".join(row["options"]) or "–",
            row["summary"],
            row["reference"],
        )
    console().print(shown)


@listing.command("instances")
def list_instances(as_json: AsJson = False) -> None:
    """Every instance of the paper, by name."""
    from goodarm.instance import instances
    from goodarm.instance.catalogue import FAMILIES

    if as_json:
        named = [{**i.to_dict(), "about": instances.describe(n)} for n, i in instances.items()]
        families = [{"name": f"{n}(K, g)", "about": about} for n, about in FAMILIES.items()]
        print(json.dumps({"instances": named, "families": families}, indent=2, ensure_ascii=False))
        return
    from goodarm.cli.tables import console, table

    shown = table("Instances", ["name", "about", "kind", "K", "good", "threshold", "sigma"], left=3)
    for name, i in instances.items():
        kind = i.kinds[0]
        shown.add_row(
            name, instances.describe(name), kind, str(i.K), str(len(i.good_arms)),
            f"{i.threshold:g}", f"{i.sigmas[0]:g}",
        )  # fmt: skip
    for name, about in FAMILIES.items():
        shown.add_row(f"{name}:K:g", about, "gaussian", "K", "g", "0", "1")
    console().print(shown)


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
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    from goodarm.cli.tables import console, table

    shown = table("Outcome models", ["name", "form", "what it is for"], left=3)
    for row in rows:
        shown.add_row(row["name"], row["form"], row["summary"])
    console().print(shown)
