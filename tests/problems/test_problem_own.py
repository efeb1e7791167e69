from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from problem_cases import Words, points

from boundcheck import check
from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.problems import certify, load_problem
from boundcheck.problems.constants import exact
from boundcheck.problems.own.extremes import extremes
from boundcheck.problems.own.functions import from_functions
from boundcheck.problems.own.symbolic import from_sympy

DOC = Path(__file__).parents[2] / "docs" / "add-a-problem.md"
A = np.array([1.0, -0.25, -0.75])
X, Y, SHIFT = sp.symbols("x y a")


def wave(client, x):
    return np.sum(1 - np.cos(x)) + A[client] * x[0]


def wave_slope(client, x):
    g = np.sin(x)
    g[0] += A[client]
    return g


def waves(client, points):
    return (1 - np.cos(points)).sum(axis=-1) + A[client] * points[:, 0]


def waves_slope(client, points):
    g = np.sin(points)
    g[:, 0] += A[client]
    return g


def lanes(x, clients):
    return (1 - np.cos(x)).sum(axis=-1) + A[clients] * x[..., 0]


def lanes_slope(x, clients):
    g = np.sin(x)
    g[..., 0] += A[clients]
    return g


CONSTANTS = {
    "L": exact(1.0, "curvature of 1 - cos at 0", np.zeros(2)),
    "zeta": exact(np.sqrt((A**2).mean()), "tilts", np.zeros(2)),
    "f_star": exact(0.0, "1 - cos >= 0", np.zeros(2)),
}
FORMS = {"point": (wave, wave_slope), "client": (waves, waves_slope), "lanes": (lanes, lanes_slope)}


@pytest.mark.parametrize("calls", FORMS)
def test_three_ways_to_give_the_same_functions(calls):
    """Every calling form gives the gradients and the mean value of the functions, client index included."""
    value, gradient = FORMS[calls]
    problem = from_functions(value, gradient, N=3, d=2, start=[1.0, 1.0], calls=calls, constants=CONSTANTS)
    x, chosen = points(4, 2, 2), np.array([[0, 2], [1, 2], [0, 1], [1, 1]])
    np.testing.assert_allclose(problem.exact_gradient(x, chosen), lanes_slope(x, chosen), rtol=1e-15)
    server = points(4, 1, 2)
    expected = (1 - np.cos(server)).sum(axis=(1, 2))
    np.testing.assert_allclose(problem.value(server), expected, rtol=1e-13)
    assert [row for row in certify(problem) if not row.ok] == []


@pytest.mark.parametrize("letter", ["L", "zeta", "f_star"])
def test_a_wrong_constant_of_ones_own_is_caught(letter):
    """A constant that is 2 % too low is refused by certify like one of a shipped family; a floor too high as well."""
    value = CONSTANTS[letter].value * 0.98 if letter != "f_star" else 0.02
    wrong = CONSTANTS | {letter: exact(value, "wrong", np.zeros(2))}
    problem = from_functions(lanes, lanes_slope, N=3, d=2, start=[1.0, 1.0], calls="lanes", constants=wrong)
    follows = ["Delta"] if letter == "f_star" else []
    assert [row.constant for row in certify(problem) if not row.ok] == [letter, *follows]


def test_a_wrong_gradient_of_ones_own_is_caught():
    """A gradient with a wrong sign fails the identity."""
    problem = from_functions(wave, lambda i, x: -wave_slope(i, x), N=3, d=2, start=[1.0, 1.0])
    assert [row.constant for row in certify(problem) if not row.ok] == ["grad f"]


def test_samples_of_ones_own():
    """Samples are drawn by number, averaged over the batch, and enumerated; a biased sample is caught."""

    def sample(client, s, x):
        return wave_slope(client, x) + (1.0 if s == 0 else -0.5)

    def make(samples):
        return from_functions(wave, wave_slope, N=3, d=2, start=[1.0, 1.0], sample=sample, samples=samples)

    problem = make(3)
    token, x = problem.sample(Words(range(2)), None, 4), points(2, 3, 2)
    shift = np.where(token.row == 0, 1.0, -0.5).mean(axis=-1)[..., None]
    np.testing.assert_allclose(problem.gradient(x, None, token), problem.exact_gradient(x) + shift, rtol=1e-13)
    assert all(row.ok for row in certify(problem))
    assert [row.constant for row in certify(make(2)) if not row.ok] == ["unbiased", "sampler mean"]


def test_formulas_reproduce_a_shipped_family():
    """Ridge-ratio written as a formula has the same gradients and the same exact constants."""
    shipped = load_problem("ridge-ratio[d=2,sigma=0]", N=3)
    clients = [X**2 / (1 + X**2) + Y**2 / (1 + Y**2) + float(a) * X + float(b) * Y for a, b in shipped.tilts]
    problem = from_sympy(clients, [X, Y], start=[1.0, 1.0])
    x = points(3, 3, 2)
    np.testing.assert_allclose(problem.exact_gradient(x), shipped.exact_gradient(x), rtol=1e-11, atol=1e-13)
    for letter in ("L", "zeta", "f_star", "Delta", "G_0", "G_inf"):
        assert problem.constants[letter].kind == "exact"
        assert problem.constant(letter) == pytest.approx(shipped.constant(letter), rel=1e-9, abs=1e-12)
    assert [row for row in certify(problem) if not row.ok] == []


def test_infinite_constants_are_left_out():
    """A parabola has L but no G_inf; a quartic has neither, and no estimate pretends otherwise."""
    assert set(from_sympy([X**2 / 2 + X, X**2 / 2 - X], [X], start=[1.0]).constants) == {
        "L",
        "zeta",
        "f_star",
        "Delta",
        "sigma",
        "G_0",
    }
    assert set(from_sympy([X**4], [X], start=[1.0]).constants) == {"zeta", "f_star", "Delta", "sigma", "G_0"}


def test_what_is_not_separable_is_an_estimate_and_never_ok():
    """For cos(x y) sympy proves nothing: L is called an estimate, and certify does not let it stand."""
    problem = from_sympy([sp.cos(X * Y)], [X, Y], start=[1.0, 1.0])
    assert problem.constants["L"].kind == "estimate"
    assert "NOT certified" in problem.constants["L"].reason
    assert [row.constant for row in certify(problem) if not row.ok] == ["L"]


Z = sp.Symbol("z", real=True)


@pytest.mark.parametrize(
    ("formula", "low", "high"),
    [
        (Z**2 / (1 + Z**2), 0, 1),
        (sp.diff(Z**2 / (1 + Z**2), Z), -3 * np.sqrt(3) / 8, 3 * np.sqrt(3) / 8),
        (sp.diff(sp.log(1 + Z**2), Z, 2), -0.25, 2),
        (3 - 2 * sp.cos(5 * Z), 1, 5),
        (sp.tanh(Z), -1, 1),
        (Z**2, 0, np.inf),
        (sp.Integer(4), 4, 4),
    ],
)
def test_extremes_known_from_calculus(formula, low, high):
    """Infimum and supremum by hand: at critical points, as limits, over a period."""
    found = extremes(formula, Z)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize(
    "formula", [1 / Z, sp.cos(Z) + Z**2 / (1 + Z**2), sp.Abs(Z), sp.diff(sp.Abs(Z), Z, 2), sp.sqrt(Z)]
)
def test_what_sympy_cannot_decide_stays_undecided(formula):
    """Poles, kinks, jumps, a half line, or no finite list of critical points give None rather than a guess."""
    assert extremes(formula, Z) is None


def test_bad_input_is_named():
    """Unknown letters, calling forms, symbols and lengths are refused by name."""
    with pytest.raises(InputError, match="own: constant = 'M' is not legal"):
        from_functions(wave, wave_slope, N=3, d=2, start=[1.0, 1.0], constants={"M": 1.0})
    with pytest.raises(InputError, match="own: calls = 'rows' is not legal: point, client or lanes"):
        from_functions(wave, wave_slope, N=3, d=2, start=[1.0, 1.0], calls="rows")
    with pytest.raises(InputError, match="own: symbols = 'a' is not legal: a coordinate or a parameter"):
        from_sympy([SHIFT * X], [X], start=[1.0])
    with pytest.raises(InputError, match="own: start"):
        from_functions(wave, wave_slope, N=3, d=2, start=[1.0])


def test_the_worked_example_of_the_documentation_runs():
    """The code blocks of the section 'Your own functions' run in order, and their assertions hold."""
    section = DOC.read_text(encoding="utf-8").split("## Your own functions")[1].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL)
    assert len(blocks) >= 2
    space: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "add-a-problem.md", "exec"), space)


@pytest.mark.parametrize("calls", ["point", "client", "lanes"])
def test_a_function_of_the_wrong_shape_is_refused(calls):
    """Numpy would stretch one number over all coordinates; the message names both shapes instead."""
    value, gradient = FORMS[calls]
    flat = from_functions(value, lambda *given: 1.0, N=3, d=2, start=[1.0, 1.0], calls=calls)
    with pytest.raises(InputError, match=r"own: shape of the gradient = \(\) is not legal: \((.*, )?2,?\)"):
        flat.exact_gradient(np.ones((1, 3, 2)))
    with pytest.raises(InputError, match=r"own: shape of the value = \(4,\) is not legal"):
        from_functions(lambda *given: np.ones(4), gradient, N=3, d=2, start=[1.0, 1.0], calls=calls).value(
            np.ones((1, 1, 2))
        )


def test_samples_of_the_wrong_shape_are_refused():
    """The gradient of one sample has one number a coordinate."""
    made = from_functions(wave, wave_slope, N=3, d=2, start=[1.0, 1.0], sample=lambda client, s, x: 1.0 * s, samples=2)
    with pytest.raises(InputError, match=r"own: shape of the sample = \(\) is not legal: \(2,\)"):
        made.outcomes(np.ones(2), 0)


@pytest.mark.parametrize("given", [-1.0, float("nan"), float("inf"), exact(-1.0, "wrong")])
def test_constants_that_none_can_have_are_refused(given):
    """Only f_star may be negative, and nothing is infinite: that is left out."""
    with pytest.raises(InputError, match=r"own: constant L = .*a finite number >= 0"):
        from_functions(wave, wave_slope, N=3, d=2, start=[1.0, 1.0], constants={"L": given})
    assert from_functions(wave, wave_slope, N=3, d=2, start=[1.0, 1.0], constants={"f_star": -1.0})


def test_formulas_as_text_are_refused():
    """Text would be taken for one formula a character."""
    with pytest.raises(InputError, match=r"own: expressions = 'x\*\*2' is not legal: sympy expressions"):
        from_sympy("x**2", [X], start=[1.0])


def test_own_constants_are_marked_as_vouched_for():
    """Constants that only the user's word supports looked like proved ones, and a wrong L refuted true theorems."""
    given = {"L": 0.3, "zeta": exact(2.0, "I think so")}
    own = from_functions(wave, wave_slope, N=3, d=2, start=[1.0, 1.0], constants=given)
    assert [own.constants[letter].vouched for letter in ("L", "zeta", "G_0")] == [True, True, False]
    derived = from_sympy([X**2 / (1 + X**2)], [X], start=[1.0])
    assert derived.constants["L"].kind == "exact"
    assert not any(constant.vouched for constant in derived.constants.values())
    assert not any(constant.vouched for constant in load_problem("ridge-ratio", N=3).constants.values())


def own(**given):
    return from_functions(wave, wave_slope, N=3, d=2, start=[1.0, 1.0], **given)


def test_the_gap_follows_from_the_floor():
    """With f_star given and Delta not, bounds that need Delta did not apply: it is f(x_0) - f_star."""
    gap = own(constants={"f_star": exact(0.0, "1 - cos >= 0")}).constants["Delta"]
    assert gap.value == pytest.approx(2 * (1 - np.cos(1.0)), rel=1e-14)
    assert (gap.kind, gap.vouched) == ("exact", True)
    assert own(constants={"f_star": -1.0}).constants["Delta"].kind == "upper"
    assert own(constants={"f_star": -1.0, "Delta": 7.0}).constants["Delta"].value == 7.0
    with pytest.raises(InputError, match=r"own: constant f_star = 3.0 is not legal: at most f\(x_0\) = 0.919395388"):
        own(constants={"f_star": 3.0}).constants  # noqa: B018


def test_sigma_follows_from_the_noise():
    """Without noise sigma is 0, and runs are not random; sigma= is a constant; samples have the one that is given."""
    assert own().constants["sigma"].value == 0.0
    assert not own().is_noisy
    noisy = own(sigma=0.5, noise="phases")
    assert (noisy.constants["sigma"].value, noisy.constants["sigma"].vouched, noisy.is_noisy) == (0.5, False, True)
    sampled = {"sample": lambda client, s, x: wave_slope(client, x) + s - 0.5, "samples": 2}
    assert "sigma" not in own(**sampled).constants
    assert own(**sampled, constants={"sigma": np.sqrt(0.5)}).constants["sigma"].vouched
    assert "sigma" not in own(noise="dropout").constants
    assert all(row.ok for problem in (noisy, own(**sampled)) for row in certify(problem))


def test_a_sigma_that_no_sample_has_is_refused():
    """Sigma among the constants looked like noise, and none was added: the bound got sigma^2 and the run did not."""
    with pytest.raises(InputError, match=r"own: constant sigma = 0\.5 is not legal: 0 or left out: it adds no noise"):
        own(constants={"sigma": 0.5})
    with pytest.raises(
        InputError, match=r"own: constant sigma = 0\.1 is not legal: at least 0\.5, the noise that sigma= a"
    ):
        own(sigma=0.5, constants={"sigma": 0.1})
    assert own(sigma=0.5, constants={"sigma": 0.6}).constant("sigma") == 0.6


def test_a_gradient_that_is_no_number_is_refused_by_client_and_point():
    """A gradient that returns NaN was "violated, inf > 45.9": at the start it is an error."""

    def broken(client, x):
        return wave_slope(client, x) * (np.nan if client == 1 else 1.0)

    problem = from_functions(wave, broken, N=3, d=2, start=[1.0, 2.0])
    where = r"own: gradient of client 1 at the start x = \[1.0, 2.0\] = \[nan, nan\] is not legal: finite numbers"
    with pytest.raises(InputError, match=where):
        problem.constants  # noqa: B018


def huber(client, x):
    return float(np.where(np.abs(x) <= 1, x * x / 2, np.abs(x) - 0.5).sum())


def test_convexity_and_the_minimiser_may_be_said():
    """They make delta_x, zeta_star and theorems about convex clients available, on the author's word."""
    said = from_functions(
        huber,
        lambda client, x: np.clip(x, -1, 1),
        N=2,
        d=1,
        start=[3.0],
        constants={"L": 1.0, "f_star": 0.0},
        convex=True,
        x_star=[0.0],
    )
    assert (said.convex, said.constant("delta_x"), said.constant("zeta_star")) == (True, 9.0, 0.0)
    assert said.constants["delta_x"].vouched
    verdict = check("field.gd-convex", said, K=1, T=20)
    assert verdict.verdict in {"holds", "vacuous"}
    assert set(verdict.vouched) == {"L", "delta_x", "convex"}
    unsaid = from_functions(huber, lambda client, x: np.clip(x, -1, 1), N=2, d=1, start=[3.0], x_star=[0.0])
    assert check("field.gd-convex", unsaid, K=1, T=20).verdict == "not applicable"


def test_a_minimiser_with_a_slope_is_refused():
    """A point at which grad f is not 0 minimises nothing; of a saddle nobody can tell by its slope."""
    wrong = from_functions(huber, lambda client, x: np.clip(x, -1, 1), N=1, d=1, start=[3.0], x_star=[0.5])
    with pytest.raises(InputError, match=r"x_star = .*\|grad f\| = 0.5"):
        _ = wrong.constants
    with pytest.raises(InputError, match="own: x_star"):
        from_functions(huber, lambda client, x: x, N=1, d=1, start=[3.0], x_star=[0.0, 0.0])


def test_convexity_that_is_not_so_falls_before_a_violation():
    """A sine is not convex: what it violates refutes nothing."""
    false = replace(
        BOUNDS["field.gd-convex"], id="mine.far", terms={"start": BOUNDS["field.gd-convex"].terms["start"] / 10**6}
    )
    wave = from_functions(
        lambda client, x: float(np.sin(x[0])),
        lambda client, x: np.cos(x),
        N=1,
        d=1,
        start=[0.0],
        constants={"L": 1.0, "f_star": -1.0},
        convex=True,
        x_star=[-np.pi / 2],
    )
    found = check(false, wave, K=1, T=2)
    assert (found.verdict, "not convex" in found.reason) == ("not applicable", True)
    true = from_functions(
        lambda client, x: float(x @ x) / 2,
        lambda client, x: x,
        N=1,
        d=1,
        start=[1.0],
        constants={"L": 2.0, "f_star": 0.0},
        convex=True,
        x_star=[0.0],
    )
    assert check(false, true, K=1, T=2).verdict == "violated"


def test_formulas_know_whether_they_are_convex():
    """Curvatures 1 and 1/cosh^2 are >= 0; 1 + 3 cos reaches -2, and saying otherwise is refused."""
    z, w = sp.symbols("z w")
    proved = from_sympy([z**2 / 2, sp.log(sp.cosh(z - 1))], [z], start=[2.0])
    assert (proved.convex, proved.convex_is_vouched) == (True, False)
    wavy = from_sympy(z**2 / 2 - 3 * sp.cos(z), [z], parameters={w: [1.0]}, start=[2.0])
    assert not wavy.convex
    with pytest.raises(InputError, match="curvature -2"):
        from_sympy([z**2 / 2 - 3 * sp.cos(z)], [z], start=[2.0], convex=True)
    joint = from_sympy([(z + w) ** 2 / 2 + z**2], [z, w], start=[2.0, 1.0], convex=True, x_star=[0.0, 0.0])
    assert (joint.convex, joint.convex_is_vouched, joint.constant("delta_x")) == (True, True, 5.0)


def test_formulas_take_constants_that_are_not_derived():
    """A letter of one's own, or an L that sympy cannot find; never one that it has."""
    z, w = sp.symbols("z w")
    joint = from_sympy([(z + w) ** 2 / 2], [z, w], start=[2.0, 1.0], constants={"L": 2.0})
    assert (joint.constant("L"), joint.constants["L"].vouched) == (2.0, True)
    with pytest.raises(InputError, match="it is derived"):
        from_sympy([z**2 / 2], [z], start=[2.0], constants={"L": 3.0})


def test_a_parameter_without_an_annotation_has_the_type_of_its_default(tmp_path, monkeypatch):
    """It was a KeyError; one with neither is told by its name."""
    monkeypatch.chdir(tmp_path)
    body = "    return from_functions(lambda i, x: a * float(x @ x), lambda i, x: 2 * a * x, N=N, d=1, start=[1.0])\n"
    text = "from boundcheck.problems.own import from_functions\n\n\n"
    text += f"def IT(N, a=2.0):\n{body}\n\ndef BARE(N, a):\n{body}\n\ndef ODD(N, a: list = None):\n{body}"
    (tmp_path / "bare_parameters.py").write_text(text)
    problem = load_problem("bare_parameters.py:IT[a=3.0]", N=2)
    assert problem.value(problem.start[None, None, :])[0] == 3.0
    for name in ("BARE", "ODD"):
        with pytest.raises(
            InputError, match=r"parameter a = .* is not legal: annotated by one of int, float, bool, str"
        ):
            load_problem(f"bare_parameters.py:{name}[a=3.0]", N=2)


def test_words_of_one_s_own_are_not_those_of_shipped_families(tmp_path):
    """One client of a file's family keeps its `bend`; zeta is a letter, and one client has none."""
    path = tmp_path / "mine.py"
    path.write_text(
        "from boundcheck.problems.own import from_functions\n"
        "def HUBER(N: int, bend: float = 2.0, zeta: float = 1.0):\n"
        "    return from_functions(lambda i, x: float(x @ x), lambda i, x: 2 * x, N=N, d=1, start=[bend + zeta])\n"
    )
    assert [load_problem(f"{path}:HUBER", N=N).start[0] for N in (1, 2)] == [2.0, 3.0]
