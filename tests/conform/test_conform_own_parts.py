"""Compressors and samplers of one's own, against closed forms of their bias, variance and frequencies."""

import numpy as np
import pytest

from boundcheck.cli.app import run
from boundcheck.conform import check_compressor, check_sampler
from boundcheck.errors import InputError


def rand_k(x, rng, k=2, scaled=True):
    """Keep k random entries, times d/k: unbiased with omega = d/k - 1."""
    keep = rng.permutation(len(x))[:k]
    out = np.zeros_like(x)
    out[keep] = x[keep] * (len(x) / k if scaled else 1.0)
    return out


def top_1(x, rng):
    out = np.zeros_like(x)
    out[np.argmax(np.abs(x))] = x[np.argmax(np.abs(x))]
    return out


def signs(x, rng):
    return np.sign(x) * np.abs(x).mean()


def test_an_unbiased_compressor_has_its_omega():
    """Of random 2 of 8 entries omega is 3 at every point; the identity has 0."""
    found = check_compressor(rand_k, d=8, omega=3.0)
    assert found.ok
    assert found.random
    assert found.omega == pytest.approx(3.0, rel=0.15)
    assert found.omega_low < 3.0
    same = check_compressor(lambda x, rng: x)
    assert (same.ok, same.omega, same.random) == (True, 0.0, False)


@pytest.mark.parametrize(("by", "unbiased"), [(1.0, True), (0.9, False)])
def test_an_entry_that_is_seldom_sent_is_no_bias(by, unbiased):
    """Random dithering sends the norm for an entry with the probability of its share: small ones in no draw."""

    def dither(x, rng):
        length = np.linalg.norm(x)
        return by * length * np.sign(x) * (rng.random(len(x)) < np.abs(x) / length)

    found = check_compressor(dither, d=9, omega=2.0, draws=2000)
    assert found.unbiased == unbiased
    assert found.random


def test_a_claim_that_is_too_small_is_refused():
    """Omega of 2 is exceeded; with the scale forgotten it is biased, by 1 - k/d."""
    small = check_compressor(rand_k, d=8, omega=2.0)
    assert small.unbiased
    assert not small.ok
    assert "omega is at least" in small.sentence
    forgotten = check_compressor(lambda x, rng: rand_k(x, rng, scaled=False), d=8)
    assert not forgotten.unbiased
    assert forgotten.bias == pytest.approx(0.75, abs=0.06)
    assert "biased" in forgotten.sentence


def test_biased_compressors_contract_or_not():
    """Top-1 keeps at least 1/d of the square (equal entries); ten times too much does not contract."""
    found = check_compressor(top_1, d=8)
    assert not found.ok
    assert found.contraction == pytest.approx(1 / 8)
    assert "fit for error feedback" in found.sentence
    assert "does not contract" in check_compressor(lambda x, rng: 10 * top_1(x, rng), d=8).sentence
    assert not check_compressor(signs, d=8).unbiased


def test_samplers():
    """Uniform subsets and draws by p are even; by size where equal is expected is not; turns are not independent."""
    p = np.arange(1, 11) / 55

    def by_p(N, S, t, rng):
        return rng.choice(N, size=S, p=p)

    subsets = check_sampler(lambda N, S, t, rng: rng.permutation(N)[:S])
    assert subsets.ok
    assert not subsets.repeats
    assert check_sampler(by_p, p=p).ok
    assert check_sampler(by_p, p=p).repeats
    assert not check_sampler(by_p).even
    turns = check_sampler(lambda N, S, t, rng: [(t * S + j) % N for j in range(S)])
    assert turns.even
    assert not turns.independent
    assert not check_sampler(lambda N, S, t, rng: range(S)).even
    assert "client" in check_sampler(lambda N, S, t, rng: range(S)).sentence


def test_bad_parts_are_one_line():
    """The argument, the value and what is legal."""
    for function, words in (
        (lambda x, rng: x[:2], r"compressor: shape of Q\(x\) = \(2,\)"),
        (lambda x, rng: 1 / 0, "compressor: raised ZeroDivisionError"),
        (lambda x, rng: x * np.nan, "finite numbers"),
    ):
        with pytest.raises(InputError, match=words):
            check_compressor(function)
    with pytest.raises(InputError, match="omega = -1"):
        check_compressor(rand_k, omega=-1)
    with pytest.raises(InputError, match="number of clients = 2"):
        check_sampler(lambda N, S, t, rng: [0, 1])
    with pytest.raises(InputError, match="numbers >= 0 that add up to 1"):
        check_sampler(lambda N, S, t, rng: [0, 1, 2], p=[1.0])


def test_the_command(tmp_path, monkeypatch, capsys):
    """Exit 0 for a right part, 1 for a wrong one, 2 for both at once."""
    (tmp_path / "own_parts_here.py").write_text(
        "import numpy as np\n"
        "def half(x, rng):\n    return 2 * x * (rng.random(len(x)) < 0.5)\n"
        "def cut(x, rng):\n    return x / 2\n"
        "def draw(N, S, t, rng):\n    return rng.permutation(N)[:S]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert run(["conform", "--compressor", "own_parts_here:half", "--omega", "1"]) == 0
    assert "no bias seen" in capsys.readouterr().out
    assert run(["conform", "--compressor", "own_parts_here:cut"]) == 1
    assert "biased" in capsys.readouterr().out
    assert run(["conform", "--sampler", "own_parts_here:draw", "--json"]) == 0
    capsys.readouterr()
    assert run(["conform", "fedavg", "--compressor", "own_parts_here:half"]) == 2
    assert run(["conform", "--omega", "1"]) == 2
