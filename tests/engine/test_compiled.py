"""Compiled runs are the runs of numpy: the same source, the same random words, equal to rounding."""

import subprocess
import sys

import numpy as np
import pytest
from method_table import CASES, problem_for
from problem_cases import MORE, SHIPPED, problem_of

from boundcheck import load_problem
from boundcheck.engine import simulate
from boundcheck.engine.backends import has_jax
from boundcheck.errors import InputError, NotApplicableError, NotCompilableError
from boundcheck.methods import METHODS
from boundcheck.problems.own.functions import OwnProblem

pytestmark = pytest.mark.skipif(not has_jax(), reason="the extra jax is not installed")
TOLERANCE = 1e-12
"""After 20 rounds, relative to the largest number of an array."""
COUNTS = {"fedlalr-growth=2", "fedlalr-growth=3-sync=max", "sreda-period=3"}
"""What a round does is counted from its number."""
REFUSED = {"coda", "codasca", "gradma", "gradma-s", "gradma-w"}
"""Stages that end by a count, and a quadratic program: these stay on numpy."""
UNCOMPILED = [case for case in CASES if case.name in REFUSED or str(case) in COUNTS]
NUMPY_PROBLEMS = {"extremal": "depends on a number", "online-cycle": "the online problem"}
"""Families of which the vertices in use are searched for, or every round has a loss of its own; and what is said."""
QUICK_CASES = ("fedavg-m", "scaffold-option=I")
QUICK_SPECS = ("ncsc-p1", "logistic-wine")


def compared(problem, method, metrics, **setting):
    """Return both runs, and refuse them unless they agree."""
    asked = {"K": 3, "T": 20, "lanes": 2, "seed": 5, "metrics": metrics} | setting
    plain = simulate(problem, method, **asked)
    compiled = simulate(problem, method, backend="jax", **asked)
    assert compiled.gradients == plain.gradients
    assert (compiled.checkpoints == plain.checkpoints).all()
    for kind in ("curves", "instant"):
        for name, values in getattr(plain, kind).items():
            close(getattr(compiled, kind)[name], values)
    # Where clients' parts cancel, their mean is rounding of them.
    apart = 0.1 * np.abs(problem.exact_gradient(problem.everyone_at(problem.start[None, None]))).max()
    close(compiled.final, plain.final, max(np.abs(problem.start).max(), apart))
    return plain, compiled


def close(found, wanted, size=0.0):
    """Agree to rounding of numbers that were as large as `size` on the way, and about what diverged."""
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(found[~finite], wanted[~finite])
    # Where all is zero but for rounding, squares of it are left: (1e-16)^2 of numbers of order 1 and more.
    slack = TOLERANCE * np.abs(wanted[finite]).max(initial=size) + 1e-30
    np.testing.assert_allclose(found[finite], wanted[finite], rtol=TOLERANCE, atol=slack)


def marked(names, quick):
    """Leave what takes seconds to compile to the slow tests, but for some."""
    return [pytest.param(name, marks=() if str(name) in quick else pytest.mark.slow, id=str(name)) for name in names]


@pytest.mark.parametrize("case", marked([case for case in CASES if case not in UNCOMPILED], QUICK_CASES))
def test_every_method_runs_compiled(case):
    """20 rounds, hyperparameters that differ between lanes, all clients and some of them."""
    metrics = ["server_gradient", "drift"] + (["envelope_gradient_sum"] if case.kind == "minimax" else [])
    for S in (5, 3) if case.partial else (5,):
        compared(problem_for(case), case.method(**case.lane_numbers(2)), metrics, S=S)


@pytest.mark.parametrize("case", UNCOMPILED, ids=str)
def test_the_others_are_refused_by_name(case):
    """The message names the method and the problem, and says why."""
    with pytest.raises(NotCompilableError, match=rf"method {case.name} on problem .* cannot be compiled: "):
        simulate(problem_for(case), case.method(), K=2, T=3, lanes=1, backend="jax")


ON_NUMPY = [spec for spec in SHIPPED + MORE if spec.partition("[")[0] in NUMPY_PROBLEMS]


@pytest.mark.parametrize("spec", marked([spec for spec in SHIPPED + MORE if spec not in ON_NUMPY], QUICK_SPECS))
def test_every_problem_runs_compiled(spec):
    """Every family in every setting, with minibatches of one and of two."""
    problem = problem_of(spec, 5)
    method = METHODS["local-sgda"](eta_x=0.01, eta_y=0.02) if problem.blocks else METHODS["fedavg"](eta=0.02)
    metrics = ["server_gradient", "local_gradient", "drift"]
    for S, b in ((5, 1), (5 if problem.blocks else 3, 2)):
        compared(problem, method, metrics, S=S, b=b)


@pytest.mark.parametrize("spec", ON_NUMPY)
def test_the_other_problems_are_refused_by_name(spec):
    """The message says why."""
    problem = problem_of(spec, 5)
    why = NUMPY_PROBLEMS[spec.partition("[")[0]]
    with pytest.raises(
        NotCompilableError, match=rf"on problem {problem.name.partition('[')[0]}.* cannot be compiled: .*{why}"
    ):
        simulate(problem, METHODS["fedavg"](eta=0.02), K=2, T=3, lanes=1, backend="jax")


def test_lanes_with_horizons_of_their_own():
    """Curves of a lane end at its horizon, whatever the others do."""
    problem = load_problem("ridge-log", N=3)
    horizons = [1, 7, 40, 700]
    plain, compiled = compared(problem, METHODS["fedavg"](eta=0.1), ["server_gradient"], T=horizons, lanes=4)
    assert (np.isnan(compiled.curves["server_gradient"]) == np.isnan(plain.curves["server_gradient"])).all()


def test_weights_of_an_average_are_kept():
    """Growing weights and the suboptimality, which reads a constant of the problem."""
    problem = load_problem("ridge-ratio", N=4)
    compared(problem, METHODS["fedavg"](eta=0.1), ["output_gradient(0.25)", "suboptimality"], T=12)


def test_a_lane_that_diverges_is_infinite_and_leaves_the_others_alone():
    """A step a thousand times too long for the first lane."""
    problem = load_problem("quadratic", N=3)
    plain, _ = compared(problem, METHODS["fedavg"](eta=np.array([900.0, 0.1])), ["server_gradient"], T=400)
    assert np.isinf(plain.average("server_gradient")[0])
    assert np.isfinite(plain.average("server_gradient")[1])


def test_a_wrong_order_of_random_words_is_seen(monkeypatch):
    """The comparison can fail: words read backwards give other signs."""
    from boundcheck.engine.compiled import program

    right = program.draw

    def backwards(*args):
        words, after = right(*args)
        return words[:, ::-1], after

    monkeypatch.setattr(program, "draw", backwards)
    monkeypatch.setattr(program, "_PROGRAMS", program.OrderedDict())
    with pytest.raises(AssertionError):
        compared(load_problem("ridge-ratio", N=16), METHODS["fedavg"](eta=0.1), ["server_gradient"])


def test_float32_is_float32():
    """Single precision agrees to some 1e-6, and not to 1e-12."""
    problem, method = load_problem("ridge-ratio", N=4), METHODS["fedavg"](eta=0.1)
    setting = {"K": 3, "T": 20, "lanes": 2}
    plain = simulate(problem, method, **setting).final
    single = simulate(problem, method, backend="jax", dtype="float32", **setting).final
    assert 1e-12 < np.abs(single / plain - 1).max() < 1e-5
    assert (single == single.astype(np.float32)).all()


def test_programs_serve_blocks_that_differ_in_numbers_alone():
    """Another heterogeneity is another table of tilts, not another program."""
    from boundcheck.engine.compiled.program import _PROGRAMS

    _PROGRAMS.clear()
    for zeta in (0.5, 0.7):
        problem = load_problem("ridge-table", N=3, shift=zeta)
        problem.shift = 0.0  # a number beside the tables is part of the program
        compared(problem, METHODS["fedavg"](eta=0.1), ["server_gradient"])
    assert len(_PROGRAMS) == 1


def test_functions_of_the_user_are_refused():
    """Python functions are not compiled, whatever they do."""
    problem = OwnProblem(lambda i, x: float(x @ x), lambda i, x: 2 * x, N=2, d=1, start=[1.0])
    with pytest.raises(NotCompilableError, match="method fedavg on problem own cannot be compiled"):
        simulate(problem, METHODS["fedavg"](eta=0.1), K=1, T=2, lanes=1, backend="jax")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"backend": "torch"}, "backend = 'torch' is not legal: one of numpy, jax"),
        ({"backend": "jax", "dtype": "int8"}, "dtype = 'int8' is not legal: one of float64, float32"),
        ({"dtype": "float32"}, "dtype = 'float32' is not legal: float64 with backend = 'numpy'"),
    ],
)
def test_illegal_choices_are_named(options, message):
    """What there is to choose from is said."""
    with pytest.raises(InputError, match=message):
        simulate(load_problem("ridge-ratio", N=2), METHODS["fedavg"](eta=0.1), K=1, T=1, lanes=1, **options)


def test_quantities_of_a_run_are_numpys():
    """They replay rounds with all clients."""
    with pytest.raises(NotCompilableError, match="quantity"):
        simulate(
            load_problem("ridge-ratio", N=2),
            METHODS["fedavg"](eta=0.1),
            K=1,
            T=2,
            lanes=1,
            backend="jax",
            quantities=["drift_correlation"],
        )


def test_jax_is_imported_only_where_it_is_asked_for():
    """A run on numpy leaves the compiler alone."""
    code = (
        "import sys; from boundcheck import load_problem; from boundcheck.engine import simulate;"
        "from boundcheck.methods import METHODS;"
        "simulate(load_problem('ridge-ratio', N=2), METHODS['fedavg'](eta=0.1), K=1, T=1);"
        "assert 'jax' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_counter_that_may_fall_is_refused():
    """What was answered because an integer only grows must stay true after the round."""
    from boundcheck.engine.compiled.counter import Counter, require_growth

    t = Counter(np.int64(3), 1)
    assert (t == 0) is False
    assert (t != 0) is True
    assert (t > 0) is True
    require_growth((t,), (t + 1,))
    with pytest.raises(NotApplicableError, match="a number that may fall"):
        require_growth((t,), (t - 1,))
