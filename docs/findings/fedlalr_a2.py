"""FedLALR, Theorem 1: eps^-4 where the proof gives eps^-3; scale f up and the printed bound is too small."""

import numpy as np

c = 1e5  # f_i(x) = c (s^2/h) log cosh(h (x - p)/s): slope at most c s, curvature at most c h
s, h, p = np.array([0.95, 0.5]), np.array([1.0, 0.001]), np.array([0.0, -1e4])
G, L, eps, K, N, d, T = 0.95 * c, c, 0.95 * c, 2, 2, 1, 20000
alpha = 3 * eps / (20 * L)
x, total = -0.475 * np.log(29 / 9), 0.0  # the minimiser: no gap, only drift is left
for _ in range(T):
    y = np.full(N, x)
    for _ in range(K):
        total += np.mean(c * s * np.tanh(h * (y.mean() - p) / s)) ** 2
        y = y - alpha * c * s * np.tanh(h * (y - p) / s) / eps  # beta1 = 0, vh stays eps^2
    x = y.mean()
printed = 2 * G * alpha**2 * K**2 * L**2 * G**2 / eps**4 * (1 + 4 * K**2 * d)
repaired = 2 * G * alpha**2 * L**2 * G**2 * d * (K - 1) * (2 * K - 1) / (12 * eps**3)
measured = total / (K * T)
print(f"measured {measured:.4g} > printed {printed:.4g}, but <= repaired {repaired:.4g}")
assert printed < measured <= repaired
