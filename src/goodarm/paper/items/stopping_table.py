"""Items that are tables of stopping times: mean ± standard deviation, algorithms by instances."""

from collections.abc import Mapping
from dataclasses import dataclass

from goodarm.paper.items.item import Item, Outcome, Results
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.judging.agreement import Cell, time_cell
from goodarm.paper.judging.quantities import PAPERS_CAP, Evidence
from goodarm.paper.published import published
from goodarm.paper.report.tables import Column, Table, fixed
from goodarm.simulation import RunResult

DELTA, CAP = 0.01, PAPERS_CAP
PAPERS, LEMMAS = "glr-tables", "glr"  # what the printed numbers used; what the lemma states


@dataclass(frozen=True, kw_only=True)
class StoppingTable(Item):
    """Mean stopping times with both boundaries, compared with the printed ones, if any."""

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
            for boundary in (PAPERS, LEMMAS)
            for algorithm in self.algorithms
            for instance in self.instances
        ]

    def outcome(self, results: Results, full: bool) -> Outcome:
        """The paper's table from our runs, and number beside number."""
        by: dict[str, dict[tuple[str, str], RunResult]] = {}
        for boundary in (PAPERS, LEMMAS):
            for algorithm in self.algorithms:
                for instance in self.instances:
                    result = results[self.simulation(algorithm, instance, boundary, full)]
                    assert isinstance(result, RunResult)
                    by.setdefault(boundary, {})[instance, algorithm] = result
        printed = published()["stopping_time"]
        cells = [
            time_cell(instance, printed[algorithm][instance], printed["runs"], result)
            for (instance, algorithm), result in by[PAPERS].items()
            if instance in printed.get(algorithm, {})
        ]
        tables = [self._wide(by[PAPERS])]
        if cells:
            tables.append(self._beside(cells, by))
        return Outcome(tables, None, cells, self.judged(Evidence(times=by[PAPERS])))

    def _wide(self, results: Mapping[tuple[str, str], RunResult]) -> Table:
        rows = [
            [a, *(_mean_and_std(results[instance, a]) for instance in self.instances)]
            for a in self.algorithms
        ]
        columns = [Column("algorithm", text=True), *(Column(name) for name in self.instances)]
        caption = (
            f"Mean stopping time ± standard deviation, δ = {DELTA:g}, boundary {PAPERS}; "
            f"runs that had not stopped after {CAP:,} pulls count as {CAP:,}."
        )
        return Table(self.stem, caption, columns, rows)

    def _beside(
        self, cells: list[Cell], by: Mapping[str, Mapping[tuple[str, str], RunResult]]
    ) -> Table:
        rows = []
        for cell in cells:
            key = (cell.instance, cell.algorithm)
            ours, lemma = by[PAPERS][key], by[LEMMAS][key]
            printed = published()["stopping_time"][cell.algorithm][cell.instance] or (None, None)
            rows.append([
                cell.instance, cell.algorithm, printed[0], printed[1], ours.mean, ours.std, ours.se,
                cell.z, cell.verdict, 100.0 * (1.0 - float(ours.stopped.mean())),
                lemma.mean, 100.0 * (lemma.mean / ours.mean - 1.0),
            ])  # fmt: skip
        columns = [
            Column("instance", text=True), Column("algorithm", text=True),
            Column("published mean"), Column("published std"),
            Column("our mean"), Column("our std"), Column("s.e."),
            Column("standardised difference", fixed(2)), Column("verdict", text=True),
            Column("at the cap, %", fixed(1)),
            Column("mean with glr"), Column("change, %", fixed(1)),
        ]  # fmt: skip
        caption = (
            f"Published beside ours (boundary {PAPERS}); the last two columns are our means with "
            "the boundary of the paper's lemma. A dash is a cell in which no run stopped."
        )
        marks = [cell.verdict for cell in cells]
        return Table(f"{self.stem}_comparison", caption, columns, rows, marks)


def _mean_and_std(result: RunResult) -> str:
    if not result.stopped.any():
        return "–"
    return f"{result.mean:,.0f} ± {result.std:,.0f}"
