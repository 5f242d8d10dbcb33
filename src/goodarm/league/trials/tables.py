"""The league of trials as tables in Markdown, for docs/research/trials.md."""

from collections.abc import Iterable, Sequence

from goodarm.league.families import RANDOM_FAMILIES
from goodarm.league.trials.families import (
    BAR_FAMILIES,
    EARLIER_JUDGES,
    FIXED_RATES,
    PUBLISHED_FAMILIES,
    RATE_FAMILIES,
)
from goodarm.league.trials.later import LATER_FAMILIES
from goodarm.league.trials.records import RECORDS, RECORDS_DELTA
from goodarm.league.trials.results import StoppingSummary, TrialsCell, TrialsLeague
from goodarm.league.trials.scores import (
    CLOSE,
    TOLERABLE,
    best_of,
    oracle_ratios,
    over_best,
    surely_over_best,
    trials_standings,
)
from goodarm.league.trials.suites import JUDGING, LATER, PUBLISHED, RATES, TRAINING
from goodarm.wording import share


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def ratio(value: float, done: bool = True) -> str:
    """A ratio with three digits or so; at the least, if not every run was done."""
    text = f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"
    return text if done else f"≥ {text}"


def mean_text(summary: StoppingSummary) -> str:
    """A mean with its standard error; at the least, if not every run was done."""
    bound = "" if summary.capped == 0 else "≥ "
    return f"{bound}{_rounded(summary.mean)} ± {_rounded(summary.se)}"


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 99.5 else f"{value:.1f}"


def families_table() -> str:
    """Every family, its group, and what it is; D is the size of the gaps."""
    rows = [(name, PUBLISHED, text) for name, (text, _) in PUBLISHED_FAMILIES.items()]
    rows += [(instance.name, RATES, text) for instance, text in FIXED_RATES.items()]
    rows += [(family.name, RATES, family.text) for family in RATE_FAMILIES]
    drawn = (*RANDOM_FAMILIES, *BAR_FAMILIES, *EARLIER_JUDGES)
    for family in sorted(drawn, key=lambda family: not family.training):
        rows.append((family.name, TRAINING if family.training else JUDGING, family.text))
    rows += [(family.name, LATER, family.text) for family in LATER_FAMILIES]
    return markdown(["family", "group", "what it is"], rows)


def standings_table(league: TrialsLeague) -> str:
    """Every algorithm's ratios, the least worst first."""
    heads = [
        "algorithm",
        "worst over the best (surely)",
        "where",
        f"within {CLOSE} (perhaps)",
        f"within {TOLERABLE} (perhaps)",
        "median",
        "over oracle + K − 1: median, 95 %, worst",
        "worst 99.9 % quantile over median",
        "not done",
    ]
    rows = [
        (
            s.algorithm,
            f"{ratio(s.over_best_worst, not s.unfinished)} ({ratio(s.over_best_sure)})",
            s.over_best_where.text(),
            f"{share(s.close)} ({share(s.perhaps_close)})",
            f"{share(s.tolerable)} ({share(s.perhaps_tolerable)})",
            ratio(s.over_best_median),
            f"{ratio(s.over_oracle_median)}, {ratio(s.over_oracle_q95)}, "
            f"{ratio(s.over_oracle_worst, not s.unfinished)}",
            ratio(s.tail),
            f"{s.unfinished} of {s.cells}",
        )
        for s in trials_standings(league)
    ]
    return markdown(heads, rows)


def oracle_standings_table(league: TrialsLeague) -> str:
    """Every algorithm's ratios to the oracle's mean + K − 1, the least worst first."""
    ranked = sorted(trials_standings(league), key=lambda s: s.over_oracle_worst)
    rows = [
        (
            s.algorithm,
            ratio(s.over_oracle_median),
            ratio(s.over_oracle_q95),
            ratio(s.over_oracle_worst, not s.unfinished),
            s.over_oracle_where.text(),
        )
        for s in ranked
    ]
    return markdown(["algorithm", "median", "95 %", "worst", "where"], rows)


def oracle_table(league: TrialsLeague) -> str:
    """Instance by instance: the yardstick, and every algorithm's mean over it."""
    rows = [
        (
            cell.entry.instance.name,
            f"{cell.delta:g}",
            _rounded(cell.yardstick),
            *map(ratio, oracle_ratios(cell), cell.done.tolist()),
        )
        for cell in league.cells
    ]
    return markdown(["instance", "δ", "oracle + K − 1", *league.algorithms], rows)


def family_table(league: TrialsLeague, family: str, algorithms: Sequence[str]) -> str:
    """A family at every size and δ: mean, median, 99.9 % quantile and runs not done."""
    heads = ["instance", "δ", "algorithm", "mean ± s.e.", "median", "95 %", "99.9 %", "not done"]
    rows = [
        (
            cell.entry.instance.name,
            f"{cell.delta:g}",
            name,
            mean_text(summary),
            *map(_rounded, (summary.median, summary.q95, summary.q999)),
            share(summary.unfinished),
        )
        for cell in league.cells
        if cell.entry.family == family
        for name, summary in _chosen(league, cell, algorithms)
    ]
    return markdown(heads, rows)


def records_table(league: TrialsLeague, algorithms: Sequence[str]) -> str:
    """The least published means at δ = 0.001, and ours over them."""
    heads = ["family", "K", "published mean ± s.e.", "whose"]
    for name in algorithms:
        heads += [f"{name}: mean ± s.e.", "over published"]
    rows = []
    for cell in league.only([PUBLISHED], [RECORDS_DELTA]).cells:
        record = RECORDS[cell.entry.family, cell.entry.instance.K]
        row = [cell.entry.family, str(cell.entry.instance.K)]
        row += [f"{record.mean:,.0f} ± {record.se:,.0f}", record.algorithm]
        for _, summary in _chosen(league, cell, algorithms):
            row += [mean_text(summary), ratio(summary.mean / record.mean, summary.capped == 0)]
        rows.append(row)
    return markdown(heads, rows)


def losses_table(league: TrialsLeague, algorithm: str) -> str:
    """Where another algorithm needs fewer pulls by more than 10 %, the largest loss first."""
    number = league.algorithms.index(algorithm)
    losses = []
    for cell in league.cells:
        loss = float(over_best(cell, league.algorithms)[number])
        if loss > CLOSE:
            sure = float(surely_over_best(cell, league.algorithms)[number])
            best = league.algorithms[best_of(cell, league.algorithms)]
            losses.append((loss, sure, best, cell))
    heads = ["instance", "δ", "group", "K", "best", f"{algorithm} over it (surely)"]
    rows = [
        (
            cell.entry.instance.name,
            f"{cell.delta:g}",
            cell.entry.group,
            str(cell.entry.instance.K),
            best,
            f"{ratio(loss, bool(cell.done[number]))} ({ratio(sure)})",
        )
        for loss, sure, best, cell in sorted(losses, key=lambda row: -row[0])
    ]
    return markdown(heads, rows)


def _chosen(
    league: TrialsLeague, cell: TrialsCell, algorithms: Sequence[str]
) -> list[tuple[str, StoppingSummary]]:
    """The summaries of those of the algorithms that played."""
    both = zip(league.algorithms, cell.algorithms, strict=True)
    return [(name, summary) for name, summary in both if name in algorithms]
