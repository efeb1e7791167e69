"""The last claim of a proof, made from the `Bound` that is measured: metric, terms and conditions."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from boundcheck.bounds.common import SAMPLING, compound
from boundcheck.errors import NotApplicableError
from boundcheck.notation import symbols
from boundcheck.proofs.chain.whole.prescribed import (
    Roots,
    cases,
    definitions,
    facts,
    pieces,
    power_of,
    without_maxima,
    without_roots,
)
from boundcheck.proofs.language.claim import Claim
from boundcheck.proofs.language.expressions import node_of, sum_of
from boundcheck.proofs.language.grammar import Node, read
from boundcheck.proofs.language.setting import EULER, SPREAD
from boundcheck.proofs.language.steps import Relation, entries_of, letters_of, substitute_letters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boundcheck.bounds import Bound
    from boundcheck.proofs.language.files import Ending
    from boundcheck.proofs.language.setting import ProofSetting

METRIC_STATEMENTS = {
    "server_gradient": "mean(t) |mean(i) grad(x[t])|^2",
    "output_gradient": "discounted(t, growth) |mean(i) grad(x[t])|^2",
    "local_gradient": "mean(t, k) |mean(i) grad(z[t, k])|^2",
    "envelope_gradient": "mean(t, k) |mean(i) grad(z[t, k])|^2",
    "envelope_gradient_sum": "chat/2 sum(t) sum(k) slope[t, k]",
    "suboptimality": "mean(t) f(x[t]) - f_star",
    "drift": "mean(t, k) |y[t, k] - x[t]|^2",
}
"""What the engine measures, as an expression of claims; z is the mean of the clients' points, f of minimax Phi."""
WEIGHTED = {"slope": "eta[t, k + 1] |mean(i) grad(z[t, k])|^2"}
"""What the weighted sequences in these are: eta[t, k + 1] is the step that is taken at z[t, k]."""
_FLAT = "mean(t) |mean(i) grad(z[t])|^2"
"""The same where one index counts all local steps."""


def last_claim(bound: Bound, setting: ProofSetting, end: Ending, terms: Mapping[str, Any] | None = None) -> Claim:
    """Return the claim that a bound makes: metric <= sum of its terms, under its conditions.

    Parameters
    ----------
    bound : Bound
        The registered object.
    setting : Setting
        What the proof speaks about; a condition on other letters than its own is one that it does not need.
    end : Ending
        From what it follows, and how its letters are written in those of the proof: roots, other letters, and the
        values at which the one step is taken.
    terms : mapping, optional
        Other terms in the place of the bound's own, to ask how far they can be lowered.

    Raises
    ------
    NotApplicableError
        If the metric has no expression, or a term is not a rational function of the letters.
    """
    if bound.metric not in METRIC_STATEMENTS:
        msg = f"metric {bound.metric} of {bound.id} has no expression; known are {', '.join(METRIC_STATEMENTS)}"
        raise NotApplicableError(msg)
    letters = setting.letters
    ours = {*letters, *end.letters}
    roots, fixed = Roots(end.roots), definitions(bound, ours)
    everything = [_replace_power_sums(e, setting) for e in (*bound.parameters.values(), *bound.terms.values())]
    nested = pieces(everything, end.pieces)

    def put_values(expression: Any) -> Any:
        found = _replace_power_sums(expression, setting)
        found = _replace_sampling(found) if SPREAD in letters else found
        return without_maxima(found.xreplace(fixed).xreplace(nested))

    write = roots.node if bound.rigid or end.roots else node_of
    right = sum_of([write(put_values(term)) for term in (terms or bound.terms).values()])
    relations = [_relation(c.relation, put_values, roots) for c in bound.conditions]
    two = cases(bound, roots, put_values, nested)
    prescribed = [name for name in bound.parameters if name not in bound.free] if bound.rigid else bound.definitions
    spoken = ours if bound.rigid else letters
    known = {name: put_values(e) for name, e in bound.parameters.items() if name in prescribed and name in spoken}
    relations += [*facts({name: e for name, e in known.items() if not e.is_Piecewise}, roots), *roots.given()]
    relations = [substitute_letters(node, end.letters) for node in relations]
    given = tuple(node for node in relations if letters_of(node) - {EULER} <= set(letters))
    shows = Node("relation", "<=", (_metric(bound, setting), substitute_letters(right, end.letters)))
    several = tuple(tuple(substitute_letters(node, end.letters) for node in case) for case in two)
    relation = Relation(shows, {}, given, several, end.at)
    return Claim(bound.id, bound.title, bound.where, "", relation, steps=end.steps, base=end.base)


def _replace_power_sums(expression: Any, setting: ProofSetting) -> Any:
    """Return an expression with letters for the sums of powers in it."""
    import sympy

    steps = {name: symbols(str(setting.length(index)))[0] for name, index in setting.series.items()}
    values = {compound(count): sympy.Symbol(name, nonnegative=True) for name, count in steps.items()}
    return sympy.sympify(expression).subs(values)


def _metric(bound: Bound, setting: ProofSetting) -> Node:
    """Return the left side; where a condition fixes T, the mean over the rounds is written out."""
    import sympy

    flat = bound.metric == "local_gradient" and "k" not in setting.indices
    node = read(_FLAT if flat else METRIC_STATEMENTS[bound.metric])
    for name, text in WEIGHTED.items():
        found = setting.definitions.get(name)
        if name in entries_of(node) and (found is None or found.right != read(text)):
            msg = f"metric {bound.metric}: {name} must be {text} in the proof"
            raise NotApplicableError(msg)
    rounds = [
        c.relation.rhs for c in bound.conditions if isinstance(c.relation, sympy.Eq) and str(c.relation.lhs) == "T"
    ]
    return _written_out(node, int(rounds[0])) if rounds else node


def _written_out(node: Node, rounds: int) -> Node:
    """Return an expression with means over t = 0 .. rounds - 1 as sums."""
    letters = [letter.strip() for letter in node.name.split(",")]
    if node.kind != "mean" or "t" not in letters:
        return Node(node.kind, node.name, tuple(_written_out(part, rounds) for part in node.parts))
    others = ", ".join(letter for letter in letters if letter != "t")
    body = Node("mean", others, node.parts) if others else node.parts[0]
    values = [substitute_letters(body, {"t": Node("number", str(t))}) for t in range(rounds)]
    return Node("div", parts=(sum_of(values), Node("number", str(rounds))))


def _replace_sampling(expression: Any) -> Any:
    """Return an expression with the letter `SPREAD` for the variance factor of a sample."""
    import sympy

    others = next(iter(SAMPLING.atoms(sympy.Max)))
    away = SAMPLING.as_numer_denom()[0]  # N - S: 0 where the letter is

    def put_values(product: Any) -> Any:
        shares = [_share(factor, away) for factor in product.args]
        place = next(n for n, share in enumerate(shares) if share.is_number)
        rest = [factor for n, factor in enumerate(product.args) if n != place]
        return shares[place] * sympy.Mul(*rest) * others * symbols("S")[0] * sympy.Symbol(SPREAD, nonnegative=True)

    return sympy.sympify(expression).replace(lambda e: e.is_Mul and 1 / others in e.args, put_values)


@cache
def _share(factor: Any, whole: Any) -> Any:
    import sympy

    return sympy.cancel(factor / whole)


def _relation(relation: Any, put: Callable[[Any], Any], roots: Roots) -> Node:
    signs = {"<=": "<=", "<": "<=", ">=": ">=", ">": ">=", "==": "="}
    sides = [put(side) for side in (relation.lhs, relation.rhs)]
    nodes = map(roots.node, sides) if _rooted_sum(sides) else map(node_of, without_roots(*sides))
    return Node("relation", signs[relation.rel_op], tuple(nodes))


def _rooted_sum(sides: list[Any]) -> bool:
    """Return whether a condition has a root and a sum, of which powers would only make a longer one."""
    return any(side.is_Add for side in sides) and any(power_of(side) > 1 for side in sides)
