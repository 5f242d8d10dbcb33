"""The pictures and tables of docs/research/anytime-rules.md and trials.md, from their data.

Reads docs/data/league.json (goodarm league), league_search_*.json (bench/league_search.py),
rare_errors.json (bench/rare_errors.py), scout_stopping.json (bench/scout_stopping.py) and
trials*.json (goodarm league --trials).

Run it: python examples/league_figures.py (draws league_*.png and trials_*.png into this folder, or
another: --out FOLDER)
The documentation (the pictures in docs/images, the tables between the marks in the pages):
python examples/league_figures.py --docs
"""

import json
import re
from argparse import ArgumentParser
from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from goodarm.league import League, Standing, load_league, standings
from goodarm.league.errors.pictures import heat_map, profile
from goodarm.league.errors.scores import (
    NOISE,
    RESOLVED,
    SMALLEST_ERROR,
    ratios,
    resolved_ratios,
    yardstick,
)
from goodarm.league.errors.suites import HELD_OUT, PAPER, SIZES
from goodarm.league.families import RANDOM_FAMILIES
from goodarm.league.trials import tables
from goodarm.league.trials.pictures import trials_heat_map
from goodarm.league.trials.results import TrialsLeague, join_trials, load_trials
from goodarm.league.trials.suites import JUDGING, LATER, PUBLISHED, RATES
from goodarm.plotting import new_panels, shared_legend, style
from goodarm.plotting.figures import calm
from goodarm.theory.exact import unif_error

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "research" / "anytime-rules.md"
TRIALS_PAGE = DOCS / "research" / "trials.md"
# Scout as a member of the family; at first without its prior.
MEMBERS = (
    "UCB-G[bonus=both,share=sure,bad=floor,patience=2]",
    "UCB-G[bonus=both,share=sure,bad=floor,prior=1,patience=2]",
)
KINDS = {
    "time": "#0072b2",
    "rounds": "#6a994e",
    "moss": "#e69f00",
    "both": "#c1121f",
    "pace": "#7b2cbf",
    "eager": "#00a896",
}
FEW_ARMS = 15  # with more, the exact error of Unif takes long
DEPTHS = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
LEADING = ("Prospector", "Scout")
SHOWN = (*LEADING, "UCB-G[bonus=moss,weight=2]", "MS", "HDoC", "TaS", "APGAI-FE", "APGAI", "Unif")
EXAMPLES = {
    "outlier 23": "one good arm of 99",
    "ladder 6": "many good arms",
    "none-close 22": "no good arm",
    "Thr2": "Thr2",
}


def standings_table(rows: list[Standing]) -> str:
    """The standings as a table in Markdown."""
    lines = [
        "| algorithm | worst ratio (surely) | where | 95 % | median | within a factor of 2 |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for s in rows:
        lines.append(
            f"| {s.algorithm} | {number(s.worst)} ({number(s.worst_sure)}) | {s.where.instance}, "
            f"t = {s.where.time:,} | {number(s.q95)} | {s.median:.2f} | {s.within_2:.1%} |"
        )
    return "\n".join(lines)


def number(ratio: float) -> str:
    """A ratio with three digits or so."""
    return f"{ratio:.2f}" if ratio < 10.0 else f"{ratio:.1f}" if ratio < 100.0 else f"{ratio:,.0f}"


def depths_table(league: League) -> str:
    """Each algorithm's worst ratio by how small the best error is, where it is resolved."""
    best = np.concatenate([yardstick(row, league.algorithms)[0] for row in league.rows])
    table = np.concatenate([resolved_ratios(row, league.algorithms) for row in league.rows], axis=1)
    steps = list(pairwise(DEPTHS))
    lines = [
        "| best error | spots | " + " | ".join(SHOWN) + " |",
        "| --- " * (len(SHOWN) + 2) + "|",
    ]
    for high, low in steps:
        here = (best <= high) & (best > low) & ~np.isnan(table[league.algorithms.index("Scout")])
        worst = [worst_known(table[league.algorithms.index(name), here]) for name in SHOWN]
        lines.append(f"| {high:g} to {low:g} | {here.sum():,} | " + " | ".join(worst) + " |")
    return "\n".join(lines)


def worst_known(ratios: np.ndarray) -> str:
    """The largest, or a dash where most are not known."""
    known = ratios[~np.isnan(ratios)]
    return number(known.max()) if 2 * known.size >= ratios.size > 0 else "–"


def check_text(league: League, known: list[dict]) -> str:
    """What splitting finds over what is known otherwise."""
    z = np.concatenate([row["z"] for row in known])
    deep = [
        found / counted
        for row in known
        for found, counted in zip(row["found"], row["counted"], strict=True)
        if counted < 2e-5
    ]
    texts = [
        f"* {len(known)} algorithms and instances of [how fast errors fall](error-decay.md), where "
        f"errors were counted in up to {max(row['runs_counted'] for row in known):.0e} runs: at "
        f"{len(z)} of them, from 1e-2 down to 2e-6, splitting with {known[0]['runs']:,} runs is "
        f"{z.mean():+.2f} standard errors off in the mean, with a standard deviation of "
        f"{z.std():.2f}. The {len(deep)} below 2e-5 are found at {min(deep):.2f} to "
        f"{max(deep):.2f} times what was counted, in the median {np.median(deep):.2f} "
        "(`bench/rare_errors.py`).",
        f"* Unif's error, which is known exactly for Gaussian arms (up to {FEW_ARMS} arms): "
        + exact_text(league),
        "* The league itself: " + counted_text(league),
    ]
    return "\n".join(texts)


def exact_text(league: League) -> str:
    """Unif's errors by splitting, of those that are resolved, against the exact ones."""
    unif = league.algorithms.index("Unif")
    z, shares = [], []
    for row in league.rows:
        instance = row.entry.instance
        if row.rare is None or instance.arms[0].kind != "gaussian" or instance.K > FEW_ARMS:
            continue
        rates, noise = row.rare.rates[unif], row.rare.standard_errors[unif]
        for i in np.flatnonzero((rates > 0.0) & (noise <= NOISE * rates)):
            exact = unif_error(instance, row.entry.times[i]).value
            z.append((rates[i] - exact) / noise[i])
            shares.append((exact, rates[i] / exact))
    rare = np.array([share for exact, share in shares if exact < 1e-4])
    return (
        f"{len(z):,} errors, off by {np.mean(z):+.2f} standard errors in the mean, with a standard "
        f"deviation of {np.std(z):.2f}. The {len(rare)} below 1e-4 are found at {rare.min():.2f} "
        f"to {rare.max():.2f} times the exact one, in the mean {rare.mean():.2f}."
    )


def counted_text(league: League) -> str:
    """How far splitting is from counting, in standard errors, where both know an error."""
    scores = []
    for row in league.rows:
        if row.rare is None:
            continue
        both = (row.errors >= RESOLVED) & (row.rare.rates > 0.0)
        runs = np.broadcast_to(row.runs[:, None], both.shape)[both]
        counted = row.errors[both] / runs
        error = np.hypot(row.rare.standard_errors[both], np.sqrt(counted * (1.0 - counted) / runs))
        scores.append((row.rare.rates[both] - counted) / error)
    z = np.concatenate(scores)
    return (
        f"at {len(z):,} spots an error was counted at least {RESOLVED} times and found by "
        f"splitting as well. They differ by {z.mean():+.2f} standard errors in the mean, with a "
        f"standard deviation of {z.std():.2f}; {np.mean(abs(z) > 3.0):.1%} by more than 3."
    )


def curves(league: League) -> Figure:
    """Errors against time on some instances, as far down as they are known."""
    figure, axes = new_panels(list(EXAMPLES.values()), 2, len(SHOWN))
    for ax, name in zip(axes, EXAMPLES, strict=True):
        row = next(row for row in league.rows if row.entry.instance.name == name)
        rates, noise = row.estimates()
        times = np.array(row.entry.times)
        for algorithm in SHOWN:
            index = league.algorithms.index(algorithm)
            clear = (noise[index] <= NOISE) & (rates[index] >= SMALLEST_ERROR / 3.0)
            look = style(algorithm)
            line = {"color": look.colour, "linestyle": look.dashes, "label": look.label}
            width = 2.2 if algorithm in LEADING else 1.3
            ax.plot(times[clear], rates[index, clear], **line, linewidth=width)
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_ylim(SMALLEST_ERROR / 3.0, 1.2)
        marks = [mark for mark in (10, 30, 100, 300, 1000, 2500) if times[0] <= mark <= times[-1]]
        ax.set_xticks(marks, [f"{mark:,}" for mark in marks])
        ax.set_xticks([], minor=True)
        ax.set_xlabel("pulls", fontsize=9)
        ax.set_ylabel("error", fontsize=9)
        calm(ax)
    shared_legend(figure, axes)
    return figure


def families_table() -> str:
    """What each family is, and what for."""
    lines = ["| family | for | means, D being the size of the gaps |", "| --- | --- | --- |"]
    for family in RANDOM_FAMILIES:
        purpose = "training" if family.training else "judging"
        lines.append(f"| {family.name} | {purpose} | {family.text} |")
    return "\n".join(lines)


def stopping_table(data: dict) -> str:
    """Mean stopping times over the least of each instance, and Scout's own."""
    names = list(dict.fromkeys(row["rule"] for row in data["rows"]))
    lines = [
        "| instance | Scout's mean ± s.e. | " + " | ".join(names) + " |",
        "| --- " * (len(names) + 2) + "|",
    ]
    for instance in dict.fromkeys(row["instance"] for row in data["rows"]):
        here = {row["rule"]: row for row in data["rows"] if row["instance"] == instance}
        least = min(row["mean"] for row in here.values())
        scout = here["Scout"]
        shares = [_ratio(here[name], least) for name in names]
        lines.append(
            f"| {instance} | {scout['mean']:,.0f} ± {scout['se']:,.0f} | "
            + " | ".join(shares)
            + " |"
        )
    return "\n".join(lines)


def _ratio(row: dict, least: float) -> str:
    text = f"{row['mean'] / least:.2f}"
    return text if row["stopped"] == 1.0 else f"{text}*"


def worst_two_ways(league: League) -> dict[str, tuple[float, float]]:
    """For each algorithm its worst ratio where no arm is good, and where some are."""
    both = {}
    for number, algorithm in enumerate(league.algorithms):
        worst = {False: 1.0, True: 1.0}
        for row in league.rows:
            some = bool(row.entry.instance.good.any())
            here = np.fmax.reduce(ratios(row, league.algorithms)[number], initial=1.0)
            worst[some] = max(worst[some], float(here))
        both[algorithm] = (worst[False], worst[True])
    return both


def trade_off(counted: League, deep: League) -> Figure:
    """Every member of the search: what it costs where no arm is good, and where some are."""
    figure = Figure(figsize=(11.5, 5.6))
    figure.subplots_adjust(left=0.07, right=0.98, top=0.94, bottom=0.22)
    titles = ("errors that were counted", "errors down to 1e-6")
    for panel, (league, title) in enumerate(zip((counted, deep), titles, strict=True), 1):
        draw_members(figure.add_subplot(1, 2, panel), worst_two_ways(league), title)
    ax = figure.axes[0]
    for kind, colour in KINDS.items():
        if kind != "rounds":
            ax.plot([], [], "o", color=colour, label=f"bonus {kind}")
    ax.plot([], [], color=KINDS["both"], label="Scout's with its bonus times a number")
    ax.plot([], [], "o", color="grey", label="with trust or patience in the leader")
    ax.plot([], [], "^", color="grey", label="without")
    figure.legend(loc="lower center", ncols=4, frameon=False, fontsize=8)
    return figure


def draw_members(ax: Axes, ratios_of: dict[str, tuple[float, float]], title: str) -> None:
    """One panel of the trade-off."""
    curve = sorted((weight(name), *pair) for name, pair in ratios_of.items() if on_curve(name))
    ax.plot([x for _, x, _ in curve], [y for _, _, y in curve], color=KINDS["both"], linewidth=1)
    for factor, x, y in curve:
        text = "Scout's" if factor == 1.0 else f"× {factor:g}"
        below = -11 if factor == 2.0 else 5
        ax.annotate(text, (x, y), xytext=(5, below), textcoords="offset points", fontsize=8)
    for name, (none, some) in ratios_of.items():
        kind = re.search(r"bonus=(\w+)", name)
        is_member = name.startswith("UCB-G")
        colour = KINDS[kind.group(1) if kind else "rounds"] if is_member else "black"
        led = any(word in name for word in ("trust", "patience"))
        ax.plot(none, some, "o" if led else "^", color=colour, markersize=5)
        if not is_member:
            ax.annotate(name, (none, some), xytext=(6, 4), textcoords="offset points", fontsize=9)
    ax.axvspan(1.0, 2.0, color="#eeeeee", zorder=0)
    ax.axhspan(1.0, 2.0, color="#eeeeee", zorder=0)
    ax.set_xscale("log")
    ax.set_yscale("log")
    most = max(max(pair) for pair in ratios_of.values())
    marks = [m for m in (1, 2, 3, 5, 10, 20, 50, 100, 1_000, 10_000, 100_000) if m <= 2 * most]
    marks = marks if most < 500 else [m for m in marks if m in (1, 2, 5) or m % 10 == 0]
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(marks, [f"{mark:,}" for mark in marks], fontsize=8)
        axis.set_ticks([], minor=True)
    ax.set_title(title, loc="left", fontsize=10)
    ax.set_xlabel("worst ratio where no arm is good")
    ax.set_ylabel("worst ratio where some arm is good")


def on_curve(member: str) -> bool:
    """Whether a member is Scout's but for its weight."""
    return re.sub(r"weight=[^,\]]+,", "", member) in MEMBERS


def weight(member: str) -> float:
    """A member's weight."""
    match = re.search(r"weight=([^,\]]+)", member)
    return float(match.group(1)) if match else 1.0


def put(text: str, mark: str, content: str) -> str:
    """The page with the content between the two marks of that name."""
    begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    before, rest = text.split(begin)
    return f"{before}{begin}\n\n{content}\n\n{end}{rest.split(end)[1]}"


def rewrite(page: Path, contents: dict[str, str]) -> None:
    """Put the contents between the page's marks."""
    text = page.read_text(encoding="utf-8")
    for mark, content in contents.items():
        text = put(text, mark, content)
    page.write_text(text, encoding="utf-8")


def load_judged_trials() -> TrialsLeague:
    """The league of trials, but for the training families, which fewer algorithms played."""
    names = ("trials.json", "trials_later.json")
    return join_trials([load_trials(DOCS / "data" / name) for name in names])


def trials_contents(trials: TrialsLeague, training: TrialsLeague) -> dict[str, str]:
    """The tables of the page about trials."""
    groups = {
        "judging": [JUDGING],
        "later": [LATER],
        "paper": [PAPER, SIZES],
        "published": [PUBLISHED],
        "rates": [RATES],
    }
    ours = [name for name in LEADING if name in trials.algorithms]
    contents = {
        f"trials {name}": tables.standings_table(trials.only(parts))
        for name, parts in groups.items()
    }
    return contents | {
        "trials training": tables.standings_table(training),
        "families": tables.families_table(),
        "oracle": tables.oracle_table(trials.only([PAPER, SIZES], [0.05])),
        "oracle everywhere": tables.oracle_standings_table(trials.only(None, [0.05], True)),
        "unique": tables.family_table(trials, "Unique_Qualified", ours),
        "records": tables.records_table(trials, ours),
        "losses": tables.losses_table(trials, ours[0]),
    }


def main() -> None:
    parser = ArgumentParser(description="The pictures and tables about anytime algorithms.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder to write to")
    parser.add_argument("--docs", action="store_true", help="rewrite the documentation instead")
    options = parser.parse_args()
    league = load_league(DOCS / "data" / "league.json")
    wide, deep, coins, rare = (
        load_league(DOCS / "data" / f"league_search_{name}.json")
        for name in ("wide", "deep", "coins", "rare")
    )
    stopping = json.loads((DOCS / "data" / "scout_stopping.json").read_text(encoding="utf-8"))
    known = json.loads((DOCS / "data" / "rare_errors.json").read_text(encoding="utf-8"))
    images = DOCS / "images" if options.docs else options.out
    heat_map(league).savefig(images / "league_heat_map.png", dpi=110)
    profile(league.only([HELD_OUT])).savefig(images / "league_profile.png", dpi=110)
    trade_off(deep, rare).savefig(images / "league_trade_off.png", dpi=110)
    curves(league).savefig(images / "league_curves.png", dpi=110)
    trials = load_judged_trials()
    trials_heat_map(trials).savefig(images / "trials_heat_map.png", dpi=110)
    if not options.docs:
        return
    held_out = league.only([HELD_OUT])
    contents = {
        "families": families_table(),
        "held out": standings_table(standings(held_out)),
        "paper": standings_table(standings(league.only([PAPER, SIZES]))),
        "search": standings_table(standings(wide)[:12]),
        "coins": standings_table(standings(coins)),
        "rare": standings_table(standings(rare)),
        "depths": depths_table(held_out),
        "check": check_text(league, known),
        "stopping": stopping_table(stopping),
    }
    rewrite(PAGE, contents)
    rewrite(
        TRIALS_PAGE, trials_contents(trials, load_trials(DOCS / "data" / "trials_training.json"))
    )


if __name__ == "__main__":
    main()
