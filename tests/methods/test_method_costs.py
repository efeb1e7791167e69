"""Bits are those of messages that are encoded, memory is that of the states that the engine holds."""

import math

import message_codes as codes
import numpy as np
import pytest
from method_case import Case
from method_problems import PlainRidge
from method_table import CASES, problem_for
from together import together

from boundcheck.engine import simulate
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.engine.setting import Setting
from boundcheck.evidence import cost
from boundcheck.methods import METHODS, quantise
from boundcheck.methods.encoding import WORD, elias_bits, elias_gamma_length, qsgd_printed_bits
from boundcheck.methods.storage import memory

N, S, K, T = 5, 3, 2, 6


def encoded_run(monkeypatch, name, quantiser, problem, S, **numbers):
    """Return the encoded messages up of a run; each is decoded and compared with what was sent."""
    levels, messages, call = int(quantiser.split("-")[1]), [], quantise.QSGD.__call__

    def noted(self, oracle, z):
        sent = call(self, oracle, z)
        for row, q in zip(z[0], sent[0], strict=True):
            # the norm as the quantiser computes it, so that decoding is exact to rounding
            norm = float(np.sqrt((row * row).sum()))
            text = codes.fixed(codes.levels_of(q, norm, levels), norm, levels)
            np.testing.assert_allclose(codes.read_fixed(text, len(q), levels), q, rtol=1e-12, atol=1e-300)
            messages.append(text)
        return sent

    monkeypatch.setattr(quantise.QSGD, "__call__", noted)
    method = METHODS[name](quantiser=quantiser, **numbers)
    setting = Setting.of(problem, S=S, K=K, T=T)
    oracle = LaneOracle(problem, setting, seed=0, keys=[setting.key(0)], observers=[])
    state = initial_state(method, oracle, 1)
    for _ in rounds(method, oracle, state, T):
        pass
    return method, messages


@pytest.mark.parametrize("levels", [1, 2, 4, 7, 8])
@pytest.mark.parametrize(
    ("name", "numbers", "vectors_down", "exact"),
    [
        ("fedpaq", {"eta": 0.1}, 1, 0),
        ("fedlomo", {"eta": 0.1}, 1, 0),
        ("fedglomo", {"eta": 0.1, "beta": 0.3}, 2, N),
        ("fedglomo", {"eta": 0.1, "beta": 0.3, "message": "one"}, 2, N),
        ("fedglomo", {"eta": 0.1, "beta": 0.3, "exact_start": False}, 2, 0),
    ],
)
def test_bits_are_those_of_the_encoded_messages(monkeypatch, name, numbers, vectors_down, exact, levels):
    """Up: the lengths of all messages, each decodable, and the floats of an exact first round; down: floats."""
    problem = PlainRidge(N=N, d=6, zeta=0.5, sigma=0.3)
    method, messages = encoded_run(monkeypatch, name, f"qsgd-{levels}", problem, S, **numbers)
    up = sum(map(len, messages)) + 64 * 6 * exact
    silent = bool(exact)
    single = numbers.get("exact_start") is False
    down = 64 * 6 * S * (vectors_down * (T - silent) - (vectors_down - 1) * single)
    assert cost(problem, method, K=K, T=T, S=S).bits * S == up + down
    run = simulate(problem, method, K=K, T=T, S=S, lanes=2)
    assert (run.costs["bits"][:, -1] * S == up + down).all()


def _level_law(z, levels):
    """Yield (probability of the upper level, lower level) of every coordinate."""
    a = levels * np.abs(z) / np.sqrt((z * z).sum())
    return [(x - math.floor(x), math.floor(x)) for x in a]


def expected_length(z, levels, code):
    """Return the exact expectation of the length of an Elias message over the quantiser's coins."""
    length = lambda l: len(code(l + 1)) + (l > 0)  # noqa: E731
    return 64 + sum(p * length(low + 1) + (1 - p) * length(low) for p, low in _level_law(z, levels))


@pytest.mark.parametrize("levels", [1, 2, 3, 4, 9, 20])
@pytest.mark.parametrize("d", [1, 4, 9, 30])
def test_elias_bound_is_above_exact_expectations(d, levels):
    """Over vectors of every shape, the exact expected length in the gamma code stays below the bound."""
    rng = np.random.default_rng(d)
    vectors = [rng.standard_normal(d) ** power for power in (1, 3, 7) for _ in range(30)] + [np.ones(d), np.eye(d)[0]]
    assert max(expected_length(z, levels, codes.gamma) for z in vectors) <= elias_bits(d, levels) * (1 + 1e-12)


@pytest.mark.parametrize(("d", "levels"), [(9, 3), (16, 4), (16, 12), (25, 5), (25, 35)])
def test_elias_bound_is_reached(d, levels):
    """Entries of one modulus are at level levels/sqrt(d) surely: 1, 3 or 7 here, where the bound is an equality."""
    assert expected_length(np.ones(d), levels, codes.gamma) == pytest.approx(elias_bits(d, levels), rel=1e-12)


@pytest.mark.parametrize("code", [codes.gamma, codes.omega])
def test_the_printed_bound_of_qsgd_is_an_order(code):
    """2.8 d + 32 at levels = sqrt(d): with 32 bits for the norm, d = 100 ones take 432 bits or more, not 311."""
    assert qsgd_printed_bits(100, 10) == pytest.approx((0.5 * math.log2(3) + 2) * 100 + 32)
    assert expected_length(np.ones(100), 10, code) - 32 >= 432 > qsgd_printed_bits(100, 10)


@pytest.mark.parametrize("quantiser", ["qsgd-3", "qsgd-3-elias"])
def test_the_code_does_not_change_what_is_sent(quantiser):
    """The name with -elias makes the same run; its bits are the bound."""
    problem = PlainRidge(N=N, d=6, zeta=0.5, sigma=0.3)
    run = simulate(problem, METHODS["fedpaq"](eta=0.1, quantiser=quantiser), K=K, T=T, S=S)
    plain = simulate(problem, METHODS["fedpaq"](eta=0.1, quantiser="qsgd-3"), K=K, T=T, S=S)
    assert np.array_equal(run.final, plain.final)
    up = elias_bits(6, 3) if quantiser.endswith("elias") else 64 + 3 * 6
    assert run.costs["bits"][:, -1] == pytest.approx(T * (up + 64 * 6))


def test_elias_messages_are_read_back():
    """The gamma code of every message is decodable, and its length is that of the formula."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        signed = rng.integers(-5, 6, size=8)
        text = codes.elias(signed, 2.5)
        assert np.array_equal(codes.read_elias(text, 8, 5), 2.5 * signed / 5)
        assert len(text) == 64 + sum(elias_gamma_length(abs(l) + 1) + (l != 0) for l in signed.tolist())


def test_dropout_costs_its_expectation():
    """One bit that says whether the vector follows, and d floats with probability p."""
    d, p = 6, 0.25
    assert quantise.quantiser_named("dropout-0.25").bits(d) == p * (1 + 64 * d) + (1 - p) * 1
    assert quantise.quantiser_named("flip-3").bits(d) == quantise.quantiser_named("none").bits(d) == 64 * d


def test_coins_that_decide_to_send_cost_their_expectation():
    """MARINA sends floats with probability p and else 6 coordinates at 2 bits; FedPD nothing with probability skip."""
    problem = PlainRidge(N=N, d=6, zeta=0.5, sigma=0.3)
    marina = cost(problem, METHODS["marina"](gamma=0.1, p=0.2, quantiser="qsgd-1"), K=1, T=T, S=N)
    start, down = 64 * 6, 64 * 6 * T
    assert marina.bits == pytest.approx(start + down + T * (0.2 * 64 * 6 + 0.8 * (64 + 2 * 6)))
    pp = cost(problem, METHODS["pp-marina"](gamma=0.1, p=0.2, quantiser="qsgd-1"), K=1, T=T, S=S)
    assert pp.bits == pytest.approx(N / S * start + down + T * (0.2 * N / S * 64 * 6 + 0.8 * (64 + 2 * 6)))
    fedpd = cost(problem, METHODS["fedpd"](eta=0.1, eta_pd=1.0, skip=0.75), K=K, T=T, S=N)
    assert fedpd.bits == WORD * fedpd.floats == 64 * T * 0.25 * 2 * 6


def test_every_axis_is_recorded_at_checkpoints():
    """Costs of a run at every checkpoint are those of a run that ends there; lanes end at horizons of their own."""
    problem = PlainRidge(N=N, d=6, zeta=0.5, sigma=0.3)
    method = METHODS["scaffold-m"](eta=0.1, gamma=0.1, beta=0.5, B=2)
    run = simulate(problem, method, K=K, T=[4, 9], S=S, lanes=2, b=3)
    for column, mark in enumerate(run.checkpoints.tolist()):
        spent = cost(problem, method, K=K, T=mark, S=S, b=3)
        for name, value in {"rounds": mark, **spent._asdict()}.items():
            assert run.costs[name][1, column] == pytest.approx(value)
            assert np.isnan(run.costs[name][0, column]) == (mark > 4)


def test_methods_on_one_machine_send_nothing():
    """No floats and no bits where the card has none."""
    problem = PlainRidge(N=N, d=6, zeta=0.5, sigma=0.3)
    spent = cost(problem, METHODS["storm"](eta=0.1, a=0.3), K=K, T=T, S=N)
    assert (spent.floats, spent.bits) == (0.0, 0.0)


AT_SERVER = {"D", "uses", "entered"}
"""Parts of a state with a row for every client that the server keeps."""


def held(case, rounds_=9):
    """Return the bytes that clients and server hold after some rounds: arrays beyond x, each once, rows in use."""
    problem = problem_for(case, N=N)
    setting = Setting.of(problem, S=S if case.partial else N, K=K, T=rounds_)
    oracle = LaneOracle(problem, setting, seed=0, keys=[setting.key(0)], observers=[])
    state = initial_state(case.method(), oracle, 1)
    for step in rounds(case.method(), oracle, state, rounds_):
        state = step.after
    seen, sides = {id(state.x)}, {"client": 0, "server": 0}
    for name, part in zip(state._fields, state, strict=True):
        if isinstance(part, np.ndarray) and id(part) not in seen and part.any():
            seen.add(id(part))
            vectors = part.shape[2] == problem.d
            empty = (~part.any(axis=2)).sum() if vectors else 0
            side = "server" if part.shape[1] == 1 or name in AT_SERVER else "client"
            sides[side] += part.nbytes - int(empty) * part[0, 0].nbytes
    return problem.d, sides


LIMITED = Case("gradma-s", {"eta": 1.0, "gamma": 0.8, "beta": 0.6, "beta_mem": 0.5}, {"memory": 3})
WITHIN_A_STAGE = "coda-rounds=9-growth=3-output=mean"
"""Its state still holds x itself as the start of the stage."""
STATES = [case for case in [*CASES, LIMITED] if str(case) != WITHIN_A_STAGE and case.numbers.get("beta_mem") != 0.0]
"""Rows of weight 0 are no memory."""


@together(STATES)
def test_memory_is_that_of_the_states(case):
    """The card's formulas are the bytes that the engine holds, clients and server apart."""
    d, sides = held(case)
    kept = memory(case.method(), N=N, d=d)
    assert (8 * N * kept.client, 8 * kept.server) == (sides["client"], sides["server"])
    assert kept.bytes == sum(sides.values())


def test_memory_of_the_methods_that_the_papers_speak_of():
    """MIFA N d and its mean, SCAFFOLD N d and c, FedLALR m and the second moment, GradMA-S m rows of d."""
    d, clients = 7, 10
    numbers = {"fedlalr": {"eta": 1, "eps": 1, "beta1": 0, "beta2": 0}, "scaffold": {"eta": 1}, "mifa": {"eta": 1}}
    floats = {name: memory(METHODS[name](**n), N=clients, d=d).floats for name, n in numbers.items()}
    assert floats == {"fedlalr": 2 * d, "scaffold": clients * d + d, "mifa": clients * d + d}
    gradma = METHODS["gradma-s"](eta=1, beta=0.5, beta_mem=0.5, memory=4)
    assert memory(gradma, N=clients, d=d) == (0, d + 4 * d + 2 * clients, clients)
