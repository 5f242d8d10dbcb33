"""The pictures and tables of docs/research/anytime-rules.md, from the data beside them.

Reads docs/data/league.json (goodarm league), league_search.json (bench/league_search.py) and
scout_stopping.json (bench/scout_stopping.py); writes docs/images/league_*.png and the tables
between the marks in the page.

Run it: python examples/league_figures.py
"""

import json
import re
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from goodarm.league import League, Standing, load_league, standings
from goodarm.league.families import FAMILIES
from goodarm.league.pictures import heat_map, profile
from goodarm.league.scores import ratios
from goodarm.league.suite import HELD_OUT, PAPER, SIZES

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "research" / "anytime-rules.md"
MEMBER = "UCB-G[bonus=both,share=yes,bad=floor,trust=0.2]"  # Scout, as found
KINDS = {"time": "#0072b2", "rounds": "#6a994e", "moss": "#e69f00", "both": "#c1121f"}


def standings_table(found: list[Standing]) -> str:
    """The standings as a table in Markdown."""
    lines = [
        "| rule | worst ratio (surely) | where | 95 % | median | within a factor of 2 |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for s in found:
        lines.append(
            f"| {s.rule} | {s.worst:.2f} ({s.worst_sure:.2f}) | {s.where.instance}, "
            f"t = {s.where.time:,} | {s.q95:.2f} | {s.median:.2f} | {s.within_2:.1%} |"
        )
    return "\n".join(lines)


def families_table() -> str:
    """What each family is, and what for."""
    lines = ["| family | for | means, D being the size of the gaps |", "| --- | --- | --- |"]
    for family in FAMILIES:
        purpose = "training" if family.training else "judging"
        lines.append(f"| {family.name} | {purpose} | {family.text} |")
    return "\n".join(lines)


def stopping_table(data: dict) -> str:
    """Mean stopping times over the least of each instance, and Scout's own."""
    rules = list(dict.fromkeys(row["rule"] for row in data["rows"]))
    lines = [
        "| instance | Scout's mean ± s.e. | " + " | ".join(f"{rule}" for rule in rules) + " |",
        "| --- " * (len(rules) + 2) + "|",
    ]
    for name in dict.fromkeys(row["instance"] for row in data["rows"]):
        here = {row["rule"]: row for row in data["rows"] if row["instance"] == name}
        least = min(row["mean"] for row in here.values())
        scout = here["Scout"]
        shares = [_ratio(here[rule], least) for rule in rules]
        lines.append(
            f"| {name} | {scout['mean']:,.0f} ± {scout['se']:,.0f} | " + " | ".join(shares) + " |"
        )
    return "\n".join(lines)


def _ratio(row: dict, least: float) -> str:
    text = f"{row['mean'] / least:.2f}"
    return text if row["stopped"] == 1.0 else f"{text}*"


def worst_two_ways(league: League) -> dict[str, tuple[float, float]]:
    """For each rule its worst ratio where no arm is good, and where some are."""
    found = {}
    for number, rule in enumerate(league.rules):
        worst = {False: 1.0, True: 1.0}
        for row in league.rows:
            some = bool(row.entry.instance.good.any())
            worst[some] = max(worst[some], float(np.nanmax(ratios(row, league.rules)[number])))
        found[rule] = (worst[False], worst[True])
    return found


def trade_off(league: League) -> Figure:
    """Every member of the search: what it costs where no arm is good, and where some are."""
    figure = Figure(figsize=(7.2, 5.0), layout="tight")
    ax = figure.add_subplot()
    places = worst_two_ways(league)
    for rule, (none, some) in places.items():
        kind = re.search(r"bonus=(\w+)", rule)
        is_member = rule.startswith("UCB-G")
        colour = KINDS[kind.group(1) if kind else "rounds"] if is_member else "black"
        led = "lead" in rule or "trust" in rule
        ax.plot(none, some, "o" if led else "^", color=colour, markersize=6,
                fillstyle="full" if "share=yes" in rule else "none")  # fmt: skip
        if not is_member or rule == MEMBER:
            name = "Scout" if rule == MEMBER else rule
            place = (-10, -14) if name == "Scout" else (6, 4)
            ax.annotate(name, (none, some), xytext=place, textcoords="offset points", fontsize=9)
    ax.axvspan(1.0, 2.0, ymax=1.0, color="#eeeeee", zorder=0)
    ax.axhspan(1.0, 2.0, color="#eeeeee", zorder=0)
    ax.set_xscale("log")
    ax.set_yscale("log")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks([1, 2, 3, 5, 10, 20, 50], ["1", "2", "3", "5", "10", "20", "50"])
        axis.set_ticks([], minor=True)
    ax.set_xlabel("worst ratio where no arm is good")
    ax.set_ylabel("worst ratio where some arm is good")
    for kind, colour in KINDS.items():
        ax.plot([], [], "o", color=colour, label=f"bonus {kind}")
    ax.plot([], [], "o", color="grey", label="with a leader's share")
    ax.plot([], [], "^", color="grey", label="without")
    ax.plot([], [], "o", color="grey", fillstyle="none", label="bonus not shared")
    ax.legend(frameon=False, fontsize=8, loc="upper right")
    return figure


def put(text: str, mark: str, content: str) -> str:
    """The page with the content between the two marks of that name."""
    begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    before, rest = text.split(begin)
    return f"{before}{begin}\n\n{content}\n\n{end}{rest.split(end)[1]}"


def main() -> None:
    league = load_league(DOCS / "data" / "league.json")
    search = load_league(DOCS / "data" / "league_search.json")
    stopping = json.loads((DOCS / "data" / "scout_stopping.json").read_text(encoding="utf-8"))
    images = DOCS / "images"
    heat_map(league).savefig(images / "league_heat_map.png", dpi=110)
    profile(league.only([HELD_OUT])).savefig(images / "league_profile.png", dpi=110)
    trade_off(search).savefig(images / "league_trade_off.png", dpi=110)
    page = PAGE.read_text(encoding="utf-8")
    page = put(page, "families", families_table())
    page = put(page, "held out", standings_table(standings(league.only([HELD_OUT]))))
    page = put(page, "paper", standings_table(standings(league.only([PAPER, SIZES]))))
    page = put(page, "search", standings_table(standings(search)[:12]))
    page = put(page, "stopping", stopping_table(stopping))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
