"""Items that are figures of errors: against time, and against the budget."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from goodarm.algorithms import find_algorithm
from goodarm.algorithms.contract import ANYTIME
from goodarm.instance import instances
from goodarm.paper.items.item import Item, ItemResult, Picture, SimulationResults
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.items.stopping_figure import lettered
from goodarm.paper.judging.quantities import Evidence, Series
from goodarm.paper.report.tables import Table, TableColumn, Value, fixed
from goodarm.plotting import ErrorCurve, new_panels, plot_error_curves, shared_legend
from goodarm.simulation import AnytimeResult, RunResult

CURVE_TIMES = 160  # at which an anytime error is looked at
ROWS = 12  # of the table of a curve


@dataclass(frozen=True, kw_only=True)
class AnytimeCurves(Item):
    """The error at every time, one panel per instance with its horizon."""

    horizons: Mapping[str, int]
    algorithms: tuple[str, ...]
    columns: int = 2
    log_time: bool = False

    def simulation(self, instance: str, algorithm: str, full: bool) -> Simulation:
        """One curve."""
        horizon = self.horizons[instance]
        marks = np.linspace(instances[instance].K, horizon, CURVE_TIMES)
        times = tuple(sorted({round(mark) for mark in marks.tolist()}))
        return Simulation(instance, algorithm, self.runs.of(full), horizon=horizon, times=times)

    def simulations(self, full: bool) -> list[Simulation]:
        """Every curve."""
        return [self.simulation(i, a, full) for i in self.horizons for a in self.algorithms]

    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """The curves, and some of their numbers."""
        curves: dict[Series, ErrorCurve] = {}
        for instance in self.horizons:
            for algorithm in self.algorithms:
                result = results[self.simulation(instance, algorithm, full)]
                assert isinstance(result, AnytimeResult)
                curves[instance, algorithm] = ErrorCurve.by_time(result)
        layout = _Layout(list(self.horizons), "observations t", self.columns, self.log_time)
        return _drawn(self, Evidence(curves=curves, full=full), layout)


@dataclass(frozen=True)
class Curves:
    """One panel of a figure against the budget: its name and its algorithms."""

    name: str
    algorithms: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class BudgetCurves(Item):
    """The error against the budget T on one instance.

    An anytime algorithm does not know T, so one simulation of it serves all budgets; the others
    are simulated for each.
    """

    instance: str
    budgets: tuple[int, ...]
    panels: tuple[Curves, ...]

    def parts(self, algorithm: str, full: bool) -> dict[int, Simulation]:
        """The simulations behind one curve: by budget, or a single one under 0."""
        declared = find_algorithm(algorithm)
        runs = self.runs.of(full)
        if ANYTIME in declared.settings:
            last = self.budgets[-1]
            only = Simulation(self.instance, algorithm, runs, horizon=last, times=self.budgets)
            return {0: only}
        least = declared.smallest_budget(instances[self.instance].K)
        return {
            budget: Simulation(self.instance, algorithm, runs, budget=budget)
            for budget in self.budgets
            if budget >= least
        }

    def simulations(self, full: bool) -> list[Simulation]:
        """Every budget of every algorithm."""
        wanted = {
            simulation: None
            for panel in self.panels
            for algorithm in panel.algorithms
            for simulation in self.parts(algorithm, full).values()
        }
        return list(wanted)

    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """The curves, and their numbers; an algorithm's name is shown without its options."""
        curves: dict[Series, ErrorCurve] = {}
        for panel in self.panels:
            for algorithm in panel.algorithms:
                name = find_algorithm(algorithm).name
                parts = self.parts(algorithm, full)
                curves[panel.name, name] = _curve({b: results[s] for b, s in parts.items()})
        layout = _Layout([panel.name for panel in self.panels], "budget T")
        return _drawn(self, Evidence(curves=curves, full=full), layout)


def _curve(results: Mapping[int, RunResult | AnytimeResult]) -> ErrorCurve:
    only = results.get(0)
    if isinstance(only, AnytimeResult):
        return ErrorCurve.by_time(only)
    return ErrorCurve.by_budget({b: r for b, r in results.items() if isinstance(r, RunResult)})


class _Layout(NamedTuple):
    """How the curves of an item are drawn."""

    panels: Sequence[str]
    x_label: str
    columns: int = 2
    log_x: bool = False


def _drawn(item: Item, evidence: Evidence, layout: _Layout) -> ItemResult:
    curves = evidence.curves
    names = list(dict.fromkeys(name for _, name in curves))
    figure, axes = new_panels(lettered(layout.panels), layout.columns, len(names))
    for ax, panel in zip(axes, layout.panels, strict=True):
        here = {name: curve for (other, name), curve in curves.items() if other == panel}
        plot_error_curves(here, ax, layout.x_label, layout.log_x)
    shared_legend(figure, axes)
    caption = (
        "Share of wrong answers with 95 % Wilson bands. On a logarithmic axis a curve ends where "
        "no run erred; the dotted line is the upper limit of the interval there. Times at which an "
        "algorithm has no answer yet are left out."
    )
    tables = [_table(item.stem, curves, layout, names)]
    return ItemResult(tables, Picture(figure, caption), (), item.judged(evidence))


def _table(
    name: str, curves: Mapping[Series, ErrorCurve], layout: _Layout, names: Sequence[str]
) -> Table:
    rows: list[list[Value]] = []
    for panel in layout.panels:
        every = np.unique(np.concatenate([c.x for (p, _), c in curves.items() if p == panel]))
        for x in _some(every.tolist()):
            cells = [_error(curves.get((panel, algorithm)), x) for algorithm in names]
            rows.append([panel, x, *cells])
    columns = [TableColumn("panel", text=True), TableColumn(layout.x_label)]
    columns += [TableColumn(algorithm, fixed(5)) for algorithm in names]
    return Table(name, "Errors at some points of the curves.", columns, rows)


def _error(curve: ErrorCurve | None, x: int) -> float | None:
    if curve is None or x not in curve.x:
        return None
    index = int(np.searchsorted(curve.x, x))
    return float(curve.rate[index]) if curve.defined[index] else None


def _some(values: Sequence[int]) -> Iterable[int]:
    indices = np.unique(np.round(np.linspace(0, len(values) - 1, min(ROWS, len(values)))))
    return [int(values[int(index)]) for index in indices]
