"""A printed inequality, as LaTeX, in letters: what it says of which left-hand side, term by term.

What right-hand sides are made of is read: sums, products, fractions, roots, powers, indices, minima and maxima,
logarithms and exponentials.  Anything else is an error that names it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import sympy as sp

from boundcheck.errors import InputError, require
from boundcheck.notation import LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOISE = re.compile(
    r"\\(?:left|right|bigg?[lr]?|Bigg?[lr]?|displaystyle|textstyle|limits|nonumber|notag|quad|qquad|[,;:!])(?![a-zA-Z])"
    r"|\\(?:label|tag)\{[^{}]*\}|(?<!\\)[~&]|\\ "
)
"""Spacing, sizes of brackets and labels, which say nothing."""
_FONTS = "mathbf|mathrm|boldsymbol|bm|mathit|mathsf|text"
_SAME = (
    (r"\\(?:le|leq|leqslant)(?![a-zA-Z])", "<="),
    (r"\\(?:ge|geq|geqslant)(?![a-zA-Z])", ">="),
    (r"\\(?:lesssim|preceq)(?![a-zA-Z])", "<~"),
    (r"\\(?:cdot|times|ast)(?![a-zA-Z])", " * "),
    (r"\\(?:dfrac|tfrac|nicefrac)(?![a-zA-Z])", r"\\frac"),
    (rf"\\(?:{_FONTS}|operatorname)\{{((?:[^{{}}]|\{{[^{{}}]*\}})*)\}}", r"\1"),
    (rf"\\(?:{_FONTS})(?![a-zA-Z{{])", " "),
    (r"\\(?:mathcal|mathscr)\{?([A-Z])\}?", r"\1"),
    (r"\\(?:lVert|rVert|Vert|\|)", "|"),
    (r"\\(?:lvert|rvert|vert)(?![a-zA-Z])", "|"),
    (r"\|\|", "|"),
    (r"\\(?:var)(epsilon|phi|theta|rho)", r"\\\1"),
    (r"\\(?:star|ast)(?![a-zA-Z])", "*"),
    (r"\\lbrace|\\\{", "("),
    (r"\\rbrace|\\\}", ")"),
)


def _braces_around(mark: str, inner: str) -> str:
    """Return a pattern of an index or a power, in braces or not."""
    return rf"\{mark}(?:\{{{inner}\}}|{inner})"


_MARKS = "|".join(
    [
        r"\$\$(.+?)\$\$",
        r"\\\[(.+?)\\\]",
        *(rf"\\begin\{{{kind}\*?\}}(.+?)\\end\{{{kind}\*?\}}" for kind in ("equation", "align", "gather", "multline")),
        r"\$(.+?)\$",
        r"\\\((.+?)\\\)",
    ]
)
"""What formulas stand between in a text."""
_LETTER = r"(?:x|w|\\theta|y|z)"
_POINT = rf"(?:{_LETTER}|\\(?:bar|hat|tilde|overline)(?:\{{{_LETTER}\}}|;?{_LETTER}))"
_START = rf"{_POINT}(?:{_braces_around('_', '[01]')}|{_braces_around('^', '[01]')}|\^\{{\([01]\)\}})"
_STAR = r"(?:\*|\\?star)"
_FLOOR = rf"(?:{_STAR}|\\?inf)"
_BEST = rf"{_POINT}(?:{_braces_around('^', _STAR)}|{_braces_around('_', _STAR)})"
_BEST_VALUE = rf"(?:f\({_BEST}\)|f{_braces_around('^', _FLOOR)}|f{_braces_around('_', _FLOOR)})"
_SQUARE = rf"\|(?:_2)?{_braces_around('^', '2')}"
_QUANTITIES = (
    (rf"\|{_START}-{_BEST}{_SQUARE}", "delta_x"),
    (rf"\(f\({_START}\)-{_BEST_VALUE}\)", "Delta"),
    (rf"f\({_START}\)-{_BEST_VALUE}", "Delta"),
    (rf"\(f_0-{_BEST_VALUE}\)", "Delta"),
    (rf"f_0-{_BEST_VALUE}", "Delta"),
)
"""Quantities that papers write out, and their letters."""
_GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu", "xi", "rho"),
    *("sigma", "tau", "phi", "chi", "psi", "omega", "ell"),
    *("Delta", "Gamma", "Phi", "Psi", "Sigma", "Theta", "Lambda", "Omega"),
)
_ALIASES = {"epsilon": "eps", "G_infty": "G_inf", "Delta_0": "Delta", "lambda": "lam"}
"""Letters that are one of the notation's under another index, and one whose name is a word of Python."""
_HORIZON = "[TtkKnNRJms]"
"""How papers call the last index."""
_INDEXED = rf"(?:_\{{?({_HORIZON})\}}?|\^\{{?\(?({_HORIZON})\)?\}}?)"
_COUNTED = (
    rf"\\sum_[^|]*?\^(?:\{{?({_HORIZON})(?:-1)?\}}?)",
    rf"\\sum_\{{[a-z]<({_HORIZON})\}}",
    rf"\\min_\{{[^|]*?[<,=\[e]\\?({_HORIZON})(?:-1)?\]?\}}",
)
_RAN = (rf"\|\\nablaf\({_POINT}{_INDEXED}\)", rf"f\({_POINT}{_INDEXED}\)", rf"\|{_POINT}{_INDEXED}-")
"""Where a left-hand side says its last index: above a sum, or at the point itself."""
_SHARE = re.compile(rf"\\frac\{{?1\}}?\{{?({_HORIZON})(?:\+1)?\}}?|1/\(?({_HORIZON})(?:\+1)?\)?|({_HORIZON})\^\{{-1\}}")
"""What makes a sum over a run its average."""
_MEAN = r"(?:\\mathbb\{?E\}?(?:_\{?\w\}?)?|E(?=[\[(]))"
_SUMMED = re.compile(rf"(?:[_^](?:\{{[^{{}}]*\}}|\w))*{_MEAN}?[\[(]*(?:\||f\()")
"""What stands behind a sum: a square or a value without a weight."""
_HIDDEN = re.compile(r"\s*(?:\\tilde\s*(?:\{\s*)?)?O\s*(?:\}\s*)?\((.*)\)\s*", re.DOTALL)
"""A right-hand side that hides its constants."""
_CHANCE = re.compile(
    r"\s*(?:\\Pr|\\mathbb\{P\}|\\mathbb P|Pr|P)\s*[\[({](.*)[\])}]\s*>=\s*1\s*-\s*\\?(delta|p)\s*", re.DOTALL
)
"""A statement with probability."""
_CHANCE_IN_WORDS = re.compile(
    r"(?:\\text\{\s*)?(?:with\s+(?:a\s+)?probability|w\.\s?p\.)\s+(?:of\s+)?(?:at\s+least|no\s+less\s+than)\s*\}?\s*"
    r"(?:\$|\\\()?\s*1\s*-\s*\\?(delta|p)\s*(?:\$|\\\))?\s*[,:]?",
    re.IGNORECASE,
)
"""The same in words, beside or before the formula."""
_LAST = rf"{_LETTER}(?:{_braces_around('_', 'T')}|{_braces_around('^', 'T')}|\^\{{\(T\)\}})"
_AT_T = rf"{_POINT}(?:{_braces_around('_', '[a-z]')}|{_braces_around('^', '[a-z]')}|\^\{{\([a-z]\)\}})"
_MIDDLE = r"(?:\\bar|\\hat|\\tilde|\\overline)[^)]*"
_LEFT = (
    (rf"\\min.*\|\\nablaf\({_POINT}[^|]*\){_SQUARE}", "best_gradient"),
    (rf"\\sum.*\|\\nablaf\({_POINT}[^|]*\){_SQUARE}", "server_gradient"),
    (rf"\\sum.*\|\\nablaf\({_POINT}[^|]*\)\|_(?:1|\{{1\}})", "gradient_size"),
    (rf"\\sum.*\|\\nablaf\({_POINT}[^|]*\)\|(?![\^_])", "gradient_norm"),
    (rf"\|\\nablaf\({_LAST}\){_SQUARE}", "final_gradient"),
    (rf"\|\\nablaf\({_MIDDLE}\){_SQUARE}", "server_gradient"),
    (rf"\\min.*f\({_POINT}[^)]*\)\]?-{_BEST_VALUE}", "best_suboptimality"),
    (rf"\\sum.*f\({_AT_T}\)\]?-{_BEST_VALUE}", "suboptimality"),
    (rf"f\({_MIDDLE}\)\]?-{_BEST_VALUE}", "centre_suboptimality"),
    (rf"f\({_LAST}\)\]?-{_BEST_VALUE}", "final_suboptimality"),
    (rf"\\sum.*\|{_AT_T}-{_BEST}{_SQUARE}", "distance"),
    (rf"\|{_LAST}-{_BEST}{_SQUARE}", "final_distance"),
)
"""Left-hand sides as papers write them without blanks, and the metric each is; the first that fits."""


class LatexTerm(NamedTuple):
    """A term of a right-hand side."""

    name: str
    expression: sp.Expr


@dataclass(frozen=True)
class LatexStatement:
    """What a printed line says.

    Attributes
    ----------
    metric : str
        A name of `boundcheck.metrics.METRICS`; empty where the left-hand side is none that is known.
    left : str
        The left-hand side as printed.
    terms : tuple of Term
    kind : {'explicit', 'order'}
    conditions : tuple
        Relations between letters that stand beside it: (left, sign, right).
    failure : str
        Letter of the probability with which it may fail; empty where it is about an expectation.
    renamed : tuple of (str, str)
        What the line calls otherwise, and what it is taken for: the last index T, the function f.
    """

    metric: str
    left: str
    terms: tuple[LatexTerm, ...]
    kind: str
    conditions: tuple[tuple[sp.Expr, str, sp.Expr], ...] = ()
    failure: str = ""
    """Letter of the probability with which the inequality may fail; empty where it is about an expectation."""
    renamed: tuple[tuple[str, str], ...] = ()
    """What the line calls otherwise, and what it is taken for."""

    @property
    def letters(self) -> tuple[str, ...]:
        """Return the letters of the right-hand side and of the conditions, by name."""
        sides = [side for left, _, right in self.conditions for side in (left, right)]
        found = {symbol.name for e in (*(t.expression for t in self.terms), *sides) for symbol in e.free_symbols}
        return tuple(sorted(found, key=str.lower))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Return the letters that the notation does not have."""
        return tuple(name for name in self.letters if name not in LETTERS)


def read_statement(text: str) -> LatexStatement:
    r"""Return what a line of LaTeX, or the formulas of a .tex file, say.

    Parameters
    ----------
    text : str
        ``LHS \le RHS``; of several formulas the first with a left-hand side about a run is the theorem, and relations
        between letters alone are its conditions.

    Raises
    ------
    InputError
        If there is no inequality, or one holds what is not read; the message names it.
    """
    conditions, found = [], None
    words = _CHANCE_IN_WORDS.search(text)
    for formula in _formulas(_CHANCE_IN_WORDS.sub(" ", text)):
        plain = _plain(formula)
        chance = _CHANCE.fullmatch(plain)
        if chance and found is None:
            inner = _sides(chance[1])
            require(len(inner) >= 3, "latex", chance[1].strip()[:80], r"LHS \le RHS within the probability")
            found = replace(_statement(inner[0].strip(), inner[-2], inner[-1].strip(), chance[2]), failure="delta_fail")
            continue
        sides = _sides(plain)
        if len(sides) < 3:
            continue
        left, sign, right = sides[0].strip(), sides[1], sides[-1].strip()
        about_a_run = re.search(r"\\nabla|\|.*\||[fF]\(|\\mathbb", left) is not None
        if about_a_run and found is None and (sign in {"<=", "<~", "<"} or (sign == "=" and _HIDDEN.fullmatch(right))):
            found = _statement(left, sides[-2], right, words[1] if words else "")
            found = replace(found, failure="delta_fail") if words else found
        elif not about_a_run and sign != "<~":
            conditions.append((_expression(left), {"=": "=="}.get(sign, sign), _expression(right)))
    require(found is not None, "latex", " ".join(text.split())[:80], r"LHS \le RHS, with the run on the left")
    assert found is not None
    return replace(found, conditions=tuple(conditions))


def _formulas(text: str) -> Iterator[str]:
    """Yield the formulas of a text, each without what is around it; a text without marks is one."""
    text = re.sub(r"(?<!\\)%.*", "", text)
    found = [next(part for part in match if part) for match in re.findall(_MARKS, text, re.DOTALL)]
    for formula in found or [text]:
        # A relation that goes on after a line break is one.
        joined = re.sub(r"\\\\(?:\s|&|\{\}|\\q?quad|\\[,;:!])*(?=[+\-*<>=]|\\le|\\cdot)", " ", formula)
        yield from (line for line in re.split(r"\\\\|,\s*\\q?quad", joined) if line.strip())


def _plain(formula: str) -> str:
    """Return a formula without spacing, with one way to write each sign."""
    text = _NOISE.sub(" ", formula)
    for pattern, sign in _SAME:
        text = re.sub(pattern, sign, text)
    return text.strip().rstrip(".,;")


def _sides(plain: str) -> list[str]:
    """Return the sides of a formula with the signs between them; relations in braces, as under a sum, are none."""
    parts, depth = [""], 0
    for piece in re.findall(r"<=|>=|<~|[<>=]|.", plain, re.DOTALL):
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(piece, 0)
        if depth == 0 and piece in {"<=", ">=", "<~", "<", ">", "="}:
            parts += [piece, ""]
        else:
            parts[-1] += piece
    return parts


def _statement(left: str, sign: str, right: str, failure: str = "") -> LatexStatement:
    """Return what two sides say; `failure` is what they call the probability with which they may fail."""
    operator = re.search(r"\|\s*F\s*\(", left) is not None
    if operator:
        left = re.sub(r"(\|\s*)F(?=\s*\()", r"\1\\nabla f", left)
    said = {"F": "f"} if re.search(r"(?<![A-Za-z])F\s*\(", left) and not re.search(r"(?<![A-Za-z])f\s*\(", left) else {}
    if said:
        left, right = (re.sub(r"(?<![A-Za-z\\])F(?=\s*[(^_])", "f", side) for side in (left, right))
    said |= {"F, an operator,": "what stands where gradients do"} if operator else {}
    packed = re.sub(r"\s+", "", re.sub(r"(\\(?:bar|hat|tilde|overline))\s+(?=[a-zA-Z])", r"\1;", left))
    last = _last_index(packed)
    if last != "T":
        said[last] = "T"
        packed = re.sub(rf"(?<=[_^])(\{{?\(?){last}(?=[-)}}]|\b|$)", r"\1T", packed)
    metric = next((name for pattern, name in _LEFT if re.search(pattern, packed)), "")
    before, is_sum, after = packed.partition(r"\sum")
    share = re.sub(rf"{_MEAN}|[\[(]", "", before)
    if is_sum and (not _SUMMED.match(after) or (share and not _SHARE.fullmatch(share))):
        metric = ""
    hidden = _HIDDEN.fullmatch(right)
    kind = "order" if hidden or sign == "<~" else "explicit"
    whole = _expression(hidden[1] if hidden else right)
    whole = whole.subs({_symbol(printed): _symbol(letter) for printed, letter in said.items() if letter == "T"})
    if is_sum and metric and not share:
        said["the sum over the run"] = "T times the average"
        whole = sp.Add(*(part / _symbol("T") for part in sp.Add.make_args(whole)))
    if failure:
        whole = whole.subs(_symbol(failure), _symbol("delta_fail"))
    return LatexStatement(metric, left, tuple(_named_terms(whole)), kind, renamed=tuple(said.items()))


def _last_index(packed: str) -> str:
    """Return how a left-hand side without blanks calls its last index; T where it does not say."""
    for pattern in (*_COUNTED, *(() if re.search(r"\\sum|\\min", packed) else _RAN)):
        if found := re.search(pattern, packed):
            return next(group for group in found.groups() if group)
    return "T"


def _named_terms(whole: sp.Expr) -> Iterator[LatexTerm]:
    """Yield the terms of a sum, named by what they are about."""
    taken: dict[str, int] = {}
    for part in whole.as_ordered_terms() if whole.is_Add else [whole]:
        names = {symbol.name for symbol in part.free_symbols}
        name = next((word for letters, word in _ABOUT if letters & names), "term")
        taken[name] = taken.get(name, 0) + 1
        yield LatexTerm(name if taken[name] == 1 else f"{name} {taken[name]}", part)


_ABOUT: tuple[tuple[set[str], str], ...] = (
    ({"sigma", "G_rms", "G_inf"}, "noise"),
    ({"zeta", "zeta_star", "zeta_pair", "Gamma_star"}, "heterogeneity"),
    ({"Delta", "Delta_mean", "delta_x", "G_0"}, "descent"),
)


def _expression(text: str) -> sp.Expr:
    """Return a formula of letters."""
    # A blank ends the name of a command; all others say nothing.
    packed = re.sub(r"\s+", "", re.sub(r"(\\[a-zA-Z]+)\s+(?=[a-zA-Z])", r"\1;", text))
    for pattern, name in _QUANTITIES:
        packed = re.sub(pattern, rf"\\quantity{{{name}}}", packed)
    # What is known at the start is its own expectation.
    packed = re.sub(rf"{_MEAN}(?=\\quantity)", "", packed)
    packed = re.sub(
        rf"{_MEAN}[\[(](\\quantity\{{\w+\}}|\\?[a-zA-Z]+(?:[_^](?:0|\{{\(?0\)?\}}))?)[\])]", r"(\1)", packed
    )
    return _Parser(packed).whole()


_OF_POINTS = {"|", r"\mathbb", r"\nabla", r"\langle", r"\sum"}
_ACCENTS = {"bar", "hat", "tilde", "overline", "widehat", "widetilde", "vec", "check", "breve", "dot"}
_TOKEN = re.compile(r"\\[a-zA-Z]+|\d+\.\d+|\d+|[a-zA-Z]|[-+*/^_(){}\[\],|!]")


class _Parser:
    """Reads a sum from left to right; a product needs no sign."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = _TOKEN.findall(text)
        strange = _TOKEN.sub("", text).replace(";", "")
        require(not strange, "latex", strange[:20], "letters, numbers, + - * / ^ _ and brackets")
        self.at = 0

    def whole(self) -> sp.Expr:
        found = self._sum()
        if self.at < len(self.tokens):
            self._refuse()
        return found

    @property
    def next(self) -> str:
        """Return the token that comes next; empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self, wanted: str = "") -> str:
        if not self.next or (wanted and self.next != wanted):
            self._refuse(wanted)
        self.at += 1
        return self.tokens[self.at - 1]

    def _refuse(self, wanted: str = "") -> None:
        here = self.next or "the end"
        legal = f"{wanted!r} here" if wanted else "a sum of products, fractions, roots and powers of letters"
        if here in _OF_POINTS:
            legal += (
                r"; f(x_0)-f^* and \|x_0-x^*\|^2 are read, any other quantity of a point, an expectation or a norm is "
                "a letter of its own, such as V_0"
            )
        printed = re.sub(r"\\quantity\{(\w+)\}", r"\1", self.text).replace(";", " ")
        msg = f"latex: {here!r} in {printed!r} is not read; legal is {legal}"
        raise InputError(msg)

    def _sum(self) -> sp.Expr:
        negative = self.next == "-"
        if self.next in {"+", "-"}:
            self._take()
        found = -self._product() if negative else self._product()
        while self.next in {"+", "-"}:
            sign = self._take()
            term = self._product()
            found = found + term if sign == "+" else found - term
        return found

    def _product(self) -> sp.Expr:
        found = self._power()
        while self.next and self.next not in {"+", "-", ")", "]", "}", ","}:
            if self.next == "/":
                self._take()
                found = found / self._power()
                continue
            if self.next == "*":
                self._take()
            found = found * self._power()
        return found

    def _power(self) -> sp.Expr:
        base = self._atom()
        while self.next == "^":
            self._take()
            if base.is_Symbol and (index := self._superscript()):
                base = _symbol(f"{base.name}_{index}")
                continue
            base = base ** self._argument()
        return base

    def _superscript(self) -> str:
        """Return an index that stands above a letter: 0, or a number in brackets; empty where it is a power."""
        ahead = "".join(self.tokens[self.at : self.at + 5])
        found = re.match(r"0(?!\d)|\{0\}|\{\((\d+)\)\}|\((\d+)\)(?=$|[-+*/)])", ahead)
        if found is None:
            return ""
        self.at += len(_TOKEN.findall(found[0]))
        return found[1] or found[2] or "0"

    def _argument(self) -> sp.Expr:
        """Return what a command or a sign takes: a group in braces, or one letter or digit."""
        if self.next == "{":
            self._take()
            found = self._sum()
            self._take("}")
            return found
        return self._atom()

    def _atom(self) -> sp.Expr:
        token = self._take()
        if token in {"(", "[", "{"}:
            found = self._sum()
            self._take({"(": ")", "[": "]", "{": "}"}[token])
            return found
        if token[0].isdigit():
            return sp.Rational(token)
        if token[0] == "\\":
            return self._command(token[1:])
        if token.isalpha():
            return self._letter(token)
        self.at -= 1
        self._refuse()
        raise AssertionError

    def _command(self, name: str) -> sp.Expr:
        if name == "frac":
            above = self._argument()
            return above / self._argument()
        if name == "sqrt":
            index = sp.Integer(2)
            if self.next == "[":
                self._take()
                index = self._sum()
                self._take("]")
            return self._argument() ** (1 / index)
        if name in {"log", "ln", "exp"}:
            inner = self._power()
            return sp.exp(inner) if name == "exp" else sp.log(inner)
        if name in {"min", "max"}:
            return self._function_of_list(sp.Min if name == "min" else sp.Max)
        if name == "quantity":
            self._take("{")
            spelled = ""
            while self.next != "}":
                spelled += self._take()
            self._take("}")
            return _symbol(spelled)
        if name == "pi":
            return sp.pi
        if name in _GREEK:
            return self._letter(name)
        if name in _ACCENTS:
            letter = self._argument()
            if letter.is_Symbol:
                return self._letter(f"{letter.name}_{name}")
        self.at -= 1
        self._refuse()
        raise AssertionError

    def _function_of_list(self, function: type[sp.Expr]) -> sp.Expr:
        closing = {"(": ")", "[": "]", "{": "}"}[self._take() if self.next in {"(", "[", "{"} else self._take("(")]
        parts = [self._sum()]
        while self.next == ",":
            self._take()
            parts.append(self._sum())
        self._take(closing)
        return function(*parts, evaluate=False)

    def _letter(self, name: str) -> sp.Expr:
        """Return a letter with its index."""
        if self.next == "_":
            self._take()
            name = f"{name}_{self._index()}"
        if name == "e":
            return sp.E
        return _symbol(_ALIASES.get(name, name))

    def _index(self) -> str:
        if self.next != "{":
            return self._take().lstrip("\\").replace("*", "star")
        self._take()
        index = ""
        while self.next != "}":
            index += self._take().lstrip("\\")
        self._take("}")
        return re.sub(r"\W", "", index.replace("*", "star"))


def _symbol(name: str) -> sp.Symbol:
    return sp.Symbol(name, positive=True)
