"""What the collection holds: a method, the hyperparameters that are numbers, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.worst.theorems.all_steps.theorem import StepTheorem


@dataclass(frozen=True)
class TheoremRecipe:
    """One theorem of the collection.

    Attributes
    ----------
    method : str
    hyper : mapping
        Hyperparameters but for eta, in units in which L = 1.
    up_to : Fraction
        The largest eta K.
    K : int or None
        Local steps; None for every K.
    sigma : bool
        Whether local gradients have noise.
    zeta : bool
        Whether heterogeneity is bounded at all server points, rather than at the start alone.
    polyak : bool
        Whether the potential also falls by a share under the Polyak-Lojasiewicz condition.
    drawn : bool
        Whether S of N clients take part, every S.
    near : bool
        Whether factors are polynomials, near the best theorem of each K and step, rather than few constants.
    """

    method: str
    hyper: Mapping[str, Fraction] = field(default_factory=dict)
    up_to: Fraction = Fraction(1, 2)
    K: int | None = None
    sigma: bool = False
    zeta: bool = True
    polyak: bool = False
    drawn: bool = False
    near: bool = False

    def find(self) -> StepTheorem:
        """Return the theorem, found anew.

        Raises
        ------
        NotApplicableError
            If there is none.
        """
        from boundcheck.methods import METHODS
        from boundcheck.worst.facts.classes import ProblemClass
        from boundcheck.worst.theorems.all_steps.sharpen import sharpen_all_k, sharpen_steps

        made = METHODS[self.method](eta=0.125, **{n: float(v) for n, v in self.hyper.items()})  # type: ignore[call-arg]
        zeta, G_0 = (1.0, None) if self.zeta else (None, 1.0)
        given = ProblemClass(N=8 if self.sigma else 2, Delta=1.0, sigma=float(self.sigma), zeta=zeta, G_0=G_0)
        if self.K is not None:
            return sharpen_steps(made, K=self.K, up_to=self.up_to, given=given)
        return sharpen_all_k(
            made, up_to=self.up_to, given=given, few=not self.near, polyak=self.polyak, drawn=self.drawn
        )


HALF, QUARTER, EIGHTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)
_SHORT = Fraction(1, 24)
"""Steps of momentum-fl's theorems are at most this."""
_M = {"beta": HALF, "gamma": QUARTER}
_MS = {"beta": HALF, "gamma": EIGHTH}

RECIPES: dict[str, TheoremRecipe] = {
    "fedavg": TheoremRecipe("fedavg", sigma=True),
    "fedavg-exact": TheoremRecipe("fedavg"),
    "fedavg-longer": TheoremRecipe("fedavg", up_to=Fraction(3, 4)),
    "fedavg-longest": TheoremRecipe("fedavg", up_to=Fraction(1)),
    "fedavg-shorter": TheoremRecipe("fedavg", up_to=QUARTER, sigma=True),
    "fedavg-two-sided": TheoremRecipe("fedavg", {"gamma": Fraction(2)}, up_to=QUARTER, sigma=True),
    "fedavg-m": TheoremRecipe("fedavg-m", _M, sigma=True),
    "fedavg-m-exact": TheoremRecipe("fedavg-m", _M),
    "fedavg-m-longest": TheoremRecipe("fedavg-m", _M, up_to=Fraction(1)),
    "fedavg-m-short": TheoremRecipe("fedavg-m", {"beta": Fraction(1), "gamma": _SHORT}, up_to=_SHORT, sigma=True),
    "fedavg-normalised": TheoremRecipe("fedavg-m", {"beta": Fraction(1), "gamma": QUARTER}, up_to=Fraction(2, 25)),
    "fedavg-server-m": TheoremRecipe("fedavg-server-m", {"beta": HALF}, up_to=EIGHTH, sigma=False),
    "mimelite": TheoremRecipe("mimelite", {"beta": HALF}, up_to=QUARTER),
    "scaffold": TheoremRecipe("scaffold", sigma=True, zeta=False),
    "scaffold-exact": TheoremRecipe("scaffold", zeta=False),
    "scaffold-longest": TheoremRecipe("scaffold", up_to=Fraction(1), zeta=False),
    "scaffold-m": TheoremRecipe("scaffold-m", _MS, up_to=QUARTER, zeta=False),
    "scaffold-m-short": TheoremRecipe("scaffold-m", {"beta": Fraction(1), "gamma": _SHORT}, up_to=_SHORT, zeta=False),
    "fedgate": TheoremRecipe("fedgate", sigma=True, zeta=False),
    "fedcomgate": TheoremRecipe("fedcomgate", zeta=False),
    "vrl-sgd": TheoremRecipe("vrl-sgd", sigma=True, zeta=False),
    "fedpaq": TheoremRecipe("fedpaq", sigma=True),
    "fedlomo": TheoremRecipe("fedlomo"),
    "fedavg-pl": TheoremRecipe("fedavg", sigma=True, polyak=True),
    "fedavg-m-pl": TheoremRecipe("fedavg-m", _M, sigma=True, polyak=True),
    "scaffold-pl": TheoremRecipe("scaffold", sigma=True, zeta=False, polyak=True),
    "fedavg-server-m-pl": TheoremRecipe("fedavg-server-m", {"beta": HALF}, up_to=EIGHTH, polyak=True),
    "mimelite-pl": TheoremRecipe("mimelite", {"beta": HALF}, up_to=QUARTER, polyak=True),
    "scaffold-m-pl": TheoremRecipe("scaffold-m", _MS, up_to=QUARTER, zeta=False, polyak=True),
    "vrl-sgd-pl": TheoremRecipe("vrl-sgd", sigma=True, zeta=False, polyak=True),
    "fedgate-pl": TheoremRecipe("fedgate", sigma=True, zeta=False, polyak=True),
    "fedpaq-pl": TheoremRecipe("fedpaq", sigma=True, polyak=True),
    "mifa": TheoremRecipe("mifa"),
    "mifam": TheoremRecipe("mifam", {"beta": HALF}, up_to=QUARTER),
    "mifam-pl": TheoremRecipe("mifam", {"beta": HALF}, up_to=QUARTER, polyak=True),
    "fedavg-sampled": TheoremRecipe("fedavg", sigma=True, drawn=True),
    "fedavg-sampled-shorter": TheoremRecipe("fedavg", up_to=QUARTER, sigma=True, drawn=True),
    "fedavg-sampled-two-sided": TheoremRecipe("fedavg", {"gamma": Fraction(2)}, up_to=QUARTER, sigma=True, drawn=True),
    "fedavg-sampled-pl": TheoremRecipe("fedavg", sigma=True, polyak=True, drawn=True),
    "fedpaq-sampled": TheoremRecipe("fedpaq", sigma=True, drawn=True),
    "fedavg-near": TheoremRecipe("fedavg", sigma=True, near=True),
    "fedavg-m-near": TheoremRecipe("fedavg-m", _M, sigma=True, near=True),
    "scaffold-near": TheoremRecipe("scaffold", sigma=True, zeta=False, near=True),
    "fedavg-2": TheoremRecipe("fedavg", K=2, up_to=Fraction(1)),
    "fedavg-4": TheoremRecipe("fedavg", K=4, up_to=Fraction(1)),
    "slowmo-2": TheoremRecipe("slowmo", {"beta": HALF}, K=2, up_to=EIGHTH),
    "pr-sgd-m-2": TheoremRecipe("pr-sgd-m", {"beta": HALF}, K=2, up_to=QUARTER),
    "fedprox-2": TheoremRecipe("fedprox", {"rho": Fraction(1, 10)}, K=2, up_to=QUARTER),
    "fedprox-m-2": TheoremRecipe("fedprox-m", {"rho": Fraction(1, 10), "beta": HALF}, K=2, up_to=QUARTER),
    "fedavg-local-m-2": TheoremRecipe("fedavg-local-m", K=2, up_to=QUARTER),
    "fedpaq-m-2": TheoremRecipe("fedpaq-m", K=2, up_to=QUARTER),
    "mime-2": TheoremRecipe("mime", K=2, up_to=QUARTER, zeta=False),
    "sgd-1": TheoremRecipe("sgd", K=1, up_to=Fraction(1)),
}
"""Name to what is looked for; those of one K end in its number."""
