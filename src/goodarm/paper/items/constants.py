"""Items that need no simulation: the instances, how hard they are, and asymptotic constants."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from goodarm import theory
from goodarm.instance import Instance, instances
from goodarm.paper.data import published
from goodarm.paper.items.item import Item, ItemResult, SimulationResults
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.judging.agreement import DIFFERS, Cell, exact_cell
from goodarm.paper.judging.quantities import Evidence
from goodarm.paper.report.tables import Table, TableColumn, Value
from goodarm.theory.tables import ConstantRow

# The paper's tables of instances show RealL's raw scores.
RAW_SCORES: dict[str, str] = {"RealL": "RealL-gaussian"}


class Computed(Item):
    """An item that is computed, not simulated."""

    def simulations(self, full: bool) -> list[Simulation]:
        """None."""
        return []


class InstanceTable(Computed):
    """Numbers of arms and of good arms, and thresholds."""

    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """Ours, compared with the published ones."""
        rows, cells = [], []
        for name, theirs in published()["instances"].items():
            instance = instances[name]
            ours = {
                "K": float(instance.K),
                "threshold": instance.threshold,
                "good": float(len(instance.good_arms)),
            }
            cells += [exact_cell(name, key, theirs[key], ours[key], 0.01) for key in ours]
            rows.append([name, instance.K, instance.threshold, len(instance.good_arms)])
        columns = [
            TableColumn("instance", text=True),
            TableColumn("K"),
            TableColumn("θ"),
            TableColumn("good arms"),
        ]
        return ItemResult(
            [Table(self.stem, "Parameters of the instances.", columns, rows)], None, cells
        )


class MeansTable(Computed):
    """Every arm's mean."""

    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """Ours, compared with the published, rounded ones."""
        rows: list[list[Value]] = []
        cells = []
        means: dict[str, list[float]] = published()["means"]
        for name, theirs in means.items():
            ours = instances[RAW_SCORES.get(name, name)].means
            unit = 10.0 ** -published()["decimals"][name]
            farthest = max(range(len(theirs)), key=lambda a: abs(ours[a] - theirs[a]))
            quantity = f"means (arm {farthest + 1} differs most)"
            cells.append(exact_cell(name, quantity, theirs[farthest], float(ours[farthest]), unit))
            rows += [[name, a + 1, theirs[a], float(ours[a])] for a in range(len(theirs))]
        columns = [
            TableColumn("instance", text=True),
            TableColumn("arm"),
            TableColumn("published mean"),
            TableColumn("our mean", lambda value: f"{value:.6g}"),
        ]
        caption = "Means of the instances, published and unrounded."
        return ItemResult([Table(self.stem, caption, columns, rows)], None, cells)


DIFFICULTY_NAMES = {
    "H1": "H1",
    "Htheta": "Hθ",
    "min_good_inv_gap_sq": "min 1/Δ² of good arms",
    "max_good_inv_gap_sq": "max 1/Δ² of good arms",
    "K_delta_hat_inv_sq": "K/Δ̂²",
}


@dataclass(frozen=True, kw_only=True)
class DifficultyTable(Computed):
    """The constants that measure how hard an instance is."""

    reasons: Mapping[str, str] = field(default_factory=dict)  # why an instance's row differs

    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """Ours, compared with the published ones, which are rounded to whole numbers."""
        rows: list[list[Value]] = []
        cells: list[Cell] = []
        marks: list[str] = []
        for name, theirs in self._published().items():
            ours = theory.difficulty_row(_as_in_the_table(name))
            row: list[Value] = [name]
            why = self.reasons.get(name, "")
            compared = []
            for key, number in zip(DIFFICULTY_NAMES, theirs, strict=True):
                value = ours[key]
                row += [number, value]
                if number is not None and value is not None:
                    compared.append(exact_cell(name, DIFFICULTY_NAMES[key], number, value, why=why))
            differs = any(cell.verdict == DIFFERS for cell in compared)
            rows.append([*row, why])
            marks.append(DIFFERS if differs else "")
            cells += compared
        columns = [TableColumn("instance", text=True)]
        for head in DIFFICULTY_NAMES.values():
            columns += [TableColumn(f"{head}, published"), TableColumn(f"{head}, ours")]
        columns.append(TableColumn("why it differs", text=True))
        caption = "Difficulty constants, published and computed."
        return ItemResult([Table(self.stem, caption, columns, rows, marks)], None, cells)

    def _published(self) -> dict[str, list[float | None]]:
        table = {k: v for k, v in published()["difficulty"].items() if k != "columns"}
        # TwoG is published in letters: 4K, K, 4, 4, 4|good arms|.
        return {**table, "TwoG(100, 30)": [400.0, 100.0, 4.0, 4.0, 120.0]}


def _as_in_the_table(name: str) -> Instance:
    """The instance that the paper's table of difficulties speaks of: Med2 with σ = 1."""
    instance = instances[RAW_SCORES.get(name, name)]
    if name == "Med2":
        return Instance(instance.threshold, instance.means.tolist(), name=name)
    return instance


@dataclass(frozen=True, kw_only=True)
class ConstantsTable(Computed):
    """One of the paper's tables of asymptotic constants, evaluated on instances."""

    rows_of: Callable[[Instance], list[ConstantRow]]
    instances: tuple[str, ...]
    unit: str

    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """The corrected constants, and the published ones where they are others."""
        columns = [self.rows_of(instances[name]) for name in self.instances]
        heads = [TableColumn("bound", text=True), *(TableColumn(name) for name in self.instances)]
        heads.append(TableColumn("stated in", text=True))
        tables = []
        for reading in ("corrected", "published"):
            rows: list[list[Value]] = [
                [row[0].name, *(getattr(cell, reading) for cell in row), row[0].label]
                for row in zip(*columns, strict=True)
            ]
            caption = f"{self.unit} Reading: {reading}. A dash: not stated for such an instance."
            tables.append(Table(f"{self.stem}_{reading}", caption, heads, rows))
        if tables[0].rows == tables[1].rows:
            tables.pop()
        return ItemResult(tables, None, (), self.judged(Evidence()))
