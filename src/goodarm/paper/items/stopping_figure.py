"""Items that are figures of stopping times: boxes, and means against the number of good arms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from goodarm.paper.items.item import Item, Outcome, Picture, Results
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.items.stopping_table import CAP, DELTA, PAPERS
from goodarm.paper.judging.quantities import Evidence, Place
from goodarm.paper.report.tables import Column, Table, Value, fixed
from goodarm.plotting import (
    new_panels,
    plot_mean_stopping_times,
    plot_stopping_times,
    shared_legend,
)
from goodarm.simulation import RunResult

BOX_CAP = 1_000_000
LETTERS = "abcdefghijkl"


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
            panel.instance, algorithm, self.runs.of(full),
            delta=panel.delta, boundary=PAPERS, cap=BOX_CAP,
        )  # fmt: skip

    def simulations(self, full: bool) -> list[Simulation]:
        """Every box."""
        return [self.simulation(p, a, full) for p in self.panels for a in self.algorithms]

    def outcome(self, results: Results, full: bool) -> Outcome:
        """The boxes, and their numbers."""
        times: dict[Place, RunResult] = {}
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
            f"Boundary {PAPERS}, cap {BOX_CAP:,} pulls."
        )
        table = time_table(self.stem, times)
        return Outcome([table], Picture(figure, caption), (), self.judged(Evidence(times=times)))


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
            f"{family}({self.arms}, {good})", algorithm, runs,
            delta=DELTA, boundary=PAPERS, cap=CAP,
        )  # fmt: skip

    def simulations(self, full: bool) -> list[Simulation]:
        """Every point."""
        return [
            self.simulation(family, good, algorithm, full)
            for family in self.families
            for good in self.good
            for algorithm in self.algorithms
        ]

    def outcome(self, results: Results, full: bool) -> Outcome:
        """The curves, and their numbers."""
        titles = lettered(self.families)
        figure, axes = new_panels(titles, names=len(self.algorithms))
        times: dict[Place, RunResult] = {}
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
            f"δ = {DELTA:g}, boundary {PAPERS}, cap {CAP:,} pulls."
        )
        table = time_table(self.stem, times)
        return Outcome([table], Picture(figure, caption), (), self.judged(Evidence(times=times)))


def lettered(titles: Sequence[str]) -> list[str]:
    """Titles of panels: (a), (b), … if there are several."""
    if len(titles) == 1:
        return list(titles)
    return [f"({LETTERS[place]}) {title}" for place, title in enumerate(titles)]


def time_table(name: str, times: Mapping[Place, RunResult]) -> Table:
    """The distribution of stopping times in numbers, one row a box or point."""
    rows: list[list[Value]] = [
        [
            panel, algorithm, r.mean, r.se, r.std, r.quantile(0.01), r.quantile(0.25),
            r.quantile(0.5), r.quantile(0.75), r.quantile(0.99), int(r.stopping_times.max()),
            100.0 * (1.0 - float(r.stopped.mean())), r.error_rate,
        ]
        for (panel, algorithm), r in times.items()
    ]  # fmt: skip
    columns = [
        Column("instance", text=True), Column("algorithm", text=True), Column("mean"),
        Column("s.e."), Column("std"), Column("1 %"), Column("25 %"), Column("median"),
        Column("75 %"), Column("99 %"), Column("longest"), Column("at the cap, %", fixed(1)),
        Column("error"),
    ]  # fmt: skip
    return Table(name, "Stopping times in numbers.", columns, rows)
