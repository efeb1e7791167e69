"""Formulas typed as text, such as ``2 Delta/(eta K T) + sqrt(L)``, as TeX; what is no formula is left as it is."""

from __future__ import annotations

import re
from itertools import pairwise

TOKEN = re.compile(r"\s*(\d+\.\d+|\d+|[A-Za-z]+\d*(?:_[A-Za-z0-9]+)*(?:_(?=\())?|\*\*|<=|>=|<-|.)")
GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "lambda", "mu", "nu", "xi", "pi", "rho",
    "sigma", "tau", "phi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Sigma", "Phi", "Psi", "Omega",
}  # fmt: skip
WORDS = {"every", "for", "and", "if", "never", "of", "the", "clients"}
SPECIAL = {
    "sum": r"\sum",
    "eps": r"\varepsilon",
    "inf": r"\infty",
    "star": r"\star",
    "oo": r"\infty",
    "grad": r"\nabla",
}
OPERATORS = {"max", "min", "log", "exp", "sup"}
RELATIONS = {"<=": r"\le", ">=": r"\ge", "=": "=", "<": "<", ">": ">"}
CLOSING = {"(": ")", "[": "]", "|": "|", "⟨": ">", "{": "}"}
PRODUCT = re.compile(r"<(?![=\s]|-\s)")
"""What opens an inner product: nothing stands between it and its first vector."""
FRACTION = re.compile(r"\\frac\{\d+\}\{\d+\}")
LONGEST = 3
"""Capitals that a name has at most: more of them are a setting of the shell."""
HIGH = re.compile(r"\\frac|\\sqrt|\\left")


class NoFormulaError(Exception):
    """A text has a sign that the grammar has not."""


def pieces(text: str) -> list[str] | None:
    """Return a formula in pieces of TeX between which a line may break, before its outer signs; None if it is none."""
    try:
        return _Reader(text).statement()
    except NoFormulaError:
        return None


def name(word: str) -> str:
    """Return a letter with its index, or the name of a quantity."""
    head, *below = word.split("_")
    found = re.fullmatch(r"([A-Za-z]+?)(\d+)", head)
    if found:
        head, below = found[1], [found[2], *below]
    index = r",\,".join(_letter(part) for part in below)
    return _letter(head) + (f"_{{{index}}}" if index else "")


def _letter(word: str) -> str:
    if word in SPECIAL:
        return SPECIAL[word]
    if word in GREEK:
        return f"\\{word}"
    if word.isupper() and len(word) > LONGEST:
        raise NoFormulaError(word)
    return word if len(word) == 1 or word.isdigit() else rf"\mathrm{{{word}}}"


class _Reader:
    """Reads sums of products of powers, relations between them, lists of those; keeps what closes what is open."""

    def __init__(self, text: str) -> None:
        self.tokens = [token for token in TOKEN.findall(PRODUCT.sub("⟨", text)) if token.strip()]
        self.at = 0
        self.open: list[str] = []

    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.next()
        if not token or (expected and token != expected):
            raise NoFormulaError(token)
        self.at += 1
        return token

    def statement(self) -> list[str]:
        """Return the pieces of statements with commas between."""
        found = self.relation()
        while self.next() in {",", ";"}:
            found[-1] += self.take()
            found += self.relation()
        if self.next():
            raise NoFormulaError(self.next())
        return found

    def relation(self) -> list[str]:
        """Return the pieces of relations with words before, between and after."""
        found = self.words() or self.comparison()
        while self.next() in WORDS or (found[-1].startswith(r"\text") and self.begins_factor(self.next())):
            found += self.words() or self.comparison()
        return found

    def words(self) -> list[str]:
        found = []
        while self.next() in WORDS:
            found.append(rf"\text{{{self.take()}}}")
        return found

    def comparison(self) -> list[str]:
        found = self.summands()
        while self.next() in RELATIONS and self.next() != self.closing():
            sign = RELATIONS[self.take()]
            first, *rest = self.summands()
            found += [f"{{}} {sign} {first}", *rest]
        return found

    def summands(self) -> list[str]:
        """Return summands; one that is not the first has nothing before its sign, which makes room around it."""
        sign = f"{self.take()} " if self.next() in {"+", "-"} else ""
        found = [sign + self.product()]
        while self.next() in {"+", "-"}:
            sign = self.take()
            found.append(f"{{}} {sign} {self.product()}")
        return found

    def product(self) -> str:
        """Return factors; a slash takes the one before it and the one after it, as programs read it."""
        found = [self.power()]
        while True:
            token = self.next()
            if token == "/":
                self.take()
                # A fraction of numbers in front stays there.
                front = found[:1] if len(found) > 1 and FRACTION.fullmatch(found[0]) else []
                above, below = _join(found[len(front) :]), self.power()
                found = [*front, rf"\frac{{{_bare(above)}}}{{{_bare(below)}}}"]
            elif token == "*":
                self.take()
                found.append(self.power())
            elif self.begins_factor(token):
                found.append(self.power())
            else:
                return _join(found)

    def begins_factor(self, token: str) -> bool:
        if token in WORDS or not token:
            return False
        if token == self.closing():
            return False
        return token[0].isalnum() or token in {"(", "[", "|", "⟨"}

    def closing(self) -> str:
        return self.open[-1] if self.open else ""

    def power(self) -> str:
        base = self.factor()
        while self.next() in {"^", "**"}:
            self.take()
            sign = self.take() if self.next() == "-" else ""
            base = f"{{{base}}}^{{{sign}{_bare(self.factor())}}}"
        return base

    def factor(self) -> str:
        token = self.take()
        if token in CLOSING:
            return self.between(token)
        if re.fullmatch(r"[\d.]*\d", token):
            return token
        if not token[0].isalpha():
            raise NoFormulaError(token)
        if token in {"sqrt", "abs"} and self.next() == "(":
            inner = _bare(self.between(self.take()))
            return rf"\sqrt{{{inner}}}" if token == "sqrt" else rf"\left|{inner}\right|"
        if token == "grad" and self.begins_factor(self.next()):
            return rf"\nabla {self.factor()}"
        if token.endswith("_"):
            return f"{name(token[:-1])}_{{{_bare(self.between(self.take()))}}}"
        return f"\\{token} " if token in OPERATORS else name(token)

    def between(self, opening: str) -> str:
        """Return what stands between brackets, with them."""
        closing = CLOSING[opening]
        self.open.append(closing)
        inside = [" ".join(self.relation())]
        while self.next() in {",", ";"}:
            self.take()
            inside.append(" ".join(self.relation()))
        self.open.pop()
        self.take(closing)
        left, right = {"⟨": (r"\langle", r"\rangle"), "{": (r"\{", r"\}")}.get(opening, (opening, closing))
        body = r",\, ".join(inside)
        return rf"\left{left} {body} \right{right}" if HIGH.search(body) else f"{left} {body} {right}"


def _bare(text: str) -> str:
    """Return a text without the round brackets that are all around it."""
    for left, right in ((r"\left(", r"\right)"), ("(", ")")):
        if text.startswith(left) and text.endswith(right) and _is_balanced(inner := text[len(left) : -len(right)]):
            return inner.strip()
    return text


def _is_balanced(text: str) -> bool:
    """Return whether every bracket of a text closes within it."""
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def _join(factors: list[str]) -> str:
    """Return a product: numbers side by side have a dot between."""
    out = factors[0]
    for before, after in pairwise(factors):
        digits = before[-1].isdigit() and after[0].isdigit()
        out += (r" \cdot " if digits else r"\, " if len(before) > 1 and len(after) > 1 else " ") + after
    return out
