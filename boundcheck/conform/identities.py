"""The explicit list of identities, and how they are checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.conform.families.adaptive import ADAPTIVE
from boundcheck.conform.families.coda import CODA
from boundcheck.conform.families.fedlalr import FEDLALR
from boundcheck.conform.families.field import FIELD
from boundcheck.conform.families.memory import MEMORY
from boundcheck.conform.families.minimax import MINIMAX
from boundcheck.conform.families.momentum import MOMENTUM
from boundcheck.conform.families.network import NETWORK
from boundcheck.conform.families.one_machine import ONE_MACHINE
from boundcheck.conform.families.proximal import PROXIMAL
from boundcheck.conform.families.quantised import QUANTISED
from boundcheck.conform.families.recursive import RECURSIVE
from boundcheck.conform.families.scaffold import SCAFFOLD
from boundcheck.conform.families.tracking import TRACKING
from boundcheck.conform.identity import IdentityResult, MethodIdentity
from boundcheck.errors import UnknownNameError
from boundcheck.files.display import Catalogue
from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterable

IDENTITIES: dict[str, MethodIdentity] = Catalogue(
    "identities",
    {
        identity.id: identity
        for family in (
            MOMENTUM,
            SCAFFOLD,
            TRACKING,
            RECURSIVE,
            QUANTISED,
            PROXIMAL,
            MEMORY,
            ADAPTIVE,
            FEDLALR,
            MINIMAX,
            CODA,
            NETWORK,
            FIELD,
            ONE_MACHINE,
        )
        for identity in family
    },
)
"""Every identity by name, family by family."""


def about(name: str) -> list[MethodIdentity]:
    """Return the identities that speak of a registered method.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    """
    name = METHODS.own_name(name)
    if name not in METHODS:
        raise UnknownNameError("method", name, METHODS)
    return [identity for identity in IDENTITIES.values() if name in identity.methods]


def run(ids: Iterable[str] | None = None) -> list[IdentityResult]:
    """Check identities on small simulations.

    Parameters
    ----------
    ids : iterable of str, optional
        Names from `IDENTITIES`; all by default.

    Raises
    ------
    UnknownNameError
        If there is no such identity.
    """
    names = list(IDENTITIES if ids is None else ids)
    for name in names:
        if name not in IDENTITIES:
            raise UnknownNameError("identity", name, IDENTITIES)
    return [_check_identity(IDENTITIES[name]) for name in names]


def _check_identity(identity: MethodIdentity) -> IdentityResult:
    deviation, tolerance = identity.measure_deviation()
    return IdentityResult(
        identity.id, identity.methods, identity.statement, deviation, tolerance, deviation <= tolerance
    )
