"""The numbers behind "how to choose an algorithm": all that may be chosen, in eight situations.

Runs are played until the mean is known to 2 % (its standard error), or until a limit is reached.

Run it: python examples/choosing.py (writes choosing.json here, or elsewhere: --out FOLDER)
The documentation (docs/data/choosing.json and what docs/choosing.md says of it):
python examples/choosing.py --docs (tens of minutes on one core; --device cuda takes the GPU)
What is written on the page from numbers measured before: python examples/choosing.py --rewrite
"""

import json
import math
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from pathlib import Path

from goodarm import Instance, defaults, simulate
from goodarm.simulation import RunResult

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "choosing.md"
ALGORITHMS = ("Prospector", "Scout", "APGAI-FE", "TaS", "MS", "APGAI", "Unif")
DELTA = 0.05
CAP = 1_000_000  # trials, after which a run is given up
PILOT, FEWEST, MOST_RUNS = 1000, 10_000, 1_000_000
MOST_PULLS = 1_000_000_000  # of one algorithm in one situation
PRECISION = 0.02  # standard error over mean
BETTER = 0.1  # by which another algorithm must be better to be spoken of


@dataclass(frozen=True)
class Situation:
    """Options with yes/no outcomes, a bar, and a number of trials that one may be limited to."""

    name: str
    bar: float
    means: list[float]
    budget: int


SITUATIONS = (
    Situation("one of ten is clearly good", 0.5, [0.75] + [0.35] * 9, 200),
    Situation("one of ten is barely good", 0.5, [0.55] + [0.35] * 9, 200),
    Situation("all ten are equally good", 0.5, [0.65] * 10, 20),
    Situation("three of ten are at the bar, one is good", 0.5, [0.5] * 3 + [0.7] + [0.3] * 6, 200),
    Situation("nineteen of twenty are at the bar, one is good", 0.5, [0.7] + [0.5] * 19, 50),
    Situation("none of ten is good", 0.5, [0.4] * 10, 200),
    Situation(
        "conversion: five at 3, 3.5, 4, 4.5 and 5 %, the bar at 4 %",
        0.04,
        [0.03, 0.035, 0.04, 0.045, 0.05],
        2000,
    ),
    Situation(
        "pass rates: four each at 85, 88 and 92 %, the bar at 90 %",
        0.9,
        [0.85] * 4 + [0.88] * 4 + [0.92] * 4,
        1000,
    ),
)


@dataclass(frozen=True)
class Row:
    """One algorithm in one situation: trials until sure, and wrong answers at the budget."""

    situation: str
    algorithm: str
    runs: int
    mean: float
    se: float
    median: float
    q99: float
    stopped: float
    error: float
    budget: int
    error_at_budget: float

    @property
    def trials(self) -> str:
        """Mean (median); more than that where runs were given up, ± where it is less precise."""
        more = "> " if self.stopped < 1.0 else ""
        vague = f" ± {self.se:,.0f}" if not more and self.se > PRECISION * self.mean else ""
        return f"{more}{self.mean:,.0f}{vague} ({self.median:,.0f})"


def measure(
    fewest: int = FEWEST,
    cap: int = CAP,
    precision: float = PRECISION,
    device: str = "cpu",
    show_progress_bar: bool = False,
) -> list[dict]:
    """For each situation and algorithm: trials until sure, and the error after a fixed number."""
    how = {"seed": 1, "device": device, "show_progress_bar": show_progress_bar}
    rows = []
    for situation in SITUATIONS:
        instance = Instance(situation.bar, situation.means, kind="bernoulli", name=situation.name)
        short = simulate(instance, ALGORITHMS, budget=situation.budget, runs=10 * fewest, **how)
        for name in ALGORITHMS:
            result = until_precise(instance, name, fewest, cap, precision, how)
            row = Row(
                situation=situation.name,
                algorithm=name,
                runs=result.runs,
                mean=result.mean,
                se=result.se,
                median=result.quantile(0.5),
                q99=result.quantile(0.99),
                stopped=float(result.stopped.mean()),
                error=result.error_rate,
                budget=situation.budget,
                error_at_budget=short[name].error_rate,
            )
            rows.append(asdict(row))
    return rows


def until_precise(
    instance: Instance, name: str, fewest: int, cap: int, precision: float, how: dict
) -> RunResult:
    """More and more runs until the mean is precise, or a limit is reached.

    Where runs are given up, the mean is a lower bound, and there is nothing to be precise about.
    """
    runs, wanted = min(PILOT, fewest), fewest
    while True:
        result = simulate(instance, name, delta=DELTA, cap=cap, runs=runs, **how)[name]
        if result.stopped.all():
            off = result.se / (precision * result.mean)
            wanted = max(fewest, math.ceil(1.1 * off**2 * runs) if off > 1.0 else 0)
        wanted = min(wanted, MOST_RUNS, int(MOST_PULLS / result.mean))
        if wanted <= runs:
            return result
        runs = wanted


def read(rows: list[dict]) -> dict[str, dict[str, Row]]:
    """The rows by situation and algorithm."""
    found: dict[str, dict[str, Row]] = {}
    for each in rows:
        row = Row(**each)
        found.setdefault(row.situation, {})[row.algorithm] = row
    return found


def trials_table(rows: list[dict]) -> str:
    """Mean trials until sure and their median; the least mean of each situation in bold."""
    found = read(rows)
    names = list(next(iter(found.values())))
    lines = [f"| situation | {' | '.join(names)} |", "|" + " --- |" * (1 + len(names))]
    for situation, by_name in found.items():
        best = min(by_name, key=lambda name: by_name[name].mean)
        cells = [
            f"**{row.trials}**" if name == best else row.trials for name, row in by_name.items()
        ]
        lines.append(f"| {situation} | {' | '.join(cells)} |")
    return "\n".join(lines)


def errors_table(rows: list[dict]) -> str:
    """How often the answer is wrong after a fixed number of trials; the least in bold."""
    found = read(rows)
    names = list(next(iter(found.values())))
    lines = [f"| situation | trials | {' | '.join(names)} |", "|" + " --- |" * (2 + len(names))]
    for situation, by_name in found.items():
        least = min(row.error_at_budget for row in by_name.values())
        marks = ["**" if row.error_at_budget == least else "" for row in by_name.values()]
        cells = [
            f"{mark}{row.error_at_budget:.1%}{mark}"
            for mark, row in zip(marks, by_name.values(), strict=True)
        ]
        budget = next(iter(by_name.values())).budget
        lines.append(f"| {situation} | {budget:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def exceptions(rows: list[dict], measured: str, least: float = 0.0) -> list[str]:
    """Where another algorithm is better than the default by a tenth or more, and by how much.

    `measured` is a field of a row; where the default's is below `least`, it is good enough.
    """
    lines = []
    for situation, by_name in read(rows).items():
        mine = getattr(by_name[defaults.ALGORITHM], measured)
        if mine < least:
            continue
        shares = {name: getattr(row, measured) / mine - 1.0 for name, row in by_name.items()}
        better = sorted((name for name in shares if shares[name] <= -BETTER), key=shares.get)
        if better:
            said = ", ".join(f"`{name}` {-shares[name]:.0%} fewer" for name in better)
            lines.append(f"- {situation}: {said}")
    return lines


def advice(rows: list[dict]) -> str:
    """The two lists of exceptions, as the page has them."""
    parts = []
    for measured, least, what in (
        ("mean", 0.0, "trials until sure"),
        (
            "error_at_budget",
            0.01,
            "wrong answers after so many trials (where the default errs in 1 % or more)",
        ),
    ):
        lines = exceptions(rows, measured, least)
        if lines:
            parts += [f"At least a tenth fewer {what}:", "\n".join(lines)]
        else:
            parts.append(f"By {what}, none of these is better by a tenth in any situation.")
    return "\n\n".join(parts)


def put(text: str, mark: str, content: str) -> str:
    """The page with the content between the two marks of that name."""
    begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    before, rest = text.split(begin)
    return f"{before}{begin}\n\n{content}\n\n{end}{rest.split(end)[1]}"


def write_page(rows: list[dict]) -> None:
    """Put the tables and the exceptions into the page."""
    text = PAGE.read_text(encoding="utf-8")
    for mark, content in (("trials", trials_table), ("errors", errors_table), ("better", advice)):
        text = put(text, mark, content(rows))
    PAGE.write_text(text, encoding="utf-8")


def main() -> None:
    parser = ArgumentParser(description="Every algorithm that may be chosen, in eight situations.")
    parser.add_argument("--out", type=Path, default=Path(), help="the folder to write to")
    parser.add_argument("--docs", action="store_true", help="rewrite the documentation instead")
    parser.add_argument("--rewrite", action="store_true", help="the same, measuring nothing")
    parser.add_argument("--device", default="cpu", help="cpu, or cuda for a GPU")
    options = parser.parse_args()
    folder = DOCS / "data" if options.docs or options.rewrite else options.out
    path = folder / "choosing.json"
    if options.rewrite:
        rows = json.loads(path.read_text(encoding="utf-8"))
    else:
        rows = measure(device=options.device, show_progress_bar=True)
        path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if options.docs or options.rewrite:
        write_page(rows)
    print(trials_table(rows), errors_table(rows), advice(rows), sep="\n\n")


if __name__ == "__main__":
    main()
