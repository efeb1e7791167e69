"""Lines of the proofs of FedGLOMO in a few lines of sympy each, with a false neighbour that fails."""

import sympy as sp
from line_tools import negative_somewhere, never_negative, positive, real, same, square_sum

L, eta, K, N, S, beta, q, T, f0, eps = positive("L eta K N S beta q T f0 eps")
t, s = positive("t s")
a, b, c, u = real("a b c u")
spread = (N - S) / (S * (N - 1))


def test_line_10_of_algorithm_1_unfolded():
    """L110: beta D + (1-beta)(u + (D - H)) = D + (1-beta)(u - H), one message, as Appendix B says."""
    D, H = real("D H")
    two = beta * D + (1 - beta) * u + (1 - beta) * (D - H)
    assert same(two, (D - (1 - beta) * H) + (1 - beta) * u)
    assert not same(two, (D - beta * H) + (1 - beta) * u)


def test_recursion_of_the_server_error():
    """(6): with D(x) the mean displacement, u - D = (1-beta)(u_old - D_old) + sampling error of the two messages."""
    D, D_old, n, n_old = real("D D_old n n_old")
    fresh = beta * (D + n) + (1 - beta) * (u + (D + n) - (D_old + n_old))
    assert same(fresh - D, (1 - beta) * (u - D_old) + n - (1 - beta) * n_old)
    assert not same(fresh - D, (1 - beta) * (u - D_old) + n - n_old)


def test_non_negative_clients_replace_bounded_dissimilarity():
    """L221: |grad f_i|^2 <= 2 L f_i: the best step 1/L from x gains |g|^2/(2L), which f_i >= 0 cannot exceed."""
    g = real("g")
    step = positive("step")
    gain = step * g**2 - L * step**2 / 2 * g**2
    assert same(sp.diff(gain, step).subs(step, 1 / L), 0)
    assert same(gain.subs(step, 1 / L), g**2 / (2 * L))
    assert not same(gain.subs(step, 1 / (2 * L)), g**2 / (2 * L))


def test_sampling_without_replacement():
    """Lemma 4: two of three clients: E|mean_S v|^2 = |mean v|^2 + spread mean|v_i - mean|^2 with spread 1/4."""
    v = (a, b, c)
    mean = sum(v) / 3
    drawn = sum(((x + y) / 2) ** 2 for x, y in ((a, b), (a, c), (b, c))) / 3
    assert same(drawn - mean**2, spread.subs({N: 3, S: 2}) * sum((x - mean) ** 2 for x in v) / 3)
    assert not same(drawn - mean**2, sum((x - mean) ** 2 for x in v) / 6)


def test_spread_vanishes_and_is_below_one_over_S():
    """(N-S)/(S(N-1)): 0 at S = N, 1 at S = 1, never above 1/S."""
    assert spread.subs(S, N) == 0
    assert same(spread.subs(S, 1), 1)
    assert never_negative(sp.together((1 / S - spread).subs(S, 1 + s).subs(N, 2 + s + t)))
    assert negative_somewhere(sp.together((1 / (2 * S) - spread).subs(S, 1 + s).subs(N, 3 + s + t)))


def test_quantiser_second_moment():
    """L183: unbiased with variance q|z|^2 makes E|Q|^2 = (1 + q)|z|^2; flip-q: z (1 +- sqrt(q)) reaches it."""
    z = real("z")
    outcomes = [z * (1 + sp.sqrt(q)), z * (1 - sp.sqrt(q))]
    assert same(sum(outcomes) / 2, z)
    assert same(sum(x**2 for x in outcomes) / 2, (1 + q) * z**2)
    assert not same(sum(x**2 for x in outcomes) / 2, (1 + q**2) * z**2)


def test_dropout_has_q_of_one_over_p_minus_one():
    """Q(z) = z/p with probability p, else 0: mean z, E|Q - z|^2 = (1/p - 1)|z|^2."""
    z, p = real("z"), positive("p")
    assert same(p * (z / p), z)
    assert same(p * (z / p - z) ** 2 + (1 - p) * z**2, (1 / p - 1) * z**2)
    assert not same(p * (z / p - z) ** 2, (1 / p - 1) * z**2)


def test_qsgd_rounds_without_bias():
    """A level a between l and l + 1, up with probability a - l: mean a, variance p(1-p) <= 1/4."""
    level, p = positive("level p")
    x = level + p
    assert same(p * (level + 1) + (1 - p) * level, x)
    variance = p * (level + 1 - x) ** 2 + (1 - p) * (level - x) ** 2
    assert same(variance, p * (1 - p))
    assert same(sp.Rational(1, 4) - p * (1 - p), (p - sp.Rational(1, 2)) ** 2)
    assert not same(sp.Rational(1, 5) - p * (1 - p), (p - sp.Rational(1, 2)) ** 2)


def test_drift_errors_correlate_at_most_N_fold():
    """L189: |sum e|^2 <= N sum |e|^2, three clients, with equality where they agree: alpha = N always serves."""
    e = (a, b, c)
    assert square_sum(3 * sum(x**2 for x in e) - sum(e) ** 2, a, b, c)
    assert same((3 * sum(x**2 for x in e) - sum(e) ** 2).subs({b: a, c: a}), 0)
    assert negative_somewhere(2 * sum(x**2 for x in e) - sum(e) ** 2)


def test_four_terms_of_a_recursive_step():
    """Young in the local lemmas: |p + r|^2 <= (1 + 1/K)|p|^2 + (1 + K)|r|^2, not with K alone."""
    p, r = real("p r")
    assert square_sum((1 + 1 / K) * p**2 + (1 + K) * r**2 - (p + r) ** 2, p, r)
    assert negative_somewhere((1 + 1 / K) * p**2 + K * r**2 - (p + r) ** 2)


def test_appendix_A_doubles_rounds_at_q_of_one():
    """L396-404: K_2/K_1 = sqrt(3200/800) = 2, so that C_1/C_2 = 32/(2.8 2) = 5.71 per message, 2.86 for two."""
    ratio = sp.sqrt(sp.Rational(3200, 800))
    assert ratio == 2
    assert same(sp.Rational(32) / (sp.Rational(14, 5) * ratio), sp.Rational(40, 7))
    assert same(sp.Rational(32) / (2 * sp.Rational(14, 5) * ratio), sp.Rational(20, 7))
    assert not same(sp.Rational(32) / (sp.Rational(14, 5) * ratio), sp.Rational(20, 7))


def test_rounds_from_a_rate_in_T_to_the_minus_two_thirds():
    """L211: (c/T)^(2/3) = eps solves to T = c eps^(-3/2), the square root of c^2."""
    scale = positive("scale")
    rounds = scale * eps ** sp.Rational(-3, 2)
    assert same(sp.powsimp((scale / rounds) ** sp.Rational(2, 3), force=True), eps)
    assert not same(sp.powsimp((scale / rounds) ** sp.Rational(1, 3), force=True), eps)


def test_step_and_momentum_balance():
    """Theorem 1's choice: F/(eta T) + c eta^2 is least at eta = (F/(2 c T))^(1/3), of order T^(-2/3)."""
    F, c1 = positive("F c1")
    total = F / (eta * T) + c1 * eta**2
    best = (F / (2 * c1 * T)) ** sp.Rational(1, 3)
    assert same(sp.powsimp(sp.diff(total, eta).subs(eta, best), force=True), 0)
    scaled = sp.powsimp(sp.simplify(total.subs(eta, best) * T ** sp.Rational(2, 3)), force=True)
    assert T not in scaled.free_symbols
    assert not same(sp.diff(total, eta).subs(eta, 2 * best), 0)
