"""The files of an item: tables as CSV, JSON and LaTeX, the picture as PNG and PDF."""

from io import BytesIO
from pathlib import Path

from goodarm.files import write
from goodarm.paper.item import Item, Outcome, Picture

DOTS_PER_INCH = 110


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
