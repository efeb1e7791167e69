"""The code with which a command ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

DONE, REFUSED, BAD_INPUT, INTERNAL, LOST, NOT_ASKED = range(6)
CODES = {
    DONE: "done",
    REFUSED: "a verdict named by --fail-on occurred, or a check failed",
    BAD_INPUT: "bad input",
    INTERNAL: "internal error",
    LOST: "lost worker or scheduler",
    NOT_ASKED: "not asked: conform had no question, or verify met rules on trust",
}
"""Exit code to what it says; beyond these, 128 and the number of the signal that ended the command."""


def code_of(words: Iterable[str], fail_on: Iterable[str] | None) -> int:
    """Return `REFUSED` where one of the words of an answer is to fail, else `DONE`.

    Parameters
    ----------
    words : iterable of str
        Verdicts that occurred.
    fail_on : iterable of str or None
        Those that are to fail.
    """
    return DONE if set(words).isdisjoint(fail_on or ()) else REFUSED
