"""Items that are figures of errors: against time, and against the budget."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from goodarm.algorithms import find_algorithm
from goodarm.algorithms.contract import ANYTIME
from goodarm.instance import instances
from goodarm.paper.items.item import Item, Outcome, Picture, Results
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.items.stopping_figure import lettered
from goodarm.paper.judging.quantities import Evidence, Place
from goodarm.paper.report.tables import Column, Table, Value, fixed
from goodarm.plotting import ErrorCurve, new_panels, plot_error_curves, shared_legend
from goodarm.simulation import AnytimeResult, RunResult

TIMES = 160  # at which an anytime error is looked at
ROWS = 12  # of the table of a curve


@dataclass(frozen=True, kw_only=True)
class AnytimeCurves(Item):
    """The error at every time, one panel an instance with its horizon."""

    horizons: Mapping[str, int]
    algorithms: tuple[str, ...]
    columns: int = 2
    log_time: bool = False

    def simulation(self, instance: str, algorithm: str, full: bool) -> Simulation:
        """One curve."""
        horizon = self.horizons[instance]
        marks = np.linspace(instances[instance].K, horizon, TIMES)
        times = tuple(sorted({round(mark) for mark in marks.tolist()}))
        return Simulation(instance, algorithm, self.runs.of(full), horizon=horizon, times=times)

    def simulations(self, full: bool) -> list[Simulation]:
        """Every curve."""
        return [self.simulation(i, a, full) for i in self.horizons for a in self.algorithms]

    def outcome(self, results: Results, full: bool) -> Outcome:
        """The curves, and some of their numbers."""
        curves: dict[Place, ErrorCurve] = {}
        for instance in self.horizons:
            for algorithm in self.algorithms:
                result = results[self.simulation(instance, algorithm, full)]
                assert isinstance(result, AnytimeResult)
                curves[instance, algorithm] = ErrorCurve.by_time(result)
        panels = list(self.horizons)
        return _drawn(self, curves, panels, self.columns, "observations t", self.log_time)


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
        rule = find_algorithm(algorithm)
        runs = self.runs.of(full)
        if ANYTIME in rule.settings:
            last = self.budgets[-1]
            only = Simulation(self.instance, algorithm, runs, horizon=last, times=self.budgets)
            return {0: only}
        least = rule.smallest_budget(instances[self.instance].K)
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

    def outcome(self, results: Results, full: bool) -> Outcome:
        """The curves, and their numbers; an algorithm's name is shown without its options."""
        curves: dict[Place, ErrorCurve] = {}
        for panel in self.panels:
            for algorithm in panel.algorithms:
                name = find_algorithm(algorithm).name
                parts = self.parts(algorithm, full)
                curves[panel.name, name] = _curve({b: results[s] for b, s in parts.items()})
        return _drawn(self, curves, [panel.name for panel in self.panels], 2, "budget T")


def _curve(results: Mapping[int, RunResult | AnytimeResult]) -> ErrorCurve:
    only = results.get(0)
    if isinstance(only, AnytimeResult):
        return ErrorCurve.by_time(only)
    return ErrorCurve.by_budget({b: r for b, r in results.items() if isinstance(r, RunResult)})


def _drawn(
    item: Item, curves: Mapping[Place, ErrorCurve], panels: Sequence[str], columns: int,
    label: str, log_x: bool = False,
) -> Outcome:  # fmt: skip
    names = list(dict.fromkeys(name for _, name in curves))
    figure, axes = new_panels(lettered(panels), columns, len(names))
    for ax, panel in zip(axes, panels, strict=True):
        shown = {name: curve for (place, name), curve in curves.items() if place == panel}
        plot_error_curves(shown, ax, label, log_x)
    shared_legend(figure, axes)
    caption = (
        "Share of wrong answers with 95 % Wilson bands. On a logarithmic axis a curve ends where "
        "no run erred; the dotted line is the upper limit of the interval there. Times at which an "
        "algorithm has no answer yet are left out."
    )
    tables = [_table(item.stem, curves, panels, names, label)]
    return Outcome(tables, Picture(figure, caption), (), item.judged(Evidence(curves=curves)))


def _table(
    name: str, curves: Mapping[Place, ErrorCurve], panels: Sequence[str], names: Sequence[str],
    label: str,
) -> Table:  # fmt: skip
    rows: list[list[Value]] = []
    for panel in panels:
        every = np.unique(np.concatenate([c.x for (p, _), c in curves.items() if p == panel]))
        for x in _some(every.tolist()):
            cells = [_error(curves.get((panel, algorithm)), x) for algorithm in names]
            rows.append([panel, x, *cells])
    columns = [
        Column("panel", text=True), Column(label),
        *(Column(algorithm, fixed(5)) for algorithm in names),
    ]  # fmt: skip
    return Table(name, "Errors at some places of the curves.", columns, rows)


def _error(curve: ErrorCurve | None, x: int) -> float | None:
    if curve is None or x not in curve.x:
        return None
    place = int(np.searchsorted(curve.x, x))
    return float(curve.rate[place]) if curve.defined[place] else None


def _some(values: Sequence[int]) -> Iterable[int]:
    places = np.unique(np.round(np.linspace(0, len(values) - 1, min(ROWS, len(values)))))
    return [int(values[int(place)]) for place in places]
