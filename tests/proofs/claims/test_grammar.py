"""One reader for both kinds of statements: what is read is what Python's own arithmetic says, and is written back."""

import random
from fractions import Fraction

import pytest

from boundcheck.errors import InputError
from boundcheck.proofs import CLAIMS
from boundcheck.proofs.goals.letters import read_letters
from boundcheck.proofs.goals.reader import number
from boundcheck.proofs.language.grammar import Node, node_text, read, read_alone, read_statement

LETTERS = {"x": Fraction(3, 2), "y": Fraction(-5, 7), "z": Fraction(2)}


def made(draw, depth):
    """Return a random text, written as a person might: signs in a row, few brackets."""
    if depth == 0:
        return draw.choice(["x", "y", "z", "2", "3", "7"])
    left, right = made(draw, depth - 1), made(draw, depth - 1)
    return draw.choice(
        [f"{left} + {right}", f"{left} - {right}", f"{left}*{right}", f"{left}*-{right}", f"-{left}*{right}",
         f"({left})^2", f"-({left})*{right}", f"{left} - -{right}", f"x/2*{right}", f"z^-2*({left})", f"-x^2 + {left}"]
    )  # fmt: skip


def test_an_expression_is_worth_what_python_says():
    """Random texts, with Python's precedence: the sign before a power, products from left to right."""
    draw = random.Random(7)
    known = read_letters(("x, y, z real",), lambda _: pytest.fail)
    at = {known.numbers[name]: value for name, value in LETTERS.items()}
    for _ in range(150):
        text = made(draw, 3)
        own = eval(text.replace("^", "**"), {"__builtins__": {}}, dict(LETTERS))
        assert Fraction(str(number(text, known).xreplace(at))) == Fraction(own), text


def test_every_line_of_the_ledger_is_written_back_as_it_was_read():
    """The text of a tree reads to the same tree."""
    seen = 0
    for claim in CLAIMS.values():
        for line in (*getattr(claim.goal, "shows", ()), *getattr(claim.goal, "given", ())):
            for node in read_alone(line).shows:
                assert read_alone(node_text(node)).shows == (node,), line
                seen += 1
    assert seen > 1500


def test_a_space_multiplies_in_both_kinds_and_a_decimal_is_exact():
    assert read("0.3 x y") == read("0.3*x*y") == read("0.3 x y", alone=True)
    assert read("0.3") == Node("number", "3/10")
    assert read("1/2 x") == read("(1/2)*x")


def test_a_name_before_a_bracket_is_a_function_only_where_a_statement_stands_alone():
    assert read("E (1 + q)").kind == "mul"
    assert read("E (1 + q)", alone=True) == Node("call", "E", read("(1 + q)", alone=True).parts and (read("1 + q"),))
    assert read("mean(u)", alone=True).kind == "call"
    assert read("mean(i) u").kind == "mean"


def test_strict_relations_have_spaces_and_inner_products_have_none():
    (first,) = read_alone("<u, v> < 2").shows
    assert (first.name, first.parts[0].kind) == ("<", "inner")
    assert read_statement("2 < u, v > <= 1").shows[0].parts[0].kind == "mul"


@pytest.mark.parametrize(
    "text", ["x[t] <= 1", "x <=", "<= x", "x <= 1 for", "x <= 1 if", "sum(t, k) x <= 1", "x <= 1 2.", "x^ <= 1"]
)
def test_what_is_no_statement_is_refused_in_both_kinds(text):
    refused = 0
    for reading in (read_alone, read_statement):
        try:
            reading(text)
        except InputError as error:
            refused += "is not legal" in str(error)
    assert refused == 2 - text.startswith(("x[t]", "sum"))
