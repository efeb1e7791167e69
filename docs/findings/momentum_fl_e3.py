"""FedAvg-M-VR, Theorem 2, second rate as printed: beta = min(1/R, X) makes the server step shrink like R^(-1/2)."""

import numpy as np

L = 1.0
for R in (1000, 10000, 100000):
    # Huber function: slope 1 from x = 1 on.
    # N = K = 1 and sigma = 0, so X is infinite and beta = 1/R.
    gamma = min(1 / 24, np.sqrt((1 / R) / 54)) / L
    x = 1.0 + gamma * R
    Delta, total = x - 0.5, 0.0
    for _ in range(R):  # without noise the estimate is the gradient: plain gradient descent
        slope = min(x, 1.0)
        total += slope**2
        x -= gamma * slope
    print(f"R = {R}: measured / claimed = {total / R / (L * Delta / R):.1f}")
