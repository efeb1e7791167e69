"""Methods see an oracle only: array functions, averages over clients and loops over local steps are the oracle's."""

import ast
import sys
from pathlib import Path

import numpy as np
import pytest
from method_table import CASES, problem_for
from together import together

from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.methods import METHODS
from boundcheck.methods.base import ON_NUMPY

ROOM = Path(sys.modules[METHODS["fedavg"].__module__].__file__).parent
SOURCES = {path.stem: path.read_text() for path in sorted(ROOM.glob("*.py"))}
PROJECTING = {"gradma", "gradma-w", "gradma-s"}
"""Methods of the modules on numpy."""


def imports_numpy(tree):
    """Return whether a module imports numpy for more than types."""
    typing = [inner for node in ast.walk(tree) if isinstance(node, ast.If) for inner in ast.walk(node)]
    return any(
        any(
            name.split(".")[0] == "numpy"
            for name in [getattr(node, "module", None) or "", *(a.name for a in node.names)]
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and node not in typing
    )


def reduces_clients(tree):
    """Yield the lines where an array is reduced over another axis than that of its coordinates."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in {"mean", "sum", "max"}
        ):
            axes = [ast.unparse(k.value) for k in node.keywords if k.arg == "axis"]
            if ast.unparse(node.func.value) != "oracle" and axes != ["-1"]:
                yield node.lineno


def loops_over_steps(tree):
    """Yield the lines where Python loops over the local steps."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension):
            names = {inner.attr for inner in ast.walk(node.iter) if isinstance(inner, ast.Attribute)}
            if "K" in names or "steps" in names:
                yield node.iter.lineno


def test_modules_on_numpy_are_those_of_the_list():
    """The modules that import numpy are those that say why."""
    assert {name for name, text in SOURCES.items() if imports_numpy(ast.parse(text))} == set(ON_NUMPY)


@pytest.mark.parametrize("name", sorted(set(SOURCES) - set(ON_NUMPY)))
def test_averages_over_clients_are_the_oracles(name):
    """No array is averaged, summed or maximised but along its coordinates."""
    assert list(reduces_clients(ast.parse(SOURCES[name]))) == []


@pytest.mark.parametrize("name", SOURCES)
def test_loops_over_local_steps_are_the_oracles(name):
    """No module loops over the K local steps itself."""
    assert list(loops_over_steps(ast.parse(SOURCES[name]))) == []


def test_what_is_forbidden_is_seen():
    """The readers of the source find what they are for, and leave the oracle's own words alone."""
    assert imports_numpy(ast.parse("import numpy as np"))
    assert imports_numpy(ast.parse("from numpy.linalg import qr"))
    assert not imports_numpy(ast.parse("if TYPE_CHECKING:\n    import numpy as np"))
    assert list(
        reduces_clients(ast.parse("y.mean(axis=1, keepdims=True)\ny.sum()\noracle.mean(y)\ny.sum(axis=-1)"))
    ) == [1, 2]
    assert list(loops_over_steps(ast.parse("for k in range(oracle.K - 1): pass\nfor l in range(last): pass"))) == [1]


ARITHMETIC = {
    *(np.add, np.subtract, np.multiply, np.true_divide, np.floor_divide, np.power, np.negative),
    *(np.less, np.less_equal, np.greater, np.greater_equal),
}
"""What Python's operators do."""


class Guarded(np.ndarray):
    """An array that knows arithmetic and sums along coordinates, and refuses numpy's functions."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        """Compute what an operator asks for."""
        along = method == "reduce" and kwargs.get("axis") == -1
        assert along or (method == "__call__" and ufunc in ARITHMETIC), f"numpy.{ufunc.__name__} is not the oracle's"
        return guarded(getattr(ufunc, method)(*map(plain, inputs), **kwargs))

    def __array_function__(self, function, types, args, kwargs):
        """Refuse."""
        raise AssertionError(f"numpy.{function.__name__} is not the oracle's")


def plain(x):
    """Return an array that numpy takes, also from within a container."""
    if isinstance(x, list):
        return [plain(entry) for entry in x]
    if isinstance(x, dict):
        return {key: plain(value) for key, value in x.items()}
    return x.view(np.ndarray) if isinstance(x, Guarded) else x


def guarded(x):
    """Return a guarded array, also within a list."""
    if isinstance(x, list):
        return [guarded(entry) for entry in x]
    return x.view(Guarded) if isinstance(x, np.ndarray) else x


class Namespace:
    """An array namespace that keeps the names it was asked for."""

    def __init__(self):
        self.asked = set()

    def __getattr__(self, name):
        """Return a function of numpy that takes and gives guarded arrays."""
        self.asked.add(name)
        return lambda *args, **kwargs: guarded(getattr(np, name)(*map(plain, args), **kwargs))


def shapes(carry):
    """Return the shapes of a vector or of a tuple of vectors."""
    return tuple(map(shapes, carry)) if isinstance(carry, tuple) else carry.shape


class Strict(LaneOracle):
    """An oracle of guarded arrays with a namespace and a loop of its own, which keeps how many steps it made."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.xp, self.steps = Namespace(), 0

    def fori(self, step, carry, steps=None):
        """Make the steps; a carry keeps its shape, as a compiler demands."""
        for k in range(self.K if steps is None else steps):
            carried, carry = carry, step(k, carry)
            assert shapes(carry) == shapes(carried)
            self.steps += 1
        return carry


def _wrapped(name):
    answer = getattr(LaneOracle, name)

    def call(self, *args, **kwargs):
        return guarded(answer(self, *map(plain, args), **kwargs))

    return call


for _name in (
    *(
        "grad",
        "full",
        "full_all",
        "uniform",
        "mean",
        "mean_all",
        "largest",
        "to_clients",
        "to_all",
        "active",
        "remember",
    ),
    *("initial", "blockwise", "outputs", "composite", "upstream_mask"),
):
    setattr(Strict, _name, _wrapped(_name))


def states(case, made):
    """Return the oracle and the states of three rounds, three of five clients active where that is defined."""
    problem, S = problem_for(case), 3 if case.partial else 5
    keys = [(5, S, 3, 3, 1, lane) for lane in range(2)]
    oracle = made(problem, Setting.of(problem, S=S, K=3, T=1), seed=0, keys=keys, observers=[])
    start = np.tile(problem.start, (2, 1, 1))
    path = [case.method().init(oracle, start if made is LaneOracle else guarded(start))]
    for _ in range(3):
        oracle.begin_round(plain(path[-1].x))
        path.append(case.method().round(oracle, path[-1]))
    return oracle, path


WATCHED = [case for case in CASES if case.name not in PROJECTING]


@together(WATCHED)
def test_a_round_calls_the_oracle_only(case):
    """With arrays that refuse numpy's functions a method runs, and runs to the same bits."""
    strict, path = states(case, Strict)
    for found, expected in zip(path, states(case, LaneOracle)[1], strict=True):
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(plain(one), other)
    assert strict.steps > 0 or case.name in {"marina", "pp-marina"}


def test_the_namespace_is_used():
    """The cases ask the oracle's namespace for the functions of adaptive, projected and compressed methods."""
    asked = set().union(*(states(case, Strict)[0].xp.asked for case in WATCHED))
    assert asked >= {"sqrt", "maximum", "where", "cbrt", "sign", "floor"}


@pytest.mark.parametrize(
    "forbidden", [np.sqrt, np.mean, np.where, lambda v: v.mean(axis=1), lambda v: np.stack([v, v])]
)
def test_a_guarded_array_refuses_functions(forbidden):
    """An array of the strict oracle takes arithmetic, and none of numpy's functions."""
    v = guarded(np.ones((2, 3, 4)))
    assert plain(2.0 * v - v / 2.0).sum() == 36.0
    with pytest.raises(AssertionError, match="not the oracle's"):
        forbidden(v)
