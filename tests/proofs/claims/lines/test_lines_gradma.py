"""Lines of the proofs of GradMA's appendix in a few lines of sympy each, with a false neighbour that fails."""

import sympy as sp
from line_tools import negative_somewhere, never_negative, positive, real, same, square_sum

L, K, eta, g, N, S, T, Delta, b1 = positive("L K eta g N S T Delta b1")
t, s = positive("t s")
a, b, c, e = real("a b c e")
spread = (N - S) / (S * (N - 1))
left_share = N * (S - 1) / (S * (N - 1))


def test_drift_young():
    """l.196: |x - y|^2 <= (1 + 1/(2K-1))|x|^2 + 2K |y|^2 for K >= 1, and not with K |y|^2."""
    gap = lambda factor: (1 + 1 / (2 * K - 1)) * a**2 + factor * K * b**2 - (a - b) ** 2  # noqa: E731
    assert square_sum(sp.together(gap(2)).subs(K, 1 + t), a, b)
    assert negative_somewhere(sp.together(gap(1)).subs(K, 1 + t), a, b)


def test_drift_ratio_under_the_step_of_line_278():
    """l.196, l.278: 1/(2K-1) + 8 K eta^2 L^2 <= 1/(K-1) at eta = 1/(4 sqrt(10) L K), K >= 2."""
    step = 1 / (4 * sp.sqrt(10) * L * K)
    gap = sp.together((1 / (K - 1) - 1 / (2 * K - 1) - 8 * K * eta**2 * L**2).subs(eta, step))
    assert never_negative(gap.subs(K, 2 + t))
    worse = (1 / (K - 1) - 1 / (2 * K - 1) - 8 * K * eta**2 * L**2).subs(eta, 1 / (L * K) * 2)
    assert negative_somewhere(sp.together(worse).subs(K, 2 + t))


def test_drift_geometric_sum():
    """l.198: with r = 1 + 1/(K-1), (r^K - 1)/(r - 1) = (K - 1)(r^K - 1), since r - 1 = 1/(K-1)."""
    power = positive("power")
    r = 1 + 1 / (K - 1)
    assert same((power - 1) / (r - 1), (K - 1) * (power - 1))
    assert not same((power - 1) / (r - 1), K * (power - 1))


def test_lemma_3_insertion():
    """l.218: 4 K^2 + 4 K^2 L^2 40 K^2 eta^2 = 4 K^2 (1 + 40 (eta K L)^2)."""
    assert same(4 * K**2 + 4 * K**2 * L**2 * 40 * K**2 * eta**2, 4 * K**2 * (1 + 40 * (eta * K * L) ** 2))
    assert not same(4 * K**2 + 4 * K**2 * L**2 * 40 * K * eta**2, 4 * K**2 * (1 + 40 * (eta * K * L) ** 2))


def test_lemma_3_three_norms_need_the_two():
    """l.214: |e + tilt + m|^2 <= 2(|e|^2 + |tilt|^2 + |m|^2) where <tilt, m> = 0, two clients; not with 1."""
    tilt, m, e1, e2 = real("tilt m e1 e2")
    mean = ((e1 + tilt + m) ** 2 + (e2 - tilt + m) ** 2) / 2
    gap = lambda factor: factor * ((e1**2 + e2**2) / 2 + tilt**2 + m**2) - mean  # noqa: E731
    assert square_sum(gap(2), tilt, m, e1, e2)
    assert negative_somewhere(gap(1), tilt, m, e1, e2)


def test_polarisation_with_the_upper_sign():
    """l.316: <a, b> = (|a|^2 + |b|^2 - |a-b|^2)/2; with the printed lower sign it is false."""
    right = (a**2 + b**2 - (a - b) ** 2) / 2
    assert same(a * b, right)
    assert not same(-a * b, right)


def test_third_line_of_T21_needs_K():
    """l.314: -<grad, run> = -K|grad|^2 + <-sqrt(eta K) grad, (run - K grad)/sqrt(eta K) ...>: a factor K eta."""
    grad, run = real("grad run")
    pair = -sp.sqrt(eta * K) * grad * sp.sqrt(eta / K) * (run - K * grad)
    assert same(-eta * grad * run, -K * eta * grad**2 + pair)
    assert not same(-eta * grad * run, -(grad**2) + pair)


def test_eq_28_the_square_of_a_sum():
    """l.340: |sum q|^2 = N sum|q|^2 - (1/2) sum_(i != j)|q_i - q_j|^2, three clients."""
    q = (a, b, c)
    pairs = sum((x - y) ** 2 for x in q for y in q)
    assert same(sum(q) ** 2, 3 * sum(x**2 for x in q) - pairs / 2)
    assert not same(sum(q) ** 2, 3 * sum(x**2 for x in q) - pairs)


def test_eq_29_two_of_three_drawn():
    """l.345: E|sum_S q|^2 = (S/N) sum|q|^2 + S(S-1)/(N(N-1)) sum_(i != j)<q_i, q_j>, all draws of two of three."""
    q = (a, b, c)
    drawn = sum((q[i] + q[j]) ** 2 for i, j in ((0, 1), (0, 2), (1, 2))) / 3
    cross = sum(q[i] * q[j] for i in range(3) for j in range(3) if i != j)
    assert same(drawn, sp.Rational(2, 3) * sum(x**2 for x in q) + sp.Rational(2 * 1, 3 * 2) * cross)
    assert not same(drawn, sp.Rational(2, 3) * sum(x**2 for x in q) + sp.Rational(4, 9) * cross)


def test_eq_29_shares_sum_to_one():
    """l.345: N(S-1)/(S(N-1)) + (N-S)/(S(N-1)) = 1, and the second is at most 1/S."""
    assert same(left_share + spread, 1)
    assert never_negative(sp.together((1 / S - spread).subs(S, 1 + s).subs(N, 2 + s + t)))
    assert not same((S - 1) / (S * (N - 1)) + spread, 1)


def test_eq_30_is_what_the_third_condition_says():
    """l.367: 1/4 - 40 x - 8 y (1 + 40 x) = 1/4 - W/8 with W = 320 x + 64 y (1 + 40 x), so that W <= 1 gives 1/8."""
    x, y = positive("x y")
    W = 320 * x + 64 * y * (1 + 40 * x)
    assert same(sp.Rational(1, 4) - 40 * x - 8 * y * (1 + 40 * x), sp.Rational(1, 4) - W / 8)
    assert same((sp.Rational(1, 4) - W / 8).subs(x, (1 - 64 * y) / (320 + 2560 * y)), sp.Rational(1, 8))
    assert not same(sp.Rational(1, 4) - 40 * x - 8 * y, sp.Rational(1, 4) - W / 8)


def test_lemma_6_first_condition_is_redundant():
    """l.278: W <= 1 contains 320 (eta K L)^2 <= 1, hence 160 (eta K L)^2 <= 1; the reverse is false."""
    x, y = positive("x y")
    W = 320 * x + 64 * y * (1 + 40 * x)
    assert never_negative(W - 320 * x)
    assert negative_somewhere(160 * x - W)


def test_rate_with_sampled_clients():
    """l.280: p/gamma + q gamma is least at gamma = sqrt(p/q), where it is 2 sqrt(p q)."""
    p, q = positive("p q")
    total = p / g + q * g
    assert same(sp.diff(total, g).subs(g, sp.sqrt(p / q)), 0)
    assert same(total.subs(g, sp.sqrt(p / q)), 2 * sp.sqrt(p * q))
    assert not same(total.subs(g, sp.sqrt(q / p)), 2 * sp.sqrt(p * q))


def test_lemma_5_momentum_of_the_virtual_sequence():
    """Eq. (24): u = x + (b1/(1-b1))(x - x_old) moves by -eta_g d/(1-b1) when x moves by -eta_g m, m = b1 m_old + d."""
    x, m_old, d = real("x m_old d")
    m = b1 * m_old + d
    u = x - b1 / (1 - b1) * g * m_old
    u_new = (x - g * m) - b1 / (1 - b1) * g * m
    assert same(u_new - u, -g * d / (1 - b1))
    assert not same(u_new - u, -g * d)
