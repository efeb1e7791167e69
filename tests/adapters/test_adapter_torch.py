"""The torch adapter: its pieces, and clients in the style of two libraries on the samples of a comparison."""

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra torch")

from boundcheck.adapters.torch import Batches, Site, VectorModel, average_states, load, sites, vector  # noqa: E402
from boundcheck.conform import compare  # noqa: E402
from boundcheck.errors import InputError  # noqa: E402

pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"


class Parabola:
    """A client whose gradient at x is x + k + 10 t."""

    size = 7

    def grad(self, x, k, t):
        return np.asarray(x, dtype=float) + k + 10 * t


def test_parameters_are_the_vector():
    """Two parameters make the vector, in order; loading and reading are inverse, and copies."""
    x = np.arange(5.0)
    model = VectorModel(x, cut=2)
    assert [p.numel() for p in model.parameters()] == [2, 3]
    assert np.array_equal(vector(model), x)
    load(model, -x)
    assert np.array_equal(vector(model.state_dict()), -x)
    seen = vector(model)
    with torch.no_grad():
        model.weight += 1.0
    assert np.array_equal(seen, -x)
    assert np.array_equal(x, np.arange(5.0))
    assert np.array_equal(vector([np.ones(2), np.zeros(1)]), [1, 1, 0])


def test_a_buffer_is_no_parameter():
    """It counts batches in training, travels in the state, and is neither in the vector nor averaged."""
    model = VectorModel([1.0, 2.0, 3.0], buffer=True)
    model.train()
    model()
    model.eval()
    model()
    state = model.state_dict()
    assert list(state) == ["weight", "bias", "batches"]
    assert int(state["batches"]) == 1
    assert np.array_equal(vector(model), [1, 2, 3])
    assert np.array_equal(vector(state), [1, 2, 3])
    other = VectorModel([3.0, 2.0, 1.0], buffer=True).state_dict()
    averaged = average_states([state, other])
    assert np.array_equal(vector(averaged), [2, 2, 2])
    assert int(averaged["batches"]) == 1


def test_gradient_of_the_loss_is_the_clients():
    """Backpropagation leaves x + k + 10 t in the parameters, step by step."""
    site = Site(Parabola(), [1.0, 2.0, 3.0], K=2)
    site.start(4)
    for k, (inputs, targets) in enumerate(site.loader):
        site.model.zero_grad()
        site.loss(site.model(inputs), targets).backward()
        found = np.concatenate([p.grad.numpy() for p in site.model.parameters()])
        assert np.array_equal(found, np.array([1.0, 2.0, 3.0]) + k + 40)
    assert len(site.loader) == 2
    assert len(site.loader.dataset) == site.size == 7


def test_averages_of_states():
    """Entry by entry, with weights or without."""
    states = [VectorModel([1.0, 2.0]).state_dict(), VectorModel([3.0, 6.0]).state_dict()]
    assert np.array_equal(vector(average_states(states)), [2.0, 4.0])
    assert np.array_equal(vector(average_states(states, [1, 3])), [2.5, 5.0])


def test_bad_input_is_refused():
    """Every message names the argument, the value and what is legal."""
    with pytest.raises(InputError, match=r"cut = 4 is not legal: a position from 0 to 3"):
        VectorModel(np.zeros(3), cut=4)
    with pytest.raises(InputError, match="length of x = 2 is not legal: 3"):
        load(VectorModel(np.zeros(3)), np.zeros(2))
    with pytest.raises(InputError, match="vector: int is not legal"):
        vector(3)
    site = Site(Parabola(), [1.0], K=1)
    with pytest.raises(InputError, match="call start"):
        site.loss(site.model(), torch.zeros(1))
    with pytest.raises(InputError, match="number of states = 0"):
        average_states([])
    assert [int(target) for _, target in Batches(3, 1)] == [0, 1, 2]


def state_dict_scaffold(clients, x0, *, K, T, active, eta, gamma, dtype=torch.float64, forget=None):
    """Run SCAFFOLD on state_dicts; `forget` is an entry that the server does not average."""
    at = sites(clients, x0, K=K, dtype=dtype)
    state = {name: value.clone() for name, value in at[0].model.state_dict().items()}
    zero = {name: torch.zeros_like(value) for name, value in state.items()}
    own, common, iterates = [dict(zero) for _ in at], dict(zero), [vector(state)]
    for t in range(T):
        ends, fresh = [], {}
        for i in active[t]:
            site = at[i]
            site.start(t)
            site.model.load_state_dict(state)
            for inputs, targets in site.loader:
                site.model.zero_grad()
                site.loss(site.model(inputs), targets).backward()
                with torch.no_grad():
                    for name, p in site.model.named_parameters():
                        p -= eta * (p.grad - own[i][name] + common[name])
            end = {name: value.clone() for name, value in site.model.state_dict().items()}
            fresh[i] = {n: own[i][n] - common[n] + (state[n] - end[n]) / (K * eta) for n in state}
            ends.append(end)
        mean = average_states(ends)
        common = {n: common[n] + sum(fresh[i][n] - own[i][n] for i in fresh) / len(at) for n in common}
        for i, variate in fresh.items():
            own[i] = variate
        state = {n: value if n == forget else value + gamma * (mean[n] - value) for n, value in state.items()}
        iterates.append(vector(state))
    return iterates


def test_state_dict_scaffold_agrees():
    """A right torch SCAFFOLD agrees to rounding, in single precision as far as that goes."""
    comparison = compare(state_dict_scaffold, method="scaffold", hyper={"gamma": 0.7})
    assert comparison.verdict == "agrees"
    assert max(c.deviation for c in comparison.checked) < 1e-12
    single = partial(state_dict_scaffold, dtype=torch.float32)
    assert compare(single, method="scaffold", hyper={"gamma": 0.7}).verdict == "single precision"


def test_an_entry_that_is_not_averaged_is_found():
    """A server that leaves out one entry of the state_dict differs after the first round."""
    comparison = compare(partial(state_dict_scaffold, forget="bias"), method="scaffold", hyper={"gamma": 0.7})
    assert comparison.verdict == "differs"
    assert {c.parts for c in comparison.checked} == {1}


def test_the_page_prints_what_it_says(capsys):
    """The clients of docs/adapters.md run, and the page shows what is printed."""
    text = PAGE.read_text(encoding="utf-8")
    namespace, printed = {}, []
    fences = re.findall(r"^```(\w*)\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    for language, block in fences:
        if language == "python":
            exec(block, namespace)
            printed += [out] if (out := capsys.readouterr().out) else []
    assert printed == [block for language, block in fences if not language]
