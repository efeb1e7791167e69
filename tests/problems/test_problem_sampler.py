"""The sampler that runs use is tested too: each test breaks one thing about it that `outcomes` does not show."""

from __future__ import annotations

import numpy as np
import pytest
from problem_cases import MORE, SHIPPED, problem_of

from boundcheck.problems import certify
from boundcheck.problems.certification.sampler import sampler_errors
from boundcheck.problems.noise.common import CommonNoise
from boundcheck.problems.noise.phases import PhaseNoise
from boundcheck.problems.noise.signs import SignNoise
from boundcheck.problems.synthetic.ridge import Ridge


def with_noise(noise, N=4):
    problem = Ridge(N=N, d=noise.d, link="log")
    problem.noise = noise
    return problem


def exceeded(problem):
    return {row.constant for row in certify(problem) if row.status == "exceeded"}


class Biased(SignNoise):
    """Draws a positive sign two times in three."""

    def token(self, raw, clients, b):
        return super().token(raw, clients, b) + self.sup / 3


class Loud(SignNoise):
    """Draws signs that are 20 % too large."""

    def token(self, raw, clients, b):
        return 1.2 * super().token(raw, clients, b)


class OneForAll(SignNoise):
    """Draws minibatches by repeating one sample, so that b does not reduce the variance."""

    def token(self, raw, clients, b):
        return super().token(raw, clients * b, 1)[:, :clients]


class Shared(CommonNoise):
    """Gives all clients one draw and says that they are independent."""

    independent = True


class Forgetful(PhaseNoise):
    """Draws new phases when a sample is looked at again."""

    def add(self, g, x, token):
        return super().add(g, x, np.random.default_rng().uniform(0, 2 * np.pi, token.shape))


class Frozen(PhaseNoise):
    """Adds the noise of the origin wherever a sample is looked at; it does not move with the point."""

    def add(self, g, x, token):
        return super().add(g, 0.0 * x, token)


@pytest.mark.parametrize(
    ("noise", "rows"),
    [
        (Biased(0.5, 3), {"sampler mean"}),
        (Loud(0.5, 3), {"sampler variance"}),
        (OneForAll(0.5, 3), {"sampler variance"}),
        (Shared(SignNoise(0.5, 3)), {"sampler clients"}),
        (Forgetful(0.5, 3, 2.0), {"sampler twice"}),
        (Frozen(0.5, 3, 2.0), {"sampler twice"}),
    ],
    ids=lambda case: type(case).__name__ if isinstance(case, SignNoise | CommonNoise | PhaseNoise) else "",
)
def test_a_broken_sampler_is_caught(noise, rows):
    """Sigma, bias and G_inf were attacked through `outcomes` alone: all of these samplers were certified."""
    assert rows <= exceeded(with_noise(noise))


def test_the_whole_noise_passes():
    """The unbroken originals of the samplers above stand, common noise with three rows instead of four."""
    assert exceeded(with_noise(SignNoise(0.5, 3))) == set()
    assert exceeded(with_noise(PhaseNoise(0.5, 3, 2.0))) == set()
    common = sampler_errors(with_noise(CommonNoise(SignNoise(0.5, 3))), 0)
    assert set(common) == {"sampler mean", "sampler variance", "sampler twice"}
    assert max(common.values()) <= 1


def test_samples_of_chosen_clients_are_theirs(monkeypatch):
    """A sampler that forgets which clients were asked for is caught by drawing them in another order."""
    problem = problem_of("logistic-wine[split=dirichlet,concentration=0.3]", 4)
    whole = problem.batch_gradient
    monkeypatch.setattr(problem, "batch_gradient", lambda x, owner, row: whole(x, np.arange(4)[:, None], row))
    assert max(sampler_errors(problem, 0).values()) > 1


@pytest.mark.parametrize("spec", ["ridge-ratio", "ridge-spikes", "finite-sum", "logistic-wine", "auc-two-point"])
@pytest.mark.parametrize("N", [1, 3])
def test_right_samplers_stand(spec, N):
    """Additive, rare, drawn and row samples agree with their enumerated law, for one client and for three."""
    assert max(sampler_errors(problem_of(spec, N), 1).values()) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("spec", SHIPPED + MORE)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_sampler_stands_for_every_seed(spec, seed):
    """At an error rate of 1e-6 a row, over a thousand rows of right samplers are all below the limit."""
    assert max(sampler_errors(problem_of(spec, 5), seed).values()) <= 1
