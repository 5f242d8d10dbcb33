"""Drawing pictures: here, or in processes of their own while a GPU keeps this one busy."""

import logging
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
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

WaitForPng = Callable[[], bytes]  # for the picture, as PNG
DrawFigure = Callable[["Figure", Path], WaitForPng]

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
def drawing(processes: int) -> Iterator[DrawFigure]:
    """A function that draws figures: at once, or in this many processes if that is not 0."""
    if processes == 0:
        yield _draw_here
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_leave_ctrl_c)
    try:
        yield lambda figure, stem: _draw_elsewhere(pool, figure, stem)
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def _leave_ctrl_c() -> None:
    """Ctrl-C reaches every process of a terminal; only the first is to say something about it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _draw_here(figure: "Figure", stem: Path) -> WaitForPng:
    png = draw_files(figure, stem)
    return lambda: png


def _draw_elsewhere(pool: ProcessPoolExecutor, figure: "Figure", stem: Path) -> WaitForPng:
    """Where that fails (a script without a main guard, a figure that cannot travel), here."""
    try:
        future = pool.submit(draw_files, figure, stem)
    except Exception as error:
        logger.warning("%s is drawn here, not in another process (%s)", stem, error)
        return _draw_here(figure, stem)
    figures = [figure]  # only until it is drawn: figures take much memory
    future.add_done_callback(lambda done: None if _failed(done) else figures.clear())

    def wait() -> bytes:
        try:
            return future.result()
        except Exception as error:
            logger.warning("%s is drawn here, not in another process (%s)", stem, error)
            return draw_files(figures[0], stem)

    return wait


def _failed(done: Future[bytes]) -> bool:
    return done.cancelled() or done.exception() is not None
