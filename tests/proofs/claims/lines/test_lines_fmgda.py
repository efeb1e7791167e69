"""Lines of the proofs of FMGDA in a few lines of sympy each, with a false neighbour that fails."""

import sympy as sp
from line_tools import negative_somewhere, never_negative, positive, real, same, square_sum

L, mu, eta, kappa, K, N, b, h, T, sigma, chat = positive("L mu eta kappa K N b h T sigma chat")
c, t, x, y = positive("c t x y")
a, v, e, w, d = real("a v e w d")


def test_lemma_5_the_inner_product_split():
    """l.409: <g, s - w> = <v, s - z> + <g - v, s - z> + <g, z - w>."""
    g, s, z = real("g s z")
    assert same(g * (s - w), v * (s - z) + (g - v) * (s - z) + g * (z - w))
    assert not same(g * (s - w), v * (s - z) + (g - v) * (s - w) + g * (z - w))


def test_lemma_5_the_ascent_step():
    """l.419: with z = w + c v, <v, s - z> = -|z - w|^2/c + <v, s - w>."""
    s = real("s")
    z = w + c * v
    assert same(v * (s - z), -((z - w) ** 2) / c + v * (s - w))
    assert not same(v * (s - z), -((z - w) ** 2) + v * (s - w))


def test_lemma_5_the_square_of_the_error():
    """l.429: |w + eta (z - w) - s|^2 = |w - s|^2 + 2 eta <z - w, w - s> + eta^2 |z - w|^2."""
    z, s = real("z s")
    assert same((w + eta * (z - w) - s) ** 2, (w - s) ** 2 + 2 * eta * (z - w) * (w - s) + eta**2 * (z - w) ** 2)
    assert not same((w + eta * (z - w) - s) ** 2, (w - s) ** 2 + 2 * eta * (z - w) * (w - s) + eta * (z - w) ** 2)


def test_lemma_5_young_with_mu():
    """l.441: <e, s - z> <= (2/mu)|e|^2 + (mu/4)(|s - w|^2 + |w - z|^2), s - z = (s - w) + (w - z)."""
    p, q = real("p q")
    gap = lambda share: share / mu * e**2 + mu / 4 * (p**2 + q**2) - e * (p + q)  # noqa: E731
    assert square_sum(gap(2), e, p, q)
    assert negative_somewhere(gap(sp.Rational(3, 2)))


def test_lemma_5_coefficients_at_the_largest_step():
    """l.450: eta/(2c) + mu/4 + L/2 - 1/c <= 3L/4 - 1/(2c) <= -3/(8c) for eta <= 1, mu <= L, c <= 1/(6L)."""
    step = 1 / (6 * L + t)
    first = (3 * L / 4 - 1 / (2 * c)) - (eta / (2 * c) + mu / 4 + L / 2 - 1 / c)
    assert never_negative(sp.together(first.subs({L: mu + y, eta: 1 / (1 + x)})))
    assert never_negative(sp.together(-sp.Rational(3, 8) / step - 3 * L / 4 + 1 / (2 * step)))
    assert negative_somewhere((-sp.Rational(3, 8) / c - 3 * L / 4 + 1 / (2 * c)).subs(c, 1 / (5 * L)))


def test_lemma_5_constants():
    """l.466: (1 + x/4)(1 - x/2) <= 1 - x/4 and, for x <= 1/6, 4(1 + x/4) <= 25/6 and 1 + 4/x <= 5/x."""
    small = 1 / (6 + t)
    assert same(1 - x / 4 - (1 + x / 4) * (1 - x / 2), x**2 / 8)
    assert never_negative(sp.together(sp.Rational(25, 6) - 4 * (1 + small / 4)))
    assert never_negative(sp.together(5 / small - 1 - 4 / small))
    assert negative_somewhere((1 + x / 4) * (1 - x / 2) - (1 - x / 4))


def test_lemma_7_recursion_of_the_mean():
    """l.502: ub' - G' = (1 - beta)(ub - G) + noise' - (1 - beta) noise, with g' = G' + noise', g = G + noise."""
    beta, ub, G, G_new, n, n_new = real("beta ub G G_new n n_new")
    fresh = (G_new + n_new) + (1 - beta) * (ub - (G + n))
    assert same(fresh - G_new, (1 - beta) * (ub - G) + n_new - (1 - beta) * n)
    assert not same(fresh - G_new, (1 - beta) * (ub - G) + n_new - n)


def test_lemma_8_two_inequalities_of_the_dispersion():
    """l.520: |p + q|^2 <= (1 + g)|p|^2 + (1 + 1/g)|q|^2, and with g = 1/K the factors are 1 + 1/K and 1 + K."""
    p, q = real("p q")
    assert square_sum((1 + 1 / K) * p**2 + (1 + K) * q**2 - (p + q) ** 2, p, q)
    assert same((1 + 1 / x).subs(x, 1 / K), 1 + K)
    assert negative_somewhere((1 + 1 / K) * p**2 + K * q**2 - (p + q) ** 2)


def test_theorem_1_concavity_of_the_cube_root():
    """l.606: (r + s)^3 - r^3 >= 3 r^2 s, so that a step of 1 in t is at most 1/(3 r^2) in the root."""
    r, s = positive("r s")
    assert never_negative((r + s) ** 3 - r**3 - 3 * r**2 * s)
    assert negative_somewhere((r + s) ** 3 - r**3 - 4 * r**2 * s)


def test_theorem_1_weight():
    """l.167: L^2/(20 K N^2) + 60 L^2/(b N) <= 90 L^2/(b N) is b <= 600 K N."""
    gap = 90 * L**2 / (b * N) - 60 * L**2 / (b * N) - L**2 / (20 * K * N**2)
    assert same(gap, L**2 * (600 * K * N - b) / (20 * K * N**2 * b))
    assert not same(gap, L**2 * (500 * K * N - b) / (20 * K * N**2 * b))


def test_theorem_1_constants():
    """l.649-673: 78/(36 400) = 13/2400, 1/2 - 51/180 = 13/60, 13/60 - 10/64 = 29/480, 51/180 + 10/64 = 211/480."""
    q = sp.Rational
    assert (q(78, 36 * 400), q(1, 2) - q(51, 180)) == (q(13, 2400), q(13, 60))
    assert (q(13, 60) - q(10, 64), q(51, 180) + q(10, 64)) == (q(29, 480), q(211, 480))
    assert q(13, 2400) + q(102, 180) <= q(3, 5) < q(13, 2400) + q(3, 1) * q(51, 180)


def test_theorem_1_line_55_loses_K_minus_1():
    """l.665: 13/2400 + 51/180 + (K - 1) 51/180 <= 3/5 holds at K = 2 and fails from K = 3 on."""
    left = sp.Rational(13, 2400) + sp.Rational(51, 180) * K
    assert left.subs(K, 2) <= sp.Rational(3, 5) < left.subs(K, 3)
    assert same(sp.diff(left, K), sp.Rational(51, 180))


def test_line_53_needs_kappa_squared():
    """l.657: (5/4) 2 L_f^2/(mu^2 L^2) is (5/2) kappa^2/L^2; the printed 5/(2 mu^2 L_f^2) is another number."""
    Lf = positive("Lf")
    term = sp.Rational(5, 4) * 2 * Lf**2 / (mu**2 * L**2)
    assert same(term, sp.Rational(5, 2) * (Lf / mu) ** 2 / L**2)
    assert not same(term, 5 / (2 * mu**2 * Lf**2))


def test_remark_1_the_period():
    """l.178: with steps = K^3 N^2, K/steps = (N steps)^(-2/3), and eps^2 of it makes N^-1 eps^-3 steps."""
    eps = positive("eps")
    steps = K**3 * N**2
    assert same(sp.powsimp(sp.expand((N * steps) ** sp.Rational(2, 3) * K / steps), force=True), 1)
    assert same((1 / (N * eps**3) * N) ** sp.Rational(-2, 3), eps**2)
    assert not same(sp.powsimp((N * steps) ** sp.Rational(1, 3) * K / steps, force=True), 1)


def test_repair_with_shorter_steps():
    """K^(3/2)/steps = eps^2 at steps = 1/(N eps^3): K = (eps^-1/N)^(2/3), and steps/K = N^(-1/3) eps^(-7/3)."""
    eps = positive("eps")
    steps = 1 / (N * eps**3)
    period = (eps**2 * steps) ** sp.Rational(2, 3)
    assert same(sp.powsimp(steps / period, force=True), N ** sp.Rational(-1, 3) * eps ** sp.Rational(-7, 3))
    assert not same(sp.powsimp(steps / period, force=True), eps**-2)


def test_communication_budget_of_the_dual_step():
    """30 kappa^4 r^2 <= 29/480 with r = chat/c_dual is r <= sqrt(29/14400)/kappa^2."""
    r = positive("r")
    best = sp.sqrt(sp.Rational(29, 14400)) / kappa**2
    assert same((30 * kappa**4 * r**2).subs(r, best), sp.Rational(29, 480))
    assert not same((30 * kappa**4 * r**2).subs(r, 2 * best), sp.Rational(29, 480))
