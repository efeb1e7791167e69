"""momentum-fl-3: the advantage of momentum grows when fewer clients take part."""

import numpy as np
from straight import READOUTS, Ridges, federated, measure, ratio, tune, verdict

SPACE = {"eta": (0.001, 0.3), "gamma": (0.02, 8.0), "beta": (0.03, 1.0)}
PLAIN = SPACE | {"beta": (1.0, 1.0 + 1e-9)}
SHARES = (40, 8, 2)
MARGIN = 0.05

ridges, widens = Ridges(40, 4.0), {}
for method in ("fedavg", "scaffold"):
    for readout in READOUTS:
        gains = []
        for S in SHARES:

            def run(steps, replicates, seed, method=method, S=S):
                steps = steps | {"beta": np.minimum(steps["beta"], 1.0)}
                return federated(ridges, method, steps, T=150, K=8, S=S, replicates=replicates, seed=seed)

            plain = tune(run, PLAIN, readout, candidates=16)
            best = tune(run, SPACE, readout, candidates=16, seeds=[plain])
            gains.append(ratio(measure(run, best, readout), measure(run, plain, readout)))
            print(f"{method}, S = {S}, {readout}: {gains[-1][0]:.3f} [{gains[-1][1]:.3f}, {gains[-1][2]:.3f}]")
        # The gain at two clients against that of all of them: intervals further apart than what counts.
        more, less = gains[-1][2] < gains[0][1] - MARGIN, gains[-1][1] > gains[0][2] + MARGIN
        alike = abs(gains[-1][2] - gains[0][1]) < MARGIN and abs(gains[-1][1] - gains[0][2]) < MARGIN
        widens[method, readout] = "yes" if more else "no" if less else "no difference" if alike else "open"
        print(f"{method}, {readout}: widens: {widens[method, readout]}")
print("verdict:", verdict({readout: [said for (_, r), said in widens.items() if r == readout] for readout in READOUTS}))
