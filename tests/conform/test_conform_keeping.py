"""How an implementation keeps its numbers: what is right is not accused, what is not wrong has its own word."""

import numpy as np
import pytest
from test_conform_compare import my_fedavg_m, my_scaffold
from turns import case_of, every
from wrong_loops import loop

from boundcheck.conform import compare, judge
from boundcheck.conform.mistakes import KNOWN


def in_place(clients, x0, *, K, T, active, eta, gamma, copies=True, own_array=True, listed=True):
    """Run FedAvg in place: right if the clients have arrays of their own and what is listed are copies."""
    x = x0.copy() if copies else x0
    iterates = [x.copy() if listed else x]
    for t in range(T):
        total = np.zeros_like(x)
        for i in active[t]:
            y = x.copy() if own_array else x
            for k in range(K):
                g = clients[i].grad(y, k, t)
                g *= eta
                y -= g
            total += y
        total /= len(active[t])
        total -= x
        total *= gamma
        x += total
        iterates.append(x.copy() if listed else x)
    return iterates


def scaffold_in_place(clients, x0, *, K, T, active, eta, gamma):
    """Run SCAFFOLD in place, and yield the one array that it computes in."""
    N, x, c = len(clients), x0, np.zeros_like(x0)
    own = np.zeros((N, len(x0)))
    yield x
    for t in range(T):
        ends, change = np.zeros_like(x), np.zeros_like(x)
        for i in active[t]:
            y = x.copy()
            for k in range(K):
                y -= eta * clients[i].grad(y, k, t)
                y -= eta * c
                y += eta * own[i]
            fresh = own[i] - c + (x - y) / (K * eta)
            change += fresh
            change -= own[i]
            own[i] = fresh
            ends += y
        x += gamma * (ends / len(active[t]) - x)
        c += change / N
        yield x


def reordered(method):
    """Return the reference with the clients taken in the opposite order, so that all sums are rounded otherwise."""

    def run(clients, x0, *, active, **rest):
        return loop(method)(clients, x0, active=[chosen[::-1] for chosen in active], **rest)

    return run


@pytest.mark.parametrize("method", every(3, [name for name in KNOWN if name != "local-sgda"], first=1))
def test_reordered_sums_are_not_accused(method):
    """Another order of the clients changes rounding only."""
    comparison = compare(reordered(method), method=method)
    assert comparison.verdict == "agrees"
    assert comparison.diagnosis == ()


@pytest.mark.parametrize(("function", "method"), [(in_place, "fedavg"), (scaffold_in_place, "scaffold")])
def test_arithmetic_in_place_is_not_accused(function, method):
    """In-place operators, arrays from outside and generators that yield their one array are right."""
    assert compare(function, method=method).verdict == "agrees"


@pytest.mark.parametrize(
    ("function", "method"), [(in_place, "fedavg"), case_of((scaffold_in_place, "scaffold"), slow=True)]
)
def test_arithmetic_in_place_breaks_no_identity(function, method):
    """What is asked of it holds."""
    assert all(judgement.verdict != "fails" for judgement in judge(function, method=method))


@pytest.mark.parametrize("copies", [case_of(True, slow=True), False])
def test_one_array_for_all_rounds_is_said(copies):
    """A list of one array has its own word, says whether the end is right, and no identity is called false."""

    def listed(clients, x0, *, K, T, active, eta, gamma):
        return in_place(clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma, copies=copies, listed=False)

    comparison = compare(listed, method="fedavg")
    assert comparison.verdict == "differs"
    (sentence,) = comparison.diagnosis
    assert "holds one array for several rounds" in sentence
    assert sentence.endswith("return copies; the ones that your clients start from agree")
    judgements = judge(listed, method="fedavg")
    assert {j.verdict for j in judgements} <= {"holds", "not asked"}
    assert any("one array stands for several rounds" in j.reason for j in judgements)


def test_one_array_hides_no_mistake():
    """Where the end is wrong as well, that is said."""

    def listed(clients, x0, *, K, T, active, eta, gamma):
        return in_place(clients, x0, K=K, T=T, active=active, eta=1.1 * eta, gamma=gamma, listed=False)

    first, *rest = compare(listed, method="fedavg").diagnosis
    assert first.endswith("updated in place: return copies")
    assert any("the local step is 0.11 and not 0.1" in sentence for sentence in rest)


def test_clients_in_the_servers_array_are_named():
    """Real aliasing, y = x and then y -= ..., gets its words."""

    def shared(clients, x0, *, K, T, active, eta, gamma):
        x, iterates = x0.copy(), [x0.copy()]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y -= eta * clients[i].grad(y, k, t)
                ends.append(y)
            x = x + gamma * (np.mean(ends, axis=0) - x)
            iterates.append(x)
        return iterates

    first, second = compare(shared, method="fedavg", hyper={"gamma": 0.7}).diagnosis
    assert first.startswith("the iterates that you return are not those that your clients start from")
    assert second.endswith("each goes on where the one before it ended")


def single(clients, x0, *, K, T, active, eta, gamma, server=np.float32, eta_factor=1.0):
    """Run FedAvg with clients in single precision."""
    x, iterates = x0.astype(server), [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x.astype(np.float32)
            for k in range(K):
                y = y - np.float32(eta_factor * eta) * clients[i].grad(y, k, t).astype(np.float32)
            ends.append(y.astype(server))
        x = x + server(gamma) * (np.mean(ends, axis=0) - x)
        iterates.append(x)
    return iterates


def test_single_precision_has_its_own_word():
    """Clients in float32 are told from clients that are wrong, and pass at the tolerance that the sentence names."""
    comparison = compare(single, method="fedavg", hyper={"gamma": 0.7})
    assert not comparison.ok
    assert comparison.verdict == "single precision"
    assert comparison.diagnosis[0].startswith("single precision: the clients compute in float32")
    assert compare(single, method="fedavg", hyper={"gamma": 0.7}, tolerance=1e-4).verdict == "agrees"


def test_single_precision_inside_is_suspected():
    """Clients in float32 whose points are asked in float64 agree to 1e-4 only, which is said."""

    def inside(clients, x0, *, K, T, active, eta, gamma):
        return single(clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma, server=np.float64)

    comparison = compare(inside, method="fedavg", hyper={"gamma": 0.7})
    assert comparison.verdict in {"single precision", "differs"}
    assert any("single precision" in sentence for sentence in comparison.diagnosis)


def test_a_mistake_in_single_precision_is_a_mistake():
    """Single precision excuses rounding and nothing else: a step 1% too long differs, a missing gamma is named."""

    def long(clients, x0, *, K, T, active, eta, gamma):
        return single(clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma, eta_factor=1.01)

    def without(clients, x0, *, K, T, active, eta, gamma):
        return single(clients, x0, K=K, T=T, active=active, eta=eta, gamma=1.0)

    assert compare(long, method="fedavg", hyper={"gamma": 0.7}).verdict == "differs"
    comparison = compare(without, method="fedavg", hyper={"gamma": 0.7})
    assert comparison.verdict == "differs"
    assert comparison.diagnosis[0].endswith("the server step gamma is not applied")


def test_a_term_of_1e_7_is_not_called_single_precision():
    """In double precision a small wrong term differs: the points that the clients are asked at do not fit float32."""

    def nearly(clients, x0, *, K, T, active, eta, gamma):
        return loop("fedavg")(clients, x0, K=K, T=T, active=active, eta=eta * (1 + 1e-7), gamma=gamma)

    comparison = compare(nearly, method="fedavg", hyper={"gamma": 0.7})
    assert comparison.verdict == "differs"
    assert any("a small term such as eps" in sentence for sentence in comparison.diagnosis)


def started(seed):
    """Return SCAFFOLD with random initial variates, the same in every call if there is a seed."""
    rng = np.random.default_rng(seed)

    def run(clients, x0, *, K, T, active, eta, gamma):
        own_rng = rng if seed is None else np.random.default_rng(seed)
        N, x = len(clients), x0
        own = list(own_rng.standard_normal((N, len(x0))))
        c, iterates = np.mean(own, axis=0), [x]
        for t in range(T):
            ends, change = [], 0 * x0
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) - own[i] + c)
                fresh = own[i] - c + (x - y) / (K * eta)
                ends, change, own[i] = [*ends, y], change + fresh - own[i], fresh
            x, c = x + gamma * (np.mean(ends, axis=0) - x), c + change / N
            iterates.append(x)
        return iterates

    return run


def test_random_initial_variates_are_named():
    """They are read off the first local step; a generator that is not seeded is noticed besides."""
    seeded = compare(started(3), method="scaffold").diagnosis
    assert len(seeded) == 1
    assert seeded[0].endswith("other initial control variates: random ones, or some that an earlier run has left")
    first, second = compare(started(None), method="scaffold").diagnosis
    assert first == seeded[0]
    assert second.startswith("two calls on the same samples differ")


def test_right_initial_variates_are_not_accused():
    """A SCAFFOLD with another mistake is not said to start elsewhere."""

    def wrong(clients, x0, *, K, T, active, eta, gamma):
        return my_scaffold(clients, x0, K=K, T=T, active=active, eta=eta, gamma=gamma, sign=0.5)

    assert not any("initial control variates" in s for s in compare(wrong, method="scaffold").diagnosis)


def test_random_numbers_of_its_own_are_noticed():
    """Noise that the implementation adds makes two calls differ."""
    rng = np.random.default_rng(5)

    def noisy(clients, x0, *, T, **rest):
        return [x + 1e-3 * rng.standard_normal(len(x0)) for x in my_fedavg_m(clients, x0, T=T, **rest)]

    (sentence,) = compare(noisy, method="fedavg-m").diagnosis
    assert sentence.startswith("two calls on the same samples differ")


def test_weights_by_size_agree_where_sizes_do():
    """A client says its size; a code that weights by it differs only where sizes do."""

    def weighted(clients, x0, *, K, T, active, eta, gamma):
        path = [x0]
        for t in range(T):
            x, ends = path[-1], []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            path.append(x + gamma * (np.average(ends, axis=0, weights=[clients[i].size for i in active[t]]) - x))
        return path

    comparison = compare(weighted, method="fedavg", hyper={"gamma": 0.7})
    assert all((c.parts is None) == (not c.setting.unequal) for c in comparison.checked)
    assert comparison.diagnosis[0].endswith("where the method gives all of them the same weight")


@pytest.mark.parametrize(("entries", "method"), [(False, "fedavg"), (True, "fedavg"), (False, "scaffold")])
def test_a_bound_that_is_not_listed_is_read_off(entries, method):
    """Clipping at 7.3 is named with its bound, though only other bounds are listed."""

    class Clipped:
        def __init__(self, client):
            self._client = client

        def grad(self, x, k, t):
            g = self._client.grad(x, k, t)
            return np.clip(g, -7.3, 7.3) if entries else g * min(1.0, 7.3 / np.sqrt(g @ g))

    def clipping(clients, x0, *, K, T, active, eta, gamma):
        inner = loop(method)
        return inner([Clipped(client) for client in clients], x0, K=K, T=T, active=active, eta=eta, gamma=gamma)

    (sentence,) = compare(clipping, method=method, hyper={"gamma": 0.7}).diagnosis
    what = "entries of every gradient are" if entries else "norm of every gradient is"
    assert sentence.endswith(f"with a mistake: the {what} clipped at 7.3")


def test_a_random_order_of_sums_is_no_randomness():
    """Clients that are added up in another order at every call: what is wrong besides is named."""
    rng = np.random.default_rng(0)

    def shuffled(clients, x0, *, K, T, active, eta):
        x, path = x0, [x0]
        for t in range(T):
            ends = []
            for i in rng.permutation(active[t]):
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append((clients[i].size, y))
            total = sum(n for n, _ in ends)
            x = sum(n / total * y for n, y in ends)
            path.append(x)
        return path

    (sentence,) = compare(shuffled, method="fedavg").diagnosis
    assert "weighted by their sizes" in sentence
