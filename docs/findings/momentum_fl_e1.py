"""SCAFFOLD-M, Theorem 3 as printed: a tilt of T at the start makes beta ~ 1/T, and half of x_0 is kept."""

import numpy as np

N = S = 2
L, K, x0 = 1.0, 1, 1.0
for R in (100, 1000, 10000):
    a = R * np.array([1.0, -1.0])  # f_i = x^2/2 + a_i x, so f = x^2/2, Delta = 1/2, sigma = 0
    Delta, G0 = 0.5, np.mean((x0 + a) ** 2)
    beta = min(1.0, S / N ** (2 / 3), np.sqrt(L * Delta * S**2 / (G0 * N)))
    gamma, eta = beta / L, 0.01 * min(S**-0.5, 1 / beta, S**0.5 / N) / L
    x, g, c_i = x0, 0.0, x0 + a  # control variates start exact
    total = 0.0
    for _ in range(R):
        total += x**2
        grads = x + a
        y = x - eta * (beta * (grads - c_i + c_i.mean()) + (1 - beta) * g)
        g, c_i = np.mean(x - y) / eta, grads
        x = x - gamma * g
    claimed = L * Delta / R * (1 + N ** (2 / 3) / S)
    print(f"R = {R}: measured / claimed = {total / R / claimed:.1f}")
