"""What one process writes to PostgreSQL another one hears of, without asking."""

import queue
import time
from typing import Any

import pytest

from goodarm.study.storage import News, Store

PATIENCE = 20.0  # seconds that a very busy machine may take


@pytest.fixture
def database(postgresql: Any) -> str:
    return str(postgresql.new_database())


def told_until_heard(telling: News, heard: "queue.Queue[tuple[int, int]]", seq: int) -> int:
    """Tell of study 7 until it is heard: who has not begun to listen yet misses what is said."""
    until = time.monotonic() + PATIENCE
    while heard.empty():
        assert time.monotonic() < until, "nothing was heard"
        telling.tell(7, seq)
        time.sleep(0.05)
        seq += 1
    return seq


def test_others_hear_how_far_logs_have_grown(database: str) -> None:
    heard: queue.Queue[tuple[int, int]] = queue.Queue()
    one, other = Store(database), Store(database)
    telling, hearing = (
        one.news(lambda *_: None),
        other.news(lambda study, seq: heard.put((study, seq))),
    )
    assert telling is not None
    assert hearing is not None
    try:
        last = told_until_heard(telling, heard, 1)
        for study in range(1000, 1450):  # more than one message has room for
            telling.tell(study, study - 900)
        telling.tell(1000, 3)  # overtaken: it goes up to 100 already
        telling.tell(7, last + 50)
        seen: dict[int, int] = {}
        wanted = {7: last + 50} | {study: study - 900 for study in range(1000, 1450)}
        while seen != wanted:
            study, seq = heard.get(timeout=PATIENCE)
            assert seq > seen.get(study, 0) or study == 1000
            seen[study] = max(seq, seen.get(study, 0))
    finally:
        telling.close()
        hearing.close()


def test_messages_of_others_on_the_channel_do_no_harm(database: str) -> None:
    heard: queue.Queue[tuple[int, int]] = queue.Queue()
    store = Store(database)
    news = store.news(lambda study, seq: heard.put((study, seq)))
    assert news is not None
    try:
        told_until_heard(news, heard, 1)
        store.attempt(
            lambda c: c.exec_driver_sql("SELECT pg_notify('goodarm', 'lunch! 1:2:3 9:4')"),
            writes=True,
        )
        while heard.get(timeout=PATIENCE) != (9, 4):
            pass
    finally:
        news.close()


def test_a_file_has_no_news(sqlite: str) -> None:
    assert Store(sqlite).news(lambda *_: None) is None
