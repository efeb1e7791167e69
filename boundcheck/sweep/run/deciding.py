"""Claims of the ledger that the processes of a sweep decide once its cells leave them idle."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from boundcheck.proofs.ledger.ledger import claims_asked, prove_named, with_progress
from boundcheck.workers.processes import retry_once

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.proofs import Proof
    from boundcheck.sweep.run.crew import Crew
    from boundcheck.workers.progress import Progress


class Deciding:
    """Claims that are decided behind the next work of a crew, with answers kept as `boundcheck.proofs.prove` does.

    Parameters
    ----------
    crew : Crew
    ids : iterable of str, optional
        As for `boundcheck.proofs.prove`.

    Raises
    ------
    InputError
        If a name is that of no claim.
    """

    def __init__(self, crew: Crew, ids: Iterable[str] | None = None) -> None:
        names = claims_asked(ids)
        self._following = crew.follow(partial(prove_named, kept=True), [(name,) for name in names])

    def proofs(self, progress: Progress | None = None) -> list[Proof]:
        """Return the decided claims in the order asked for; a lost worker is asked once more.

        Parameters
        ----------
        progress : callable, optional
            Called with (claims decided, claims in all, share of them).

        Raises
        ------
        LostWorkerError
            If a worker is lost again.
        """
        return retry_once(lambda: list(with_progress(self._following.answers(), len(self._following.calls), progress)))
