"""A theorem of a described round in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.worst.theorems.all_steps.text import read_polynomial

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from boundcheck.worst.theorems.described.search import DescribedTheorem

_DELAYS = {"step": "eta", "short": "D L", "e": "D", "over": "eta L D"}
_MIXING = {"step": "eta", "short": "p", "over": "eta L/p"}
_ROUND = {"ef21": {"step": "gamma", "short": "p", "over": "gamma L/p"}}
_CONSTANT = {"zeta2": "zeta^2", "sigma2_mean": "sigma^2/N", "sigma2_apart": "sigma^2 (1 - 1/N)", "U0": "U0"}


def _words(theorem: DescribedTheorem) -> dict[str, str]:
    name = theorem.described.name
    return _DELAYS if name.startswith("delayed") else _ROUND.get(name, _MIXING)


def in_words(theorem: DescribedTheorem) -> dict[str, str]:
    """Return for what it holds (``holds``), the inequality (``theorem``) and the hypothesis (``given``)."""
    described, words = theorem.described, _words(theorem)
    step, top = words["step"], described.up_to
    limit = f"{_over(top, 'D L')}" if words is _DELAYS else f"{_over(top, 'L', 'p')}"
    some = {"D": "every delay D >= 1", "p": "every p in (0, 1]"}["D" if words is _DELAYS else "p"]
    holds = f"{some}, every N, T, every {step} <= {limit}"
    return {"holds": holds, "theorem": inequality(theorem), "given": described.says}


def inequality(theorem: DescribedTheorem) -> str:
    """Return the theorem as one line."""
    proof, words = theorem.proof, _words(theorem)
    step, letters = words["step"], tuple(proof["box"])
    falls = "fall" in proof

    def number(text: str) -> tuple[Fraction, tuple[int, ...]]:
        ((e, c),) = read_polynomial(text, letters).items()
        return c, e

    start = []
    for name, text in proof["first"].items():
        c, _ = number(text)
        if falls:
            start.append("Delta" if name == "Delta" else f"{_times(c)}{step} U0/p")
        else:
            start.append(f"{_times(c)}Delta/({step} T)" if name == "Delta" else f"{_times(c)}U0/(p T)")
    always = []
    for name, text in proof["round"].items():
        c, (a, b, *_) = number(text)
        always.append(f"{_times(c)}{_power(words, a, b)} {_CONSTANT[name]}")
    if falls:
        stays = f" + ({' + '.join(always)})/mu" if always else ""
        once = start[0] if len(start) == 1 else f"({' + '.join(start)})"
        return f"E[f(x_T) - f_star] <= (1 - mu {step})^T {once}{stays}"
    return f"mean_t E|grad f(x_t)|^2 <= {' + '.join([*start, *always])}"


def _power(words: dict[str, str], a: int, b: int) -> str:
    """Return a product of powers: c times its other letter is the step times L."""
    step = words["step"]
    if a == b == 1:
        return f"{step} L"
    if (a, b) == (1, 2):
        return f"({step} L)^2/p"
    return f"({words['over']})^{b}"


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
