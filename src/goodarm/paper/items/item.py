"""What an item of the paper is: a declaration that one small engine can run."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from goodarm.paper.items.simulations import Simulation
from goodarm.paper.judging.agreement import Cell
from goodarm.paper.judging.claims import Judgement
from goodarm.paper.judging.quantities import Evidence
from goodarm.paper.report.tables import Table
from goodarm.simulation import AnytimeResult, RunResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SimulationResults = Mapping[Simulation, RunResult | AnytimeResult]


class Statement(Protocol):
    """A claim of the text that can be judged."""

    def judge(self, evidence: Evidence) -> Judgement:
        """The verdict, with everything that it rests on."""
        ...


@dataclass(frozen=True)
class RunCounts:
    """How many runs the quick and the full reproduction make."""

    quick: int
    full: int

    def of(self, full: bool) -> int:
        """The number for one of the two."""
        return self.full if full else self.quick


@dataclass(frozen=True)
class Picture:
    """A figure with its caption."""

    figure: "Figure"
    caption: str


@dataclass(frozen=True)
class ItemResult:
    """What came out of an item: to be shown, and to be judged."""

    tables: Sequence[Table]
    picture: Picture | None = None
    cells: Sequence[Cell] = ()
    judgements: Sequence[Judgement] = field(default=())


@dataclass(frozen=True, kw_only=True)
class Item(ABC):
    """A table or figure of the paper: its label there, what it shows, what is claimed about it."""

    label: str
    title: str
    runs: RunCounts = RunCounts(0, 0)
    claims: tuple[Statement, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        """The label as part of a file name."""
        return self.label.replace(":", "_")

    @abstractmethod
    def simulations(self, full: bool) -> list[Simulation]:
        """All that has to be simulated."""

    @abstractmethod
    def result(self, results: SimulationResults, full: bool) -> ItemResult:
        """Tables, picture and verdicts from the results."""

    def judged(self, evidence: Evidence) -> list[Judgement]:
        """Every claim's verdict."""
        return [claim.judge(evidence) for claim in self.claims]
