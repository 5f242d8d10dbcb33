"""Items that are tables of errors at one budget."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from goodarm.paper.data import published
from goodarm.paper.items.item import Item, ItemResult, SimulationResults
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.judging.agreement import SEEN, Cell, error_cell
from goodarm.paper.report.tables import Table, TableColumn, Value, fixed
from goodarm.simulation import RunResult, wilson

ERROR_COLUMNS = (
    TableColumn("algorithm", text=True),
    TableColumn("published error", fixed(3)),
    TableColumn("from", fixed(4)),
    TableColumn("to", fixed(4)),
    TableColumn("our error", fixed(5)),
    TableColumn("our from", fixed(5)),
    TableColumn("our to", fixed(5)),
    TableColumn("standardised difference", fixed(2)),
    TableColumn("seen below", fixed(4)),
    TableColumn("seen above", fixed(4)),
    TableColumn("verdict", text=True),
)


@dataclass(frozen=True, kw_only=True)
class BudgetTable(Item):
    """The error of every fixed-budget algorithm on one instance, beside the published one."""

    instance: str
    algorithms: tuple[str, ...]
    reasons: Mapping[str, str] = field(default_factory=dict)  # why an algorithm's row differs

    def simulation(self, algorithm: str, full: bool) -> Simulation:
        """One row."""
        budget = published()["fixed_budget_error"]["budget"][self.instance]
        return Simulation(self.instance, algorithm, self.runs.of(full), budget=budget)

    def simulations(self, full: bool) -> list[Simulation]:
        """Every row."""
        return [self.simulation(algorithm, full) for algorithm in self.algorithms]

    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """Number beside number."""
        theirs = published()["fixed_budget_error"]
        rows: list[RunResult] = []
        cells: list[Cell] = []
        for algorithm in self.algorithms:
            result = results[self.simulation(algorithm, full)]
            assert isinstance(result, RunResult)
            rows.append(result)
            if algorithm in theirs[self.instance]:
                why = self.reasons.get(algorithm, "")
                error = theirs[self.instance][algorithm]
                cells.append(error_cell(self.instance, error, theirs["runs"], result, why))
        return ItemResult([self._table(rows, cells)], None, cells)

    def _table(self, results: list[RunResult], cells: list[Cell]) -> Table:
        runs = published()["fixed_budget_error"]["runs"]
        by = {cell.algorithm: cell for cell in cells}
        rows = [_row(result, by.get(result.algorithm), runs) for result in results]
        caption = (
            f"Error on {self.instance} with T = {results[0].job.limit}: published "
            f"({runs:,} runs) beside ours ({results[0].runs:,} runs), each with its 95 % Wilson "
            f"interval. {SEEN}"
        )
        marks = [by[r.algorithm].verdict if r.algorithm in by else "" for r in results]
        return Table(self.stem, caption, ERROR_COLUMNS, rows, marks)


def _row(result: RunResult, cell: Cell | None, runs: int) -> list[Value]:
    """One algorithm: the published error of that many runs, if there is one, beside ours."""
    ours = [result.error_rate, *result.error_interval()]
    if cell is None or cell.published is None:
        return [result.algorithm, None, None, None, *ours, None, None, None, "not published"]
    low, high = (float(limit) for limit in wilson(round(cell.published * runs), runs))
    beside: list[Value] = [cell.z, *cell.seen, cell.verdict]
    return [result.algorithm, cell.published, low, high, *ours, *beside]
