"""A theorem for all steps with its potential, its lemmas and their sum, as a page of LaTeX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from boundcheck.worst.theorems.all_steps.statement import inequality, where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.worst.theorems.all_steps.theorem import StepTheorem

_LONG, _DIGITS = 100, 4
"""Denominator from which on a decimal is shown, and its significant digits."""


def latex(theorem: StepTheorem) -> str:
    """Return the theorem with its potential, its lemmas and their sum: a page of LaTeX, matrices left to the file."""
    lines = [*_theorem(theorem), *_potential(theorem)]
    if theorem.proof.get("loop"):
        lines += _local_step(theorem.proof["loop"])
    return "\n".join([*lines, *_end_of_round(theorem)]) + "\n"


def _theorem(theorem: StepTheorem) -> list[str]:
    return [
        rf"\begin{{theorem}}[{theorem.method.card.title}]",
        rf"Let all $f_i$ be $L$-smooth, $f = \frac1N \sum_i f_i \ge f_\star$. For {_tex_words(where(theorem))}:",
        rf"\[ {_tex(inequality(theorem))}. \]",
        r"\end{theorem}",
    ]


def _potential(theorem: StepTheorem) -> list[str]:
    states = ", ".join(rf"\texttt{{{n}}}".replace("_", r"\_") for n in theorem.proof["state"])
    letters = r"$h = \eta K$" + (r" and $e = 1/K$" if theorem.K is None else "")
    return [
        rf"\paragraph{{Potential.}} In units in which $L = 1$, with {letters}, over states {states}:",
        rf"\[ \begin{{aligned}} V &= {_tex_sum(theorem.proof['potential'])} \end{{aligned}} \]",
    ]


def _local_step(loop: Mapping[str, Any]) -> list[str]:
    law = r"E\,\Phi(t + e; d_{k+1}, m_{k+1}) \le E\,\Phi(t; d_k, m_k) + E\,\Phi(t + e)|_{\text{noise alone}}"
    what = rf"$y_k - x = h(-tD + d_k + m_k)$, $t = k/K$, $D = {_tex(loop['drift'])}$, $b = {_tex(loop['weight'])}$"
    hypotheses = (
        r"(i) $|v_k|^2 \le |y_k - x|^2$ on average over the clients, (ii) $n_k$ of mean zero given all that is known, "
        r"(iii) independent over the clients, (iv) of variance at most $\sigma^2$"
    )
    left = (
        r"What is left is a sum of squares on $0 \le s \le 1$, $0 < e \le 1/2$, $t = e + s(1 - 2e)$."
        r"\footnote{The matrices, in Bernstein's form, are in the certificate.}"
    )
    return [
        r"\begin{lemma}[one local step]",
        rf"Let {what}, $d_{{k+1}} = d_k - e b v_k$, $m_{{k+1}} = m_k + e b n_k$, with {hypotheses}. With",
        rf"\[ \begin{{aligned}} \Phi(t; d, m) &= {_tex_sum(loop['potential'])} \end{{aligned}} \]",
        rf"one has ${law}$ for $1 \le k < K$, and $E\,\Phi(e; 0, m_1) \le E\,\Phi(e)|_{{\text{{noise alone}}}}$.",
        r"\end{lemma}",
        rf"\begin{{proof}} {_multipliers(loop['proofs']['step'])} {left} \end{{proof}}",
    ]


def _end_of_round(theorem: StepTheorem) -> list[str]:
    proof = theorem.proof
    always = " + ".join(rf"({_tex(p)})\,{_tex(n)}" for n, p in proof["round"].items()) or "0"
    paid = r" + \Phi(1; d_K, m_K)" if theorem.K is None else ""
    start = " + ".join(rf"({_tex(p)})\,{_tex(n)}" for n, p in proof["first"].items())
    noisy = "noise" in proof.get("loop", {})
    sums = " The noises' parts are summed over the local steps by Faulhaber's formula." if noisy else ""
    return [
        r"\begin{lemma}[end of a round]",
        *_draw(proof),
        rf"$V(\text{{next}}) + ({_tex(proof['rate'])}) |\nabla F(x)|^2 \le V + {always}{paid}$.",
        r"\end{lemma}",
        rf"\begin{{proof}} {_multipliers(proof['proofs']['round'])} \end{{proof}}",
        rf"\paragraph{{Sum.}} $V \ge 0$, and $V(x_0) \le {start}$; the sum over $t < T$, divided by $T$ and by",
        f"the rate, is the theorem.{sums}",
    ]


def _draw(proof: Mapping[str, Any]) -> list[str]:
    """Return what is known of z where S of N clients are drawn."""
    if not proof.get("loop") or not proof.get("given"):
        return []
    signs = {"=": "=", "<=": r"\le"}
    known = [
        f"({number}) ${_tex(left)} {signs[sign]} {_tex(right)}$"
        for number, (left, sign, right) in enumerate(proof["given"])
    ]
    drawn = (
        r"Let $S$ of the $N$ clients be drawn uniformly, $p = \tfrac{N - S}{S(N - 1)}$, and $z$ be what the average of"
    )
    return [rf"{drawn} $(y_K - x)/h$ over them is off that over all: in expectation {', '.join(known)}. Then"]


def _multipliers(lines: list[list[Any]]) -> str:
    """Return which hypotheses are multiplied by what."""
    words = {
        "smooth": "smoothness between points",
        "zeta": r"$|\nabla f_i - \nabla F|^2 \le \zeta^2$ at point",
        "lipschitz": "hypothesis (i)",
        "orthogonal": "orthogonality of",
        "given": "what is known of $z$, number",
    }
    parts = []
    for known, by in lines:
        kind, *about = known
        named = " and ".join(str(a).replace("_", r"\_") for a in about)
        parts.append(f"{words.get(kind, kind)} {named} times ${_tex(by)}$".replace("  ", " "))
    return "Multiply " + "; ".join(parts) + "." if parts else ""


def _tex_words(text: str) -> str:
    return text.replace("eta <=", r"$\eta \le$").replace("_", r"\_").replace("<=", r"$\le$").replace("$$", "")


def _tex_sum(text: str) -> str:
    return _tex(text.replace(" + (", r" \\ &\quad + ("))


def _tex(text: str) -> str:
    """Return an expression of the grammar as LaTeX."""
    out = re.sub(r"(-?)(\d+)/(\d+)", _tex_fraction, text)
    out = re.sub(r"mean\((\w+)\)", r"\\bar{\1}", out)
    out = re.sub(r"\^(-?\d+)", r"^{\1}", out)
    out = re.sub(r"<([^<>=]*), ([^<>]*)>", r"\\langle \1, \2 \\rangle", out)
    out = re.sub(r"u_(\w+)", lambda m: "u_{" + m[1].replace("_", "") + "}", out)
    for name in ("zeta", "sigma", "Delta", "eta"):
        out = re.sub(rf"(?<![a-zA-Z\\]){name}2(?![a-zA-Z])", rf"\\{name}^2", out)
        out = re.sub(rf"(?<![a-zA-Z\\]){name}(?![a-zA-Z])", rf"\\{name}", out)
    out = (
        out.replace("mean_t E|grad f(x_t)|^{2}", r"\tfrac1T \sum_{t<T} E|\nabla f(x_t)|^2")
        .replace("<=", r"\le")
        .replace("*", r"\,")
    )
    return out.replace("r,  r =", r"r,\quad r =")


def _tex_fraction(found: re.Match[str]) -> str:
    """Return a fraction; a long one as a decimal."""
    sign, above, below = found[1], int(found[2]), int(found[3])
    if below < _LONG:
        return rf"{sign}\tfrac{{{above}}}{{{below}}}"
    return f"{sign}{above / below:.{_DIGITS}g}"
