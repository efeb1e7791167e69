"""Many cheap cases in one test: every case is checked, and all that fail are named."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from turns import every

BY_NAME = False
"""Whether this run was asked for tests by name; `tests/conftest.py` says so before tests are collected."""


def together(cases: Iterable[Any], parts: int = 1) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make one test of a check on many cases, where to set up a test for each would cost more than the check.

    A check of several parameters takes them from a tuple.  A case that skips is left out after all others have passed.
    Of several `parts`, each with every so-many-th case, all but the first are slow tests.

    Where pytest is asked for tests by name (``-k``), each case is a test of its own, so that its name selects it.
    """
    listed = list(cases)

    def made(check: Callable[..., None]) -> Callable[..., None]:
        parameters = list(inspect.signature(check).parameters)
        several = len(parameters) > 1
        if BY_NAME:
            return pytest.mark.parametrize(parameters if several else parameters[0], listed, ids=str)(check)

        def some(part: int) -> None:
            mine = listed[part::parts]
            assert mine, "no case"
            failed, left = [], []
            for case in mine:
                try:
                    check(*case) if several else check(case)
                except pytest.skip.Exception as reason:
                    left.append(f"{case}: {reason}")
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001
                    failed.append(f"{case}: {type(error).__name__}: {error}")
            assert not failed, f"{len(failed)} of {len(mine)} fail\n" + "\n".join(failed)
            if left:
                pytest.skip(f"{len(mine) - len(left)} of {len(mine)} pass, left out: {', '.join(left)}")

        def whole() -> None:
            some(0)

        test = whole if parts == 1 else pytest.mark.parametrize("part", every(parts, range(parts)))(some)
        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return made
