"""PEPit's example files, run beside ours: same parameters, same value."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

from boundcheck.worst.stated import read_file

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "worst"
FOLDERS = {
    "adaptive": "adaptive_methods",
    "composite": "composite_convex_minimization",
    "continuous": "continuous_time_models",
    "fixed": "fixed_point_problems",
    "inexact": "inexact_proximal_methods",
    "low": "low_dimensional_worst_cases_scenarios",
    "monotone": "monotone_inclusions_variational_inequalities",
    "nonconvex": "nonconvex_optimization",
    "online": "online_learning",
    "potential": "potential_functions",
    "stochastic": "stochastic_and_randomized_convex_minimization",
    "tutorials": "tutorials",
    "smooth": "unconstrained_convex_minimization",
}
BESIDE = {
    "polyak-distance": "adaptive polyak_steps_in_distance_to_optimum",
    "polyak-value": "adaptive polyak_steps_in_function_value",
    "accelerated-douglas-rachford": "composite accelerated_douglas_rachford_splitting",
    "fista": "composite accelerated_proximal_gradient",
    "fista-simplified": "composite accelerated_proximal_gradient_simplified",
    "bregman-proximal-point": "composite bregman_proximal_point",
    "douglas-rachford": "composite douglas_rachford_splitting n=4",
    "douglas-rachford-contraction": "composite douglas_rachford_splitting_contraction",
    "frank-wolfe": "composite frank_wolfe n=5",
    "no-lips-bregman": "composite no_lips_in_bregman_divergence n=4",
    "no-lips-value": "composite no_lips_in_function_value",
    "proximal-gradient": "composite proximal_gradient",
    "proximal-gradient-quadratics": "composite proximal_gradient_quadratics",
    "three-operator-splitting": "composite three_operator_splitting",
    "accelerated-flow-convex": "continuous accelerated_gradient_flow_convex",
    "accelerated-flow-strongly-convex": "continuous accelerated_gradient_flow_strongly_convex",
    "gradient-flow-convex": "continuous gradient_flow_convex",
    "gradient-flow-strongly-convex": "continuous gradient_flow_strongly_convex",
    "halpern": "fixed halpern_iteration n=10",
    "krasnoselskii-mann": "fixed krasnoselskii_mann_constant_step_sizes",
    "krasnoselskii-mann-increasing": "fixed krasnoselskii_mann_increasing_step_sizes",
    "halpern-contractive": "fixed optimal_contractive_halpern_iteration n=6",
    "inexact-forward-backward": "inexact accelerated_inexact_forward_backward n=3",
    "inexact-douglas-rachford": "inexact partially_inexact_douglas_rachford_splitting n=3",
    "relatively-inexact-proximal-point": "inexact relatively_inexact_proximal_point_algorithm",
    "monotone-accelerated": "monotone accelerated_proximal_point n=6",
    "monotone-douglas-rachford": "monotone douglas_rachford_splitting",
    "monotone-douglas-rachford-cocoercive": "monotone douglas_rachford_splitting_2",
    "monotone-optimal-strongly": "monotone optimal_strongly_monotone_proximal_point n=6",
    "optimistic-gradient": "monotone optimistic_gradient",
    "past-extragradient": "monotone past_extragradient",
    "monotone-proximal-point": "monotone proximal_point",
    "monotone-three-operator": "monotone three_operator_splitting",
    "difference-of-convex": "nonconvex difference_of_convex_algorithm",
    "gradient-descent-nonconvex": "nonconvex gradient_descent",
    "pl-gradient-descent": "nonconvex gradient_descent_quadratic_lojasiewicz_naive",
    "no-lips-nonconvex": "nonconvex no_lips_1 n=3",
    "no-lips-neighbours": "nonconvex no_lips_2",
    "online-follow-leader": "online online_follow_leader",
    "online-regularised-leader": "online online_follow_regularized_leader",
    "online-frank-wolfe": "online online_frank_wolfe",
    "online-gradient-descent": "online online_gradient_descent",
    "potential-accelerated": "potential accelerated_gradient_method",
    "potential-gradient-descent": "potential gradient_descent_lyapunov_1",
    "potential-gradient-descent-two": "potential gradient_descent_lyapunov_2",
    "point-saga": "stochastic point_saga n=3",
    "coordinate-descent-convex": "stochastic randomized_coordinate_descent_smooth_convex",
    "coordinate-descent-strongly-convex": "stochastic randomized_coordinate_descent_smooth_strongly_convex",
    "saga": "stochastic saga n=3",
    "sgd-finite-sum": "stochastic sgd",
    "sgd-interpolation": "stochastic sgd_overparametrized gamma=1",
    "gradient-descent-contraction": "tutorials gradient_descent_contraction",
    "nesterov-fista": "smooth accelerated_gradient_convex",
    "nesterov-simplified": "smooth accelerated_gradient_convex_simplified",
    "nesterov-strongly-convex": "smooth accelerated_gradient_strongly_convex",
    "accelerated-proximal-point": "smooth accelerated_proximal_point",
    "conjugate-gradient": "smooth conjugate_gradient",
    "conjugate-gradient-qg": "smooth conjugate_gradient_qg_convex n=4",
    "cyclic-coordinate-descent": "smooth cyclic_coordinate_descent",
    "epsilon-subgradient": "smooth epsilon_subgradient_method",
    "gradient-descent": "smooth gradient_descent",
    "gradient-descent-qg": "smooth gradient_descent_qg_convex",
    "gradient-descent-qg-decreasing": "smooth gradient_descent_qg_convex_decreasing",
    "gradient-descent-quadratics": "smooth gradient_descent_quadratics",
    "silver-convex": "smooth gradient_descent_silver_stepsize_convex",
    "silver-strongly-convex": "smooth gradient_descent_silver_stepsize_strongly_convex n=4",
    "exact-line-search": "smooth gradient_exact_line_search",
    "heavy-ball": "smooth heavy_ball_momentum",
    "heavy-ball-qg": "smooth heavy_ball_momentum_qg_convex",
    "inexact-accelerated": "smooth inexact_accelerated_gradient",
    "inexact-gradient": "smooth inexact_gradient_descent",
    "inexact-gradient-line-search": "smooth inexact_gradient_exact_line_search",
    "item": "smooth information_theoretic_exact_method n=5 mu=0.1",
    "optimised-gradient": "smooth optimized_gradient",
    "optimised-gradient-for-gradient": "smooth optimized_gradient_for_gradient",
    "proximal-point": "smooth proximal_point",
    "robust-momentum": "smooth robust_momentum",
    "subgradient": "smooth subgradient_method",
    "rsi-eb": "smooth subgradient_method_rsi_eb",
    "triple-momentum": "smooth triple_momentum",
}
"""Our file to PEPit's: its folder and name, and what is changed of the parameters in its last lines."""


def by_pepit(where):
    """Return what a file of PEPit's examples prints at the parameters of its last lines, Clarabel its solver."""
    folder, name, *changed = where.split()
    module = importlib.import_module(f"PEPit.examples.{FOLDERS[folder]}.{name}")
    lines = ast.parse(inspect.getsource(module)).body[-1].body
    call = next(
        node
        for line in lines
        for node in ast.walk(line)
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("wc_")
    )
    names = dict(vars(module))
    for line in lines:
        if not any(node is call for node in ast.walk(line)):
            exec(ast.unparse(line), names)
    given = {key.arg: eval(ast.unparse(key.value), names) for key in call.keywords}
    given |= {key: type(given[key])(float(value)) for key, value in (one.split("=") for one in changed)}
    return names[ast.unparse(call.func)](**given | {"wrapper": "cvxpy", "solver": "CLARABEL", "verbose": -1})[0]


def test_eighty_files_are_run():
    """One file of PEPit to each of ours."""
    assert len(BESIDE) >= 80
    assert len({where.split(" ", 2)[0] + where.split()[1] for where in BESIDE.values()}) == len(BESIDE)


@pytest.mark.parametrize("name", BESIDE)
def test_pepit_has_the_same_value(name):
    """To 1e-5; or a better one, which is proved to be above no problem of the class."""
    value, case = by_pepit(BESIDE[name]), read_file(EXAMPLES / f"{name}.worst").worst()
    close = abs(case.upper - value) <= 1e-5 * max(abs(value), 1e-2)
    assert close or (case.verdict == "proved" and 0.9999 * value < case.upper < value)
