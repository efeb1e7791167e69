"""What is made from the source and kept beside it: one table, what makes it, and whether it is current.

Read `table` first: a row says which files, what they hold, which command makes them, and what they follow from.
``python -m boundcheck.derived --stale`` names the rows whose sources have changed since they were made, ``make
derived`` makes those again.  Nothing here is needed to run the code or its unit tests: a stale file is out of date, not
wrong in silence, and the checks of what files hold are tests with the mark ``derived``.
"""

from __future__ import annotations

from boundcheck.derived.table import DERIVED, Derived, find_stale, make

__all__ = ["DERIVED", "Derived", "find_stale", "make"]
