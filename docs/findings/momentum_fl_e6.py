"""SCAFFOLD-M-VR, Theorem 4, second rate as printed: it vanishes with Delta, the noise of the first samples does not."""

import numpy as np

L, N, S, K, sigma = 1.0, 2, 2, 1, 1.0  # f_i(x) = x^2/2 with additive noise, all clients active
for R in (100, 1000, 10000):
    x0 = 1 / (2 * R)
    Delta, B = x0**2 / 2, R
    beta = min(1 / R, (K * L * Delta / (sigma**2 * R)) ** (2 / 3) * S ** (1 / 3))
    gamma = min(1.0, np.sqrt(beta * S)) / L
    # With K = 1 the error of the direction e = g - grad f(x_prev) follows
    # e <- (1 - beta) e + beta (mean noise).
    xx, xe, ee, total = x0**2, 0.0, sigma**2 / (N * B), 0.0  # exact second moments
    for _ in range(R):
        total += xx
        xe, ee = (1 - beta) * xe, (1 - beta) ** 2 * ee + beta**2 * sigma**2 / N
        xx = (1 - gamma) ** 2 * xx - 2 * gamma * (1 - gamma) * xe + gamma**2 * ee
        xe = (1 - gamma) * xe - gamma * ee
    bracket = 1 + N**0.5 / S + sigma**2 / (S * K * R)
    claimed = (L * Delta * sigma / (S * K**0.5 * R)) ** (2 / 3) + L * Delta / R * bracket
    print(f"R = {R}: measured / claimed = {total / R / claimed:.1f}")
