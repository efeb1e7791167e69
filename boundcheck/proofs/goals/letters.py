"""Letters of a statement: numbers with a sign, vectors, families over the clients, noises, draws of clients."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

import sympy as sp

from boundcheck.errors import InputError, require
from boundcheck.proofs.language.grammar import node_text, read
from boundcheck.proofs.provers.expectation import NoiseSymbol, independent, noise, with_replacement, without_replacement
from boundcheck.proofs.provers.hilbert import ONE, RESERVED, clients, unit_mean, vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from boundcheck.proofs.language.grammar import Node
    from boundcheck.proofs.provers.expectation import Sampling
    from boundcheck.proofs.provers.hilbert import Vector

    Expression = Callable[[str], sp.Expr]

SIGNS = {"> 0": {"positive": True}, ">= 0": {"nonnegative": True}, "real": {"real": True}}
LEGAL = (
    "'a, b > 0', 'a >= 0', 'x real', 'vectors u, v', 'families u', 'ones one', 'noise e', 'noise e, f over N',"
    " 'noise e over N of sigma^2', 'draw A of S from N', 'draw A of S from N with replacement' or"
    " 'draw A from N with chance p', with semicolons between several: 'a > 0; b >= 0'"
)
_NUMBERS = re.compile(r"([\w, ]+) (> 0|>= 0|real)")
_VECTORS = re.compile(r"(vectors|families|ones) ([\w, ]+)")
_NOISE = re.compile(r"noise ([\w, ]+?)(?: over (.+?))?(?: of (.+))?")
_DRAW = re.compile(r"draw (\w+)(?: of (.+))? from (.+?)(?: with (replacement|chance) ?(.*))?")
_LONGEST = 500
"""Most characters of a noise's or a draw's declaration: its parts can be told apart in many ways."""


@dataclass
class Letters:
    """What the names in a statement stand for; other names are letters of `boundcheck.notation`."""

    numbers: dict[str, sp.Symbol] = field(default_factory=dict)
    vectors: dict[str, Vector] = field(default_factory=dict)
    laws: dict[str, NoiseSymbol | Sampling] = field(default_factory=dict)
    where: dict[sp.Expr, sp.Expr] = field(default_factory=dict)
    """Values of inner products that follow from the letters: the ones have squared norm 1."""
    random: list[str] = field(default_factory=list)
    """Noises and draws as they are declared, in canonical text."""
    unread: dict[sp.Symbol, Node] | None = None
    """Letters in the place of each E(...), with what it is; None where expectations are taken."""

    @property
    def domain(self) -> tuple[sp.Basic, ...]:
        """What the laws say of their counts: one client or more, no more drawn than there are, a chance in (0, 1]."""
        laws = list(self.laws.values())
        several = (sp.Ge(law.N, 1) for law in laws if not isinstance(law, NoiseSymbol))
        found = dict.fromkeys([*(one for law in laws for one in law.domain), *several])
        return tuple(one for one in found if one != sp.true)

    def number(self, name: str) -> sp.Symbol:
        """Return a letter for a number.

        Raises
        ------
        UnknownNameError
            If it is neither declared nor a letter of the notation.
        """
        from boundcheck.notation import symbol

        return self.numbers[name] if name in self.numbers else symbol(name)


def read_letters(lines: Iterable[str], read: Callable[[Letters], Expression]) -> Letters:
    """Return the letters that lines declare.

    Parameters
    ----------
    lines : iterable of str
        Declarations, in an order in which letters are declared before they are counted with.
    read : callable
        What reads a number with the letters so far.

    Raises
    ------
    InputError
        If a line is no declaration, or declares a letter twice.
    """
    found, lines = Letters(), list(lines)
    several = sum(line.startswith("draw ") for line in lines) > 1
    for line in lines:
        names = _declare(found, line, read(found), several=several)
        words = [name for name in names if name == "pi" or name.endswith(RESERVED)]
        if words:
            msg = f"letter = {words[0]!r} in {line!r} is not legal: it has a meaning in expressions"
            raise InputError(msg)
        both = [name for name in names if names.count(name) > 1]
        if both:
            msg = f"letter = {both[0]!r} in {line!r} is not legal: it is declared twice"
            raise InputError(msg)
    draws = [law for law in found.laws.values() if not isinstance(law, NoiseSymbol)]
    for draw in draws[1:]:
        same = sp.expand(draw.N - draws[0].N) == 0
        require(same, "draw", f"{draw.label} from {draw.N}", f"one from the {draws[0].N} clients of the other draws")
    return found


def _declare(found: Letters, line: str, read: Expression, *, several: bool) -> list[str]:
    """Add what a line declares, and return all names so far; of several draws each has its name as a label."""
    known = list({*found.numbers, *found.vectors, *found.laws})
    if numbers := _NUMBERS.fullmatch(line):
        names = _split_names(line, numbers[1])
        found.numbers |= {name: sp.Symbol(name, **SIGNS[numbers[2]]) for name in names}
    elif kind := _VECTORS.fullmatch(line):
        names = _split_names(line, kind[2])
        make = clients if kind[1] == "families" else vectors
        found.vectors |= zip(names, make(" ".join(names)), strict=True)
        if kind[1] == "ones":
            if names != [ONE]:
                _illegal(line)
            found.where |= unit_mean()
    elif len(line) > _LONGEST and line.startswith(("noise ", "draw ")):
        require(False, "letters", f"{line[:40]}...", f"at most {_LONGEST} characters")  # noqa: FBT003
    elif law := _NOISE.fullmatch(line):
        names = _split_names(line, law[1])
        made = noise(" ".join(names), *(None if text is None else read(text) for text in law.groups()[1:]))
        found.vectors |= zip(names, made.vectors, strict=True)
        found.laws |= dict.fromkeys(names, made)
        words = zip((" over ", " of "), law.groups()[1:], strict=True)
        found.random.append(f"noise {', '.join(names)}" + "".join(w + _canonical(text) for w, text in words if text))
    elif draw := _DRAW.fullmatch(line):
        names = [draw[1]]
        found.laws[draw[1]] = _read_draw(line, *draw.groups()[1:], read=read, label=draw[1] if several else "")
        size, of, how, chance = draw.groups()[1:]
        ending = f" with chance {_canonical(chance)}" if chance else " with replacement" if how else ""
        count = "" if size is None else f" of {_canonical(size)}"
        found.random.append(f"draw {draw[1]}{count} from {_canonical(of)}{ending}")
    else:
        _illegal(line)
    return [*known, *names]


def _canonical(text: str) -> str:
    return node_text(read(text, alone=True))


def _read_draw(
    line: str, size: str | None, of: str, how: str | None, chance: str, *, read: Expression, label: str
) -> Sampling:
    if (how == "chance") != (size is None) or bool(chance) != (how == "chance"):
        _illegal(line)
    if size is None:
        return independent(read(of), read(chance), label)
    make = with_replacement if how else without_replacement
    return make(read(of), read(size), label)


def _split_names(line: str, names: str) -> list[str]:
    """Return the names of a list; to sympy two words are two names, and nothing is none."""
    found = [name.strip() for name in names.split(",")]
    if not all(re.fullmatch(r"\w+", name) for name in found):
        _illegal(line)
    return found


def _illegal(line: str) -> NoReturn:
    msg = f"letters = {line!r} is not legal: {LEGAL}"
    raise InputError(msg)
