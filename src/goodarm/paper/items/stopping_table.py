"""Items that are tables of stopping times: mean ± standard deviation, algorithms by instances."""

from collections.abc import Mapping
from dataclasses import dataclass

from goodarm.paper.data import published
from goodarm.paper.items.item import Item, ItemResult, SimulationResults
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.judging.agreement import SEEN, Cell, time_cell
from goodarm.paper.judging.quantities import PAPERS_CAP, Evidence
from goodarm.paper.report.tables import Table, TableColumn, Value, fixed
from goodarm.simulation import RunResult

DELTA, CAP = 0.01, PAPERS_CAP
PAPERS_BOUNDARY, LEMMAS_BOUNDARY = "glr-tables", "glr"  # of the published numbers; of the lemma
COMPARISON_COLUMNS = (
    TableColumn("instance", text=True),
    TableColumn("algorithm", text=True),
    TableColumn("published mean"),
    TableColumn("published std"),
    TableColumn("our mean"),
    TableColumn("our std"),
    TableColumn("s.e."),
    TableColumn("standardised difference", fixed(2)),
    TableColumn("seen below"),
    TableColumn("seen above"),
    TableColumn("verdict", text=True),
    TableColumn("at the cap, %", fixed(1)),
    TableColumn("mean with glr"),
    TableColumn("change, %", fixed(1)),
)


@dataclass(frozen=True, kw_only=True)
class StoppingTable(Item):
    """Mean stopping times with both boundaries, compared with the published ones, if any."""

    instances: tuple[str, ...]
    algorithms: tuple[str, ...]

    def simulation(self, algorithm: str, instance: str, boundary: str, full: bool) -> Simulation:
        """One cell."""
        return Simulation(
            instance, algorithm, self.runs.of(full), delta=DELTA, boundary=boundary, cap=CAP
        )

    def simulations(self, full: bool) -> list[Simulation]:
        """Every cell, with both boundaries."""
        return [
            self.simulation(algorithm, instance, boundary, full)
            for boundary in (PAPERS_BOUNDARY, LEMMAS_BOUNDARY)
            for algorithm in self.algorithms
            for instance in self.instances
        ]

    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """The paper's table from our runs, and number beside number."""
        by: dict[str, dict[tuple[str, str], RunResult]] = {}
        for boundary in (PAPERS_BOUNDARY, LEMMAS_BOUNDARY):
            for algorithm in self.algorithms:
                for instance in self.instances:
                    result = results[self.simulation(algorithm, instance, boundary, full)]
                    assert isinstance(result, RunResult)
                    by.setdefault(boundary, {})[instance, algorithm] = result
        theirs = published()["stopping_time"]
        cells = [
            time_cell(instance, theirs[algorithm][instance], theirs["runs"], result)
            for (instance, algorithm), result in by[PAPERS_BOUNDARY].items()
            if instance in theirs.get(algorithm, {})
        ]
        tables = [self._wide(by[PAPERS_BOUNDARY])]
        if cells:
            tables.append(self._beside(cells, by))
        judged = self.judged(Evidence(times=by[PAPERS_BOUNDARY], full=full))
        return ItemResult(tables, None, cells, judged)

    def _wide(self, results: Mapping[tuple[str, str], RunResult]) -> Table:
        rows = [
            [a, *(_mean_and_std(results[instance, a]) for instance in self.instances)]
            for a in self.algorithms
        ]
        columns = [
            TableColumn("algorithm", text=True),
            *(TableColumn(name) for name in self.instances),
        ]
        caption = (
            f"Mean stopping time ± standard deviation, δ = {DELTA:g}, boundary {PAPERS_BOUNDARY}; "
            f"runs that had not stopped after {CAP:,} pulls count as {CAP:,}."
        )
        return Table(self.stem, caption, columns, rows)

    def _beside(
        self, cells: list[Cell], by: Mapping[str, Mapping[tuple[str, str], RunResult]]
    ) -> Table:
        rows = []
        for cell in cells:
            key = (cell.instance, cell.algorithm)
            rows.append(_comparison_row(cell, by[PAPERS_BOUNDARY][key], by[LEMMAS_BOUNDARY][key]))
        caption = (
            f"Published beside ours (boundary {PAPERS_BOUNDARY}); the last two columns are our "
            "means with the boundary of the paper's lemma. Where no published run stopped, the "
            f"shares of runs that stop are compared. {SEEN}"
        )
        marks = [cell.verdict for cell in cells]
        return Table(f"{self.stem}_comparison", caption, COMPARISON_COLUMNS, rows, marks)


def _comparison_row(cell: Cell, ours: RunResult, lemma: RunResult) -> list[Value]:
    """A published mean beside ours, with the paper's boundary and with that of its lemma."""
    mean, std = published()["stopping_time"][cell.algorithm][cell.instance] or (None, None)
    capped = 100.0 * (1.0 - float(ours.stopped.mean()))
    change = 100.0 * (lemma.mean / ours.mean - 1.0)
    row: list[Value] = [cell.instance, cell.algorithm, mean, std, ours.mean, ours.std, ours.se]
    return [*row, cell.z, *cell.seen, cell.verdict, capped, lemma.mean, change]


def _mean_and_std(result: RunResult) -> str:
    if not result.stopped.any():
        return "–"
    return f"{result.mean:,.0f} ± {result.std:,.0f}"
