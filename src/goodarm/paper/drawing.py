"""Drawing pictures: here, or in processes of their own while a GPU keeps this one busy."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from goodarm.files import write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS_PER_INCH = 110
BESIDE_A_GPU = 4  # processes

Wait = Callable[[], bytes]  # for the picture, as PNG
Draw = Callable[["Figure", Path], Wait]

logger = logging.getLogger(__name__)


def draw_files(figure: "Figure", stem: Path) -> bytes:
    """Write the figure as PNG and PDF, the same bytes every time; the PNG is handed back."""
    png, pdf = BytesIO(), BytesIO()
    figure.savefig(png, format="png", dpi=DOTS_PER_INCH)
    figure.savefig(pdf, format="pdf", metadata={"CreationDate": None})
    write(stem.with_name(f"{stem.name}.png"), png.getvalue())
    write(stem.with_name(f"{stem.name}.pdf"), pdf.getvalue())
    return png.getvalue()


@contextmanager
def drawing(processes: int) -> Iterator[Draw]:
    """A function that draws figures: at once, or in so many processes if that is not 0."""
    if processes == 0:

        def at_once(figure: "Figure", stem: Path) -> Wait:
            png = draw_files(figure, stem)
            return lambda: png

        yield at_once
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:

        def elsewhere(figure: "Figure", stem: Path) -> Wait:
            def wait() -> bytes:
                try:
                    return future.result()
                except BrokenExecutor as error:  # in a script without a main guard, say
                    logger.warning("%s is drawn here, not in another process (%s)", stem, error)
                    return draw_files(figure, stem)

            try:
                future = pool.submit(draw_files, figure, stem)
            except BrokenExecutor:
                return lambda: draw_files(figure, stem)
            return wait

        yield elsewhere
