"""A theorem of a described round in words."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.worst.theorems.described.search import DescribedTheorem


class _Phrases(NamedTuple):
    """How a round is spoken of: its step, for what it holds, the step's limit, and its constants with their powers."""

    step: str
    holds: str
    above: str
    below: str
    constants: dict[str, str]


_DELAYED = _Phrases("eta", "every delay D >= 1", "", "D L", {"sigma2_mean": "eta L sigma^2/N"})
_MIXED = _Phrases(
    "eta",
    "every p in (0, 1]",
    "p",
    "L",
    {
        "zeta2": "(eta L/p)^2 zeta^2",
        "sigma2_mean": "eta L sigma^2/N",
        "sigma2_apart": "(eta L)^2/p sigma^2 (1 - 1/N)",
    },
)
_PHRASES = {
    "delayed-sgd": _DELAYED,
    "delayed-sgd-bounded": _DELAYED,
    "dsgd": _MIXED,
    "dsgd-after": _MIXED,
    "ef21": _Phrases("gamma", "every p in (0, 1]", "p", "L", {}),
    "marina": _Phrases("gamma", "every omega >= 0 and p in (0, 1]", "s", "L", {}),
    "sampled-sgd": _Phrases(
        "eta", "every S <= N", "", "L", {"zeta2": "q eta L zeta^2", "sigma2_mean": "eta L sigma^2/S"}
    ),
    "compressed-sgd": _Phrases("eta", "every omega >= 0", "s", "L", {"zeta2": "eta L omega zeta^2/N"}),
}


def in_words(theorem: DescribedTheorem) -> dict[str, str]:
    """Return for what it holds (``holds``), the inequality (``theorem``) and the hypothesis (``given``)."""
    described, words = theorem.described, _PHRASES[theorem.described.name]
    limit = _over(described.up_to, words.below, words.above)
    holds = f"{words.holds}, every N, T, every {words.step} <= {limit}"
    return {"holds": holds, "theorem": inequality(theorem), "given": described.says}


def inequality(theorem: DescribedTheorem) -> str:
    """Return the theorem as one line."""
    described, words = theorem.described, _PHRASES[theorem.described.name]
    step, falls = words.step, bool(described.fall)
    start = []
    for name, (term, *_) in described.first.items():
        c = theorem.numbers.get(term.name, Fraction(1))
        if falls:
            start.append("Delta" if name == "Delta" else f"{_times(c)}{step} U0/p")
        else:
            start.append(f"{_times(c)}Delta/({step} T)" if name == "Delta" else f"{_times(c)}U0/(p T)")
    always = [
        f"{_times(theorem.numbers[term.name])}{words.constants[name]}" for name, (term, *_) in described.always.items()
    ]
    if falls:
        stays = f" + ({' + '.join(always)})/mu" if always else ""
        once = start[0] if len(start) == 1 else f"({' + '.join(start)})"
        return f"E[f(x_T) - f_star] <= (1 - mu {step})^T {once}{stays}"
    return f"mean_t E|grad f(x_t)|^2 <= {' + '.join([*start, *always])}"


def _times(c: Fraction) -> str:
    return "" if c == 1 else f"{c} "


def _over(top: Fraction, below: str, above: str = "") -> str:
    """Return a limit as a fraction."""
    left = " ".join(x for x in (str(top.numerator) if top.numerator != 1 or not above else "", above) if x)
    right = below if top.denominator == 1 else f"{top.denominator} {below}"
    return f"{left}/({right})" if " " in right else f"{left}/{right}"


def rows(theorems: Iterable[tuple[str, DescribedTheorem]]) -> list[str]:
    """Return rows of a page: name, for what it holds, the right-hand side."""
    found = []
    for name, theorem in theorems:
        said = in_words(theorem)
        right = said["theorem"].partition(" <= ")[2]
        holds = said["holds"].replace(", every N, T", "")
        found.append(f"| `{name}` | {theorem.described.title} | {holds} | `{right}` |")
    return found
