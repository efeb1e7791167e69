"""FedLALR, Theorem 2: nothing is said of eps and G_inf; intervals that grow with log t and eps = 6 G_inf refute it."""

import numpy as np

# f(x) = sqrt(1 + x^2) - 1; one client and beta1 = 0: FedLALR is gradient descent, vh stays eps^2.
G = L = 1.0
eps, N, d, x = 6.0, 1, 1, 32.0
alpha = 3 * eps / (20 * L)
gap, total, D = np.sqrt(1 + x**2) - 1, 0.0, G**2 - eps**2
K = [1 + (t >= 4) + (t >= 16) for t in range(1, 64)]  # K_t = 1 + floor(log_4 t)
for _ in range(sum(K)):
    g = x / np.sqrt(1 + x**2)
    total += g**2
    x -= alpha * g / eps
drift = alpha**2 * max(K) ** 2 * L**2 * G**2 / eps**4 * (1 + 4 * max(K) ** 2 * d)
moments = 2 * max(K) * G**2 * d * D / eps**3 + 3 * G**2 * d * D / (2 * eps**3)
squares = N * alpha * L * G**2 * d * D**2 / eps**6 * (5 * max(K) * d / 2 + 5 / 8)
bound = 2 * G * (gap / alpha + moments + squares) / sum(K) + 2 * G * drift
print(f"measured {total / sum(K):.5f} > printed bound {bound:.4f}")
assert total / sum(K) > bound
