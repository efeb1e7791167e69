"""Print how near theorems for all steps and all K are to the best one-round theorems.

``python -m benchmarks.theorems [WORD ...]`` prints the rows whose names have one of the words, or all.  Every row
searches anew and compares at steps, K and N that the search did not see.  ``python -m benchmarks.theorems cells``
prints the least and the largest excess of each theorem that ships at 12 random cells: K, N and steps.
"""

import sys
import time
from fractions import Fraction

import numpy as np

from boundcheck import METHODS
from boundcheck.errors import NotApplicableError
from boundcheck.proofs.kernel.all_steps import check
from boundcheck.worst import ProblemClass
from boundcheck.worst.gram.units import with_fractions
from boundcheck.worst.theorems.all_k.lemmas import Degrees
from boundcheck.worst.theorems.all_k.loop import local_loop
from boundcheck.worst.theorems.all_k.search import cell_at
from boundcheck.worst.theorems.all_steps.cover import cover_steps
from boundcheck.worst.theorems.all_steps.search import best_at
from boundcheck.worst.theorems.all_steps.sharpen import _costs, costs_of_loop, sharpen_all_k, sharpen_steps
from boundcheck.worst.theorems.bernstein.polynomials import evaluate
from boundcheck.worst.theorems.collection.shipped import shipped, shipped_theorem
from boundcheck.worst.theorems.family import StepFamily, polynomials

F = Fraction
SEED, STEPS = 11, 50
MOMENTUM = {"eta": 0.1, "beta": 0.5, "gamma": 0.25}


def right_side(theorem, point, costs):
    """Return the right-hand side at T = 1 with weights of constants for the start and for a round."""
    rate = float(evaluate(theorem.rate, point))
    parts = ((costs["start"], theorem.first), (costs["round"], theorem.always))
    terms = [own.get(name, 0) * float(evaluate(p, point)) for own, factors in parts for name, p in factors.items()]
    return sum(terms) / rate


def of_steps(theorem, least=0.02, count=STEPS):
    """Return the least and the largest excess at random points of the box of a theorem for one K."""
    made = polynomials(StepFamily(theorem.method, theorem.letters, theorem.K, theorem.given))
    generator, found = np.random.default_rng(SEED), []
    for _ in range(count):
        point = tuple(
            float(low + (high - low) * generator.uniform(least if low == 0 else 0, 1)) for low, high in theorem.box
        )
        best = best_at(made, point, _costs(made, point))
        if best is not None:
            found.append(right_side(theorem, point, best.costs) / best.value - 1)
    return min(found), max(found)


def of_all_k(theorem, counts=(5, 7, 12, 24), clients=(2,), shares=(0.05, 0.2, 0.45, 0.7, 0.95)):
    """Return the least and the largest excess at K, N and steps that the search did not see."""
    loop = local_loop(with_fractions(theorem.method), theorem.given)
    up_to, found = float(theorem.box[-1][1]), []
    for K in counts:
        for share in shares:
            h = up_to * share
            for N in clients:
                cell = cell_at(loop, K, N, h, costs_of_loop(loop, K, h))
                if cell is None:
                    continue
                values = {"e": F(1, K), "h": h}
                factors = theorem.factors(values, T=1, N=N)
                own = cell.costs["start"] | cell.costs["round"]
                found.append(sum(factors.get(name, 0) * weight for name, weight in own.items()) / cell.best - 1)
    return min(found), max(found)


def one_k(name, K, hyper, up_to):
    return lambda: sharpen_steps(METHODS[name](**hyper), K=K, up_to=up_to)


def boxed(name, hyper, box):
    return lambda: sharpen_steps(METHODS[name](**hyper), K=2, box=box)


PLAIN, NEAR, NOISY = Degrees(3, 1, 1), Degrees(4, 2, 2), Degrees(4, 2, 1)


def all_k(name, hyper, up_to, *, sigma=0.0, zeta=1.0, degrees=PLAIN):
    given = ProblemClass(N=8 if sigma else 2, Delta=1.0, sigma=sigma, zeta=zeta, G_0=None if zeta else 1.0)
    return lambda: sharpen_all_k(
        METHODS[name](**hyper), up_to=up_to, given=given, few=False, degrees=degrees, compare=False
    )


def of_noise(theorem):
    """Return the same for a theorem with noise: over N too, and fewer K, since one-round theorems take longer."""
    return of_all_k(theorem, counts=(5, 7, 12), clients=(2, 8, 64))


ETA = {"eta": 0.1}
SIDES = {"eta": (F(1, 16), F(1, 8)), "gamma": (F(1, 8), F(1, 4)), "beta": (F(1, 2), F(1))}
ROWS = {
    "FedAvg, K = 2, h <= 1": (one_k("fedavg", 2, ETA, F(1)), of_steps),
    "FedAvg, K = 3, h <= 1": (one_k("fedavg", 3, ETA, F(1)), of_steps),
    "FedAvg, K = 4, h <= 1": (one_k("fedavg", 4, ETA, F(1)), of_steps),
    "FedAvg, K = 8, h <= 1": (one_k("fedavg", 8, ETA, F(1)), of_steps),
    "FedAvg-M, K = 2, h <= 1/2": (one_k("fedavg-m", 2, MOMENTUM, F(1, 2)), of_steps),
    "SCAFFOLD, K = 2, h <= 1/4": (one_k("scaffold", 2, ETA, F(1, 4)), of_steps),
    "SCAFFOLD-M, K = 2, h <= 1/4": (one_k("scaffold-m", 2, MOMENTUM | {"gamma": 0.125}, F(1, 4)), of_steps),
    "FedAvg-M, box of factor 2 in eta, beta, gamma": (boxed("fedavg-m", MOMENTUM, SIDES), of_steps),
    "SCAFFOLD-M, box of factor 2 in eta, beta, gamma": (boxed("scaffold-m", MOMENTUM, SIDES), of_steps),
    "SCAFFOLD, box of factor 2 in eta, gamma": (
        boxed("scaffold", ETA, {"eta": (F(1, 16), F(1, 8)), "gamma": (F(1, 2), F(1))}),
        of_steps,
    ),
    "FedAvg, all K, h <= 1/2": (all_k("fedavg", ETA, F(1, 2), degrees=NEAR), of_all_k),
    "FedAvg, all K, h <= 3/4": (all_k("fedavg", ETA, F(3, 4), degrees=NEAR), of_all_k),
    "FedAvg, all K, h <= 1": (all_k("fedavg", ETA, F(1), degrees=Degrees(8, 1, 1)), of_all_k),
    "FedAvg, all K, h <= 1/2, noise": (
        all_k("fedavg", ETA, F(1, 2), sigma=1.0, degrees=NOISY),
        of_noise,
    ),
    "FedAvg-M, all K, h <= 1/2, noise": (all_k("fedavg-m", MOMENTUM, F(1, 2), sigma=1.0, degrees=NOISY), of_noise),
    "FedAvg-M, all K, h <= 1/2": (all_k("fedavg-m", MOMENTUM, F(1, 2)), of_all_k),
    "SCAFFOLD, all K, h <= 1/2, no zeta": (all_k("scaffold", ETA, F(1, 2), zeta=None), of_all_k),
    "SCAFFOLD, all K, h <= 1/2, noise": (
        all_k("scaffold", ETA, F(1, 2), zeta=None, sigma=1.0, degrees=NOISY),
        of_noise,
    ),
}
"""Name of a row to the search, and to the comparison."""


def cover():
    """Print the boxes that cover a factor of 8 in eta of FedAvg-M within 3 %."""
    began = time.process_time()
    box = {"eta": (F(1, 64), F(1, 8)), "gamma": (F(1, 8), F(1, 4))}
    found = cover_steps(METHODS["fedavg-m"](**MOMENTUM), K=2, box=box, within=0.03, most=40)
    gap = max(theorem.gap for theorem in found)
    seconds = time.process_time() - began
    print(f"| FedAvg-M, factor 8 in eta, 2 in gamma | {len(found)} boxes | {100 * gap:.2f} % | {seconds:.1f} s | |")


def cells(name, count=12):
    """Return the least and the largest excess of a theorem that ships at random K, N and steps."""
    theorem, generator, found = shipped_theorem(name), np.random.default_rng(SEED), []
    if theorem.K is not None:
        return of_steps(theorem, count=count)
    loop = local_loop(with_fractions(theorem.method), theorem.given)
    for _ in range(count):
        K, N = int(generator.integers(round(1 / theorem.box[0][1]), 9)), int(generator.integers(2, 20))
        h = float(theorem.box[1][1]) * float(generator.uniform(0.03, 1))
        cell = cell_at(loop, K, N, h, costs_of_loop(loop, K, h))
        if cell is not None:
            own = cell.costs["start"] | cell.costs["round"]
            # All clients take part: what a draw adds is 0.
            factors = theorem.factors({"e": F(1, K), "h": h, "p": 0.0}, T=1, N=N)
            found.append(sum(factors.get(key, 0) * weight for key, weight in own.items()) / cell.best - 1)
    return min(found), max(found)


def main():
    """Print the rows that are named, or all."""
    if sys.argv[1:2] == ["cells"]:
        for name in sys.argv[2:] or shipped():
            least, largest = cells(name)
            print(f"| `{name}` | {100 * least:.2f} % | {100 * largest:.0f} % |", flush=True)
        return
    print("| row | least | largest excess | seconds | check |\n|---|---|---|---|---|")
    for name, (search, compare) in ROWS.items():
        if len(sys.argv) > 1 and not any(word in name for word in sys.argv[1:]):
            continue
        began = time.process_time()
        try:
            theorem = search()
        except NotApplicableError as error:
            print(f"| {name} | {error} |", flush=True)
            continue
        seconds, began = time.process_time() - began, time.process_time()
        check(theorem.proof)
        checked = time.process_time() - began
        least, largest = compare(theorem)
        words = f"{100 * least:.3f} % | {100 * largest:.2f} % | {seconds:.1f} s | {checked:.2f} s"
        print(f"| {name} | {words} |", flush=True)
    if len(sys.argv) == 1 or "cover" in sys.argv:
        cover()


if __name__ == "__main__":
    main()
