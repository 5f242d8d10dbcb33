"""Items that are tables of errors at one budget."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from goodarm.paper.items.item import Item, Outcome, Results
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.judging.agreement import Cell, error_cell
from goodarm.paper.published import published
from goodarm.paper.report.tables import Column, Table, fixed
from goodarm.simulation import RunResult, wilson


@dataclass(frozen=True, kw_only=True)
class BudgetTable(Item):
    """The error of every fixed-budget algorithm on one instance, compared with the printed one."""

    instance: str
    algorithms: tuple[str, ...]
    known: Mapping[str, str] = field(default_factory=dict)  # why an algorithm's row differs

    def simulation(self, algorithm: str, full: bool) -> Simulation:
        """One row."""
        budget = published()["fixed_budget_error"]["budget"][self.instance]
        return Simulation(self.instance, algorithm, self.runs.of(full), budget=budget)

    def simulations(self, full: bool) -> list[Simulation]:
        """Every row."""
        return [self.simulation(algorithm, full) for algorithm in self.algorithms]

    def outcome(self, results: Results, full: bool) -> Outcome:
        """Number beside number."""
        printed = published()["fixed_budget_error"]
        rows: list[RunResult] = []
        cells: list[Cell] = []
        for algorithm in self.algorithms:
            result = results[self.simulation(algorithm, full)]
            assert isinstance(result, RunResult)
            rows.append(result)
            if algorithm in printed[self.instance]:
                why = self.known.get(algorithm, "")
                error = printed[self.instance][algorithm]
                cells.append(error_cell(self.instance, error, printed["runs"], result, why))
        return Outcome([self._table(rows, cells)], None, cells)

    def _table(self, results: list[RunResult], cells: list[Cell]) -> Table:
        runs = published()["fixed_budget_error"]["runs"]
        by = {cell.algorithm: cell for cell in cells}
        rows = []
        for result in results:
            cell = by.get(result.algorithm)
            error = None if cell is None else cell.published
            limits = (None, None) if error is None else wilson(round(error * runs), runs)
            low, high = (None if limit is None else float(limit) for limit in limits)
            rows.append([
                result.algorithm, error, low, high, result.error_rate, *result.error_interval(),
                None if cell is None else cell.z, "not printed" if cell is None else cell.verdict,
            ])  # fmt: skip
        columns = [
            Column("algorithm", text=True),
            Column("published error", fixed(3)), Column("from", fixed(4)), Column("to", fixed(4)),
            Column("our error", fixed(5)), Column("our from", fixed(5)), Column("our to", fixed(5)),
            Column("standardised difference", fixed(2)), Column("verdict", text=True),
        ]  # fmt: skip
        caption = (
            f"Error on {self.instance} with T = {results[0].job.limit}: published "
            f"({runs:,} runs) beside ours ({results[0].runs:,} runs), each with its 95 % Wilson "
            "interval."
        )
        marks = [by[r.algorithm].verdict if r.algorithm in by else "" for r in results]
        return Table(self.stem, caption, columns, rows, marks)
