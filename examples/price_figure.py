"""The picture and the tables of docs/price.md: what certainty costs, and at the least.

Reads docs/data/price.json (made by bench/price_of_certainty.py).

Run it: python examples/price_figure.py (draws price.png into this folder, or another: --out FOLDER)
The documentation (docs/images/price.png and the tables between the marks in the page):
python examples/price_figure.py --docs
"""

import json
import re
from argparse import ArgumentParser
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from goodarm.plotting import new_panels, shared_legend
from goodarm.plotting.figures import calm, log_ticks

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "price.md"
LOOKS = {  # what is drawn: its name, colour, dashes, marker
    "glr": ("the paper's stopping rule (glr)", "#d55e00", (0, (6, 2)), "s"),
    "mixture": ("certificates (mixture)", "#000000", "-", "o"),
    "bound": ("lower bound, ln(1/δ)/KL", "#0072b2", (0, (1, 1)), ""),
}
LINE = "#9a9a9a"


def draw(data: dict) -> Figure:
    """Trials of one arm against its distance from the bar: two stopping rules, the lower bound."""
    bar = 100.0 * data["bar"]
    titles = ["Numbers that scatter by σ", f"Yes or no, bar at {bar:g} %"]
    figure, axes = new_panels(titles, names=len(LOOKS) + 1)
    numbers = [row for row in data["one_arm"] if row["kind"] == "gaussian"]
    coins = [row for row in data["one_arm"] if row["kind"] == "bernoulli"]
    _lines(axes[0], numbers, 1.0)
    _lines(axes[1], [row for row in coins if 100.0 * row["at"] < bar], 100.0)
    _lines(axes[1], [row for row in coins if 100.0 * row["at"] > bar], 100.0)
    axes[1].axvline(bar, color=LINE, linewidth=0.8)
    axes[1].text(bar * 1.04, 1.4, "bar", fontsize=8.5, color="#555555")
    axes[0].set_xlabel("distance of the option's mean from the bar, in σ", fontsize=9)
    axes[1].set_xlabel("the option's success rate, %", fontsize=9)
    for ax in axes:
        ax.set_ylim(bottom=1.0)
        ax.set_ylabel(f"mean trials until sure, δ = {data['delta']:g}", fontsize=9)
        calm(ax)
        log_ticks(ax.yaxis)
    _ticks(axes[0], (0.05, 0.1, 0.2, 0.5, 1.0, 2.0))
    _ticks(axes[1], (0.25, 0.5, 1.0, 2.0, 4.0, 10.0, 20.0, 40.0))
    _factor(axes[0], _at(numbers, 0.2))
    _factor(axes[1], _at(coins, 0.01), unit=100.0, below=True)
    _factor(axes[1], _at(coins, 0.08), unit=100.0)
    shared_legend(figure, axes)
    return figure


def _lines(ax: Axes, rows: list[dict], unit: float) -> None:
    at = [unit * row["at"] for row in rows]
    for what, (label, colour, dashes, marker) in LOOKS.items():
        look = {"label": label, "color": colour, "linestyle": dashes, "marker": marker}
        ax.loglog(at, trials(rows, what), **look, markersize=3.6, linewidth=1.5)
    low, high = trials(rows, "bound"), trials(rows, "mixture")
    ax.fill_between(at, low, high, color="#dcdcdc", zorder=0, label="gap to the bound")


def trials(rows: list[dict], what: str) -> np.ndarray:
    return np.array([row[what] if what == "bound" else row[what]["mean"] for row in rows])


def _at(rows: list[dict], mean: float) -> dict:
    return next(row for row in rows if row["at"] == mean)


def _factor(ax: Axes, row: dict, unit: float = 1.0, below: bool = False) -> None:
    """An arrow from the old stopping rule down to the new one, with the factor between them."""
    old, new = row["glr"]["mean"], row["mixture"]["mean"]
    x = unit * row["at"]
    arrow = {"arrowstyle": "->", "shrinkA": 3, "shrinkB": 3}
    ax.annotate("", (x, new), (x, old), arrowprops=arrow)
    beside = {"xytext": (5, -20 if below else 6), "textcoords": "offset points", "va": "center"}
    ax.annotate(f"÷ {old / new:.2g}", (x, old), fontsize=9, **beside)


def _ticks(ax: Axes, values: tuple[float, ...]) -> None:
    ax.set_xticks(values, [f"{value:g}" for value in values])
    ax.minorticks_off()


def questions_table(data: dict) -> str:
    """The paper's stopping rule, the new one as if all were Gaussian, and the new one as it is."""
    lines = [
        f"| question, δ = {data['delta']:g} | `glr` | `mixture`, all as Gaussian | `mixture` | "
        "times fewer | wrong with `mixture` |",
        "| --- " * 6 + "|",
    ]
    for row in data["questions"]:
        old, new = row["glr"], row["mixture"]
        plain = _mean(row["plain"]) if "plain" in row else "as on the right"
        lines.append(
            f"| {row['question']} | {_mean(old)} | {plain} | **{_mean(new)}** | "
            f"{old['mean'] / new['mean']:.2g} | {new['wrong']:,} of {new['runs']:,} |"
        )
    return "\n".join(lines)


def instances_table(data: dict) -> str:
    """The paper's instances: trials with both stopping rules, their ratio, the lower bound."""
    lines = ["| instance | options | `glr` | `mixture` | ratio | lower bound |", "| --- " * 6 + "|"]
    for row in sorted(data["paper_instances"], key=lambda row: not row["good"]):
        bound = "" if row["bound"] is None else f"{row['bound']:,.0f}"
        lines.append(
            f"| {row['instance']}{'' if row['good'] else ', none is good'} | {row['K']} | "
            f"{_mean(row['glr'])} | {_mean(row['mixture'])} | {ratio(row):.2f} | {bound} |"
        )
    for good, words in ((True, "with a good option"), (False, "where none is good")):
        ratios = [ratio(row) for row in data["paper_instances"] if row["good"] is good]
        lines.append(f"| mean of those {words} | | | | {np.mean(ratios):.2f} | |")
    return "\n".join(lines)


def shares_table(data: dict) -> str:
    """How much of δ is used by one arm at the bar."""
    lines = [
        "| one option at the bar | stopping rule | wrong | share of δ (95 %) |",
        "| --- " * 4 + "|",
    ]
    words = {
        "gaussian": "numbers, σ known",
        "bernoulli": f"yes or no, bar at {100 * data['bar']:g} %",
    }
    for row in data["share_of_delta"]:
        lines.append(
            f"| {words[row['kind']]} | `{row['stopping']}` | {row['wrong']:,} of {row['runs']:,} | "
            f"{100 * row['share']:.1f} % ({100 * row['low']:.1f} to {100 * row['high']:.1f}) |"
        )
    return "\n".join(lines)


def ratio(row: dict) -> float:
    return row["mixture"]["mean"] / row["glr"]["mean"]


def _mean(result: dict) -> str:
    digits = 0 if result["mean"] >= 100.0 else 1
    return f"{result['mean']:,.{digits}f} ± {result['se']:,.{0 if result['se'] >= 1 else 1}f}"


def put(text: str, mark: str, content: str) -> str:
    """The page with the content between the two marks of that name."""
    between = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- end of {mark} -->)", re.DOTALL)
    return between.sub(lambda match: f"{match[1]}\n{content}\n\n{match[2]}", text)


TABLES = {"questions": questions_table, "instances": instances_table, "shares": shares_table}


def main() -> None:
    parser = ArgumentParser(description="What certainty costs, and at the least.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder to write to")
    parser.add_argument("--docs", action="store_true", help="rewrite the documentation instead")
    options = parser.parse_args()
    data = json.loads((DOCS / "data" / "price.json").read_text("utf-8"))
    draw(data).savefig((DOCS / "images" if options.docs else options.out) / "price.png", dpi=110)
    page = PAGE.read_text("utf-8")
    for mark, table in TABLES.items():
        page = put(page, mark, table(data))
        print(f"{table(data)}\n")
    if options.docs:
        PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
