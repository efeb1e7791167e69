"""Compressed gradients and sampled clients.  L = 1, F_star = 0.

**EF21.** c_i stands for the gradient of client i, x+ = x - gamma mean c_i, and c_i moves to the new gradient through a
compressor C with E|C(v) - v|^2 <= (1 - alpha) |v|^2; p = 1 - sqrt(1 - alpha), gamma = c p, u_i = c_i - grad f_i(x).
P. Richtarik, I. Sokolov, I. Fatkhullin, arXiv:2106.05203, allow c = 1, with 2 Delta/(gamma T) + U0/(p T).

**MARINA, PAGE.** x+ = x - gamma (mean g_i + u): the estimate is exact with probability p, and takes a step along
compressed (or sampled) differences of gradients else. These are off by what has mean 0 and size at most omega/N
|x+ - x|^2, so that E|u+|^2 <= (1 - p) (|u|^2 + omega/N |x+ - x|^2). With R^2 = (1 - p) omega/(p N), s = 1/(1 + R),
gamma = c s, this is (1 - p) |u|^2 + p (1/s - 1)^2 |x+ - x|^2: omega and N are gone. E. Gorbunov et al.,
arXiv:2102.07845, and Z. Li et al., arXiv:2008.10895, allow c = 1, with 2 Delta/(gamma T).

**Unbiased messages.** x+ = x - gamma (mean g_i + z), z of mean 0 given x: S of N clients drawn uniformly have E|z|^2 =
q mean_i |g_i - mean g|^2, q = (N - S)/(S (N - 1)); independent compressors of exact gradients with E C(v) = v, E|C(v) -
v|^2 <= omega |v|^2 have E|z|^2 <= omega/N mean_i |g_i|^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.worst.theorems.described.description import DescribedRound, Term
from boundcheck.worst.theorems.described.pieces import NOISE, descent, hypothesis, of_values, orthogonal, value_over

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.worst.theorems.described.pieces import Facts

_ZERO, _ONE = Fraction(0), Fraction(1)


def ef21(up_to: Fraction, *, degree: int = 2) -> DescribedRound:
    """Describe EF21 with every contractive compressor, gamma <= up_to p/L."""
    deg = (degree, degree)
    over, weight = "p^-1*c^-1", Term("weight", "p^-1", deg)
    return DescribedRound(
        name="ef21",
        title="EF21, every compressor",
        says="E|C(v) - v|^2 <= (1 - alpha)|v|^2",
        method={"id": "ef21", "gamma": "c*p", "p": "1 - sqrt(1 - alpha)"},
        box={"p": (_ZERO, _ONE), "c": (_ZERO, up_to)},
        letters=dict.fromkeys(("g", "u", "w", "u1"), "family"),
        points=(
            {"x": "0*g", "f": "f0", "g": "g"},
            {"x": "-1*p*c*mean(g + u)", "f": "f1", "g": "g + p*c*w"},
        ),
        given={"compressor": ("|u1|^2", "<=", "(1 - p)^2*|u - p*c*w|^2")},
        state={"f": "f0", "g": "g", "u": "u"},
        after={"f": "f1", "g": "g + p*c*w", "u": "u1"},
        start={"f": "f0", "g": "g", "u": "u"},
        potential={"f": (value_over(over),), "|u|^2": (weight,)},
        first={"Delta": (value_over(over),), "U0": (Term("U0", "p^-1"),)},
        proofs={
            "round": (*descent(over, Term("back", "p^-2*c^-1", deg)), *hypothesis("compressor", weight)),
            **of_values(over, ((("size", 0), (weight,)),)),
        },
        costs={"Delta": 1.0, "U0": 0.5},
    )


def marina(up_to: Fraction, *, degree: int = 2) -> DescribedRound:
    """Describe MARINA and PAGE with every compressor or sampling, gamma <= up_to s/L."""
    deg = (degree, degree, degree)
    step, over, weight = "s*c", "s^-1*c^-1", Term("weight", "p^-1", deg)
    return DescribedRound(
        name="marina",
        title="MARINA and PAGE, every compressor and probability",
        says="E|u1|^2 <= (1 - p)(|u|^2 + omega/N |x+ - x|^2), s = 1/(1 + sqrt((1 - p) omega/(p N))); at first u = 0",
        method={"id": "marina", "gamma": "c*s", "s": "1/(1 + sqrt((1 - p)*omega/(p*N)))"},
        box={"p": (_ZERO, _ONE), "s": (_ZERO, _ONE), "c": (_ZERO, up_to)},
        letters={"g": "family", "u": "vector", "u1": "vector", "w": "family"},
        points=(
            {"x": "0*g", "f": "f0", "g": "g"},
            {"x": f"-1*{step}*(mean(g) + u)", "f": "f1", "g": f"g + {step}*w"},
        ),
        given={"estimate": ("|u1|^2", "<=", "(1 - p)*|u|^2 + p*(1 - s)^2*c^2*|mean(g) + u|^2")},
        state={"f": "f0", "g": "g", "u": "u"},
        after={"f": "f1", "g": f"g + {step}*w", "u": "u1"},
        start={"f": "f0", "g": "g", "u": "0*u"},
        potential={"f": (value_over(over),), "|u|^2": (weight,)},
        first={"Delta": (value_over(over),)},
        proofs={
            "round": (*descent(over, Term("back", over, deg)), *hypothesis("estimate", weight)),
            **of_values(over),
        },
        costs={"Delta": 1.0},
    )


@dataclass(frozen=True)
class Unbiased:
    """Messages whose mean is the gradient: x+ = x - gamma (mean g + z + n), z of mean 0 given x, n the noise.

    Attributes
    ----------
    name, title, says, method : as in `DescribedRound`
    letter : str
        What a step is a share of, in (0, 1].
    step : str
        gamma.
    spread : str
        The most that E|z|^2 is.
    lost : str
        What heterogeneity is multiplied by.
    is_noisy : bool
        Whether local gradients have noise.
    """

    name: str
    title: str
    says: str
    method: Mapping[str, str]
    letter: str
    step: str
    spread: str
    lost: str
    is_noisy: bool = True

    def describe(self, up_to: Fraction, *, degree: int = 2) -> DescribedRound:
        """Describe a round, gamma <= up_to times the limit of the method."""
        step, noisy, deg = self.step, self.is_noisy, (degree, degree)
        over = f"({step})^-1"
        apart = {v: Term(f"free {v}", step, deg) for v in ("n", "z", "nz")}
        facts: Facts = (
            *descent(over, Term("back", over, deg)),
            *hypothesis("spread", Term("spread", step, deg)),
            *hypothesis("z g", Term("Delta", "-1"), apart["z"]),
            (("zeta", 0), (Term("apart", self.lost, deg),)),
        )
        of_noise: Facts = (
            *hypothesis("noise", Term("fresh", step, deg)),
            *hypothesis("n g", Term("Delta", "-1"), apart["n"]),
            *hypothesis("n z", apart["nz"]),
        )
        given = {"spread": ("|z|^2", "<=", self.spread), **orthogonal("z", "g")}
        return DescribedRound(
            name=self.name,
            title=self.title,
            says=self.says,
            method=self.method,
            box={self.letter: (_ZERO, _ONE), "c": (_ZERO, up_to)},
            letters={"g": "family", "z": "vector", "w": "family"} | ({"n": "vector"} if noisy else {}),
            points=(
                {"x": "0*g", "f": "f0", "g": "g"},
                {"x": f"-1*{step}*(mean(g) + z{' + n' if noisy else ''})", "f": "f1", "g": f"g + {step}*w"},
            ),
            given=given | ({"noise": NOISE, **orthogonal("n", "gz")} if noisy else {}),
            state={"f": "f0", "g": "g"},
            after={"f": "f1", "g": f"g + {step}*w"},
            start={"f": "f0", "g": "g"},
            potential={"f": (value_over(over),)},
            first={"Delta": (value_over(over),)},
            always={"zeta2": (Term("zeta", self.lost),)} | ({"sigma2_mean": (Term("noise", step),)} if noisy else {}),
            proofs={"round": (*facts, *of_noise) if noisy else facts, **of_values(over)},
            costs={"Delta": 1.0, "zeta": 0.5} | ({"noise": 0.5} if noisy else {}),
            signed=frozenset(term.name for term in apart.values()),
        )


SAMPLED = Unbiased(
    name="sampled-sgd",
    title="SGD with S of N clients",
    says="S clients drawn uniformly in each round, q = (N - S)/(S (N - 1)); sigma^2/S is the noise of their mean",
    method={"id": "sampled-sgd", "eta": "c", "q": "(N - S)/(S*(N - 1))"},
    letter="q",
    step="c",
    spread="q*|g - mean(g)|^2",
    lost="q*c",
)
"""A step along the mean gradient of S of N clients, gamma <= c/L."""
COMPRESSED = Unbiased(
    name="compressed-sgd",
    title="SGD with unbiased compression",
    says="E C(v) = v, E|C(v) - v|^2 <= omega |v|^2, independent over clients, s = 1/(1 + omega/N); exact gradients",
    method={"id": "compressed-sgd", "eta": "c*s", "s": "1/(1 + omega/N)"},
    letter="s",
    step="s*c",
    spread="(s^-1 - 1)*|g|^2",
    lost="c - s*c",
    is_noisy=False,
)
"""A step along unbiased compressed gradients, gamma <= c s/L."""
