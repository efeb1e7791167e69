"""Formulas of docstrings as LaTeX: ``y_i <- y_i - eta g_i(y_i)`` reads well in code, and is typeset on a page."""

from __future__ import annotations

import re

_GREEK = {
    **{name: rf"\{name}" for name in ("alpha", "beta", "gamma", "delta", "eta", "kappa", "mu", "rho", "sigma", "tau")},
    "eps": r"\epsilon",
    "lam": r"\lambda",
}
_NAMES = {
    **_GREEK,
    "A2": "A^2",
    "B2": "B^2",
    "Vh": r"\hat V",
    "vh": r"\hat v",
    "bx": "b_x",
    "by": "b_y",
    "chat": r"\hat c",
    "grad": r"\nabla",
    "sum": r"\sum",
    **{name: rf"\{name}" for name in ("cos", "log", "max", "min")},
}
_OPERATORS = {"CE", "KL", "argmin", "mean", "sign"}
_SYMBOLS = {
    "<-": r"\leftarrow",
    "<=": r"\leq",
    ">=": r"\geq",
    "||": r"\Vert",
    "|": r"\vert",
    "*": r"\cdot",
    "..": r"\dots",
    "<": r"\langle",
    ">": r"\rangle",
}
_TOKEN = re.compile(r"(?P<name>[A-Za-z]+\d*(?:_[A-Za-z0-9]+)*)(?P<plus>\+(?=[ ),;]|$))?|<-|<=|>=|\|\||\.\.|\s+|.")


def latex(formula: str) -> str:
    """Return a formula of a docstring as LaTeX.

    Parameters
    ----------
    formula : str
        ``<-`` assigns, ``_`` begins an index, ``^`` a power, ``x+`` is the next x; letters have their names.

    Returns
    -------
    str
        LaTeX without dollar signs, and without what Markdown would read.
    """
    text = "".join(_piece(match) for match in _TOKEN.finditer(_add_braces(formula)))
    return re.sub(r" +([),;}]|$)", r"\1", re.sub(r" +", " ", text)).strip()


def _add_braces(formula: str) -> str:
    """Put braces where LaTeX needs them: around powers in parentheses and under roots."""
    for start, braced in ((r"\^\(", "^{"), (r"\bsqrt\(", "\\sqrt{")):
        while found := re.search(start, formula):
            end = _closing(formula, found.end())
            formula = f"{formula[: found.start()]}{braced}{formula[found.end() : end]}}}{formula[end + 1 :]}"
    return formula


def _closing(formula: str, start: int) -> int:
    """Return where the parenthesis ends that was opened before `start`."""
    depth = 1
    for i in range(start, len(formula)):
        depth += {"(": 1, ")": -1}.get(formula[i], 0)
        if not depth:
            return i
    msg = f"formula {formula!r} has an open parenthesis"
    raise ValueError(msg)


def _piece(match: re.Match[str]) -> str:
    if match["name"] is None:
        return f" {_SYMBOLS[match[0]]} " if match[0] in _SYMBOLS else match[0]
    if match.start() and match.string[match.start() - 1] == "\\":
        return match[0]
    base, *indices = match["name"].split("_")
    if base == "server":
        base, indices = indices[0], [base]
    word = _NAMES.get(base) or _base_latex(base)
    inner = ",".join(_index(index) for index in indices)
    # A power that belongs to the letter stands after the index, as in A_i^2.
    letter, _, power = word.partition("^")
    below = f"_{inner}" if len(inner) == 1 else f"_{{{inner}}}" if inner else ""
    above = f"^{power}" if power else "^+" if match["plus"] else ""
    return f"{letter}{below}{above}"


def _base_latex(base: str) -> str:
    """Return a letter, a letter with a number, an operator or a word."""
    found = re.fullmatch(r"([A-Za-z]+?)(\d+)", base)
    if found:
        return f"{_NAMES.get(found[1], found[1])}_{found[2]}"
    if base in _OPERATORS:
        return rf"\operatorname{{{base}}}"
    return base if len(base) == 1 else rf"\mathrm{{{base}}}"


def _index(index: str) -> str:
    plain = len(index) == 1 or index.isdigit() or re.fullmatch("[ijk]{2}", index)
    return index if plain else rf"\mathrm{{{index}}}"
