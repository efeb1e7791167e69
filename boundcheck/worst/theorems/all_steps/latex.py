"""A theorem for all steps with its potential, its lemmas and their sum, as a page of LaTeX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.worst.theorems.all_steps.statement import falling_inequality, inequality, where
from boundcheck.worst.theorems.bernstein.polynomials import read_polynomial

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from boundcheck.worst.theorems.all_steps.theorem import StepTheorem
    from boundcheck.worst.theorems.bernstein.polynomials import Exponents, Poly

_PREAMBLE = (
    r"""% In the preamble: \usepackage{amsmath, amsthm} \newtheorem{theorem}{Theorem} \newtheorem{lemma}{Lemma}"""
)
_LONG, _DIGITS = 100, 4
"""Denominator from which on a decimal is shown, and its significant digits."""
_WIDE = 180
"""Letters of an inequality that a line has room for."""
_COLUMNS = 9
"""Columns of a table that a page has room for."""
_TERM = re.compile(r"\(([^()]*)\)(\*p)?\*(<[^<>]*>|\w+)")
_LETTERS = ("t", "e", "h")
_GREEK = ("zeta", "sigma", "Delta", "eta", "gamma", "beta", "rho", "mu")
_ALIGN, _END_OF_ALIGN = r"\[ \begin{aligned}", r"\end{aligned} \]"


class _Column(NamedTuple):
    """A column of a table: what a polynomial in t, e and h is the factor of."""

    head: str
    factor: Poly


def latex(theorem: StepTheorem) -> str:
    """Return the theorem with its potential, its lemmas and their sum: a page of LaTeX, matrices left to the file."""
    lines = [_PREAMBLE, *_theorem(theorem), *_potential(theorem)]
    if loop := theorem.proof.get("loop"):
        lines += _step_of_chain(loop) if loop.get("chain") else _local_step(loop)
    return "\n".join([*lines, *_end_of_round(theorem)]) + "\n"


def _theorem(theorem: StepTheorem) -> list[str]:
    classes = [r"Let all $f_i$ be $L$-smooth, $f = \frac1N \sum_i f_i \ge f_\star$ and $\Delta = f(x_0) - f_\star$"]
    if "zeta" in theorem.always or "zeta" in theorem.first:
        classes.append(r"$\frac1N \sum_i |\nabla f_i(x_t) - \nabla f(x_t)|^2 \le \zeta^2$ at all $x_t$")
    if "G_0" in theorem.first:
        classes.append(r"$G_0 = \frac1N \sum_i |\nabla f_i(x_0)|^2$")
    if "noise" in theorem.proof.get("loop", {}):
        classes.append(
            r"let stochastic gradients have no bias, a variance of at most $\sigma^2$, and be independent over clients "
            "and local steps"
        )
    falling = falling_inequality(theorem)
    where_f = r"Where $|\nabla f|^2 \ge 2 \mu (f - f_\star)$, $0 < \mu \le L$, also"
    return [
        rf"\begin{{theorem}}[{theorem.method.card.title}]",
        ", ".join(classes) + f". For {_tex_range(where(theorem))}:",
        _display(inequality(theorem)),
        *([where_f, _display(falling)] if falling else []),
        r"\end{theorem}",
    ]


def _potential(theorem: StepTheorem) -> list[str]:
    proof = theorem.proof
    letters = r"$h = \eta K$" + (r" and $e = 1/K$" if theorem.K is None else "")
    used = letters if "h" in theorem.letters else "steps as they are"
    means = (
        r"A letter $g$ stands for one vector $g_i$ of each client, $\bar g$ for their mean; "
        r"$\langle u, v \rangle$ of such letters is the mean of $\langle u_i, v_i \rangle$ over the clients"
    )
    states = [f"${_tex(name)}$" for name in proof["state"] if name not in ("f", "g")]
    own = f", and {', '.join(states)} for what else the state holds" if states else ""
    starts = [f"${_tex(n)} = {_tex_vector(v)}$" for n, v in proof["start"].items() if n not in ("f", "g")]
    start = f" At the start {', '.join(starts)}." if starts else ""
    return [
        rf"\paragraph{{Potential.}} In units in which $L = 1$, with {used}. {means}.",
        rf"With $f$ for $f(x) - f_\star$, $g = \nabla f_i(x)${own},",
        rf"{_ALIGN} V &= {_tex_sum(_plain(proof['potential']))}. {_END_OF_ALIGN}{start}",
    ]


_IN_A_TABLE = "be the sum of the products in the first columns of the table, times the polynomials below them. Then"
_ROUNDED = (
    r"\footnote{Numbers are rounded here. The certificate has them exactly, and the matrices, in Bernstein's form, "
    "that are positive semidefinite.}"
)


def _local_step(loop: Mapping[str, Any]) -> list[str]:
    """Return the lemma of one local step with what is known of it."""
    last, left_out = "last" in loop, 3 if "last" in loop else 2
    law, first = r"E\,\Phi(t + e; d_{k+1}, m_{k+1}) \le E\,\Phi(t; d_k, m_k)", r"E\,\Phi(e; 0, m_1) \le "
    if "noise" in loop:
        known = (
            r"$m_{k+1} = m_k + e b n_k$, where $\eta b n_k$ is what noise adds to $y_{k+1}$. Known is (i) $|v_k|^2 \le "
            r"|y_k - x|^2$ on average over the clients, and of $n_k$ that it is (ii) of mean zero given all that is "
            r"known, (iii) independent over the clients, (iv) of variance at most $\sigma^2$: what does not change in "
            r"a round is orthogonal to $m_k$."
        )
        law, first = rf"{law} + E\,\Phi(t + e)|_{{n_k}}", rf"{first} E\,\Phi(e)|_{{n_0}}"
        alone, others = (
            r", where $|_{n}$ is the part of noise alone, $\langle m, m \rangle$ at $m = e b n$",
            "and others",
        )
    else:
        known = r"$m_k = 0$. Known is (i) $|v_k|^2 \le |y_k - x|^2$ on average over the clients."
        first, alone, others = rf"{first} 0", "", "alone"
    return [
        r"\begin{lemma}[one local step]",
        rf"With $t = k/K$ let $y_k - x = h(-tD + d_k + m_k)$, $D = {_tex_vector(loop['drift'])}$,",
        rf"$b = {_tex(loop['weight'])}$, $v_k = \nabla f_i(y_k) - \nabla f_i(x)$, $d_0 = m_0 = 0$,",
        rf"$d_{{k+1}} = d_k - e b v_k$, {known} Let $\Phi(t; d, m)$ {_IN_A_TABLE}",
        rf"${law}$ for $1 \le k < K{' - 1' * last}$, and ${first}${alone}.",
        r"\end{lemma}",
        *_tables([*_columns(loop["potential"]), *_multiplier_columns(loop["proofs"]["step"])]),
        rf"\begin{{proof}} Take (i) {others}, times the polynomials in the table, off",
        r"$\Phi(t; d_k, m_k) - \Phi(t + e; d_{k+1}, m_{k+1})$. What is left is a sum of squares for all",
        rf"$0 \le s \le 1$, $0 < e \le 1/{left_out}$, $t = e + s(1 - {left_out}e)$.{_ROUNDED} \end{{proof}}",
    ]


def _step_of_chain(loop: Mapping[str, Any]) -> list[str]:
    """Return the lemma of one local step where smoothness between neighbouring points is used."""
    return [
        r"\begin{lemma}[one local step]",
        rf"Let $K \ge 2$, $t = k/K$, $y_k - x = h(-tD + d_k)$, $D = {_tex_vector(loop['drift'])}$,",
        rf"$b = {_tex(loop['weight'])}$, $v_k = \nabla f_i(y_k) - \nabla f_i(x)$, $d_0 = 0$,",
        r"$d_{k+1} = d_k - e b v_k$, $v_{k+1} = v_k + e c_k$, and",
        r"$q_k = \frac1N \sum_i [f_i(y_k) - f_i(x) - \langle \nabla f_i(x), y_k - x \rangle]$.",
        rf"Let $\Phi(t; d, v, q)$ {_IN_A_TABLE}",
        r"$\Phi(t + e; d_{k+1}, v_{k+1}, q_{k+1}) \le \Phi(t; d_k, v_k, q_k)$ for $0 \le k < K - 1$, and",
        r"$\Phi(0; 0, 0, 0) \le 0$.",
        r"\end{lemma}",
        *_tables([*_columns(loop["potential"]), *_multiplier_columns(loop["proofs"]["step"])]),
        rf"\begin{{proof}} {_SMOOTH} The functions less their linear parts at $x$ are smooth, too;",
        r"points 0, 1, 2 are $x$, $y_k$, $y_{k+1}$. Multiplied by the polynomials in the table, these leave a sum of",
        rf"squares for $0 < e \le 1/2$, $0 \le t \le 1 - 2e$.{_ROUNDED} \end{{proof}}",
    ]


_SMOOTH = (
    r"Smoothness between points $a$ and $b$ is $f_a - f_b - \frac12 \langle g_a + g_b, x_a - x_b \rangle "
    r"- \frac14 |g_a - g_b|^2 + \frac14 |x_a - x_b|^2 \ge 0$ on average over the clients."
)


def _columns(potential: str) -> list[_Column]:
    """Return the products of a potential along a round with their factors; a common power of h is part of the head."""
    found = []
    for factor, drawn, what in _TERM.findall(potential):
        p = read_polynomial(factor, _LETTERS)
        least = min((e[2] for e in p), default=0)
        power = _monomial((0, 0, least))
        word = re.sub(r"\(?(\w+) - mean\(\1\)\)?", r"dev(\1)", what)
        head = _tex(word).replace("dev(", r"\tilde{").replace(")", "}")
        found.append(_Column(("p" if drawn else "") + power + head, {(*e[:2], e[2] - least): c for e, c in p.items()}))
    return found


def _multiplier_columns(lines: Iterable[tuple[list[Any], str]]) -> list[_Column]:
    """Return what hypotheses of a local step are multiplied by, e of them in the head."""
    found = []
    for (kind, *about), by in lines:
        p = read_polynomial(by, _LETTERS)
        least = tuple(min((e[k] for e in p), default=0) for k in range(3))
        power = _monomial(least)
        if kind == "orthogonal":
            name, block = about
            both = [rf"\bar{{{x}}}" if block == "mean" else rf"\tilde{{{x}}}" for x in (_tex(name), "m")]
            head = rf"{power}\langle {both[0]}, {both[1]} \rangle"
        else:
            head = rf"{power}\,\text{{(i)}}" if kind == "lipschitz" else rf"{power}\,({about[0]}, {about[1]})"
        found.append(_Column(rf"\text{{by}}\ {head}", {tuple(map(int.__sub__, e, least)): c for e, c in p.items()}))
    return found


def _tables(columns: list[_Column]) -> list[str]:
    """Return tables with a row for each monomial in t, e and h."""
    powers = sorted({e for column in columns for e in column.factor}, key=lambda e: (e[0], e[1], e[2]))
    lines = [
        r"\begin{center} \scriptsize",
        r"($\bar u$ is the mean over the clients, $\tilde u = u - \bar u$; ``by'' says what a polynomial multiplies.)",
    ]
    for part in (columns[k : k + _COLUMNS] for k in range(0, len(columns), _COLUMNS)):
        lines += [
            rf"\par\medskip \begin{{tabular}}{{l{'r' * len(part)}}}",
            " & ".join(["", *(f"${column.head}$" for column in part)]) + r" \\ \hline",
        ]
        for e in powers:
            if any(e in column.factor for column in part):
                name = _monomial(e) or "1"
                numbers = [f"${_decimal(column.factor[e])}$" if e in column.factor else "" for column in part]
                lines.append(" & ".join([f"${name}$", *numbers]) + r" \\")
        lines.append(r"\end{tabular}")
    return [*lines, r"\end{center}"]


def _end_of_round(theorem: StepTheorem) -> list[str]:
    proof = theorem.proof
    loop = proof.get("loop", {})
    always = [rf"({_tex(p)})\,{_tex(n)}" for n, p in proof["round"].items()]
    if loop:
        always.append(_left_by_loop(loop))
    start = " + ".join(rf"({_tex(p)})\,{_tex(n)}" for n, p in proof["first"].items())
    right = " + ".join(["V", *always])
    falls = r" Under the condition on $\mu$ the rest of $V$ stands times $1 - $ its fall, and the sum is geometric."
    return [
        r"\begin{lemma}[end of a round]",
        *_round(proof),
        *_last_step(loop),
        *_draw(proof),
        rf"Then $V^+ + ({_tex(proof['rate'])}) |\nabla f(x)|^2 \le {right}$.",
        r"\end{lemma}",
        rf"\begin{{proof}} {_SMOOTH} {_multipliers(proof['proofs']['round'])} What is left is a sum of squares.",
        r"\end{proof}",
        *_sum_of_noise(loop),
        rf"\paragraph{{Sum.}} $V \ge 0$, and $V(x_0) \le {start}$; the sum over $t < T$, divided by $T$ and by",
        "the rate, is the theorem." + (falls if "polyak" in proof else ""),
    ]


def _round(proof: Mapping[str, Any]) -> list[str]:
    """Return the points of a round, and the next state."""
    points = proof["points"]
    lines = [
        rf"point {k}: $x {_join_sign(_tex_vector(p['x']))}$, gradients ${_tex_vector(p['g'])}$"
        for k, p in enumerate(points)
        if k
    ]
    nexts = [f"${_tex(n)}^+ = {_tex_vector(v)}$" for n, v in proof["next"].items() if n not in ("f", "g")]
    after = f" Next: {', '.join(nexts)}." if nexts else ""
    last = len(points) - 1
    return [f"The round meets {'; '.join(lines)} (point 0: $x$, gradients $g$). Point {last} is the next $x$.{after}"]


def _left_by_loop(loop: Mapping[str, Any]) -> str:
    """Return what the local steps leave to the end of a round."""
    if loop.get("chain"):
        return r"\Phi(1 - e; d_{K-1}, v_{K-1}, q_{K-1})"
    if "last" not in loop:
        return r"\Phi(1; d_K, m_K)"
    mean, apart = (_tex(loop["last"][block]) for block in _BLOCKS)
    noise = rf" + b^2 [({mean})\,|\bar n|^2 + ({apart})\,|\tilde n|^2]" if "noise" in loop else ""
    return rf"\Phi(1 - e; d, m){noise}"


def _last_step(loop: Mapping[str, Any]) -> list[str]:
    """Return what the end of a round says of the last local step, where that is part of it."""
    if not (loop.get("chain") or "last" in loop):
        return []
    lines = [r"Of functions less their linear parts at $x$ points 0, 1, 2 are $x$, $y_{K-1}$ and the next $x$."]
    if "last" in loop:
        lines.append(
            r"Here $K \ge 2$, and $d$, $m$, $v$ are $d_{K-1}$, $m_{K-1}$, $v_{K-1}$: at the end stand $d - e b v$ and "
            r"$m + b n$ in their places; $n = e\,n_{K-1}$ is orthogonal to them and to what does not change in a round."
        )
    return lines


def _sum_of_noise(loop: Mapping[str, Any]) -> list[str]:
    """Return what the noise of a round adds up to."""
    if "noise" not in loop:
        return []
    mean, apart = (_tex(loop["noise"][block]) for block in _BLOCKS)
    last = "; at $k = K$ stand those of $n$ in the lemma above" if "last" in loop else ""
    return [
        r"\paragraph{Noise.} The parts of noise, $e^2 b^2$ times the factors of $\langle m, m \rangle$ at $t = k/K$,",
        rf"are summed over $k = 1, \dots, K$ by Faulhaber's formula{last}: they are at most",
        rf"$e b^2 \sigma^2 [({mean})/N + ({apart})(1 - 1/N)]$.",
    ]


def _draw(proof: Mapping[str, Any]) -> list[str]:
    """Return what is known of z where S of N clients are drawn."""
    if not proof.get("loop") or not proof.get("given"):
        return []
    size, *products = proof["given"]
    away = re.fullmatch(r"p\*\|(.*) - mean\(\1\)\|\^2", size[2])
    spread = f"p |a - \\bar a|^2$ with $a = {_tex_vector(away[1])}" if away else _tex(size[2])
    known = [f"({number}) ${_tex(left)} = {_tex(right)}$" for number, (left, _, right) in enumerate(products, 1)]
    return [
        r"Let $S$ of the $N$ clients be drawn uniformly, $p = \tfrac{N - S}{S(N - 1)}$, and $z$ be what the average of",
        rf"$(y_K - x)/h$ over them is off that over all: in expectation (0) ${_tex(size[0])} \le {spread}$,",
        f"{', '.join(known)}.",
    ]


def _multipliers(lines: list[list[Any]]) -> str:
    """Return which hypotheses are multiplied by what."""
    words = {
        "smooth": "smoothness between points",
        "near": "smoothness, functions less their linear part at $x$, between points",
        "zeta": r"$|\nabla f_i - \nabla f|^2 \le \zeta^2$ at point",
        "orthogonal": "orthogonality to $m$ of",
        "fresh": "orthogonality to $n$ of",
        "given": "what is known of $z$, number",
    }
    parts = []
    for (kind, *about), by in lines:
        named = " and ".join(f"${_tex(a)}$" if isinstance(a, str) and a not in _BLOCKS else str(a) for a in about)
        named = named.replace(" and mean", " in means").replace(" and deviations", " in deviations")
        parts.append(f"{words.get(kind, kind)} {named} by ${_tex(by)}$")
    return "Multiply " + "; ".join(parts) + "." if parts else ""


_BLOCKS = ("mean", "deviations")


def _tex_range(text: str) -> str:
    """Return for what a theorem holds, with formulas as such."""
    parts = []
    for part in re.split(r"([,;] )", text):
        if part[:2] in (", ", "; "):
            parts.append(part)
            continue
        word, _, rest = part.partition("every ")
        prefix, formula = (f"{word}every ", rest) if rest and not word else ("", part)
        if re.search(r"<=|>=|=", formula):
            prefix, formula = (
                ("units in which ", formula[18:]) if formula.startswith("in units in which") else (prefix, formula)
            )
            parts.append(f"{prefix}${_tex(formula)}$")
        else:
            parts.append(re.sub(r"\b([KNST])\b", r"$\1$", part))
    return "".join(parts)


def _decimal(c: Fraction) -> str:
    return _tex(f"{float(c):.{_DIGITS}g}")


def _display(text: str) -> str:
    """Return an inequality as a display, a long one with a line for each of its terms."""
    if len(text) < _WIDE:
        return rf"\[ {_tex(text)}. \]"
    left, _, right = text.partition(" <= ")
    rows = _tex_sum(right).replace(r"r,\quad r", r"r, \\ r")
    return rf"{_ALIGN} {_tex(left)} &\le {rows}. {_END_OF_ALIGN}"


def _monomial(e: Exponents) -> str:
    return _tex("*".join(x if k == 1 else f"{x}^{k}" for x, k in zip(_LETTERS, e, strict=True) if k))


def _tex_sum(text: str) -> str:
    return _tex(text.replace(" + (", r" \\ &\quad + ("))


def _tex_vector(text: str) -> str:
    """Return a sum of multiples of vectors, without brackets that are not needed."""
    out = re.sub(r"mean\((\w+)\) \+ \(\1 - mean\(\1\)\)", r"\1", _plain(text))
    return "0" if out.startswith("0*") else _tex(out).replace("+ -", "- ")


def _plain(text: str) -> str:
    """Return a sum without brackets around single numbers and powers, and without the number 1."""
    return re.sub(r"(?<![\w/^.])(?<!\^-)1\*", "", re.sub(r"\((-?[^()\s]+)\)\*", r"\1*", text))


def _join_sign(text: str) -> str:
    return text if text.startswith("-") else f"+ {text}"


def _tex(text: str) -> str:
    """Return an expression of the grammar as LaTeX."""
    out = re.sub(r"(-?)(\d+)/(\d+)", _tex_fraction, text)
    out = re.sub(r"(\d)e([+-]\d+)", lambda m: rf"{m[1]} \cdot 10^{{{int(m[2])}}}", out)
    out = re.sub(r"mean\((\w+)\)", r"\\bar{\1}", out)
    out = re.sub(r"\^(-?\d+)", r"^{\1}", out)
    out = re.sub(r"<([^<>=]*), ([^<>]*)>", r"\\langle \1, \2 \\rangle", out)
    out = re.sub(r"u_(\w+)", lambda m: "u_{" + m[1].replace("_", "") + "}", out)
    out = re.sub(r"(?<![a-zA-Z\\])([vw])(\d+)", r"\1_{\2}", out)
    for name in _GREEK:
        out = re.sub(rf"(?<![a-zA-Z\\]){name}2(?![a-zA-Z])", rf"\\{name}^2", out)
        out = re.sub(rf"(?<![a-zA-Z\\]){name}(?![a-zA-Z])", rf"\\{name}", out)
    out = re.sub(r"(?<![a-zA-Z\\])G0", "G_0", out)
    out = (
        out.replace("mean_t E|grad f(x_t)|^{2}", r"\tfrac1T \sum_{t<T} E|\nabla f(x_t)|^2")
        .replace("f_star", r"f_\star")
        .replace("<=", r"\le")
        .replace(">=", r"\ge")
        .replace("*", r"\,")
    )
    return out.replace("r,  r =", r"r,\quad r =")


def _tex_fraction(found: re.Match[str]) -> str:
    """Return a fraction; a long one as a decimal."""
    sign, above, below = found[1], int(found[2]), int(found[3])
    if below < _LONG:
        return rf"{sign}\tfrac{{{above}}}{{{below}}}"
    return f"{sign}{above / below:.{_DIGITS}g}"
