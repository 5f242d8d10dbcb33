"""Taking turns: whoever's turn it is does what all who wait want, all of it in one go.

A commit has to wait for the disk, and only one of them can at a time. So whatever has come in
meanwhile is committed together with the next: the disk is waited for once, not once for each.
"""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any, Generic, TypeVar

from goodarm.study.errors import StorageError

Wish = TypeVar("Wish")
MOST_TOGETHER = 100


class Turn(Generic[Wish]):
    """What one thread wants, and what has come of it."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.tries = 0  # how often it was begun
        self.is_over = False
        self.result: Any = None
        self.error: BaseException | None = None

    def end(self, result: Any = None, error: BaseException | None = None) -> None:
        """It was granted, or it failed."""
        self.result, self.error, self.is_over = result, error, True


Grant = Callable[[Sequence[Turn[Wish]]], None]


class Turns(Generic[Wish]):
    """Lets one thread at a time grant wishes: its own, and those of all who wait."""

    def __init__(self) -> None:
        self._waiting: deque[Turn[Wish]] = deque()
        self._lock = Lock()

    def take(self, wish: Wish, grant: Grant[Wish]) -> Any:
        """What comes of a wish; its error is raised here.

        `grant`, the same for all, ends every turn that it is given. One that it leaves open,
        because it was interrupted, is taken up again by the thread whose turn it is.
        """
        turn = Turn(wish)
        self._waiting.append(turn)
        try:
            with self._lock:
                while not turn.is_over:
                    self._grant_some(grant)
        finally:
            if not turn.is_over:  # interrupted: nobody waits for it any more
                with suppress(ValueError):
                    self._waiting.remove(turn)
        if turn.error is not None:
            raise turn.error
        return turn.result

    def _grant_some(self, grant: Grant[Wish]) -> None:
        many = min(len(self._waiting), MOST_TOGETHER)
        some = [self._waiting.popleft() for _ in range(many)]
        try:
            grant(some)
        finally:
            self._waiting.extendleft(turn for turn in reversed(some) if not turn.is_over)


def grant_apart(
    turns: Sequence[Turn[Wish]], grant: Callable[[Sequence[Turn[Wish]]], Sequence[Any]]
) -> None:
    """Grant wishes together; where that fails, each alone, so that only its own error meets it."""
    try:
        results = grant(turns)
    except StorageError as error:  # everyone's: the database cannot be used
        for turn in turns:
            turn.end(error=error)
        return
    except Exception as error:
        if len(turns) == 1:
            turns[0].end(error=error)
        else:
            for turn in turns:
                grant_apart([turn], grant)
        return
    for turn, result in zip(turns, results, strict=True):
        turn.end(result)
