"""FedLALR, Theorem 1 with eps > G_inf, which no assumption excludes: the lower bound 1/G on the rate fails."""

import numpy as np

G = L = 1.0
# f(x) = sqrt(1 + x^2) - 1, beta1 = 0: FedLALR is gradient descent.
eps, K, d, T, x = 3.0, 1, 1, 6333, 1000.0
alpha = 3 * eps / (20 * L)
gap, total = np.sqrt(1 + x**2) - 1, 0.0
for _ in range(T):
    g = x / np.sqrt(1 + x**2)
    total += g**2
    x -= alpha * g / eps
D = G**2 - eps**2
a2 = K**2 * L**2 * G**2 / eps**4 * (1 + 4 * K**2 * d)
c3 = 2 * G**2 * K * d * D / eps**3 + 3 * d * D * G**2 / (2 * eps**3)
c4 = 5 * L * G**2 * d * D**2 / (8 * eps**6) + 5 * L * K * G**2 * d**2 * D**2 / (2 * eps**6)
bound = 2 * G * gap / (alpha * K * T) + 2 * G * (a2 * alpha**2 + c3 / T + c4 * alpha / T)
print(f"measured {total / T:.5f} > printed bound {bound:.4f}")
assert total / T > bound
