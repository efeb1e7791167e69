"""An argument of a wrong kind is refused by its name: no function of the interface fails inside itself."""

from collections.abc import Callable

import pytest

import boundcheck as bc

AT = {"N": 2, "K": 1, "T": 4}
CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "check, bound": (lambda: bc.check(11, "common", **AT), "bound = 11 is not legal: a bound, or its name"),
    "check, problem": (lambda: bc.check("theorem11", 3, **AT), "problem = 3 is not legal: a problem, or its name"),
    "check, two bounds": (
        lambda: bc.check("theorem11", bc.BOUNDS["fedlalr.theorem1"], **AT),
        "problem = Bound",
    ),
    "plot": (lambda: bc.plot(3, "common", **AT), "bound = 3"),
    "steps": (lambda: bc.steps(3, "common", **AT), "bound = 3"),
    "refute": (lambda: bc.refute(3), "bound = 3"),
    "review": (lambda: bc.review(3), "bound = 3"),
    "tightness": (lambda: bc.tightness(3), "bound = 3"),
    "bounds": (lambda: bc.bounds(3), "bound = 3"),
    "rate": (lambda: bc.rate(3), "unknown rate 3"),
    "simulate, method": (lambda: bc.simulate("common", 5, **AT), "method = 5 is not legal: a method, or its name"),
    "simulate, set_": (
        lambda: bc.simulate("common", "fedavg", set_=[1], **AT),
        r"set_ = \[1\] is not legal: values by",
    ),
    "compare": (lambda: bc.compare(3, **AT), "problem = 3"),
    "certify": (lambda: bc.certify(3, N=2), "problem = 3"),
    "satisfies": (lambda: bc.satisfies(3, "fedlalr"), "problem = 3"),
    "conform": (lambda: bc.conform(3), "method = 3"),
    "worst, method": (lambda: bc.worst(3, K=1, T=1), "name = 3 is not legal: a method, or the name of one"),
    "worst, zeta": (lambda: bc.worst("fedavg", K=1, T=1, set_={"eta": 0.5}, zeta="a"), "zeta = 'a' .* a number"),
    "sharpen": (lambda: bc.sharpen(3, K=1, T=1), "method = 3"),
    "prove": (lambda: bc.prove(3), "ids = 3 is not legal: names of claims"),
    "decide": (lambda: bc.decide(3), "shows = 3 is not legal: a line, or several"),
    "decide, letters": (lambda: bc.decide("a <= b", letters=3), "letters = 3"),
    "findings": (lambda: bc.findings(3), "paper or finding = 3"),
    "explain": (lambda: bc.explain(3), "word = 3"),
    "table": (lambda: bc.table(3), "unknown comparison table 3"),
    "show": (lambda: bc.show(3), "name = 3"),
    "list_": (lambda: bc.list_(3), "kind = 3"),
    "load_problem": (lambda: bc.load_problem(3, N=2), "problem = 3 is not legal: the name of a problem"),
    "report": (lambda: bc.report(3), "recipe = 3 is not legal: the name of a recipe"),
    "sweep": (lambda: bc.sweep(3), "unknown recipe '3'"),
    "new": (lambda: bc.new("theorem", 3), "file = 3 is not legal: a path"),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_kind_is_refused_by_name(call):
    """Went wrong: ``'int' object has no attribute 'partition'`` from the middle of the package."""
    made, words = CALLS[call]
    with pytest.raises(bc.BoundcheckError, match=words):
        made()


def test_every_function_is_asked():
    """Those of `import boundcheck`, but for classes and registries."""
    functions = {name for name in bc.__all__ if callable(getattr(bc, name)) and not isinstance(getattr(bc, name), type)}
    assert functions - {call.partition(",")[0] for call in CALLS} == set()
