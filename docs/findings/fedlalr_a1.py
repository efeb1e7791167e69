"""FedLALR, Corollary 2, bound (224): restarting the momentum at K = 1 takes steps ten times too short."""

import numpy as np

G = L = eps = 1.0
beta1, alpha, K, d, x = 0.9, 0.01, 1, 1, 100.0  # f(x) = sqrt(1 + x^2) - 1; vh stays eps^2 = G^2
T = 32000
gap, total = np.sqrt(1 + x**2) - 1, 0.0
for _ in range(T):
    g = x / np.sqrt(1 + x**2)
    total += g**2
    x -= alpha * (1 - beta1) * g / eps  # m = 0 at the start of the round
a2 = 2 * L**2 * beta1**2 * G**2 * d / (1 - beta1) ** 2
a2 += 4 * K**4 * L**2 * G**2 * (1 - beta1) ** 2 * d
bound = 2 * G * (gap / (alpha * K * T) + a2 * alpha**2)  # D = G^2 - eps^2 = 0 and sigma = 0
print(f"measured {total / T:.4f} > printed bound {bound:.4f}")
assert total / T > bound
