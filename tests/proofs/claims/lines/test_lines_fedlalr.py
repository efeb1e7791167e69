"""Lines of the proofs of FedLALR in a few lines of sympy each, with a false neighbour that fails."""

import sympy as sp
from line_tools import negative_somewhere, never_negative, positive, real, same, square_sum

L, eta, eps, K, N, d, G, beta1, sigma, T, Delta = positive("L eta eps K N d G beta1 sigma T Delta")
t, lam, nu = positive("t lam nu")
a, b, c = real("a b c")


def test_lemma_6_the_spread_of_three():
    """l.764: mean z_i^2 - (mean z)^2 = mean (z_i - mean z)^2, here with three clients."""
    z = (a, b, c)
    mean = sum(z) / 3
    left = sum(x**2 for x in z) / 3 - mean**2
    assert same(left, sum((x - mean) ** 2 for x in z) / 3)
    assert not same(left, sum((x - mean) ** 2 for x in z) / 2)


def test_lemmas_9_10_11_young_and_polarisation():
    """l.786-806: <a, b> <= (lam/2)|a|^2 + |b|^2/(2 lam); |a+b|^2 <= (1+nu)|a|^2 + (1+1/nu)|b|^2; polarisation."""
    assert square_sum(lam / 2 * a**2 + b**2 / (2 * lam) - a * b, a, b)
    assert square_sum((1 + nu) * a**2 + (1 + 1 / nu) * b**2 - (a + b) ** 2, a, b)
    assert same(a * b, (a**2 + b**2 - (a - b) ** 2) / 2)
    assert negative_somewhere(lam / 2 * a**2 + b**2 / (4 * lam) - a * b, a, b)


def test_line_217_needs_the_factor_two():
    """l.1142: |a + b|^2 <= 2 (|a|^2 + |b|^2), and not without the 2."""
    assert square_sum(2 * (a**2 + b**2) - (a + b) ** 2, a, b)
    assert negative_somewhere(a**2 + b**2 - (a + b) ** 2, a, b)


def test_lemma_12_the_inverse_root():
    """l.810: a^(-1/2) - b^(-1/2) = (b - a)/(sqrt(a) sqrt(b) (sqrt(a) + sqrt(b))), at most (b - a)/(2 eps^3)."""
    x, y = positive("x y")
    assert same((1 / x - 1 / y) * (x * y * (x + y)), y**2 - x**2)
    grown = {x: eps + nu, y: eps + t}
    assert never_negative((x * y * (x + y) - 2 * eps**3).subs(grown))
    assert negative_somewhere((x * y * (x + y) - 3 * eps**3).subs(grown))


def test_remark_2_heterogeneity_from_bounded_gradients():
    """l.157: 2 d G^2 + 2 d G^2 = 4 d G^2; the sharp constant is 4 d G^2 (1 - 1/N)^2, client 1 against the others."""
    assert same(2 * d * G**2 + 2 * d * G**2, 4 * d * G**2)
    apart = G - (G - (N - 1) * G) / N
    assert same(apart**2, 4 * G**2 * (1 - 1 / N) ** 2)
    assert not same(apart**2, 4 * G**2 * (1 - 1 / N))


def test_line_18_a_step_expanded():
    """l.400: <g, p + q + r> with p + q + r the three parts of the step, s r apart."""
    g, direct, changed, apart = real("g direct changed apart")
    step = -eta * direct + changed + apart
    assert same(g * step, -eta * g * direct + g * changed + g * apart)
    assert not same(g * step, -eta * g * direct + g * changed - g * apart)


def test_lines_25_and_26_the_merged_coefficient():
    """l.432: 1/2 + beta1/(1-beta1) = (1+beta1)/(2(1-beta1)), not the printed (2-beta1)/(2(1-beta1))."""
    left = sp.Rational(1, 2) + beta1 / (1 - beta1)
    assert same(left, (1 + beta1) / (2 * (1 - beta1)))
    assert not same(left, (2 - beta1) / (2 * (1 - beta1)))


def test_lines_25_and_26_with_K_steps():
    """l.436: K + beta1/(1-beta1) <= K (2-beta1)/(1-beta1) for K >= 1."""
    at = {beta1: t / (1 + t)}
    gap = sp.simplify((K * (2 - beta1) / (1 - beta1) - K - beta1 / (1 - beta1)).subs(at))
    assert never_negative(sp.expand(gap.subs(K, 1 + nu)))
    assert negative_somewhere(sp.expand((-gap).subs(K, 1 + nu)))


def test_line_27_the_other_coefficient():
    """l.440: 1/2 + beta1/(2(1-beta1)) = 1/(2(1-beta1))."""
    left = sp.Rational(1, 2) + beta1 / (2 * (1 - beta1))
    assert same(left, 1 / (2 * (1 - beta1)))
    assert not same(left, 1 / (1 - beta1))


def test_B6_vanishes_under_the_step_condition():
    """l.472: 1/8 - 1/2 + (1 + 1/4) 2 L eta/eps = 0 at eta = 3 eps/(20 L), and is positive at 4 eps/(20 L)."""
    term = sp.Rational(1, 8) - sp.Rational(1, 2) + sp.Rational(5, 4) * 2 * L * eta / eps
    assert same(term.subs(eta, 3 * eps / (20 * L)), 0)
    assert not same(term.subs(eta, 4 * eps / (20 * L)), 0)


def test_lines_24_and_25_powers_of_eps():
    """l.430: (2 L^2/eps)(eta beta1 G/((1-beta1) eps))^2 d has eps^-3; the printed eps^-4 has another unit."""
    term = 2 * L**2 / eps * (eta * beta1 * G / ((1 - beta1) * eps)) ** 2 * d
    assert same(term, 2 * eta**2 * L**2 * beta1**2 * G**2 * d / ((1 - beta1) ** 2 * eps**3))
    assert not same(term, 2 * eta**2 * L**2 * beta1**2 * G**2 * d / ((1 - beta1) ** 2 * eps**4))


def test_theorem_1_is_homogeneous_in_eps_cubed_only():
    """l.177: under (G, eps, L) -> s (G, eps, L) at fixed eta, 2 G eta^2 L^2 G^2/eps^p scales like s^2 for p = 3."""
    s = positive("s")
    term = lambda p: 2 * G * eta**2 * L**2 * G**2 / eps**p  # noqa: E731
    scaled = {G: s * G, eps: s * eps, L: s * L}
    assert same(term(3).subs(scaled, simultaneous=True), s**2 * term(3))
    assert not same(term(4).subs(scaled, simultaneous=True), s**2 * term(4))


def test_lemma_27_unrolled_momentum():
    """l.1102: m_k = beta1^k m_0 + (1-beta1) w becomes beta1^(k+1) m_0 + (1-beta1)(beta1 w + g)."""
    k, m0, w, g = positive("k m0 w g")
    left = beta1 * (beta1**k * m0 + (1 - beta1) * w) + (1 - beta1) * g
    assert same(
        sp.powsimp(sp.expand(left)), sp.powsimp(sp.expand(beta1 ** (k + 1) * m0 + (1 - beta1) * (beta1 * w + g)))
    )
    assert not same(sp.powsimp(sp.expand(left)), sp.powsimp(sp.expand(beta1**k * m0 + (1 - beta1) * (beta1 * w + g))))


def test_B5_and_B8_factors_of_the_clients():
    """l.468, l.482: (3N-2)/N <= 3 and 4(N-1)^2/N <= 4N, but 4(N-1)^2/N <= 4(N-1)/N fails for N > 2."""
    at = {N: 1 + t}
    assert never_negative(sp.together((3 - (3 * N - 2) / N).subs(at)))
    assert never_negative(sp.together((4 * N - 4 * (N - 1) ** 2 / N).subs(at)))
    assert negative_somewhere(sp.together((4 * (N - 1) / N - 4 * (N - 1) ** 2 / N).subs(at)))


def test_corollary_1_the_step_of_the_speed_up():
    """l.179: Delta/(eta K T) and sigma^2 eta/N are balanced at eta ~ sqrt(N/(K T)); both are then 1/sqrt(N K T)."""
    step = sp.sqrt(N / (K * T))
    assert same(1 / (step * K * T), 1 / sp.sqrt(N * K * T))
    assert same(step / N, 1 / sp.sqrt(N * K * T))
    assert not same(sp.sqrt(1 / (K * T)) / N, 1 / sp.sqrt(N * K * T))
