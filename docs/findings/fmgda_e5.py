"""FMGDA, Lemma 8: (38) takes the estimators of every block as averaged at its start; those of the first never are."""

import numpy as np

# F(theta, w) = theta^2 - w^2 plus +-a theta at client i (even N), no noise,
# start at the stationary point (0, 0).
# L_f = 2, mu = 1 (every number below 2 would do), zeta = 2 a, b = 1;
# steps and weights as printed, 800 in e_t.
Lf, mu, a = 2.0, 1.0, 1.0
kappa = Lf / mu
L = Lf * (1 + kappa)
c = 0.99 * mu / (6 * L)
chat = np.sqrt(11 / 2880) * c / kappa**2
for N, q in [(4, 5), (16, 10), (16, 100)]:
    tilt = a * np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
    eta = 1 / (800 ** (1 / 3) * L * q)
    c1 = L**2 / (20 * q * N**2) + 60 * L**2 / N
    theta = w = np.zeros(N)
    u, v = 2 * theta + tilt, -2 * w
    left = right = 0.0
    for _ in range(q):
        spread = ((u - u.mean()) ** 2).sum() + ((v - v.mean()) ** 2).sum()
        left += 3 * chat / (10 * N) * eta * spread
        right += 5 * chat / 64 * eta * (u.mean() ** 2 + v.mean() ** 2)
        right += (2 * a) ** 2 * chat * 2 * c1**2 / (16 * L**2) * eta**3
        new, keep = theta - chat * eta * u, 1 - c1 * eta**2
        u, theta = 2 * new + tilt + keep * (u - 2 * theta - tilt), new
    print(f"N = {N}, q = {q}: left / right of (38) = {left / right:.3g} > 1")
