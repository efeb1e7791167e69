"""SCAFFOLD-M-VR, Theorem 4, second rate as printed: the same min for max, with the printed server step."""

import numpy as np

L = N = S = 1
for R in (1000, 10000, 100000):
    gamma = min(1.0, np.sqrt(S / R)) / L  # beta = 1/R
    x = 1.0 + gamma * R
    Delta, total = x - 0.5, 0.0
    for _ in range(R):
        slope = min(x, 1.0)
        total += slope**2
        x -= gamma * slope
    print(f"R = {R}: measured / claimed = {total / R / (L * Delta / R * (1 + N**0.5 / S)):.1f}")
