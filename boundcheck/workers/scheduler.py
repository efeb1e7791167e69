"""A Dask scheduler in place of local processes."""

from __future__ import annotations

import contextlib
import os
import tempfile
from concurrent.futures import CancelledError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, LostWorkerError, require
from boundcheck.files.sources import package_hash, versions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

_COMPARED = ("numpy", "scipy", "sympy", "z3-solver")


@contextlib.contextmanager
def dask_executor(address: str, folder: Path | None = None) -> Iterator[Executor]:
    """Yield the executor of a Dask scheduler whose workers run this code.

    Parameters
    ----------
    address : str
        Such as ``tcp://host:8786``.
    folder : Path, optional
        A folder that every worker must see under the same path, such as that of a store.

    Raises
    ------
    InputError
        If the extra is not installed, no scheduler answers, it has no workers, a worker runs other code or other
        versions, or does not see the folder.
    LostWorkerError
        If the scheduler is lost, or a worker again and again.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        msg = "a Dask scheduler needs the package distributed: pip install 'boundcheck[dask]'"
        raise InputError(msg) from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        msg = f"--dask = {address!r}: no scheduler answers there ({error})"
        raise InputError(msg) from None
    try:
        with client:
            _require_same(client, address)
            if folder is not None:
                _require_shared(client, address, folder)
            yield client.get_executor(pure=False)
    # What the file system refuses is an InputError by now: these are broken connections.
    except (OSError, CancelledError, KilledWorker) as error:
        msg = f"--dask = {address!r}: the scheduler or a worker was lost ({type(error).__name__})"
        raise LostWorkerError(msg) from None


def fingerprint() -> dict[str, str]:
    """Return what must be the same in every process: a hash of boundcheck and the versions below it."""
    return {"boundcheck": package_hash()[:12], **versions(_COMPARED)}


_own, _sees = fingerprint, os.path.exists


def _require_same(client: Any, address: str) -> None:
    own, found = _own(), client.run(fingerprint, on_error="return")
    require(bool(found), "--dask", address, "a scheduler with workers")
    for worker, theirs in found.items():
        where = f"--dask: worker {worker}"
        if isinstance(theirs, BaseException):
            msg = f"{where} cannot import this boundcheck: {type(theirs).__name__}: {theirs}"
            raise InputError(msg)
        for name in sorted(own.keys() | theirs.keys()):
            require(
                own.get(name) == theirs.get(name), f"{where}: {name}", theirs.get(name), f"{own.get(name)}, as here"
            )


def _require_shared(client: Any, address: str, folder: Path) -> None:
    """Leave a file in a folder and ask every worker whether it is there."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix="shared-", suffix=".tmp", dir=folder)
    os.close(descriptor)
    try:
        blind = [worker for worker, sees in client.run(_sees, name).items() if not sees]
    finally:
        Path(name).unlink()
    require(not blind, "store", str(folder), f"a folder that every worker of {address} sees; {blind[:1]} does not")


distributed = dask_executor
"""Its former name, which older code has."""
