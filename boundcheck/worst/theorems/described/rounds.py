"""Rounds with one hypothesis besides smoothness, by name: delays, mixing matrices, compressors, sampled clients.

`delays`, `networks` and `messages` describe them; `falling` makes one of a round under the Polyak-Lojasiewicz
condition.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.errors import NotApplicableError
from boundcheck.worst.theorems.described.delays import delayed_sgd
from boundcheck.worst.theorems.described.description import Term
from boundcheck.worst.theorems.described.messages import COMPRESSED, SAMPLED, ef21, marina
from boundcheck.worst.theorems.described.networks import decentralised_sgd

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boundcheck.worst.theorems.described.description import DescribedRound


def falling(described: DescribedRound, gamma: str) -> DescribedRound:
    """Return a round under |grad F|^2 >= 2 mu F: V falls by the share mu gamma, and F/gamma <= V."""

    def lift_terms(parts: tuple[Term, ...]) -> tuple[Term, ...]:
        # The factor of F is 1, and no number depends on mu.
        return tuple(
            replace(t, name="" if t.name == "Delta" else t.name, degree=(*t.degree, 1) if t.degree else ())
            for t in parts
        )

    def lift_all(parts: Mapping[str, tuple[Term, ...]]) -> dict[str, tuple[Term, ...]]:
        return {name: lift_terms(terms) for name, terms in parts.items()}

    proofs = {
        lemma: tuple((fact, lift_terms(terms)) for fact, terms in facts) for lemma, facts in described.proofs.items()
    }
    proofs["end"] = ()
    proofs["round"] = (*proofs["round"], (("polyak", 0), (Term("", "1/2"),)))
    return replace(
        described,
        title=f"{described.title}, under the Polyak-Lojasiewicz condition",
        box={**described.box, "mu": (Fraction(0), Fraction(1))},
        potential=lift_all(described.potential),
        first=lift_all(described.first),
        always=lift_all(described.always),
        proofs=proofs,
        fall=f"mu*{gamma}",
        measured=f"({gamma})^-1*f0",
        costs={name: c for name, c in described.costs.items() if name != "Delta"},
    )


@dataclass(frozen=True)
class AskedRound:
    """A round that can be asked for by name.

    Attributes
    ----------
    describe : callable
        The largest c to a description; with True one whose potential can fall by itself.
    gamma : str
        The step in its letters.
    up_to, up_to_falling : Fraction
        The largest c that ships, without and with the Polyak-Lojasiewicz condition; None where the potential does not
        fall by itself.
    """

    describe: Callable[[Fraction, bool], DescribedRound]
    gamma: str
    up_to: Fraction
    up_to_falling: Fraction | None

    def round(self, up_to: Fraction | None = None, *, polyak: bool = False) -> DescribedRound:
        """Return the description, under the Polyak-Lojasiewicz condition where it is asked for.

        Raises
        ------
        NotApplicableError
            If the potential of the round does not fall by itself.
        """
        limit = up_to or (self.up_to_falling if polyak else self.up_to)
        if limit is None or (polyak and self.up_to_falling is None):
            title = self.describe(self.up_to, False).title  # noqa: FBT003 - as the other calls
            msg = f"{title}: its error falls by the share p a round, which may be less than that of the value"
            raise NotApplicableError(msg)
        made = self.describe(limit, polyak)
        return falling(made, self.gamma) if polyak else made


_HALF, _EIGHTH = Fraction(1, 2), Fraction(1, 8)
_DELAY, _GAP = "e*c", "p*c"
ROUNDS: dict[str, AskedRound] = {
    "delayed-sgd": AskedRound(lambda c, falls: delayed_sgd(c, spends=falls), _DELAY, _HALF, _EIGHTH),
    "delayed-sgd-bounded": AskedRound(
        lambda c, falls: delayed_sgd(c, fixed=False, spends=falls), _DELAY, _HALF, _EIGHTH
    ),
    "dsgd": AskedRound(lambda c, _: decentralised_sgd(c), _GAP, _HALF, _HALF),
    "dsgd-after": AskedRound(lambda c, _: decentralised_sgd(c, after=True), _GAP, _HALF, _HALF),
    "ef21": AskedRound(lambda c, _: ef21(c), _GAP, _HALF, _HALF),
    "marina": AskedRound(lambda c, _: marina(c), "s*c", _HALF, None),
    "sampled-sgd": AskedRound(lambda c, _: SAMPLED.describe(c), "c", _HALF, _HALF),
    "compressed-sgd": AskedRound(lambda c, _: COMPRESSED.describe(c), "s*c", _HALF, _HALF),
}
"""Name to a round: the method's where the room has one, else what differs after it."""
