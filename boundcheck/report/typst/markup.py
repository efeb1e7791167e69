"""Typst markup from plain data: escaped text, numbers with three digits, tables."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.files.own import short
from boundcheck.notation import LETTERS, PAPERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import SupportsFloat

DIGITS = 3
_PLAIN = (1e-3, 1e5)
_NAMED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def literal(text: str) -> str:
    """Return `text` as a Typst string literal."""
    return '"' + "".join(_NAMED.get(c, c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in text) + '"'


def escape(text: str) -> str:
    """Return markup that shows `text` as it is, whatever signs it holds."""
    return f"#{literal(' '.join(text.split()))};" if text.strip() else ""


_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SHIFTED = re.compile(
    r"\^(?P<sign>-?)\((?P<power>[^()]*)\)|\^(?P<plain>-?[0-9A-Za-z]+(?:\.\d+)?)"
    r"|(?<![\w.-])(?P<base>[^\W\d_]\u0304?[^\W\d_]?|log|max|mean|min|sup)_(?:(?P<index>[\w∞]+)|[({](?P<sum>[^(){}]*)[)}])"
)
"""A power, or an index of a short name."""
_SIGNS = {"<=": "≤", "<~": "≲", "sqrt(": "√(", ">=": "≥", "+-": "±", "->": "→"}
_GREEK = {
    "alpha": "α", "delta": "δ", "epsilon": "ε", "lambda": "λ", "nu": "ν", "omega": "ω", "phi": "φ", "psi": "ψ",
    "rho": "ρ", "tau": "τ", "theta": "θ",
}  # fmt: skip
"""Letters of a proof that are none of the notation's."""
_BAR = re.compile(r"\b(x|theta|h)-?bar(?![A-Za-z])")
_HAT = re.compile(r"\bc-hat(?![A-Za-z])")
_FLOOR = re.compile(r"\bfloor\(([^()]*)\)")
_BARE_ROOT = re.compile(r"√\((\d+|[^\W\d_])\)")
"""A root of one sign, which needs no brackets."""
_TIMES = re.compile(r"(?<=[\d)])\*(?=[\d(])")
_SUM = re.compile(r"\bsum(?=[_(]| [A-Z|])")
_LIMIT = re.compile(r"(?<=[DG])∞")
_SCIENTIFIC = re.compile(r"(?<![\w.])(?:1(?:\.0*)?|(\d+(?:\.\d+)?))e\+?(-?\d+)(?!\w|\.\d)")
"""A number as a program prints it, such as ``1e+15`` and ``1.2e4``."""
_MINUS = re.compile(r"(?<![^ (\[])-(?=[ \d(α-ω])")
_ENGLISH = {"growth"}
"""Names of letters that are words of a sentence."""
_POWER = re.compile(r"\^(-?\d+)(?![\d.]|/\d)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_GRADIENT = re.compile(r"\bgrad (?=[\w(])")


def prose(text: str) -> str:
    """Return plain text about formulas as markup, with the letters of `boundcheck.notation` and signs as printed."""
    return "".join(f"#{kind}({literal(piece)});" if kind else _literal_piece(piece) for kind, piece in shifted(text))


def shifted(text: str) -> Iterator[tuple[str, str]]:
    """Yield pieces of plain text about formulas as printed, each after `super` or `sub` if it is raised or below."""
    text = _SCIENTIFIC.sub(lambda found: f"{found[1] + '·' if found[1] else ''}10^{int(found[2])}", text)
    text = _LIMIT.sub("_∞", _MINUS.sub("−", _TIMES.sub(" ", plain(text))))
    start = 0
    for found in _SHIFTED.finditer(text):
        power, base = found["plain"] or (found["sign"] or "") + (found["power"] or ""), found["base"]
        yield "", text[start : found.start()] + (base or "")
        yield ("super", power.replace("-", "−")) if power else ("sub", _index(found))
        start = found.end()
    yield "", text[start:]


def _index(found: re.Match[str]) -> str:
    """Return what stands below a letter."""
    words = (found["index"] or found["sum"] or "").split("_")
    return " ".join(_GREEK.get(word, word) for word in words)


def _literal_piece(text: str) -> str:
    """Return markup that shows a piece of a sentence, the spaces at its ends included."""
    text = re.sub(r"\s+", " ", text)
    return f"#{literal(text)};" if text else ""


def plain(text: str) -> str:
    """Return text with the letters of `boundcheck.notation` and signs as printed, powers and indices as typed."""
    for sign, shown in _SIGNS.items():
        text = text.replace(sign, shown)
    text = _SUM.sub("Σ", _FLOOR.sub("⌊\\1⌋", _HAT.sub("ĉ", _BAR.sub("\\1\u0304", text))))
    return _BARE_ROOT.sub("√\\1", _WORD.sub(_as_printed, _GRADIENT.sub("∇", text)))


def raise_powers(text: str) -> str:
    """Return `plain` with whole powers raised, for where nothing is typeset."""
    return _POWER.sub(lambda m: m[1].translate(_RAISED), plain(text))


def _as_printed(match: re.Match[str]) -> str:
    word = match[0]
    if word in LETTERS and word not in _ENGLISH:
        return LETTERS[word].text
    head, underscore, tail = word.partition("_")
    if head in _GREEK:
        return _GREEK[head] + underscore + tail
    return LETTERS[head].text + underscore + tail if underscore and head in LETTERS else word


def formulas(text: str) -> str:
    """Return plain text with formulas in Python, such as ``2*L**2``, as markup."""
    return prose(text.replace("**", "^").replace("*", " "))


def paper_title(paper: str) -> str:
    """Return the title of a paper and that it is a manuscript where it is one; its name if it is not one of ours."""
    if paper not in PAPERS:
        return escape(paper)
    known = PAPERS[paper]
    return escape(known.title + ("" if known.reference.startswith("arXiv:") else f" ({known.reference})"))


def code(text: str, *, block: bool = False) -> str:
    """Return `text` in monospace; names of the user's own objects without folders."""
    return f"#raw({literal(short(text))}, block: {'true' if block else 'false'});"


def number(value: float | None) -> str:
    """Return a number with three significant digits, in powers of ten when it is large or small."""
    if value is None:
        return "--"
    if math.isnan(value):
        return "not a number"
    return f"${_digits(float(value))}$"


def _digits(value: float) -> str:
    if math.isinf(value):
        return "oo" if value > 0 else "-oo"
    if value == 0:
        return "0"
    if _PLAIN[0] <= abs(value) < _PLAIN[1] and value == int(value):
        return str(int(value))
    if _PLAIN[0] <= abs(value) < _PLAIN[1] / 10:
        decimals = max(0, DIGITS - 1 - math.floor(math.log10(float(f"{abs(value):.2e}"))))
        return f"{value:.{decimals}f}"
    mantissa, _, power = f"{value:.{DIGITS - 1}e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    return f"10^({int(power)})" if mantissa == "1" else f"{mantissa} times 10^({int(power)})"


def interval(low: float | None, high: float | None) -> str:
    """Return ``[low, high]``."""
    if low is None or high is None:
        return "--"
    return f"$[{number(low).strip('$')}, {number(high).strip('$')}]$"


def rational(value: float) -> str:
    r"""Return a number that is meant as a fraction, inside mathematics: ``2\\/3``."""
    fraction = Fraction(value).limit_denominator(24)
    if abs(float(fraction) - value) > 1e-9:
        return f"{value:.3g}"
    return str(fraction.numerator) if fraction.denominator == 1 else f"{fraction.numerator}\\/{fraction.denominator}"


def letter(name: str) -> str:
    """Return a letter inside mathematics; a name that is not one of ours is set upright."""
    return LETTERS[name].typst if name in LETTERS else literal(name)


def power(name: str, exponent: float) -> str:
    """Return ``letter^exponent`` in mathematics, 1 for exponent 0."""
    if exponent == 0:
        return "$1$"
    return f"${letter(name)}$" if exponent == 1 else f"${letter(name)}^({rational(exponent)})$"


def epsilon(exponent: SupportsFloat | None) -> str:
    """Return ``epsilon^(-exponent)``, a dash where there is none."""
    return "--" if exponent is None else f"$epsilon^(-{rational(float(exponent))})$"


def setting(values: Mapping[str, object]) -> str:
    """Return ``N = 4, K = 2``."""
    return ", ".join(
        f"${letter(k)} = {_digits(float(v)) if isinstance(v, (int, float)) else literal(str(v))}$"
        for k, v in values.items()
    )


def three_decimals(value: float) -> str:
    """Return a number with three decimals and no negative zero."""
    return f"${round(value, 3) + 0.0:.3f}$"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], columns: str, *, align: str = "left") -> str:
    """Return a table with a repeated head row; cells are markup, `columns` and `align` are Typst code."""
    cells = "".join("  " + ", ".join(f"[{cell}]" for cell in row) + ",\n" for row in rows)
    top = ", ".join(f"[{cell}]" for cell in head)
    return f"#rows(columns: {columns}, align: {align},\n  table.header({top}),\n{cells})\n"


def badge(verdict: str) -> str:
    """Return a verdict as symbol, word and colour."""
    return f"#badge({literal(verdict)});"


def box(body: str) -> str:
    """Return markup in a framed block."""
    return f"#framed[\n{body}\n]\n"


def to(place: str) -> str:
    """Return a link to a place, as its page number; nothing where the report has no such place."""
    return f"#to({literal(place)});"


def anchor(place: str) -> str:
    """Return the mark that `to` leads to."""
    return f"#anchor({literal(place)});"
