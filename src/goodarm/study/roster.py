"""Which arms a study has, and which it had: those of its creation, added ones, retired ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from goodarm.study.arms import ArmDetails


@dataclass(frozen=True)
class AddedArm:
    """An arm that came later: what was said of it, and its bars where every arm has its own."""

    name: str
    details: ArmDetails
    thresholds: Mapping[str, float]

    def to_data(self) -> dict[str, Any]:
        """As plain data, as an event has it."""
        thresholds = {"thresholds": dict(self.thresholds)} if self.thresholds else {}
        return {"arm": self.name, **self.details.to_data(), **thresholds}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "AddedArm":
        """The arm that `to_data` wrote; an event has a reason besides."""
        said = {what: data[what] for what in ("label", "cost", "note") if what in data}
        details = ArmDetails.declare(data["arm"], **said)
        return cls(data["arm"], details, data.get("thresholds", {}))


@dataclass
class Roster:
    """The arms by their numbers, the founders first."""

    founders: int
    added: list[AddedArm] = field(default_factory=list)
    retired: dict[int, str] = field(default_factory=dict)  # with the reasons

    @property
    def has_changed(self) -> bool:
        """Whether any arm has come or gone."""
        return bool(self.added or self.retired)

    def to_data(self) -> dict[str, Any]:
        """What has changed since the creation."""
        return {
            "added": [arm.to_data() for arm in self.added],
            "retired": [[arm, why] for arm, why in self.retired.items()],
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Take up what `to_data` wrote."""
        self.added = [AddedArm.from_data(arm) for arm in data["added"]]
        self.retired = {int(arm): why for arm, why in data["retired"]}
