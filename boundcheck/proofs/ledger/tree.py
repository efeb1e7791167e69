"""Claims that name other claims as steps: what a printed proof uses, what is refuted, and what falls with a step."""

from __future__ import annotations

from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Literal

from boundcheck.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.proofs.language.claim import Claim, Proof
    from boundcheck.verdicts.words import ProverWord

Steps = Literal["proved", "refuted", "open"]


@dataclass(frozen=True)
class Standing:
    """Where a claim stands in the proof of its theorem."""

    id: str
    """Claim id."""
    steps: Steps
    """Whether the claim and all that its printed proof names are ``proved``, or one of them is ``refuted``.  That they
    imply it is not decided here: only a whole proof (`boundcheck show BOUND --proof`) says that a theorem stands."""
    rests_on: tuple[str, ...]
    """Every claim below it, steps of steps included, deepest first."""
    broken: tuple[str, ...]
    """The refuted claims among itself and these."""
    open: tuple[str, ...]
    """Those that are neither proved nor refuted, or not decided in this run."""
    falls_with: tuple[str, ...]
    """Every claim that falls when this one does."""


def order(claims: Mapping[str, Claim]) -> tuple[str, ...]:
    """Return the ids with every claim after its steps.

    Raises
    ------
    UnknownNameError
        If a step is not in `claims`.
    InputError
        If claims stand on each other in a circle.
    """
    for claim in claims.values():
        for step in claim.step_ids:
            if step not in claims:
                raise UnknownNameError(f"step of {claim.id}", step, claims)
    try:
        return tuple(TopologicalSorter({claim.id: claim.step_ids for claim in claims.values()}).static_order())
    except CycleError as error:
        msg = f"steps = {' > '.join(error.args[1])} is not legal: a claim cannot stand on itself"
        raise InputError(msg) from None


def below(claims: Mapping[str, Claim], name: str) -> tuple[str, ...]:
    """Return every claim that `name` rests on, each after its own steps, without `name` itself."""
    found: dict[str, None] = {}
    _descend(claims, name, found)
    return tuple(other for other in found if other != name)


def _descend(claims: Mapping[str, Claim], name: str, found: dict[str, None]) -> None:
    for step in claims[name].step_ids:
        if step not in found:
            _descend(claims, step, found)
    found[name] = None


def above(claims: Mapping[str, Claim], name: str) -> tuple[str, ...]:
    """Return every claim that rests on `name`, directly or not, in the order of `claims`."""
    return tuple(other for other in claims if name in below(claims, other))


def with_steps(claims: Mapping[str, Claim], names: Iterable[str]) -> tuple[str, ...]:
    """Return the names and all that they rest on, steps first."""
    found: dict[str, None] = {}
    for name in names:
        found |= dict.fromkeys((*below(claims, name), name))
    return tuple(found)


def standings(claims: Mapping[str, Claim], proofs: Iterable[Proof]) -> dict[str, Standing]:
    """Return where each decided claim stands.

    Parameters
    ----------
    claims : dict of str to Claim
        The ledger.
    proofs : iterable of Proof
        Verdicts; a step without one leaves what rests on it unknown.

    Returns
    -------
    dict of str to Standing
        One for each proof, in the same order.
    """
    return standings_at(claims, {proof.id: proof.verdict for proof in proofs})


def standings_at(claims: Mapping[str, Claim], verdicts: Mapping[str, ProverWord]) -> dict[str, Standing]:
    """Return where each claim with a verdict stands: `standings` without the proofs."""
    order(claims)
    downs = {name: below(claims, name) for name in claims}
    ups: dict[str, list[str]] = {name: [] for name in claims}
    for name, down in downs.items():
        for step in down:
            ups[step].append(name)
    found = {}
    for name, down in ((name, downs[name]) for name in verdicts):
        broken = tuple(n for n in (*down, name) if verdicts.get(n) == "refuted")
        unsettled = tuple(n for n in (*down, name) if verdicts.get(n) not in {"proved", "refuted"})
        steps: Steps = "refuted" if broken else "open" if unsettled else "proved"
        found[name] = Standing(name, steps, down, broken, unsettled, tuple(ups[name]))
    return found


def draw_tree(
    claims: Mapping[str, Claim], verdicts: Mapping[str, ProverWord], name: str, indent: str = ""
) -> list[str]:
    """Return the tree under a claim as lines of text, one claim a line with its verdict."""
    lines = [f"{indent}{name}: {verdicts.get(name, 'not decided')}"]
    for step in claims[name].step_ids:
        lines += draw_tree(claims, verdicts, step, indent + "  ")
    return lines


drawn = draw_tree
"""Its former name, which older code has."""
