"""How many mutants of the methods the identities and the straight-line references catch."""

from fnmatch import fnmatchcase

import numpy as np
import pytest
from method_case import TOLERANCE
from method_harness import Record
from method_table import CASES, problem_for
from mutation import Mutant, mutants_of
from test_method_reference import LANES, ROUNDS, replayed

from boundcheck.conform import about, run
from boundcheck.engine import simulate
from boundcheck.engine.minibatches import Minibatches
from boundcheck.methods import METHODS

_EVERYONE = "all clients take part in every round: S = N"
_BROADCAST = "a scalar zero broadcasts to the vector of zeros"
_SHOWN = "the weight of what observers are shown, not a part of the update"
_FIRST_ROUND = "the first round does not read it"
_COUNTED = "which messages are counted, not a part of the update"
_SCALE = "a common factor of the norms n_i cancels in mean n_i mean (y_i - x) / n_i"
_ENOUGH = "a client cannot make more than the K steps of the round"
_FULL = (
    *("central.*", "coda.*", "control_variates.LED.*", "control_variates.VRLSGD.*", "dual.FedPD.*"),
    *("local_adaptive.LocalAMSGrad.*", "minimax.*", "minimax_baselines.*", "recursive.BVRLSGD.*", "recursive.STEM.*"),
)
EQUIVALENT = {
    **{f"{where}: oracle.mean(*) -> * ? (oracle.S / oracle.N)": _EVERYONE for where in _FULL},
    **{f"*: 0.0 ? {vector} -> 0.0": _BROADCAST for vector in ("x", "y", "x0", "start", "steps", "logits")},
    "minimax.FMGDA.round: 0.5*": _SHOWN,
    "minimax_baselines.StormGDA.round: 0.5*": _SHOWN,
    "coda._Staged.init: 0.0 ? x0 -> x0": "equal control variates cancel in mean c_i - c_i, and CODA has none",
    "coda._Staged.init: 0.0 -> 1.0": "equal control variates cancel in mean c_i - c_i, and CODA has none",
    "glomo.FedGLOMO.init: 0.0 ? x0 -> x0": _FIRST_ROUND,
    "glomo.FedGLOMO.init: 0.0 -> 1.0": _FIRST_ROUND,
    "glomo.FedGLOMO.round: t + 1 -> t - 1": "it is only asked whether t is zero",
    "control_variates.FedGATE.round: oracle.[NS]*": _COUNTED,
    "gradma_updates.server_start: oracle.[NS] -> oracle.[SN]": "a memory of default size passes, and the error's words",
    "gradma_updates.worker_update: -2 -> 2": "the same axis of four",
    "network.MOON.local: self.mu ? seen -> self.mu": "a client without a model has its start as one: no contrast",
    "network._log_softmax: logits - logits.max(*": "the softmax does not see a shift",
    "normalised.FedNova.init: oracle.K -> oracle.K + 1": _ENOUGH,
    "normalised.FedNova.round: (1.0 - self.eta ? self.rho) ? n + c -> (1.0 - self.eta ? self.rho) ? n - c": _SCALE,
    "normalised.FedNova.round: 1.0 -> 2.0": _SCALE,
    "normalised.FedNova.round: self.beta ? c + 1.0 -> self.beta ? c - 1.0": _SCALE,
}
"""Pattern of mutants to the reason why they are no change."""


def caught_by_identities(name):
    """Return whether an identity of the method fails, or cannot be checked at all."""
    for identity in about(name):
        try:
            if not run([identity.id])[0].ok:
                return True
        except Exception:  # noqa: BLE001
            return True
    return False


def apart(case, N, S, K):
    """Return whether some server iterate is not that of the straight-line reference."""
    problem = problem_for(case, N=N, noise="phases")
    record = Record(problem)
    finals = simulate(problem, case.method(), K=K, T=ROUNDS, S=S, lanes=LANES, block=LANES).final
    for lane in range(LANES):
        expected = replayed(case, record, lane, K=K, numbers=case.numbers, S=S)
        gap = np.abs(finals[lane] - expected[-1]).max()
        if not gap <= 10 * TOLERANCE * np.abs(expected).max():
            return True
    return False


def caught_by_references(name):
    """Return whether a straight-line reference of the method disagrees, or the method cannot run."""
    for case in CASES:
        if case.name == name:
            for N, S, K in ((5, 5, 3), (5, 3 if case.partial else 5, 3), (2, 2, 1)):
                try:
                    if apart(case, N, S, K):
                        return True
                except Exception:  # noqa: BLE001
                    return True
    return False


def survivors():
    """Return the mutants that nothing catches, and the number of all; a shared function counts once."""
    alive: dict[Mutant, bool] = {}
    for name in METHODS:
        for mutant in mutants_of(name):
            if alive.get(mutant, True):
                with mutant.planted(), np.errstate(all="ignore"):
                    alive[mutant] = not (caught_by_identities(name) or caught_by_references(name))
    return [mutant for mutant, lives in alive.items() if lives], len(alive)


@pytest.fixture(autouse=True)
def _no_minibatch_ahead(monkeypatch):
    """Make no minibatch before its round: references replay those of each."""
    monkeypatch.setattr(Minibatches, "ahead", 0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("caught", [caught_by_identities, caught_by_references])
def test_methods_as_they_are_are_not_caught(caught):
    """What fails for another reason than the mutant would catch every one of them."""
    assert [name for name in METHODS if caught(name)] == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_mutants_of_the_methods_are_caught():
    """At least 95 % of the mutants that change something are caught by the identities or the references."""
    found, total = survivors()
    alive = [str(m) for m in found if not any(fnmatchcase(str(m), pattern) for pattern in EQUIVALENT)]
    share = 1 - len(alive) / (total - len(found) + len(alive))
    print(f"{total} mutants, {len(found) - len(alive)} of them no change, {share:.1%} of the others caught; alive:")
    print(*sorted(alive), sep="\n")
    assert share >= 0.95
    assert [p for p in EQUIVALENT if not any(fnmatchcase(str(m), p) for m in found)] == []
