"""Faults of public codes: found, and named or read off in words to mend them by; right codes are not accused."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from faulty_bounds import FAULTS as BOUNDS
from faulty_bounds import RIGHT as RIGHT_BOUNDS
from faulty_codes import FAULTS as SINGLE
from faulty_codes import RIGHT, fedavg
from faulty_fresh import FAULTS as FRESH
from faulty_fresh import RIGHT as RIGHT_FRESH
from faulty_lasting import FAULTS as LASTING
from faulty_lasting import RIGHT as RIGHT_LASTING
from faulty_messages import FAULTS as MESSAGES
from faulty_messages import RIGHT as RIGHT_MESSAGES
from faulty_more import FAULTS as FURTHER
from faulty_more import RIGHT as MORE_RIGHT
from faulty_pairs import MORE_FAULTS, UNASKED
from faulty_parts import FAULTS as OF_PARTS
from faulty_parts import RIGHT as RIGHT_PARTS
from faulty_ported import FAULTS as PORTED
from faulty_public import FAULTS as PUBLIC
from faulty_public import RIGHT as RIGHT_PUBLIC
from faulty_rare import FAULTS as RARE
from faulty_rare import RIGHT as RIGHT_RARE
from faulty_rules import FAULTS as OF_RULES
from faulty_rules import RIGHT as RIGHT_RULES
from faulty_rules import ef_sgd
from faulty_seldom import FAULTS as SELDOM
from faulty_seldom import RIGHT as RIGHT_SELDOM
from faulty_slips import FAULTS as SLIPS
from faulty_slips import RIGHT as RIGHT_SLIPS
from faulty_stranger import FAULTS as STRANGER
from faulty_stranger import RIGHT as RIGHT_STRANGER
from faulty_threads import FAULTS as OF_THREADS
from faulty_together import FAULTS as TOGETHER
from faulty_together import RIGHT as RIGHT_TOGETHER
from turns import case_of, first_of_each

from boundcheck.conform import compare, judge
from boundcheck.methods import METHODS

KINDS = (
    *(SINGLE, MORE_FAULTS, FURTHER, OF_RULES, FRESH, BOUNDS, LASTING, MESSAGES, OF_THREADS),
    *(SELDOM, STRANGER, TOGETHER, SLIPS, OF_PARTS, PUBLIC, RARE, PORTED),
)
FAULTS = [fault for kind in KINDS for fault in kind]
PLACED = {
    ("scaffold", "one variate for all"),
    ("local-amsgrad", "eps beside the root"),
    ("q-fedavg", "losses by half of q, and a sum over N"),
    ("gradient-tracking", "nothing mixed, twice the change"),
    ("feddyn", "h of the moves, twice in the first round"),
    ("pr-sgd-m", "half of the buffers is shared"),
    ("ef21-sgdm", "beliefs by beta"),
    ("fedlalr", "undamped, and no maximum"),
    ("fista", "t/(t + 3)"),
    ("scaffnew", "1/p"),
    ("delayed-sgd", "fresh every second round"),
    ("choco", "half is known, of the round before"),
    ("fedavg", "gradients left over"),
    ("fedprox", "the old reference"),
    ("fednova", "moves by the root of K_i"),
    ("dp-fedavg", "clip follows the updates"),
    ("q-fedavg", "norm not squared"),
}
"""Faults that are found, and only placed."""
WANTED = 0.7
"""Least share of the faults that a maintainer is told how to mend."""
_NUMBERS = {(fault.method, fault.id): n for n, fault in enumerate(FAULTS)}
_KIND = {(fault.method, fault.id): n for n, kind in enumerate(KINDS) for fault in kind}
# All of them take five minutes of processor time; at each change one of each kind is asked.
ASKED = first_of_each(_KIND.get, _KIND)


@pytest.mark.parametrize(("method", "name"), ASKED)
def test_a_fault_is_named_or_read_off(method, name):
    """The diagnosis has the words that say what to change, or says that no known mistake fits; never both."""
    fault = FAULTS[_NUMBERS[method, name]]
    comparison = compare(fault.code, method=method, hyper=fault.hyper)
    said = "; ".join(comparison.diagnosis)
    assert comparison.verdict == "differs"
    if (method, name) in PLACED:
        assert "no known mistake" in said
        assert "your iterates equal" not in said
    else:
        missing = [words for words in fault.words if words not in said]
        assert not missing, said
        assert "no known mistake" not in said


def test_the_faults_are_many():
    """Over a hundred, of a dozen methods, each once, and nearly all get words."""
    assert len(_NUMBERS) == len(FAULTS) > 100
    assert len({fault.method for fault in FAULTS}) >= 12
    assert (len(FAULTS) - len(PLACED)) / len(FAULTS) >= WANTED
    assert set(_NUMBERS) >= PLACED
    total, words = len(FAULTS), len(FAULTS) - len(PLACED)
    page = " ".join((Path(__file__).parents[2] / "docs" / "conform.md").read_text(encoding="utf-8").split())
    assert f"They restate {total} faults of public codes besides: all are found, {words} are named or read off" in page


def in_single_precision(code):
    """Return a code, of the same signature, whose clients answer, and whose iterates are, in single precision."""

    class Client:
        def __init__(self, client):
            self._client, self.size = client, client.size

        def grad(self, x, k, t):
            return self._client.grad(x, k, t).astype(np.float32)

        def full(self, x):
            return self._client.full(x).astype(np.float32)

    def run(clients, x0, *, K, T, active, **hyper):
        single = {name: np.float32(value) if isinstance(value, float) else value for name, value in hyper.items()}
        return code([Client(client) for client in clients], x0.astype(np.float32), K=K, T=T, active=active, **single)

    run.__signature__ = inspect.signature(code)
    return run


@pytest.mark.parametrize("name", [name for name, _ in (*RIGHT, *MORE_RIGHT)])
def test_a_right_code_agrees_in_double_and_in_single_precision(name):
    """Fourteen methods: to rounding in float64, and to 1e-4 in float32, where the verdict says so."""
    code = dict([*RIGHT, *MORE_RIGHT])[name]
    numbers = {"hyper": {}} if name != "fednova" else {"hyper": {"fewest": 1}}
    assert compare(code, method=name, **numbers).verdict == "agrees"
    wrapped = in_single_precision(code)
    assert compare(wrapped, method=name, tolerance=1e-4, **numbers).same


@pytest.mark.parametrize(("name", "code"), [*RIGHT_RULES, *RIGHT_FRESH, *RIGHT_BOUNDS, *RIGHT_LASTING])
def test_the_loops_of_the_faults_are_right_without_one(name, code):
    """What is found in them is the fault, and not the loop."""
    assert compare(code, method=name).verdict == "agrees"


@pytest.mark.parametrize(
    ("name", "code", "hyper"),
    [
        *RIGHT_MESSAGES,
        *RIGHT_SELDOM,
        *RIGHT_STRANGER,
        *RIGHT_TOGETHER,
        *RIGHT_SLIPS,
        *RIGHT_PARTS,
        *RIGHT_PUBLIC,
        *RIGHT_RARE,
    ],
)
def test_loops_at_numbers_of_their_own_are_right_without_a_fault(name, code, hyper):
    """Likewise of messages that are quantised, of another snapshot, and of methods that are seldom asked about."""
    assert compare(code, method=name, hyper=hyper).verdict == "agrees"


@pytest.mark.parametrize("k", [1, 2])
def test_entries_of_the_same_size_may_be_taken_in_any_order(k):
    """The k largest are no others where two are equal: the last ones first, or all that are as large as the k-th."""

    def last_first(v, k):
        return np.where(np.isin(np.arange(len(v)), np.argsort(np.abs(v), kind="stable")[-k:]), v, 0.0)

    for top in (last_first, lambda v, k: np.where(np.abs(v) >= np.sort(np.abs(v))[-k], v, 0.0)):

        def code(clients, x0, *, K, T, active, eta, k, top=top):
            x, e, path = x0, [0 * x0 for _ in clients], [x0]
            for t in range(T):
                wanted = [eta * client.grad(x, 0, t) + m for client, m in zip(clients, e, strict=True)]
                sent = [top(v, k) for v in wanted]
                x, e = x - np.mean(sent, axis=0), [w - s for w, s in zip(wanted, sent, strict=True)]
                path.append(x)
            return path

        assert compare(code, method="ef-sgd", hyper={"k": k}).verdict == "agrees"


@pytest.mark.parametrize(("method", "name", "far"), [("clipped-sgd", "clip", 1e6), ("fedams", "eps", 1e-12)])
def test_a_bound_that_no_run_reaches_is_not_asked(method, name, far):
    """Far off, a code that has left it out would agree too; at a number that counts the right one does."""
    right = METHODS[method]
    comparison = compare(right, method=method, hyper={name: far})
    assert comparison.verdict == "as far as asked"
    assert f"no run reaches {name}" in comparison.diagnosis[0]
    assert compare(right, method=method).verdict == "agrees"


@pytest.mark.parametrize("method", ["proximal-sgd", "fista"])
def test_a_penalty_that_is_0_in_every_run_is_not_asked(method):
    """The clients of the battery have none, so that a code without its prox would agree."""
    comparison = compare(METHODS[method], method=method)
    assert comparison.verdict == "as far as asked"
    assert "the penalty h, whose prox the method takes, is 0 in every run" in comparison.diagnosis[0]
    assert compare(METHODS["sgd"], method="sgd").verdict == "agrees"


def test_a_change_of_the_rule_is_planted_in_a_copy():
    """A search for one leaves the registered method as it is, and is confirmed in every setting."""
    wrong = ef_sgd(lambda e, g, eta: 0.8 * eta * g + 0.7 * e)
    (sentence,) = compare(wrong, method="ef-sgd").diagnosis
    assert "wanted is 0.8 * (eta * g(y)) + 0.7 * old_error" in sentence
    assert compare(ef_sgd(), method="ef-sgd").verdict == "agrees"


@pytest.mark.parametrize("name", ["fedavg", case_of("scaffold", slow=True), case_of("fedadam", slow=True)])
def test_a_mistake_in_single_precision_is_named_too(name):
    """The names are those of double precision."""
    fault = next(one for one in FAULTS if one.method == name)
    comparison = compare(in_single_precision(fault.code), method=name)
    assert comparison.verdict == "differs"
    assert any("with a mistake" in sentence or "another method" in sentence for sentence in comparison.diagnosis)


def test_a_code_of_fixed_dimension_is_placed():
    """Runs in other dimensions, from which it would be read, are left out where it raises in them."""
    whole = fedavg(lambda y, g, eta, x, t, k, i, u: y - eta * np.array([1.0, 1.1, 1.23]) * np.abs(g))
    assert "no known mistake" in "; ".join(compare(whole, method="fedavg").diagnosis)


@pytest.mark.parametrize(("method", "code", "words"), UNASKED)
def test_a_simpler_method_is_not_accepted(method, code, words):
    """What distinguishes the method was not asked: that is the verdict, and the sentence says what was left out."""
    comparison = compare(code, method=method)
    assert comparison.verdict == "as far as asked"
    assert comparison.same
    assert not comparison.ok
    (sentence,) = comparison.diagnosis
    assert words in sentence


def by_sizes(x, ends, t, s):
    return np.average(ends, axis=0, weights=[s["clients"][i].size for i in s["active"]])


def test_weights_by_size_are_a_question_of_their_own():
    """A code that weights by n_i/n is right against our method with these weights, and only there."""
    code = fedavg(server=by_sizes)
    assert compare(code, method="fedavg", weights="sizes").verdict == "agrees"
    assert compare(code, method="fedavg").verdict == "differs"
    assert compare(fedavg(), method="fedavg", weights="sizes").verdict == "differs"
    momentum = fedavg(lambda y, g, eta, *r: y - eta * (g + 5e-4 * y), server=by_sizes)
    (sentence,) = compare(momentum, method="fedavg", weights="sizes").diagnosis
    assert "weight decay" in sentence


def test_a_schedule_is_a_question_of_its_own():
    """A code whose step falls as 0.9^t is right against our method with that schedule; mistakes are named there too."""
    code = fedavg(lambda y, g, eta, x, t, *r: y - eta * 0.9**t * g)
    assert compare(code, method="fedavg", schedule={"eta": "0.9^t"}).verdict == "agrees"
    assert compare(code, method="fedavg", schedule={"eta": "0.8^t"}).verdict == "differs"
    wrong = fedavg(lambda y, g, eta, x, t, *r: y + eta * 0.9**t * g)
    (sentence,) = compare(wrong, method="fedavg", schedule={"eta": "0.9^t"}).diagnosis
    assert "the gradient has the wrong sign" in sentence


def showing(second):
    """Return FedAdam that shows m and v, the second moment made of ``second(D, m)``."""

    def shown(clients, x0, *, K, T, active, eta, gamma, tau, beta1, beta2):
        m, v, x = 0 * x0, 0 * x0 + tau**2, x0
        yield {"x": x, "m": m, "v": v}
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            D = np.mean(ends, axis=0) - x
            m = beta1 * m + (1 - beta1) * D
            v = beta2 * v + (1 - beta2) * second(D, m)
            x = x + gamma * m / (np.sqrt(np.abs(v)) + tau)
            yield {"x": x, "m": m, "v": v}

    return shown


def test_states_that_are_shown_are_compared():
    """Of m and v the one that has other values is named."""
    said = "; ".join(compare(showing(lambda D, m: np.cbrt(D)), method="fedadam").diagnosis)
    assert "m has our values and v has others" in said


@pytest.mark.parametrize(("second", "verdict"), [(lambda D, m: D**2, "holds"), (lambda D, m: m**2, "fails")])
def test_the_identity_of_the_second_moment_tells_m_from_D(second, verdict):
    """It is asked at beta1 > 0, where m^2 is not D^2."""
    judged = {judgement.id: judgement.verdict for judgement in judge(showing(second), method="fedadam")}
    assert judged["fedadam.moment"] == verdict
