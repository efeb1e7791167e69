"""Worker processes: started afresh, each with one thread of linear algebra."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def pool(workers: int | None = None) -> Iterator[ProcessPoolExecutor]:
    """Yield an executor with that many processes, by default one a core; leaving with an error drops what waits."""
    context = multiprocessing.get_context("spawn")
    with one_thread_each(), ProcessPoolExecutor(workers or os.cpu_count() or 1, mp_context=context) as executor:
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


@contextlib.contextmanager
def one_thread_each() -> Iterator[None]:
    """Give worker processes one thread of linear algebra: the processes use the cores already."""
    name = "OPENBLAS_NUM_THREADS"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
