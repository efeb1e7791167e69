"""What long work will take, said before it begins: one line on standard error, the same of every command."""

from __future__ import annotations

from boundcheck.cli.terminal.output import note_of_run
from boundcheck.cli.terminal.progress import duration

WORTH_SAYING = 10.0
"""Seconds from which on a command says beforehand how long it takes."""
MINUTE = 60.0
"""Seconds that a search has unless it is given more, which it says."""
LARGE = 2000.0
"""Megabytes of a process from which on it says so."""


def say_beforehand(
    command: str,
    seconds: float,
    *,
    what: str = "takes",
    further: tuple[str, float] | None = None,
    megabytes: float = 0.0,
) -> None:
    """Say about how long work takes and, where that is much, in what memory; nothing where it is little.

    Parameters
    ----------
    command : str
    seconds : float
        Of the work that is sure.
    what : str
        What takes them, with its verb: ``tuning takes``.
    further : (str, float), optional
        The same of all that may come, and its seconds.
    megabytes : float
        Of the process that needs most.
    """
    parts = [(what, seconds), *([further] if further else [])]
    if max(each for _, each in parts) < WORTH_SAYING and megabytes < LARGE:
        return
    words = ", ".join(f"{clause} {duration(each)}" for clause, each in parts)
    note_of_run(f"{command}: {words}" + (f", {megabytes / 1000:.1f} GB in a process" if megabytes >= LARGE else ""))
