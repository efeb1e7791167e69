"""Lists and cards as data: the functions behind the commands `list` and `show`."""

from __future__ import annotations

from typing import Any

from boundcheck.api.results import Results
from boundcheck.errors import require


def show(name: str, *, N: int = 8) -> Results[dict[str, Any]]:
    """Return the card of a paper, problem, method, bound, rate, assumption, claim or recipe, as plain data.

    Parameters
    ----------
    name : str
        A name from `list_`; a problem may carry parameters: ``ridge-ratio[zeta=2]``.
    N : int
        Clients, for the constants of a problem.

    Returns
    -------
    Results of dict
        One card, or several where a name is of several kinds.

    Raises
    ------
    InputError
        If there is no such name.

    Examples
    --------
    >>> import boundcheck as bc
    >>> bc.show("momentum-fl.theorem11")[0]["status"]
    'proved'
    """
    from boundcheck.cli.cards.card_data import as_data, as_written
    from boundcheck.cli.cards.cards import cards

    require(isinstance(name, str), "name", name, "a name")
    return Results(as_written(as_data(cards(name, N))), name)


def list_(kind: str, *, paper: str | None = None, status: str | None = None) -> Results[dict[str, Any]]:
    """List what there is of one kind.

    Parameters
    ----------
    kind : str
        papers, problems, methods, bounds, rates, tables, assumptions, claims, recipes or field.
    paper : str, optional
        Only what belongs to this paper.
    status : str, optional
        Of bounds and claims: "proved", "false as printed", "not contradicted" or "open".

    Returns
    -------
    Results of dict
        One a member, with `id`, `title` and more.

    Raises
    ------
    InputError
        If there is no such kind.

    Examples
    --------
    >>> import boundcheck as bc
    >>> len(bc.list_("bounds", status="false as printed")) > 10
    True
    """
    from boundcheck.cli.cards.catalogue import LISTINGS

    require(kind in LISTINGS, "kind", kind, ", ".join(LISTINGS))
    wanted = {key: value for key, value in (("paper", paper), ("status", status)) if value is not None}
    found = [one for one in LISTINGS[kind].entries() if all(_has(one.get(key), v) for key, v in wanted.items())]
    return Results(found, kind)


def _has(found: Any, value: str) -> bool:
    """Return whether a member is as asked; one may belong to several papers."""
    return value in found if isinstance(found, list) else value == found
