import pytest
import sympy as sp
from sympy import E, Max, Min, Piecewise, Rational, cbrt, ceiling, exp, log, sqrt
from turns import every

from boundcheck.bounds import BOUNDS
from boundcheck.notation import LETTERS, symbols
from boundcheck.report.document import compile_typst, preamble
from boundcheck.report.pages.theorems.theorem import inequality, parameters
from boundcheck.report.typst.typeset import typeset

N, K, T, L, sigma, beta, eta, G, Ls = symbols("N K T L sigma beta eta G_inf L_sample")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (L, "L"),
        (G, "G_infinity"),
        (sp.Integer(-3), "-3"),
        (Rational(39, 8), "39\\/8"),
        (N * sigma**2, "N sigma^(2)"),
        (L / (4 * beta), "frac(L, 4 beta)"),
        (1 / T, "frac(1, T)"),
        (-L / T, "-frac(L, T)"),
        (sqrt(N / (K * T)), "frac(sqrt(N), sqrt(K T))"),
        (N ** Rational(2, 3), "N^(2\\/3)"),
        (cbrt(N + 1), "(N + 1)^(1\\/3)"),
        (L * cbrt(N + 1), "L root(3, N + 1)"),
        (Min(N, K), "min(K, N)"),
        (Max(L, sqrt(N)) / K, "frac(1, K) max(L, sqrt(N))"),
        (ceiling(N / K), "ceil(frac(N, K))"),
        (log(T + 1), "log(T + 1)"),
        (E * L, "L upright(e)"),
        (exp(2) * L, "L upright(e)^(2)"),
        (1 - beta, "1 - beta"),
        (L * (1 - beta), "L (1 - beta)"),
        ((1 - beta) ** 2, "(1 - beta)^(2)"),
        (L - (N + 1) / K, "L - frac(N + 1, K)"),
        (2 * beta * (N / K + 1 / L) / T, "frac(2 beta, T) (frac(1, L) + frac(N, K))"),
        (sp.Le(eta * L, Rational(1, 24)), "L eta <= 1\\/24"),
        (sp.Lt(N, K), "N < K"),
        (sp.Ge(N, 1), "N >= 1"),
        (sp.Symbol("foreign_name"), '"foreign_name"'),
    ],
)
def test_expression_reads_as_by_hand(expression, expected):
    """An expression is set as one would write it in Typst by hand."""
    assert typeset(expression) == expected


def test_cases_are_set_with_their_conditions():
    """A piecewise expression becomes a brace with one line a case."""
    assert typeset(Piecewise((0, K < 2), (L, True))) == 'cases(0 quad & "if " K < 2, L quad & "otherwise")'


def test_every_letter_compiles(tmp_path):
    """The Typst form of every letter of the notation is legal mathematics, with an index and a power too."""
    page = "\n".join(f"${typeset(letter.symbol)}^2 / {typeset(letter.symbol)}$" for letter in LETTERS.values())
    assert compiled(page, tmp_path).startswith(b"%PDF")


@pytest.mark.parametrize("part", every(3, range(3), first=2))
def test_every_bound_compiles(part, tmp_path):
    """Terms, parameters and conditions of every registered bound, a third at a time, are legal Typst mathematics."""
    parts = []
    for bound in list(BOUNDS.values())[part::3]:
        parts += [inequality(bound), parameters(bound, {})]
        parts += [f"$ {typeset(c.relation)} $" for c in bound.conditions]
        parts += [f"$ {typeset(bound.trivial)} $", *(f"${typeset(v)}$" for v in bound.regime.values())]
    assert compiled("\n".join(parts), tmp_path).startswith(b"%PDF")


def compiled(body, folder):
    source = folder / "page.typ"
    source.write_text(preamble("test") + body, encoding="utf-8")
    return compile_typst(source)
