"""Items that are figures of stopping times: boxes, and means against the number of good arms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from goodarm.paper.items.item import Item, ItemResult, Picture, SimulationResults
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.items.stopping_table import CAP, DELTA, PAPERS_BOUNDARY
from goodarm.paper.judging.quantities import Evidence, Series
from goodarm.paper.report.tables import Table, TableColumn, Value, fixed
from goodarm.plotting import (
    new_panels,
    plot_mean_stopping_times,
    plot_stopping_times,
    shared_legend,
)
from goodarm.simulation import RunResult

BOX_CAP = 1_000_000
LETTERS = "abcdefghijkl"
TABLE_QUANTILES = {"1 %": 0.01, "25 %": 0.25, "median": 0.5, "75 %": 0.75, "99 %": 0.99}


@dataclass(frozen=True)
class Panel:
    """One setting: an instance at a confidence level."""

    instance: str
    delta: float = DELTA
    name: str = ""

    @property
    def title(self) -> str:
        """The instance, unless a name is given."""
        return self.name or self.instance


@dataclass(frozen=True, kw_only=True)
class StoppingBoxes(Item):
    """A panel of boxes for each setting."""

    panels: tuple[Panel, ...]
    algorithms: tuple[str, ...]
    columns: int = 2

    def simulation(self, panel: Panel, algorithm: str, full: bool) -> Simulation:
        """One box."""
        return Simulation(
            panel.instance,
            algorithm,
            self.runs.of(full),
            delta=panel.delta,
            boundary=PAPERS_BOUNDARY,
            cap=BOX_CAP,
        )

    def simulations(self, full: bool) -> list[Simulation]:
        """Every box."""
        return [self.simulation(p, a, full) for p in self.panels for a in self.algorithms]

    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """The boxes, and their numbers."""
        times: dict[Series, RunResult] = {}
        for panel in self.panels:
            for algorithm in self.algorithms:
                result = results[self.simulation(panel, algorithm, full)]
                assert isinstance(result, RunResult)
                times[panel.title, algorithm] = result
        titles = lettered([panel.title for panel in self.panels])
        figure, axes = new_panels(titles, self.columns)
        for ax, panel in zip(axes, self.panels, strict=True):
            plot_stopping_times({a: times[panel.title, a] for a in self.algorithms}, ax)
        caption = (
            "Boxes hold the middle half of the runs with a bar at the median; whiskers end at the "
            "1 % and 99 % quantiles; dots are all runs beyond them; the marker is the mean. "
            f"Boundary {PAPERS_BOUNDARY}, cap {BOX_CAP:,} pulls."
        )
        table = time_table(self.stem, times)
        judged = self.judged(Evidence(times=times, full=full))
        return ItemResult([table], Picture(figure, caption), (), judged)


@dataclass(frozen=True, kw_only=True)
class StoppingCurves(Item):
    """Means with standard-deviation bands against the number of good arms among 100."""

    families: tuple[str, ...]
    algorithms: tuple[str, ...]
    arms: int = 100
    good: tuple[int, ...] = tuple(range(5, 100, 5))
    more: tuple[str, ...] = ()  # algorithms so fast that they can make four times as many runs

    def simulation(self, family: str, good: int, algorithm: str, full: bool) -> Simulation:
        """One point."""
        runs = self.runs.of(full) * (4 if algorithm in self.more else 1)
        return Simulation(
            f"{family}({self.arms}, {good})",
            algorithm,
            runs,
            delta=DELTA,
            boundary=PAPERS_BOUNDARY,
            cap=CAP,
        )

    def simulations(self, full: bool) -> list[Simulation]:
        """Every point."""
        return [
            self.simulation(family, good, algorithm, full)
            for family in self.families
            for good in self.good
            for algorithm in self.algorithms
        ]

    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """The curves, and their numbers."""
        titles = lettered(self.families)
        figure, axes = new_panels(titles, names=len(self.algorithms))
        times: dict[Series, RunResult] = {}
        for ax, family in zip(axes, self.families, strict=True):
            rows: dict[str, list[RunResult]] = {a: [] for a in self.algorithms}
            for good in self.good:
                for algorithm in self.algorithms:
                    result = results[self.simulation(family, good, algorithm, full)]
                    assert isinstance(result, RunResult)
                    rows[algorithm].append(result)
                    times[result.instance.name, algorithm] = result
            plot_mean_stopping_times(self.good, rows, ax)
        shared_legend(figure, axes)
        caption = (
            "Mean stopping time with a band of one standard deviation, which ends at the shortest "
            "run. "
            f"δ = {DELTA:g}, boundary {PAPERS_BOUNDARY}, cap {CAP:,} pulls."
        )
        table = time_table(self.stem, times)
        judged = self.judged(Evidence(times=times, full=full))
        return ItemResult([table], Picture(figure, caption), (), judged)


def lettered(titles: Sequence[str]) -> list[str]:
    """Titles of panels: (a), (b), … if there are several."""
    if len(titles) == 1:
        return list(titles)
    return [f"({letter}) {title}" for letter, title in zip(LETTERS, titles, strict=False)]


def time_table(name: str, times: Mapping[Series, RunResult]) -> Table:
    """The distribution of stopping times in numbers, one row per box or point."""
    rows: list[list[Value]] = []
    for (panel, algorithm), r in times.items():
        quantiles = [r.quantile(p) for p in TABLE_QUANTILES.values()]
        longest, capped = int(r.stopping_times.max()), 100.0 * (1.0 - float(r.stopped.mean()))
        row: list[Value] = [panel, algorithm, r.mean, r.se, r.std]
        rows.append([*row, *quantiles, longest, capped, r.error_rate])
    columns = [TableColumn("instance", text=True), TableColumn("algorithm", text=True)]
    columns += [TableColumn(name) for name in ("mean", "s.e.", "std", *TABLE_QUANTILES, "longest")]
    columns += [TableColumn("at the cap, %", fixed(1)), TableColumn("error")]
    return Table(name, "Stopping times in numbers.", columns, rows)
