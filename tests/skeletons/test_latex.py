"""Theorems begun from a printed line: what is read, what is asked, what is refused."""

import contextlib
import subprocess
import sys
import time

import pytest
import sympy as sp

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.units import findings
from boundcheck.errors import InputError
from boundcheck.notation import LETTERS
from boundcheck.skeletons.drafting import about_letters, draft, source, write_draft
from boundcheck.skeletons.latex import read_statement

L, T, N, K, d, eta, sigma, mu, Delta, delta_x = sp.symbols("L T N K d eta sigma mu Delta delta_x", positive=True)
GRADIENTS = r"\frac{1}{T}\sum_{t=0}^{T-1}\mathbb{E}\left\|\nabla f(x_t)\right\|^2"

LINES = {
    "written out": (
        GRADIENTS + r" \leq \frac{2 (f(x_0)-f^*)}{\eta T} + \dfrac{\eta L \sigma^2}{N}",
        ("server_gradient", 2 * Delta / (eta * T) + eta * L * sigma**2 / N),
    ),
    "a distance": (
        r"f(x_T) - f(x^\star) \le \frac{2L\|x_0-x^{\star}\|^2}{(T+1)^2}",
        ("final_suboptimality", 2 * L * delta_x / (T + 1) ** 2),
    ),
    "a linear rate": (
        r"\mathbb{E}\lVert x_T - x_* \rVert^2 \le \Bigl(1-\tfrac{\mu}{L}\Bigr)^{T}\,\lVert x_0-x_*\rVert_2^2",
        ("final_distance", (1 - mu / L) ** T * delta_x),
    ),
    "the mean point": (
        r"\mathbb{E}[f(\bar{x}_T)] - f^\star \le \sqrt{\frac{L}{T}} \cdot \sigma + 0.5 L",
        ("centre_suboptimality", sp.sqrt(L / T) * sigma + L / 2),
    ),
    "the best": (
        r"\min_{0\le t<T} \mathbb{E}\|\nabla f(x_t)\|^2 \le \max\{L, \eta\} \log(T) e^{-T}",
        ("best_gradient", sp.Max(L, eta) * sp.log(T) * sp.exp(-T)),
    ),
    "another last index, F and the start at 1": (
        r"F(\mathbf{w}_k) - F^\star \leqslant \frac{2 L \|\mathbf{w}_1-\mathbf{w}^*\|^2}{k^2}",
        ("final_suboptimality", 2 * L * delta_x / T**2),
    ),
    "points with bars": (
        r"\frac{1}{R}\sum_{r=0}^{R-1} \mathbb{E}\|\nabla f(\bar{x}^r)\|^2 \le \frac{f(\bar{x}^0)-f_{\inf}}{\eta R}",
        ("server_gradient", Delta / (eta * T)),
    ),
    "a sum that is not divided": (
        r"\sum_{t=0}^{T-1} \mathbb{E}\|\nabla f(x_t)\|^2 \le \frac{2\Delta}{\eta} + L T \sigma^2",
        ("server_gradient", 2 * Delta / (eta * T) + L * sigma**2),
    ),
    "a sum with weights, of which no metric is known": (
        r"\frac1T\sum_{t=1}^T w_t (f(x_t)-f^*) \le \frac{L}{T}",
        ("", L / T),
    ),
    "a sum that is divided by something else": (
        r"\frac{1}{\sqrt{T}}\sum_{t=1}^T \|\nabla f(x_t)\|^2 \le L",
        ("", L),
    ),
    "lengths": (
        r"\frac1T\sum_{t=1}^T \mathbb{E}\|\nabla f(x_t)\| \le \frac{\Delta_0}{\eta T}",
        ("gradient_norm", Delta / (eta * T)),
    ),
    "an index with a star": (
        r"\|x_T-x^*\|^2 \le \sigma_*^2 + \zeta_{\star}",
        ("final_distance", sp.Symbol("sigma_star", positive=True) ** 2 + sp.Symbol("zeta_star", positive=True)),
    ),
    "fonts and accents, an index that is not N of the clients": (
        (
            r"\frac{1}{N}\mathbb{E}\Big[\sum_{k=1}^{N}\|\nabla f(\mathbf x_k)\|^2\Big]"
            r" \le \frac{L \tilde D}{N} + \bar{\sigma}_0^2"
        ),
        (
            "server_gradient",
            L * sp.Symbol("D_tilde", positive=True) / T + sp.Symbol("sigma_bar_0", positive=True) ** 2,
        ),
    ),
    "an output with an index, and the start's expectations": (
        (
            r"\mathbb{E}\|\nabla f(\hat{\mathbf{x}}^R)\|^2"
            r" \le \frac{f(x^0)-f^{\inf}}{\gamma R} + \frac{\mathbb{E}[G^0] + L^2\mathbb{E}\|x_0-x^*\|^2}{R}"
        ),
        (
            "server_gradient",
            Delta / (sp.Symbol("gamma", positive=True) * T) + (sp.Symbol("G_0", positive=True) + L**2 * delta_x) / T,
        ),
    ),
    "values without points, and the least of so many": (
        r"\min_{0\le t\le K-1} \|\nabla f(x_t)\|^2 \le \frac{2L(f_0-f_*)}{K}",
        ("best_gradient", 2 * L * Delta / T),
    ),
    "an operator": (
        r"\frac{1}{k+1}\sum_{i=0}^{k}\|F(z^i)\|^2 \le \frac{\|z^0-z^*\|^2}{k+1}",
        ("server_gradient", delta_x / (T + 1)),
    ),
    "a letter that is a word of Python": (
        r"\|x_T-x^*\|^2 \le \lambda^2 L",
        ("final_distance", sp.Symbol("lam", positive=True) ** 2 * L),
    ),
    "a second line after a space": (
        r"\begin{align} \|x_T-x^*\|^2 &\le L \\ &\quad + \mu \end{align}",
        ("final_distance", L + mu),
    ),
    "products without signs": (
        GRADIENTS + r" \le 4\eta^2K(K-1)L^2\sigma^2/N",
        ("server_gradient", 4 * eta**2 * K * (K - 1) * L**2 * sigma**2 / N),
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_printed_line_says(name):
    """Each right-hand side is written by hand in sympy beside its LaTeX."""
    text, (metric, right) = LINES[name]
    found = read_statement(text)
    assert found.metric == metric
    assert sp.simplify(sum(term.expression for term in found.terms) - right) == 0


def test_an_order_hides_its_constant():
    assert read_statement(GRADIENTS + r" \le \mathcal{O}\left(\frac{\Delta L}{T}\right)").kind == "order"
    assert read_statement(GRADIENTS + r" \lesssim \frac{\Delta L}{T}").kind == "order"
    assert read_statement(GRADIENTS + r" \le \frac{\Delta L}{T}").kind == "explicit"


def test_a_probability_is_no_expectation(tmp_path):
    """Pr[... <= ...] >= 1 - delta is about single runs: its delta is the letter with which it may fail."""
    text = rf"\Pr\left[ {GRADIENTS} \le \frac{{\Delta L}}{{\sqrt T}}\log(1/\delta) \right] \ge 1-\delta"
    found = read_statement(text)
    delta = sp.Symbol("delta_fail", positive=True)
    assert (found.metric, found.failure) == ("server_gradient", "delta_fail")
    assert sp.simplify(sum(t.expression for t in found.terms) - Delta * L * sp.log(1 / delta) / sp.sqrt(T)) == 0
    write_draft(tmp_path / "mine.py", text)
    bound = BOUNDS[f"{tmp_path / 'mine.py'}:THEOREM"]
    assert bound.failure == "delta_fail"
    assert "delta_fail" in bound.free


@pytest.mark.parametrize(
    "text",
    [
        rf"\text{{With probability at least }} 1-\delta,\quad {GRADIENTS} \le \frac{{\Delta}}{{T}}\log(1/\delta)",
        rf"Then w.p. at least $1-\delta$, $${GRADIENTS} \le \frac{{\Delta}}{{T}}\log(1/\delta)$$",
    ],
)
def test_a_probability_in_words(text):
    """Beside the formula, or in the text before it; without these words it is about an expectation."""
    found = read_statement(text)
    assert (found.metric, found.failure) == ("server_gradient", "delta_fail")
    assert "delta_fail" in found.letters
    without = read_statement(GRADIENTS + r" \le \frac{\Delta}{T}\log(1/\delta)")
    assert (without.failure, without.unknown) == ("", ("delta",))


def test_what_is_taken_for_another_name_is_said():
    found = read_statement(r"F(x_k)-F^* \le \frac{L}{k}")
    assert [line for line in about_letters(found) if "of the line" in line] == [
        "taken: F of the line is f",
        "taken: k of the line is T",
    ]


def test_an_order_after_an_equality_sign():
    found = read_statement(r"\mathbb{E}[f(x^{(R)})] - f^\star = \mathcal{O}\left(\frac{L}{R}\right)")
    assert (found.kind, found.metric, found.terms[0].expression) == ("order", "final_suboptimality", L / T)
    with pytest.raises(InputError, match="latex"):
        read_statement(r"f(x_T) - f^\star = \frac{L}{T}")


def test_a_file_brings_its_conditions():
    """Of a .tex text the relations between letters are the conditions; a comment is none."""
    text = rf"""Let $\eta \le \frac{{1}}{{4LK}}$ and $L = 1$. % and $\mu \le L$
    \begin{{align*}} {GRADIENTS} &\le \frac{{4\Delta}}{{\eta T}} \\ &+ 2 L \eta \sigma^2 \label{{eq}} \end{{align*}}"""
    found = read_statement(text)
    assert [(sign, right) for _, sign, right in found.conditions] == [("<=", 1 / (4 * K * L)), ("==", 1)]
    assert sp.simplify(sum(t.expression for t in found.terms) - 4 * Delta / (eta * T) - 2 * L * eta * sigma**2) == 0


def test_letters_that_are_not_known_are_asked_for():
    found = read_statement(GRADIENTS + r" \le \frac{\Delta}{T} + \lambda_{\max} \sigma_g^2")
    assert found.unknown == ("lambda_max", "sigma_g")
    asked = about_letters(found)
    assert any(line.startswith("sigma_g: not a letter") for line in asked)
    assert not any(line.startswith("Delta: not a letter") for line in asked)
    assert "sigma_g" not in LETTERS


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (r"\|\nabla f(x_T)\|^2 \le \sum_t L", "sum"),
        (r"\|\nabla f(x_T)\|^2 \le \int L", "int"),
        (r"\|\nabla f(x_T)\|^2 \le \frac{1}{L", "the end"),
        (r"\|\nabla f(x_T)\|^2 \le L \# T", "#"),
        ("L", "LHS"),
        (r"\eta \le L", "LHS"),
        (r"\|\nabla f(x_T)\|^2 \le \|\vec\sigma\|_1", "a letter of its own, such as V_0"),
        (r"f(x_T)-f^* \le \alpha \mathbb{E}[V(x_0)]", "a letter of its own, such as V_0"),
    ],
)
def test_what_is_not_read_is_named(text, named):
    with pytest.raises(InputError, match=r"latex") as caught:
        read_statement(text)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    "power", [sp.Rational(1, 3), sp.Rational(-1, 2), sp.Rational(2, 3), sp.Integer(2), sp.Rational(-5, 3)]
)
def test_source_is_the_expression(power):
    """Python's 1/3 is a float: whole numbers stay exact in what is written."""
    for expression in (T**power, L * T**power / 3, (1 + L / 7) ** power, sp.Rational(1, 3) + T, sp.Integer(2)):
        names = {"T": T, "L": L, "sqrt": sp.sqrt, "Rational": sp.Rational, "Integer": sp.Integer}
        assert eval(source(expression), names) == expression


def test_a_draft_is_a_theorem(tmp_path):
    """The file that is written loads, has fitting units, and is checked."""
    file = tmp_path / "mine.py"
    write_draft(file, LINES["written out"][0])
    bound = BOUNDS[f"{file}:THEOREM"]
    assert bound.metric == "server_gradient"
    assert bound.total == LINES["written out"][1][1]
    assert findings(bound) == []
    assert bound.free == ("eta",)
    with pytest.raises(InputError, match="does not exist yet"):
        write_draft(file, LINES["written out"][0])
    with pytest.raises(InputError, match=r"mine\.txt"):
        write_draft(tmp_path / "mine.txt", LINES["written out"][0])
    with pytest.raises(InputError, match=r"none\.tex"):
        write_draft(tmp_path / "other.py", "none.tex")


@pytest.mark.parametrize(("norm", "trivial"), [("", sp.sqrt(2 * L * Delta)), ("_1", sp.sqrt(2 * d * L * Delta))])
def test_a_gradient_without_a_square_is_below_a_root_at_the_start(tmp_path, norm, trivial):
    """|grad f|^2 <= 2 L Delta, and the sum of d absolute coordinates is at most sqrt(d) times the length."""
    file = tmp_path / "mine.py"
    write_draft(file, rf"\frac1T\sum_{{t<T}} \|\nabla f(x_t)\|{norm} \le \frac{{\Delta}}{{T}}")
    bound = BOUNDS[f"{file}:THEOREM"]
    assert bound.trivial == trivial
    assert "the trivial bound" not in {found.place for found in findings(bound)}


def test_what_a_line_leaves_open_is_assumed_aloud():
    """Without a letter of noise the draft is about exact gradients; about a distance, about convex functions."""
    found = read_statement(LINES["a distance"][0])
    text = draft(found, LINES["a distance"][0])
    assert "exact_gradients=True,  # ASK" in text
    assert "convex=True,  # ASK" in text
    noisy = read_statement(LINES["written out"][0])
    assert "exact_gradients" not in draft(noisy, "")


def test_a_draft_with_letters_of_its_own_runs(tmp_path):
    """In a process of its own, since a letter is declared for the whole process."""
    file = tmp_path / "own.py"
    write_draft(file, GRADIENTS + r" \le \frac{\Delta L}{T} + \sigma_g^2")
    lines = (
        "import sys",
        "from boundcheck.bounds import BOUNDS",
        "print(sorted(s.name for s in BOUNDS[sys.argv[1] + ':THEOREM'].total.free_symbols))",
    )
    command = [sys.executable, "-W", "error", "-c", "\n".join(lines), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['Delta', 'L', 'T', 'sigma_g']"


@pytest.mark.parametrize(
    "text",
    [
        r"\frac1T\sum_t |\nabla f(x_t)|^2 \le a \\" + " " * 8_000 + "x",
        r"|\nabla f(x_T)|^2 \le O" + " " * 8_000 + "x",
        r"|\nabla f(x_T)|^2 \le \tilde" + " " * 8_000 + "{" + " " * 8_000 + "x",
    ],
)
def test_blanks_do_not_take_long(text):
    """What may stand on either side of an optional sign was tried in all ways."""
    began = time.process_time()
    with contextlib.suppress(InputError):
        read_statement(text)
    assert time.process_time() - began < 2
