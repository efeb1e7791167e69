"""FedGLOMO, rounds after Theorem 1 and Remark 1: the orders drop 4/(K N), and no constant serves as N grows."""

import numpy as np

# Equal clients, no noise, no quantiser: gradient descent.
T, K, q, alpha, L = 1000, 1, 0.0, 0.0, 1.0
for m in (10, 40, 160):
    N, S = m**3 + 1, m**3
    s = (N - S) / (S * (N - 1))
    M = 800 * np.e**2 * (K + 1) ** 2 * s + (alpha + 4 / K) / N
    eta = (T * M) ** (-1 / 3) / (6 * L * K)  # as printed
    x = eta * T + 1  # f(x) = |x| - 1/2 from |x| = 1 on: all T steps stay there
    Delta, total = x - 1 / 2, 0.0
    for _ in range(T):
        g = np.clip(x, -1, 1)
        total += g**2
        x -= eta * g
    rate = L * Delta / T ** (2 / 3)
    spread = max(np.sqrt(alpha / N), (1 + q) * np.sqrt(s)) ** (2 / 3)
    orders = [rate * spread / K**p for p in (0, 2 / 3)]
    print(f"N = {N}: measured / claimed = {total / T / max(orders):.4g}, m = {m}")
    assert total / T > m * max(orders)
