"""The pictures and tables of docs/research/anytime-rules.md, from the data beside them.

Reads docs/data/league.json (goodarm league), league_search_*.json (bench/league_search.py) and
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
MEMBER = "UCB-G[bonus=both,share=sure,bad=floor,patience=2]"  # Scout, but for its prior
KINDS = {"time": "#0072b2", "rounds": "#6a994e", "moss": "#e69f00", "both": "#c1121f",
         "pace": "#7b2cbf"}  # fmt: skip


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
            here = np.fmax.reduce(ratios(row, league.rules)[number], initial=1.0)
            worst[some] = max(worst[some], float(here))
        found[rule] = (worst[False], worst[True])
    return found


def trade_off(league: League) -> Figure:
    """Every member of the search: what it costs where no arm is good, and where some are."""
    figure = Figure(figsize=(7.2, 5.0), layout="tight")
    ax = figure.add_subplot()
    places = worst_two_ways(league)
    curve = sorted((weight(rule), *place) for rule, place in places.items() if on_curve(rule))
    ax.plot([x for _, x, _ in curve], [y for _, _, y in curve], color=KINDS["both"], linewidth=1)
    for number, x, y in curve:
        text = "Scout's" if number == 1.0 else f"× {number:g}"
        ax.annotate(text, (x, y), xytext=(5, 5), textcoords="offset points", fontsize=8)
    for rule, (none, some) in places.items():
        kind = re.search(r"bonus=(\w+)", rule)
        is_member = rule.startswith("UCB-G")
        colour = KINDS[kind.group(1) if kind else "rounds"] if is_member else "black"
        led = any(word in rule for word in ("trust", "patience"))
        ax.plot(none, some, "o" if led else "^", color=colour, markersize=5)
        if not is_member:
            ax.annotate(rule, (none, some), xytext=(6, 4), textcoords="offset points", fontsize=9)
    ax.axvspan(1.0, 2.0, ymax=1.0, color="#eeeeee", zorder=0)
    ax.axhspan(1.0, 2.0, color="#eeeeee", zorder=0)
    ax.set_xscale("log")
    ax.set_yscale("log")
    for axis in (ax.xaxis, ax.yaxis):
        marks = [1, 2, 3, 5, 10, 20, 50, 100]
        axis.set_ticks(marks, [str(mark) for mark in marks])
        axis.set_ticks([], minor=True)
    ax.set_xlabel("worst ratio where no arm is good")
    ax.set_ylabel("worst ratio where some arm is good")
    seen = {match.group(1) for rule in places if (match := re.search(r"bonus=(\w+)", rule))}
    for kind in [kind for kind in KINDS if kind in seen]:
        ax.plot([], [], "o", color=KINDS[kind], label=f"bonus {kind}")
    ax.plot([], [], color=KINDS["both"], label="Scout's with its bonus times a number")
    ax.plot([], [], "o", color="grey", label="with trust or patience in the leader")
    ax.plot([], [], "^", color="grey", label="without")
    ax.legend(frameon=False, fontsize=8, loc="upper right")
    return figure


def on_curve(rule: str) -> bool:
    """Whether a member is Scout's but for its weight."""
    return re.sub(r"weight=[^,\]]+,", "", rule) == MEMBER


def weight(rule: str) -> float:
    """A member's weight."""
    match = re.search(r"weight=([^,\]]+)", rule)
    return float(match.group(1)) if match else 1.0


def put(text: str, mark: str, content: str) -> str:
    """The page with the content between the two marks of that name."""
    begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    before, rest = text.split(begin)
    return f"{before}{begin}\n\n{content}\n\n{end}{rest.split(end)[1]}"


def main() -> None:
    league = load_league(DOCS / "data" / "league.json")
    wide, deep, coins = (
        load_league(DOCS / "data" / f"league_search_{name}.json")
        for name in ("wide", "deep", "coins")
    )
    stopping = json.loads((DOCS / "data" / "scout_stopping.json").read_text(encoding="utf-8"))
    images = DOCS / "images"
    heat_map(league).savefig(images / "league_heat_map.png", dpi=110)
    profile(league.only([HELD_OUT])).savefig(images / "league_profile.png", dpi=110)
    trade_off(deep).savefig(images / "league_trade_off.png", dpi=110)
    page = PAGE.read_text(encoding="utf-8")
    page = put(page, "families", families_table())
    page = put(page, "held out", standings_table(standings(league.only([HELD_OUT]))))
    page = put(page, "paper", standings_table(standings(league.only([PAPER, SIZES]))))
    page = put(page, "search", standings_table(standings(wide)[:12]))
    page = put(page, "coins", standings_table(standings(coins)))
    page = put(page, "stopping", stopping_table(stopping))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
