"""A theorem of a described round as a `Bound`: the step, and what the hypothesis is about, stay letters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.errors import NotApplicableError
from boundcheck.notation import symbols
from boundcheck.worst.theorems.all_steps.bound import expression
from boundcheck.worst.theorems.all_steps.text import read_polynomial

if TYPE_CHECKING:
    import sympy as sp

    from boundcheck.bounds.bound import Bound, Condition
    from boundcheck.worst.theorems.described.search import DescribedTheorem

_WORDS = {
    "Delta": "descent",
    "U0": "error at the start",
    "zeta2": "heterogeneity",
    "sigma2_mean": "noise of the mean",
    "sigma2_apart": "noise of the clients",
}


class _Speech(NamedTuple):
    """What the letters of a round are in the notation.

    Attributes
    ----------
    step : str
        The hyperparameter that is the step.
    letters : dict
        Letter of the box to an expression; ``c`` is gamma L over what limits it.
    limit : Expr
        What the largest step is a multiple of.
    about : dict
        Hyperparameters that the hypothesis is about, letters, with their values.
    conditions : tuple
    needs : tuple of str
    hyper : dict
    local : bool
        Whether clients make local steps, of which there has to be one.
    """

    step: str
    letters: dict[str, sp.Expr]
    limit: sp.Expr
    about: dict[str, sp.Expr]
    conditions: tuple[Condition, ...]
    needs: tuple[str, ...]
    hyper: dict[str, str]
    local: bool = True


def _speeches() -> dict[str, _Speech]:
    from sympy import Integer, Le, Lt, Rational, sqrt

    from boundcheck.bounds.bound import Condition

    L, N, eta, gamma, delay, gap_W, k_top, d, q_omega, p_full = symbols(
        "L N eta gamma delay gap_W k_top d q_omega p_full"
    )
    p = 1 - sqrt(1 - k_top / d)
    s = 1 / (1 + sqrt((1 - p_full) * q_omega / (p_full * N)))
    positive = Condition("a step", Lt(0, eta, evaluate=False))
    noisy = ("L", "Delta", "sigma")
    return {
        "delayed-sgd": _Speech(
            "eta", {"e": 1 / delay, "c": eta * L * delay}, 1 / (L * delay), {"delay": Integer(4)},
            (positive, Condition("a delay", Le(1, delay))), noisy, {},
        ),
        "dsgd": _Speech(
            "eta", {"p": gap_W, "c": eta * L / gap_W}, gap_W / L, {"gap_W": Rational(1, 4)},
            (positive, Condition("spectral gap", Le(gap_W, 1))), (*noisy, "zeta"), {},
        ),
        "ef21": _Speech(
            "gamma", {"p": p, "c": gamma * L / p}, p / L, {"k_top": Integer(1)},
            (Condition("entries", Le(k_top, d)),), ("L", "Delta", "G_0"), {"k": "k_top"}, local=False,
        ),
        "marina": _Speech(
            "gamma", {"p": p_full, "s": s, "c": gamma * L / s}, s / L,
            {"q_omega": Rational(1, 2), "p_full": 1 / (1 + q_omega)},
            (Condition("probability", Le(p_full, 1)),), ("L", "Delta"), {"p": "p_full"}, local=False,
        ),
    }  # fmt: skip


def bound_of_described(theorem: DescribedTheorem) -> Bound:
    """Return a theorem of a described round as a bound.

    Raises
    ------
    NotApplicableError
        If no method of the room has this round.
    """
    from sympy import Le

    from boundcheck.bounds.bound import Bound, Condition
    from boundcheck.bounds.common import FULL
    from boundcheck.bounds.field.gradient_descent import ONE_STEP
    from boundcheck.methods import METHODS

    proof, described = theorem.proof, theorem.described
    speech = _speeches().get(described.name)
    if speech is None:
        msg = f"{described.title}: no method of one name has this round; its theorem is in the file"
        raise NotApplicableError(msg)
    card = METHODS[described.name].card
    L, Delta = symbols("L Delta")
    (step,) = symbols(speech.step)
    falls = "fall" in proof
    needs = (*speech.needs, "mu_PL") if falls else speech.needs
    return Bound(
        id=f"sharpened.{card.id}-all-steps" + ("-pl" if falls else ""),
        paper=card.paper,
        title=f"{described.title}, one theorem for all steps",
        where="no paper: a proof over the rationals",
        method=card.id,
        metric="final_suboptimality" if falls else "server_gradient",
        needs=needs,
        parameters={**speech.about, speech.step: _rational(described.up_to) * speech.limit},
        terms=terms_of_described(theorem),
        trivial=Delta if falls else 2 * L * Delta,
        conditions=(
            *((ONE_STEP,) if speech.local else ()),
            FULL,
            *speech.conditions,
            Condition("short steps", Le(step, _rational(described.up_to) * speech.limit)),
        ),
        free=(*speech.about, speech.step),
        hyper=speech.hyper,
        form="sharpened",
        exact_gradients="sigma" not in needs,
        note="Found by a programme, proved over the rationals; for every T and every N.",
    )


def terms_of_described(theorem: DescribedTheorem) -> dict[str, sp.Expr]:
    """Return the terms of the right-hand side by their names, L written out."""
    speech = _speeches()[theorem.described.name]
    L, Delta, zeta, sigma, G_0, b, T, N, mu_PL, k_top, d = symbols("L Delta zeta sigma G_0 b T N mu_PL k_top d")
    letters = speech.letters | {"mu": mu_PL / L}
    constants = {
        "Delta": L * Delta,
        # The first messages are the compressed gradients.
        "U0": (1 - k_top / d) * G_0,
        "zeta2": zeta**2,
        "sigma2_mean": sigma**2 / (b * N),
        "sigma2_apart": sigma**2 / b * (1 - 1 / N),
    }
    proof = theorem.proof
    falls = "fall" in proof

    def read(text: str) -> Any:
        named = tuple(proof["box"])
        return expression(read_polynomial(text, named), named, letters)

    (step,) = symbols(speech.step)
    # The potential is above F over the step; 1/mu_PL is a geometric sum of steps.
    once = step * (1 - mu_PL * step) ** T if falls else 1 / T
    found = {_WORDS[name]: once * read(text) * constants[name] for name, text in proof["first"].items()}
    always = 1 / mu_PL if falls else 1
    return found | {_WORDS[name]: always * read(text) * constants[name] for name, text in proof["round"].items()}


def _rational(value: Any) -> sp.Rational:
    import sympy

    return sympy.Rational(value.numerator, value.denominator)
