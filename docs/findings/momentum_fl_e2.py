"""FedAvg-M-VR, Theorem 2, first rate as printed: clients that part on the way, and a local step that stays long."""

import numpy as np

N, K, L, a, beta = 2, 8, 1.0, 0.2, 1.0  # f_i(x) = f(x) +- x^2/4; no noise, so beta = c = 1
sides = np.array([0.5, -0.5])
for R in (1000, 10000):
    gamma = min(1 / 24, np.sqrt(beta * N * K / 54)) / L
    D = gamma * R / 2  # f has slope -1 left of D - 2 and is (x - D)^2/4 right of it: minimum 0 at D
    Delta, G0 = D - 1.0, 1.0  # the clients agree at x = 0
    start = np.sqrt(L * Delta / (G0 * gamma * L * R))
    eta = a * min(start, (beta / N) ** 0.5, (beta / (N * K)) ** 0.25) / (K * L)
    x = previous = total = 0.0
    g = -1.0
    for _ in range(R):
        total += max(-1.0, (x - D) / 2) ** 2
        at = np.maximum(-1.0, (previous - D) / 2) + sides * previous
        y = np.full(N, x)
        for _ in range(K):
            y = y - eta * (np.maximum(-1.0, (y - D) / 2) + sides * y + (1 - beta) * (g - at))
        g, previous = (x - y.mean()) / (eta * K), x
        x = x - gamma * g
    print(f"R = {R}: measured / claimed = {total / R / (L * Delta / R):.1f}")
