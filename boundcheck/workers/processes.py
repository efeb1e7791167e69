"""Worker processes: started afresh, each with one thread of linear algebra, and gone when this process is."""

from __future__ import annotations

import _thread
import contextlib
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from boundcheck.errors import LostWorkerError
from boundcheck.files.own import follow, untrusted_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from multiprocessing.connection import Connection

    from boundcheck.files.own import DataFile

P = ParamSpec("P")
T = TypeVar("T")
_GRACE = 0.5
"""Seconds in which a worker without a parent may tidy up."""
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYTHONSAFEPATH": "1"}
"""The processes use the cores already; and Python would put the current folder before the libraries."""
_HELD = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that ask to end."""
_orphaned = threading.Event()


class WatchingExecutor(ProcessPoolExecutor):
    """An executor that sees every one of its workers die.

    The thread that waits for answers lists the workers when it wakes, which `submit` does before it starts one more:
    if that one dies over the last piece of work, nobody would ever say so.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Schedule a call, and wake the thread that waits once more, now that all workers are there."""
        # It starts processes, which inherit this until they are ready.
        with _hold_signals():
            future = super().submit(fn, *args, **kwargs)
        with self._shutdown_lock:
            if self._executor_manager_thread_wakeup is not None:
                self._executor_manager_thread_wakeup.wakeup()
        return future

    def hush(self) -> None:
        """Let the thread that waits for answers end without a word: nobody waits for its answers any more.

        Where workers end while calls are taken back, it stumbles over those that are back already.
        """
        thread: object = self._executor_manager_thread
        before = threading.excepthook

        def hook(error: threading.ExceptHookArgs) -> None:
            if error.thread is None or error.thread is not thread:
                before(error)

        threading.excepthook = hook


@contextlib.contextmanager
def pool(workers: int | None = None) -> Iterator[ProcessPoolExecutor]:
    """Yield an executor with that many processes, by default one a core; leaving with an error ends what runs.

    Workers end with this process, however it ends: each waits at a pipe whose other end only this process holds.

    Raises
    ------
    LostWorkerError
        If a worker dies, so that its answer cannot come.
    """
    context = multiprocessing.get_context("spawn")
    if hasattr(resource_tracker, "ensure_running"):
        # It takes care not to die of SIGINT and SIGTERM to the group, and would of SIGHUP.
        with _hold_signals():
            resource_tracker.ensure_running()
    near, far = context.Pipe(duplex=False)
    count = workers or os.cpu_count() or 1
    with (
        losses_named(),
        near,
        far,
        worker_environment(),
        WatchingExecutor(count, context, _attach, (near, untrusted_file())) as executor,
    ):
        try:
            yield executor
        except BaseException:
            executor.hush()
            executor.shutdown(wait=False, cancel_futures=True)
            # Without this the executor would wait for what is in flight.
            far.close()
            raise


@contextlib.contextmanager
def losses_named() -> Iterator[None]:
    """Turn what an executor raises when a worker has died into a `LostWorkerError`."""
    try:
        yield
    except BrokenExecutor:
        raise LostWorkerError from None


def retry_once(work: Callable[[], T]) -> T:
    """Return what `work` returns; where a worker is lost, ask once more.

    Raises
    ------
    LostWorkerError
        If a worker is lost again.
    """
    try:
        return work()
    except LostWorkerError:
        return work()


def _attach(pipe: Connection, file: DataFile | None) -> None:
    """Prepare a worker: interruptions are its parent's affair, it ends with its parent and trusts what that trusts."""
    follow(file)
    signal.signal(signal.SIGINT, _handle_interrupt)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HELD)
    threading.Thread(target=_end_with_parent, args=(pipe,), daemon=True).start()


@contextlib.contextmanager
def _hold_signals() -> Iterator[None]:
    """Hold signals to this thread, and to processes that it starts within: each is acted upon behind this."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _handle_interrupt(signum: int, frame: object) -> None:
    if _orphaned.is_set():
        raise KeyboardInterrupt


def _end_with_parent(pipe: Connection) -> None:
    # Nothing is ever sent: what comes is the end of the pipe, when nobody holds its other end any more.
    with contextlib.suppress(EOFError, OSError):
        pipe.recv_bytes()
    # Nobody waits for what this process still says about its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    _orphaned.set()
    _thread.interrupt_main()
    time.sleep(_GRACE)
    os._exit(1)


@contextlib.contextmanager
def worker_environment() -> Iterator[None]:
    """Give processes that start one thread of linear algebra, and no module that lies in the current folder."""
    before = {name: os.environ.get(name) for name in _ENVIRONMENT}
    os.environ.update(_ENVIRONMENT)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
