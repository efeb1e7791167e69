"""Lines of the proofs of momentum-fl in a few lines of sympy each, with a false neighbour that fails."""

import sympy as sp
from line_tools import negative_somewhere, never_negative, positive, real, same, square_sum

L, gamma, beta, eta, K, N, S, T = positive("L gamma beta eta K N S T")
t = positive("t")
g, u, a, d = real("g u a d")
E = sp.E


def in_unit(e):
    """Write beta as 1/(1 + t)."""
    return sp.together(e.subs(beta, 1 / (1 + t)))


def test_lemma_5_the_step_expanded():
    """l.420: -gamma <g, u> + (L gamma^2/2)|u|^2 = -gamma |g|^2 + gamma <g, g - u> + (L gamma^2/2)|u|^2."""
    left = -gamma * g * u + L * gamma**2 / 2 * u**2
    assert same(left, -gamma * g**2 + gamma * g * (g - u) + L * gamma**2 / 2 * u**2)
    assert not same(left, -gamma * g**2 + gamma * g * (u - g) + L * gamma**2 / 2 * u**2)


def test_lemma_5_the_two_coefficients():
    """l.411: at gamma L = 1/24, -1/2 + gamma L = -11/24 and 1/2 + gamma L = 13/24, by Young twice."""
    cap = sp.Rational(1, 24)
    assert -sp.Rational(1, 2) + cap == -sp.Rational(11, 24)
    assert sp.Rational(1, 2) + cap == sp.Rational(13, 24)
    assert -sp.Rational(1, 2) + sp.Rational(1, 12) != -sp.Rational(11, 24)


def test_lemma_5_is_a_square():
    """l.411-429: the gap between the two sides is a form without negative minors once gamma L <= 1/24."""
    gap = gamma * g * u - L * gamma**2 / 2 * u**2 - 11 * gamma / 24 * g**2 + 13 * gamma / 24 * (g - u) ** 2
    at = gap.subs(L, 1 / (gamma * (24 + t)))
    assert square_sum(at, g, u)
    assert negative_somewhere(gap.subs(L, 24 / gamma), g, u)


def test_lemma_7_for_three_clients_two_drawn():
    """l.442: E|mean_S v|^2 = |mean v|^2 + (N - S)/(S (N - 1)) mean|v_i - mean v|^2, all pairs of three clients."""
    v = real("v1 v2 v3")
    mean = sum(v) / 3
    drawn = sum(((v[i] + v[j]) / 2) ** 2 for i, j in ((0, 1), (0, 2), (1, 2))) / 3
    spread = sum((x - mean) ** 2 for x in v) / 3
    assert same(drawn, mean**2 + sp.Rational(1, 2 * 2) * spread)
    assert not same(drawn, mean**2 + sp.Rational(1, 2 * 3) * spread)


def test_lemma_8_contraction_factors():
    """l.484-491: 1 - (1-b)(1+b/2)^2 = 3b^2/4 + b^3/4, and (1-b)^2 (1+b/2)(1+2/b) <= 2/b."""
    assert same(1 - (1 - beta) * (1 + beta / 2) ** 2, 3 * beta**2 / 4 + beta**3 / 4)
    assert never_negative(in_unit(2 / beta - (1 - beta) ** 2 * (1 + beta / 2) * (1 + 2 / beta)))
    assert negative_somewhere(in_unit(1 / beta - (1 - beta) ** 2 * (1 + beta / 2) * (1 + 2 / beta)))


def test_lemma_8_cross_term():
    """l.482: 2 beta <a, d> <= (beta/2)|a|^2 + 2 beta |d|^2."""
    assert square_sum(beta / 2 * a**2 + 2 * beta * d**2 - 2 * beta * a * d, a, d)
    assert negative_somewhere(beta / 2 * a**2 + beta * d**2 - 2 * beta * a * d, a, d)


def test_lemma_8_the_moving_target():
    """l.493: (4/beta)(gamma L)^2 <= beta/9 at gamma L = beta/6, with equality, and 1 - beta + beta/9 = 1 - 8 beta/9."""
    assert same((4 / beta) * (beta / 6) ** 2, beta / 9)
    assert same(1 - beta + beta / 9, 1 - 8 * beta / 9)
    assert not same((4 / beta) * (beta / 5) ** 2, beta / 9)


def test_lemma_9_sums_of_powers():
    """l.523: mean (k-1)^2 <= K^2/3 and mean k^4 <= K^4/5 over k < K; K (K-1)/2 over K is at most K/2."""
    k = sp.symbols("k", integer=True, nonnegative=True)
    for power, share in ((1, 2), (2, 3), (4, 5)):
        mean = sp.expand(sp.summation(k**power, (k, 0, K - 1)) / K)
        gap = sp.expand((K**power / sp.Integer(share) - mean).subs(K, 1 + t))
        assert never_negative(gap)
        assert negative_somewhere(sp.expand((K**power / sp.Integer(share + 1) - mean).subs(K, 1 + t)))


def test_lemma_10_weights_of_the_rounds():
    """l.551: sum_(r=1..T-1) (r + 1) = (T - 1)(T + 2)/2 <= T^2."""
    r = sp.symbols("r", integer=True)
    total = sp.summation(r + 1, (r, 1, T - 1))
    assert same(total, (T - 1) * (T + 2) / 2)
    assert never_negative(sp.expand((T**2 - total).subs(T, 1 + t)))
    assert not same(total, (T - 1) * (T + 1) / 2)


def test_lemma_10_budget():
    """l.550: the condition 288 e (eta K L)^2 (...) <= 1 is 4 eta^2 (...) <= 1/(72 e K^2 L^2) and nothing else."""
    bracket = positive("bracket")
    condition = 288 * E * (eta * K * L) ** 2 * bracket
    assert same(condition * (1 / (72 * E * K**2 * L**2)), 4 * eta**2 * bracket)
    assert not same(condition * (1 / (36 * E * K**2 * L**2)), 4 * eta**2 * bracket)


def test_lemma_12_split_as_it_must_be():
    """l.644: with beta (at_new - new) the three parts add up; with the printed beta (local - new) they do not."""
    local, at_old, old, new, at_new = real("local at_old old new at_new")
    whole = local - (1 - beta) * at_old + (1 - beta) * old - new
    rest = (local - at_new) + (1 - beta) * (at_new - at_old + old - new)
    assert same(whole, rest + beta * (at_new - new))
    assert not same(whole, rest + beta * (local - new))


def test_theorem_11_assembly_constants():
    """l.572-605: 8e/(72e) = 1/9, 8e 2e = 16e^2, and 13/24 times 9/7, 144/7, 36/7 are 39/56, 78/7, 39/14."""
    assert same(8 * E / (72 * E), sp.Rational(1, 9))
    assert same(8 * E * 2 * E, 16 * E**2)
    found = [sp.Rational(13, 24) * sp.Rational(n, 7) for n in (9, 144, 36)]
    assert found == [sp.Rational(39, 56), sp.Rational(78, 7), sp.Rational(39, 14)]
    assert sp.Rational(13, 24) * sp.Rational(10, 7) != sp.Rational(39, 56)


def test_theorem_11_coefficients_of_the_gradients():
    """l.598: 11/24 - 26/84, 17/56 and 11/24 are all at least 1/7; 11/24 - 2 (26/84) is not."""
    share = sp.Rational(13, 24) * sp.Rational(2, 7)
    first, middle, last = sp.Rational(11, 24) - 2 * share, sp.Rational(11, 24) - share, sp.Rational(11, 24)
    assert (first, middle) == (sp.Rational(25, 168), sp.Rational(17, 56))
    assert min(first, middle, last) >= sp.Rational(1, 7)
    assert sp.Rational(11, 24) - 3 * share < sp.Rational(1, 7)


def test_theorem_11_gamma_balances_noise_and_descent():
    """[185]: Delta/(gamma T) + c L gamma sigma^2/(N K) is least at gamma = sqrt(Delta N K/(c L sigma^2 T))."""
    Delta, sigma, c = positive("Delta sigma c")
    total = Delta / (gamma * T) + c * L * gamma * sigma**2 / (N * K)
    best = sp.sqrt(Delta * N * K / (c * L * sigma**2 * T))
    assert same(sp.diff(total, gamma).subs(gamma, best), 0)
    assert same(total.subs(gamma, best), 2 * sp.sqrt(c) * sp.sqrt(L * Delta * sigma**2 / (N * K * T)))
    assert not same(sp.diff(total, gamma).subs(gamma, 2 * best), 0)


def test_lemma_13_needs_the_factor_K():
    """l.693: 8 K (eta L)^2 + 8 e^2 (eta K L)^4 <= 1/2 at eta K L = 1/(4e): 1/(2 e^2 K) + 1/(32 e^2) is below 1/2."""
    step = 1 / (4 * E * K * L)
    share = 8 * K * (step * L) ** 2 + 8 * E**2 * (step * K * L) ** 4
    assert same(share, 1 / (2 * E**2 * K) + 1 / (32 * E**2))
    assert share.subs(K, 1).evalf() < 0.5
    assert not same(share, 8 * (step * L) ** 2 + 8 * E**2 * (step * K * L) ** 4)


def test_lemma_16_weights():
    """l.819: 2 beta^2/N + 2 beta^2 rho <= 4 beta^2/S with rho = (N-S)/(S (N-1)) <= 1/S, S <= N."""
    rho = (N - S) / (S * (N - 1))
    at = {N: 1 + S + t}
    assert never_negative(sp.simplify((1 / S - rho).subs(at).subs(S, 1 + d)).subs(d, positive("s")))
    assert never_negative((2 / S - 1 / N - 1 / S).subs({N: S + t}))
    assert negative_somewhere((1 / S - 1 / N - 1 / S).subs({N: S + t}))


def test_lemma_18_a_client_refreshed_with_probability_s():
    """l.867: (1-s)(1+s/2) <= 1 - s/2 and (1-s)(1+2/s) <= 2/s on (0, 1]; not (1-s)(1+s/2) <= 1 - s."""
    s = 1 / (1 + t)
    assert never_negative(sp.together(1 - s / 2 - (1 - s) * (1 + s / 2)))
    assert never_negative(sp.together(2 / s - (1 - s) * (1 + 2 / s)))
    assert negative_somewhere(sp.together(1 - s - (1 - s) * (1 + s / 2)))


def test_theorems_19_and_22_assembly_constants():
    """l.889-918, 1030-1065: 10 8e = 80e, 8 90 = 720, and 13/24 of 270/7, 720/7, 135/7, 540/7."""
    shares = [sp.Rational(13, 24) * sp.Rational(n, 7) for n in (270, 720, 135, 540)]
    assert shares == [sp.Rational(585, 28), sp.Rational(390, 7), sp.Rational(585, 56), sp.Rational(585, 14)]
    assert (4 + 72 + 4, 7 + 48 + 5, 3 * (6 + 4), 3 * (4 + 1)) == (80, 60, 30, 15)
    assert sp.Rational(13, 24) * sp.Rational(271, 7) != sp.Rational(585, 28)


def test_equation_4():
    """[263]: (1 + N^(2/3)/S)/(N/S)^(2/3) = (S/N)^(2/3) + S^(-1/3)."""
    third = sp.Rational(1, 3)
    ratio = (1 + N ** (2 * third) / S) / (N / S) ** (2 * third)
    assert same(sp.powsimp(ratio, force=True), (S / N) ** (2 * third) + S**-third)
    assert not same(sp.powsimp(ratio, force=True), (S / N) ** third + S**-third)
