"""An executor whose workers are elsewhere: a Dask cluster (the extra goodarm[dask])."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from typing import Any

from goodarm.errors import InputError
from goodarm.extras import DASK, need

CONNECT_WITHIN = 10  # seconds


@contextmanager
def dask_executor(where: str) -> Iterator[tuple[Executor, int]]:
    """The executor of the cluster, and how many threads it has.

    `where` is the scheduler's address, such as tcp://10.0.0.5:8786, or local:N for N new
    processes on this machine.
    """
    need(DASK, "dask")
    import distributed

    with ExitStack() as stack:
        client: Any = stack.enter_context(_client(distributed, where, stack))
        threads = sum(client.nthreads().values())
        if threads == 0:
            raise InputError(f"dask: the scheduler at {where!r} has no workers yet; start some")
        yield client.get_executor(pure=False), threads


def _client(distributed: Any, where: str, stack: ExitStack) -> Any:
    kind, _, count = where.partition(":")
    if kind == "local":
        if not count.isdigit() or int(count) < 1:
            raise InputError(f"dask: {where!r} is not local:N with a number N of processes")
        cluster = distributed.LocalCluster(
            n_workers=int(count),
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
        )
        return distributed.Client(stack.enter_context(cluster))
    try:
        return distributed.Client(where, timeout=CONNECT_WITHIN)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(
            f"dask: no scheduler answers at {where!r} ({error}); give its address, such as "
            "tcp://10.0.0.5:8786, or local:N"
        ) from None
