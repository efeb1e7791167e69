"""What theorems guarantee a method, against the bound evaluated where it first keeps its promise."""

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.checks.guarantee import guaranteed_rounds
from boundcheck.evidence.trials.trial import Trial
from boundcheck.problems import load_problem


@pytest.mark.parametrize(("method", "eps"), [("fedavg-m", 0.2), ("scaffold-m-vr", 0.5)])
def test_the_promise_is_first_kept_there(method, eps):
    """At the rounds named the bound is at most eps^2 with its conditions met, one round earlier no bound is."""
    problem = load_problem("quadratic", N=8)
    setting = Setting.of(problem, K=4, T=1, b=4)
    found = guaranteed_rounds(method, problem, setting, eps)

    def right(name, T):
        return Trial.of(BOUNDS[name], problem, setting.at(T), strict=False).evaluation

    assert right(found.bound, found.rounds).rhs <= eps**2
    assert not right(found.bound, found.rounds).unmet
    others = [b.id for b in BOUNDS.values() if b.method == method and b.kind == "explicit" and b.form != "printed"]
    earlier = [right(name, found.rounds - 1) for name in others]
    assert others
    assert all(e.unmet or e.rhs > eps**2 for e in earlier)


def test_what_no_theorem_covers_is_said():
    """A method without an explicit bound, and noise where the theorem has exact gradients."""
    problem = load_problem("ridge-coercive", N=4)
    setting = Setting.of(problem, K=2, T=1)
    with pytest.raises(NotApplicableError, match="no explicit bound is about mifa"):
        guaranteed_rounds("mifa", problem, setting, 0.1)
    with pytest.raises(NotApplicableError, match="exact local gradients"):
        guaranteed_rounds("gradma", problem, setting, 0.1)
