"""Items that need no simulation: the instances, how hard they are, and asymptotic constants."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from goodarm import theory
from goodarm.instance import Instance, instances
from goodarm.paper.items.item import Item, Outcome, Results
from goodarm.paper.items.simulations import Simulation
from goodarm.paper.judging.agreement import DIFFERS, Cell, exact_cell
from goodarm.paper.judging.quantities import Evidence
from goodarm.paper.published import published
from goodarm.paper.report.tables import Column, Table, Value
from goodarm.theory.tables import Row

# The paper's tables of instances show RealL's raw scores.
SCORES = {"RealL": "RealL-gaussian"}


class Computed(Item):
    """An item that is computed, not simulated."""

    def simulations(self, full: bool) -> list[Simulation]:
        """None."""
        return []


class InstanceTable(Computed):
    """Numbers of arms and of good arms, and thresholds."""

    def outcome(self, results: Results, full: bool) -> Outcome:
        """Ours, compared with the printed ones."""
        rows, cells = [], []
        for name, printed in published()["instances"].items():
            instance = instances[name]
            ours = {
                "K": float(instance.K),
                "threshold": instance.threshold,
                "good": float(len(instance.good_arms)),
            }
            cells += [exact_cell(name, key, printed[key], ours[key], 0.01) for key in ours]
            rows.append([name, instance.K, instance.threshold, len(instance.good_arms)])
        columns = [Column("instance", text=True), Column("K"), Column("θ"), Column("good arms")]
        return Outcome(
            [Table(self.stem, "Parameters of the instances.", columns, rows)], None, cells
        )


class MeansTable(Computed):
    """Every arm's mean."""

    def outcome(self, results: Results, full: bool) -> Outcome:
        """Ours, compared with the printed, rounded ones."""
        rows, cells = [], []
        for name, printed in published()["means"].items():
            ours = instances[SCORES.get(name, name)].means
            unit = 10.0 ** -published()["decimals"][name]
            farthest = max(range(len(printed)), key=lambda a: abs(ours[a] - printed[a]))
            quantity = f"means (arm {farthest + 1} differs most)"
            cells.append(exact_cell(name, quantity, printed[farthest], float(ours[farthest]), unit))
            rows += [[name, a + 1, printed[a], float(ours[a])] for a in range(len(printed))]
        columns = [
            Column("instance", text=True), Column("arm"), Column("published mean"),
            Column("our mean", lambda value: f"{value:.6g}"),
        ]  # fmt: skip
        caption = "Means of the instances, printed and unrounded."
        return Outcome([Table(self.stem, caption, columns, rows)], None, cells)


DIFFICULTIES = {
    "H1": "H1", "Htheta": "Hθ", "min_good_inv_gap_sq": "min 1/Δ² of good arms",
    "max_good_inv_gap_sq": "max 1/Δ² of good arms", "K_delta_hat_inv_sq": "K/Δ̂²",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DifficultyTable(Computed):
    """The constants that measure how hard an instance is."""

    known: Mapping[str, str] = field(default_factory=dict)  # why an instance's row differs

    def outcome(self, results: Results, full: bool) -> Outcome:
        """Ours, compared with the printed ones, which are rounded to whole numbers."""
        rows: list[list[Value]] = []
        cells: list[Cell] = []
        marks: list[str] = []
        for name, printed in self._printed().items():
            ours = theory.difficulty_row(_as_in_the_table(name))
            row: list[Value] = [name]
            why = self.known.get(name, "")
            seen = []
            for key, number in zip(DIFFICULTIES, printed, strict=True):
                value = ours[key]
                row += [number, value]
                if number is not None and value is not None:
                    seen.append(exact_cell(name, DIFFICULTIES[key], number, value, why=why))
            differs = any(cell.verdict == DIFFERS for cell in seen)
            rows.append([*row, why])
            marks.append(DIFFERS if differs else "")
            cells += seen
        columns = [Column("instance", text=True)]
        for head in DIFFICULTIES.values():
            columns += [Column(f"{head}, published"), Column(f"{head}, ours")]
        columns.append(Column("why it differs", text=True))
        caption = "Difficulty constants, printed and computed."
        return Outcome([Table(self.stem, caption, columns, rows, marks)], None, cells)

    def _printed(self) -> dict[str, list[float | None]]:
        table = {k: v for k, v in published()["difficulty"].items() if k != "columns"}
        # TwoG is printed in letters: 4K, K, 4, 4, 4|good arms|.
        return {**table, "TwoG(100, 30)": [400.0, 100.0, 4.0, 4.0, 120.0]}


def _as_in_the_table(name: str) -> Instance:
    """The instance that the paper's table of difficulties speaks of: Med2 with σ = 1."""
    instance = instances[SCORES.get(name, name)]
    if name == "Med2":
        return Instance(instance.threshold, instance.means.tolist(), name=name)
    return instance


@dataclass(frozen=True, kw_only=True)
class ConstantsTable(Computed):
    """One of the paper's tables of asymptotic constants, evaluated on instances."""

    rows_of: Callable[[Instance], list[Row]]
    instances: tuple[str, ...]
    unit: str

    def outcome(self, results: Results, full: bool) -> Outcome:
        """The corrected constants, and the printed ones where they are others."""
        columns = [self.rows_of(instances[name]) for name in self.instances]
        heads = [Column("bound", text=True), *(Column(name) for name in self.instances)]
        heads.append(Column("stated in", text=True))
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
        return Outcome(tables, None, (), self.judged(Evidence()))
