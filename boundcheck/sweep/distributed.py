"""A Dask scheduler in place of local processes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from boundcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor


@contextlib.contextmanager
def distributed(address: str) -> Iterator[Executor]:
    """Yield the executor of a Dask scheduler; its workers must see the store's folder.

    Raises
    ------
    InputError
        If the extra is not installed or no scheduler answers at `address`.
    """
    try:
        from distributed import Client
    except ImportError:
        msg = "a Dask scheduler needs the package distributed: pip install 'boundcheck[dask]'"
        raise InputError(msg) from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        msg = f"--dask = {address!r}: no scheduler answers there ({error})"
        raise InputError(msg) from None
    with client:
        yield client.get_executor(pure=False)
