"""Writing files so that nobody ever sees one by halves."""

import os
from io import BytesIO
from pathlib import Path

from goodarm.paper.item import Item, Outcome, Picture

DOTS_PER_INCH = 110


def write(path: Path, content: str | bytes) -> None:
    """Write beside the place and move there; what an interrupted run leaves is overwritten."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    os.replace(part, path)


def write_outcome(out: Path, item: Item, outcome: Outcome) -> bytes | None:
    """All files of an item; the picture's PNG is handed back for the page."""
    for table in outcome.tables:
        stem = out / "tables" / table.name
        write(stem.with_suffix(".csv"), table.to_csv())
        write(stem.with_suffix(".json"), table.to_json())
        write(stem.with_suffix(".tex"), table.to_latex())
    if outcome.picture is None:
        return None
    png, pdf = _drawn(outcome.picture)
    write(out / "figures" / f"{item.stem}.png", png)
    write(out / "figures" / f"{item.stem}.pdf", pdf)
    return png


def _drawn(picture: Picture) -> tuple[bytes, bytes]:
    """As PNG and as PDF, the same bytes every time."""
    png, pdf = BytesIO(), BytesIO()
    picture.figure.savefig(png, format="png", dpi=DOTS_PER_INCH)
    picture.figure.savefig(pdf, format="pdf", metadata={"CreationDate": None})
    return png.getvalue(), pdf.getvalue()
