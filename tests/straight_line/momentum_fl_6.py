"""momentum-fl-6: with 5 of 40 clients, a smaller weight beta of the fresh gradient gives a better result."""

from straight import READOUTS, Ridges, answer, federated, measure, ratio, tune, verdict

WEIGHTS = (0.8, 0.4, 0.2, 0.1)

ridges, answers = Ridges(40, 4.0), {readout: [] for readout in READOUTS}


def run(steps, replicates, seed):
    """Return FedAvg-M at these steps, 5 of 40 clients."""
    return federated(ridges, "fedavg", steps, T=150, K=8, S=5, replicates=replicates, seed=seed)


for readout in READOUTS:
    found = []
    for beta in WEIGHTS:
        space = {"eta": (0.001, 1.0), "gamma": (0.005, 8.0), "beta": (beta, beta * (1 + 1e-9))}
        best = tune(run, space, readout, rounds=4, candidates=48)
        found.append(measure(run, best, readout))
        print(
            f"{readout}, beta = {beta}: {found[-1].mean():.4f} at eta = {best['eta']:.3f}, gamma = {best['gamma']:.2f}"
        )
    for strong, weak, ours, theirs in zip(WEIGHTS[1:], WEIGHTS, found[1:], found, strict=False):
        gain = ratio(ours, theirs)
        answers[readout].append(answer(gain))
        print(f"{readout}, {strong} for {weak}: {gain[0]:.3f} [{gain[1]:.3f}, {gain[2]:.3f}], {answers[readout][-1]}")
print("verdict:", verdict(answers))
