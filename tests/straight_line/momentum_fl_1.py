"""momentum-fl-1: with all clients, momentum speeds up FedAvg and SCAFFOLD."""

import numpy as np
from straight import READOUTS, Ridges, answer, federated, measure, ratio, tune, verdict

SPACE = {"eta": (0.003, 0.6), "gamma": (0.05, 8.0), "beta": (0.03, 1.0)}
PLAIN = SPACE | {"beta": (1.0, 1.0 + 1e-9)}

answers = {readout: [] for readout in READOUTS}
for zeta in (1.0, 8.0):
    ridges = Ridges(10, zeta)
    for method in ("fedavg", "scaffold"):

        def run(steps, replicates, seed, ridges=ridges, method=method):
            steps = steps | {"beta": np.minimum(steps["beta"], 1.0)}
            return federated(ridges, method, steps, T=150, K=8, S=10, replicates=replicates, seed=seed)

        for readout in READOUTS:
            plain = tune(run, PLAIN, readout)
            best = tune(run, SPACE, readout, seeds=[plain])
            found = ratio(measure(run, best, readout), measure(run, plain, readout))
            answers[readout].append(answer(found))
            print(f"zeta = {zeta:g}, {method}, {readout}: {found[0]:.3f} [{found[1]:.3f}, {found[2]:.3f}],"
                  f" {answers[readout][-1]}; beta = {best['beta']:.2f}")  # fmt: skip
print("verdict:", verdict(answers))
