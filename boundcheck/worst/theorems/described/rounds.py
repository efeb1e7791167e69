"""Rounds with one hypothesis besides smoothness: delays, mixing matrices, compressors.  L = 1, F_star = 0.

**Delays.** x_(t+1) = x_t - gamma (G_t + n_t), G_t the mean over the clients of grad f_i at a point of at most D steps
ago; each client may have its own delay, and noises are fresh.  With e = 1/D, gamma = c e, a_i = e sum of the G_s
between that point and x_t, m_i = e sum of the n_s: the old point is x_t - c (a_i + m_i), and E|m_i|^2 <= e sigma^2/N.
The energy E_t = e^2 sum_(j = 1..D) (D - j + 1) |G_(t-j)|^2 gains e |G_t|^2 in a step and gives up e^2 sum_(j = 1..D)
|G_(t-j)|^2, which is at least e |a_i|^2, by convexity, and at least e E_t.

**Mixing.** x_i+ = sum_j W_ij x_j - gamma (grad f_i(x_i) + n_i), or sum_j W_ij (x_j - gamma (grad f_j(x_j) + n_j)); W
symmetric or not, with rows and columns that add up to 1 and |W u| <= (1 - p) |u| for every u whose mean is 0.  x is the
mean, gamma = c p, x_i = x + c q_i.

**EF21.** c_i stands for the gradient of client i, x+ = x - gamma mean c_i, and c_i moves to the new gradient through a
compressor C with E|C(v) - v|^2 <= (1 - alpha) |v|^2; p = 1 - sqrt(1 - alpha), gamma = c p, u_i = c_i - grad f_i(x).
P. Richtarik, I. Sokolov, I. Fatkhullin, arXiv:2106.05203, allow c = 1, with 2 Delta/(gamma T) + U0/(p T).

**Unbiased messages.** x+ = x - gamma (mean g_i + z), z of mean 0 given x: S of N clients drawn uniformly have E|z|^2 =
q mean_i |g_i - mean g|^2, q = (N - S)/(S (N - 1)); independent compressors of exact gradients with E C(v) = v, E|C(v) -
v|^2 <= omega |v|^2 have E|z|^2 <= omega/N mean_i |g_i|^2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.worst.theorems.described.description import Described, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boundcheck.worst.theorems.described.description import Fact

_ZERO, _ONE = Fraction(0), Fraction(1)


def delayed(up_to: Fraction, *, fixed: bool = True, spends: bool = False, degree: int = 2) -> Described:
    """Describe SGD along gradients that are D steps old (or at most, each client's as it may be), gamma <= up_to/(D L).

    With one fixed delay a_i was decided before the noises of m_i were drawn: they are orthogonal.  With `spends` the
    energy falls by itself, as it must where the potential does.
    """
    deg, over = (1, degree), "e^-1*c^-1"
    energy, spent = Term("energy", "e^-1*c", deg), Term("spent", "e^-1*c", deg)
    old, back = Term("old", "c^-1", deg), Term("back", over, deg)
    apart = {v: Term(f"free {v}", "e*c", deg) for v in "gvam"}
    given = {
        "energy": ("E1", "<=", "E + e*(|mean(g + c*v)|^2 - |a|^2)"),
        "spent": ("E1", "<=", "E + e*(|mean(g + c*v)|^2 - E)"),
        "noise": ("|n|^2", "<=", "sigma2_mean"),
        "old noise": ("|m|^2", "<=", "e*sigma2_mean"),
        **{f"n {v}": (f"<n, {v}>", "=", "0") for v in "gvam"},
    }
    if fixed:
        given["a m"] = ("<a, m>", "=", "0")
    facts: tuple[tuple[Fact, tuple[Term, ...]], ...] = (
        (("smooth", 0, 1), (Term("Delta", over), back)),
        (("smooth", 1, 0), (back,)),
        (("smooth", 0, 2), (old,)),
        (("smooth", 2, 0), (old,)),
        (("given", "energy"), (energy,)),
        *(((("given", "spent"), (spent,)),) if spends else ()),
        (("given", "noise"), (Term("fresh", "e*c", deg),)),
        (("given", "old noise"), (Term("old noise", "c", deg),)),
        (("given", "n g"), (Term("Delta", "-1"), apart["g"])),
        *((("given", f"n {v}"), (apart[v],)) for v in "vam"),
        *(((("given", "a m"), (Term("early", "c", deg),)),) if fixed else ()),
    )
    return Described(
        name="delayed-sgd" if fixed else "delayed-sgd-bounded",
        title="SGD with a fixed delay" if fixed else "SGD with bounded delays",
        says=f"{'every gradient is' if fixed else 'gradients are at most'} D steps old; noises are fresh",
        method={"id": "delayed-sgd", "eta": "c*e", "e": "1/D"},
        box={"e": (_ZERO, _ONE), "c": (_ZERO, up_to)},
        letters={"g": "family", "v": "family", "a": "family", "m": "family", "n": "vector", "w": "family"}
        | {"E": ">=0", "E1": ">=0"},
        points=(
            {"x": "0*g", "f": "f0", "g": "g"},
            {"x": "-1*e*c*(mean(g + c*v) + n)", "f": "f1", "g": "g + e*c*w"},
            {"x": "-1*c*(a + m)", "f": "f2", "g": "g + c*v"},
        ),
        given=given,
        state={"f": "f0", "g": "g", "E": "E"},
        after={"f": "f1", "g": "g + e*c*w", "E": "E1"},
        start={"f": "f0", "g": "g", "E": "0"},
        potential={"f": (Term("Delta", over),), "E": (energy, spent) if spends else (energy,)},
        first={"Delta": (Term("Delta", over),)},
        always={"sigma2_mean": (Term("noise", "e*c"),)},
        proofs={
            "round": facts,
            "start": ((("Delta", 0), (Term("Delta", over),)),),
            "end": ((("floor", 0), (Term("Delta", over),)),),
        },
        costs={"Delta": 1.0, "noise": 0.5},
        signed=frozenset({"early"} | {term.name for term in apart.values()}),
    )


def mixed(up_to: Fraction, *, after: bool = False, degree: int = 2) -> Described:
    """Describe decentralised SGD with one local step, gamma <= up_to p/L; with `after` it mixes after the step."""
    deg = (degree, degree)
    over, turned = "p^-1*c^-1", "(g + v - mean(g + v))"
    back = Term("back", over, deg)
    apart = {v: Term(f"free {v}", "p*c", deg) for v in "gv"}
    weight, old = Term("weight", "p^-1*c^2", deg), Term("old", "1", deg)
    spread = {
        "next": ("|q1|^2", "<=", f"|y - p*{turned}|^2 + p^2*sigma2_apart"),
        "mixing": ("|y|^2", "<=", "(1 - p)^2*|q - mean(q)|^2"),
    }
    if after:
        spread = {"next": ("|q1|^2", "<=", f"(1 - p)^2*(|q - mean(q) - p*{turned}|^2 + p^2*sigma2_apart)")}
    mixing = () if after else ((("given", "mixing"), (weight, Term("mixing", "c^2", deg))),)
    return Described(
        name="dsgd-after" if after else "dsgd",
        title="Decentralised SGD, every mixing matrix" + (", which mixes after the step" if after else ""),
        says="rows and columns of W add up to 1, and |W u| <= (1 - p)|u| for every u of mean 0",
        method={"id": "dsgd", "eta": "c*p", "p": "1 - the second largest singular value of W"},
        box={"p": (_ZERO, _ONE), "c": (_ZERO, up_to)},
        letters={"g": "family", "v": "family", "q": "family", "q1": "family", "n": "vector", "w": "family"}
        | ({} if after else {"y": "family"}),
        lengths={"g": "c", "q": "c", "y": "c"},
        points=(
            {"x": "0*g", "f": "f0", "g": "g"},
            {"x": "-1*p*c*(mean(g + v) + n)", "f": "f1", "g": "g + p*c*w"},
            {"x": "c*(q - mean(q))", "f": "f2", "g": "g + v"},
        ),
        given={
            **spread,
            "noise": ("|n|^2", "<=", "sigma2_mean"),
            "n g": ("<n, g>", "=", "0"),
            "n v": ("<n, v>", "=", "0"),
        },
        state={"f": "f0", "g": "g", "q": "q - mean(q)"},
        after={"f": "f1", "g": "g + p*c*w", "q": "q1"},
        start={"f": "f0", "g": "g", "q": "0*q"},
        potential={"f": (Term("Delta", over),), "|q|^2": (weight,)},
        first={"Delta": (Term("Delta", over),)},
        always={
            "zeta2": (Term("zeta", "c^2"),),
            "sigma2_mean": (Term("noise", "p*c"),),
            "sigma2_apart": (Term("noise apart", "p*c^2"),),
        },
        proofs={
            "round": (
                (("smooth", 0, 1), (Term("Delta", over), back)),
                (("smooth", 1, 0), (back,)),
                (("smooth", 0, 2), (old,)),
                (("smooth", 2, 0), (old,)),
                (("given", "next"), (weight,)),
                *mixing,
                (("given", "noise"), (Term("fresh", "p*c", deg),)),
                (("given", "n g"), (Term("Delta", "-1"), apart["g"])),
                (("given", "n v"), (apart["v"],)),
                (("zeta", 0), (Term("apart", "c^2", deg),)),
            ),
            "start": ((("Delta", 0), (Term("Delta", over),)),),
            "end": ((("floor", 0), (Term("Delta", over),)),),
        },
        costs={"Delta": 1.0, "zeta": 0.3, "noise": 0.3, "noise apart": 0.1},
        signed=frozenset(term.name for term in apart.values()),
    )


def ef21(up_to: Fraction, *, degree: int = 2) -> Described:
    """Describe EF21 with every contractive compressor, gamma <= up_to p/L."""
    deg = (degree, degree)
    over = "p^-1*c^-1"
    back, weight = Term("back", "p^-2*c^-1", deg), Term("weight", "p^-1", deg)
    return Described(
        name="ef21",
        title="EF21, every compressor",
        says="E|C(v) - v|^2 <= (1 - alpha)|v|^2",
        method={"id": "ef21", "gamma": "c*p", "p": "1 - sqrt(1 - alpha)"},
        box={"p": (_ZERO, _ONE), "c": (_ZERO, up_to)},
        letters={"g": "family", "u": "family", "w": "family", "u1": "family"},
        points=(
            {"x": "0*g", "f": "f0", "g": "g"},
            {"x": "-1*p*c*mean(g + u)", "f": "f1", "g": "g + p*c*w"},
        ),
        given={"compressor": ("|u1|^2", "<=", "(1 - p)^2*|u - p*c*w|^2")},
        state={"f": "f0", "g": "g", "u": "u"},
        after={"f": "f1", "g": "g + p*c*w", "u": "u1"},
        start={"f": "f0", "g": "g", "u": "u"},
        potential={"f": (Term("Delta", over),), "|u|^2": (weight,)},
        first={"Delta": (Term("Delta", over),), "U0": (Term("U0", "p^-1"),)},
        proofs={
            "round": (
                (("smooth", 0, 1), (Term("Delta", over), back)),
                (("smooth", 1, 0), (back,)),
                (("given", "compressor"), (weight,)),
            ),
            "start": ((("Delta", 0), (Term("Delta", over),)), (("size", 0), (weight,))),
            "end": ((("floor", 0), (Term("Delta", over),)),),
        },
        costs={"Delta": 1.0, "U0": 0.5},
    )


def sampled(up_to: Fraction, *, degree: int = 2) -> Described:
    """Describe a step along the mean gradient of S of N clients, gamma <= up_to/L."""
    return _unbiased(
        up_to,
        degree=degree,
        name="sampled-sgd",
        title="SGD with S of N clients",
        says="S clients drawn uniformly in each round, q = (N - S)/(S (N - 1)); sigma^2/S is the noise of their mean",
        method={"id": "sampled-sgd", "eta": "c", "q": "(N - S)/(S*(N - 1))"},
        letter="q",
        step="c",
        spread="q*|g - mean(g)|^2",
        lost="q*c",
    )


def compressed(up_to: Fraction, *, degree: int = 2) -> Described:
    """Describe SGD with unbiased compressed gradients, gamma <= up_to s/L, s = 1/(1 + omega/N)."""
    return _unbiased(
        up_to,
        degree=degree,
        name="compressed-sgd",
        title="SGD with unbiased compression",
        says="E C(v) = v, E|C(v) - v|^2 <= omega |v|^2, independent over clients, s = 1/(1 + omega/N); exact gradients",
        method={"id": "compressed-sgd", "eta": "c*s", "s": "1/(1 + omega/N)"},
        letter="s",
        step="s*c",
        spread="(s^-1 - 1)*|g|^2",
        lost="c - s*c",
        noisy=False,
    )


def _unbiased(
    up_to: Fraction,
    *,
    degree: int,
    name: str,
    title: str,
    says: str,
    method: Mapping[str, str],
    letter: str,
    step: str,
    spread: str,
    lost: str,
    noisy: bool = True,
) -> Described:
    """Describe x+ = x - gamma (mean g + z + n), z of mean 0 given x, E|z|^2 <= spread; n is noise."""
    deg, over = (degree, degree), f"({step})^-1"
    back = Term("back", over, deg)
    apart = {v: Term(f"free {v}", step, deg) for v in ("n", "z", "nz")}
    given = {"spread": ("|z|^2", "<=", spread), "z g": ("<z, g>", "=", "0")}
    facts: tuple[tuple[Fact, tuple[Term, ...]], ...] = (
        (("smooth", 0, 1), (Term("Delta", over), back)),
        (("smooth", 1, 0), (back,)),
        (("given", "spread"), (Term("spread", step, deg),)),
        (("given", "z g"), (Term("Delta", "-1"), apart["z"])),
        (("zeta", 0), (Term("apart", lost, deg),)),
    )
    if noisy:
        given |= {
            "noise": ("|n|^2", "<=", "sigma2_mean"),
            "n g": ("<n, g>", "=", "0"),
            "n z": ("<n, z>", "=", "0"),
        }
        facts += (
            (("given", "noise"), (Term("fresh", step, deg),)),
            (("given", "n g"), (Term("Delta", "-1"), apart["n"])),
            (("given", "n z"), (apart["nz"],)),
        )
    return Described(
        name=name,
        title=title,
        says=says,
        method=method,
        box={letter: (_ZERO, _ONE), "c": (_ZERO, up_to)},
        letters={"g": "family", "z": "vector", "w": "family"} | ({"n": "vector"} if noisy else {}),
        points=(
            {"x": "0*g", "f": "f0", "g": "g"},
            {"x": f"-1*{step}*(mean(g) + z{' + n' if noisy else ''})", "f": "f1", "g": f"g + {step}*w"},
        ),
        given=given,
        state={"f": "f0", "g": "g"},
        after={"f": "f1", "g": f"g + {step}*w"},
        start={"f": "f0", "g": "g"},
        potential={"f": (Term("Delta", over),)},
        first={"Delta": (Term("Delta", over),)},
        always={"zeta2": (Term("zeta", lost),)} | ({"sigma2_mean": (Term("noise", step),)} if noisy else {}),
        proofs={
            "round": facts,
            "start": ((("Delta", 0), (Term("Delta", over),)),),
            "end": ((("floor", 0), (Term("Delta", over),)),),
        },
        costs={"Delta": 1.0, "zeta": 0.5} | ({"noise": 0.5} if noisy else {}),
        signed=frozenset(term.name for term in apart.values()),
    )


def falling(described: Described, gamma: str) -> Described:
    """Return a round under |grad F|^2 >= 2 mu F: V falls by the share mu gamma, and F/gamma <= V."""

    def lifted(parts: tuple[Term, ...]) -> tuple[Term, ...]:
        # The factor of F is 1, and no number depends on mu.
        return tuple(
            replace(t, name="" if t.name == "Delta" else t.name, degree=(*t.degree, 1) if t.degree else ())
            for t in parts
        )

    def all_lifted(parts: Mapping[str, tuple[Term, ...]]) -> dict[str, tuple[Term, ...]]:
        return {name: lifted(terms) for name, terms in parts.items()}

    proofs = {lemma: tuple((fact, lifted(terms)) for fact, terms in facts) for lemma, facts in described.proofs.items()}
    proofs["end"] = ()
    proofs["round"] = (*proofs["round"], (("polyak", 0), (Term("", "1/2"),)))
    return replace(
        described,
        title=f"{described.title}, under the Polyak-Lojasiewicz condition",
        box={**described.box, "mu": (_ZERO, _ONE)},
        potential=all_lifted(described.potential),
        first=all_lifted(described.first),
        always=all_lifted(described.always),
        proofs=proofs,
        fall=f"mu*{gamma}",
        measured=f"({gamma})^-1*f0",
        costs={name: c for name, c in described.costs.items() if name != "Delta"},
    )


@dataclass(frozen=True)
class Kind:
    """A round that can be asked for by name.

    Attributes
    ----------
    describe : callable
        The largest c to a description; with True one whose potential can fall by itself.
    gamma : str
        The step in its letters.
    up_to, up_to_falling : Fraction
        The largest c that ships, without and with the Polyak-Lojasiewicz condition.
    """

    describe: Callable[[Fraction, bool], Described]
    gamma: str
    up_to: Fraction
    up_to_falling: Fraction

    def round(self, up_to: Fraction | None = None, *, polyak: bool = False) -> Described:
        """Return the description, under the Polyak-Lojasiewicz condition where it is asked for."""
        limit = up_to or (self.up_to_falling if polyak else self.up_to)
        made = self.describe(limit, polyak)
        return falling(made, self.gamma) if polyak else made


_HALF, _EIGHTH = Fraction(1, 2), Fraction(1, 8)
_DELAY, _GAP = "e*c", "p*c"
ROUNDS: dict[str, Kind] = {
    "delayed-sgd": Kind(lambda c, falls: delayed(c, spends=falls), _DELAY, _HALF, _EIGHTH),
    "delayed-sgd-bounded": Kind(lambda c, falls: delayed(c, fixed=False, spends=falls), _DELAY, _HALF, _EIGHTH),
    "dsgd": Kind(lambda c, _: mixed(c), _GAP, _HALF, _HALF),
    "dsgd-after": Kind(lambda c, _: mixed(c, after=True), _GAP, _HALF, _HALF),
    "ef21": Kind(lambda c, _: ef21(c), _GAP, _HALF, _HALF),
    "sampled-sgd": Kind(lambda c, _: sampled(c), "c", _HALF, _HALF),
    "compressed-sgd": Kind(lambda c, _: compressed(c), "s*c", _HALF, _HALF),
}
"""Name to a round: the method's where the room has one, else what differs after it."""
