"""momentum-fl-7: momentum damps the drift of clients apart; at beta = 0 they stay in step."""

import numpy as np
from straight import Ridges, answer, ratio

N, K, T, REPLICATES, ETA, GAMMA = 10, 8, 100, 32, 0.06, 0.5

ridges = Ridges(N, 4.0)
spread = {}
for beta in (1.0, 0.3, 0.0):
    rng = np.random.Generator(np.random.Philox(5))
    x, g = np.full((REPLICATES, 1, 8), ridges.start), np.zeros((REPLICATES, 1, 8))
    total = np.zeros(REPLICATES)
    for _ in range(T):
        y = np.repeat(x, N, axis=1)
        for _ in range(K):
            apart = y - y.mean(axis=1, keepdims=True)
            total += (apart * apart).sum(axis=2).mean(axis=1) / (T * K)
            y = y - ETA * (beta * ridges.sample(y, np.arange(N)[None], rng, 1) + (1 - beta) * g)
        g = (x - y.mean(axis=1, keepdims=True)) / (ETA * K)
        x = x - GAMMA * ETA * K * g
    spread[beta] = total
    print(f"beta = {beta:g}: mean squared distance from the mean {total.mean():.3e}")
damped = ratio(spread[0.3], spread[1.0])
print(f"beta = 0.3 for 1: {damped[0]:.3f} [{damped[1]:.3f}, {damped[2]:.3f}]")
in_step = spread[0.0].max() < 1e-20
print("verdict:", "reproduced" if answer(damped) == "yes" and in_step else "contradicted")
