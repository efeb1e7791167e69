"""Exported proofs: every file is checked by what it was written for, sympy scripts by running, SMT-LIB by solvers."""

import collections
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product

import pytest
import sympy as sp
import z3
from second_solver import cvc5_answer, expected_answer
from turns import case_of

from boundcheck.errors import InputError
from boundcheck.proofs import CLAIMS, AllOf, AnyOf, Claim
from boundcheck.proofs.ledger.export import write
from boundcheck.proofs.provers import (
    Expected,
    GramBound,
    Identity,
    Real,
    clients,
    frac,
    inner,
    mean,
    positive,
    signs,
    square,
    vectors,
)

SLICE = [
    "fmgda.lemma5-31",
    "fmgda.lemma5-34",
    "fmgda.lemma5-33-printed",
    "fmgda.conditions-clash",
    "fmgda.conditions-meet-2-1",
    "fedlalr.lemma12",
    "momentum-fl.lemma7",
    "momentum-fl.lemma9-unroll",
    "fmgda.lemma8-44",
]
DEAR = ("fmgda.lemma5-34", "momentum-fl.lemma9-unroll")
"""Those of the slice that take as long as all others."""
CROSSED = ["fmgda.conditions-clash", "fmgda.conditions-meet-2-1", "fmgda.lemma5-constants", "momentum-fl.lemma8-step"]


def run(path):
    exec(compile(path.read_text(), path.name, "exec"), {})


def z3_answer(text):
    solver = z3.Tactic("qfnra-nlsat").solver()
    solver.from_string(text)
    return str(solver.check())


@pytest.mark.parametrize("name", [case_of(name, slow=name in DEAR) for name in SLICE])
def test_files_of_a_claim_say_what_is_true(name, tmp_path):
    """Scripts end without an error; z3 reads its own questions back and gives the stated answer."""
    files = write(CLAIMS[name], tmp_path)
    assert files
    for path in files:
        if path.suffix == ".py":
            run(path)
        else:
            assert z3_answer(path.read_text()) == expected_answer(path)


x, y = positive("x y")
a, b = vectors("a b")
u, v = clients("u v")


def _state(draw):
    return {"x": draw.array(2), "eta": draw.part()}


def _chance(**_):
    return product(signs(2))


def _sides(outcome, x, eta):
    step = x - eta * outcome[0]
    return step @ step, x @ x + 2 * eta**2


WRONG = {
    "identity": Identity(x * inner(a, b), inner(a, b)),
    "gram": GramBound(square(a + b), frac(199, 100) * (square(a) + square(b))),
    "families": GramBound(square(mean(u + v)), square(u) + square(v)),
    "expectation": Expected(_state, _chance, lambda *_, **__: (1, 0)),
}
RIGHT = AllOf(
    (
        Identity(square(a + b), square(a) + 2 * inner(a, b) + square(b)),
        GramBound(square(mean(u + v)), 2 * square(u) + 2 * square(v)),
        GramBound(2 * inner(a, b) - 1, square(a) + square(b)),
        Real(2 * x * y, x**2 + y**2),
        Expected(_state, _chance, _sides, states=5, equal=True),
    )
)


def test_a_conjunction_exports_every_part(tmp_path):
    """Four scripts and at least the one real question; all of them right."""
    files = write(Claim("mine.all", "t", "w", "s", lambda: RIGHT), tmp_path / "new")
    assert sum(path.suffix == ".py" for path in files) == 4
    assert any(path.suffix == ".smt2" for path in files)
    for path in files:
        if path.suffix == ".py":
            run(path)


@pytest.mark.parametrize("name", ["identity", "gram", "families"])
def test_a_script_of_a_false_goal_fails(name):
    """Scripts can fail: those of false statements do."""
    from boundcheck.proofs.ledger.export import scripts

    (text,) = scripts(WRONG[name])
    with pytest.raises(AssertionError):
        exec(text, {})


def test_a_matrix_that_is_not_the_form_fails():
    """The script of a form compares it with its matrix."""
    from boundcheck.proofs.ledger.export import scripts

    (text,) = scripts(GramBound(2 * inner(a, b), square(a) + square(b)))
    exec(text, {})
    with pytest.raises(AssertionError):
        exec(text.replace("rows = [[", "rows = [[1 + "), {})


def test_an_enumeration_script_of_a_false_goal_fails():
    """The exported states break a false inequality."""
    from boundcheck.proofs.ledger.export import scripts

    (text,) = scripts(Expected(_state, _chance, _more, states=5))
    with pytest.raises(AssertionError):
        exec(text, {})


def _more(outcome, x, eta):
    lhs, rhs = _sides(outcome, x, eta)
    return lhs, rhs - eta**2


def test_of_several_forms_only_those_that_hold_are_exported():
    """An undecided form beside a proved one has no script."""
    from boundcheck.proofs.ledger.export import scripts

    lost = GramBound(inner(a, b), 0 * square(a), given=((0 * x, -(1 + x) * inner(a, b)),))
    assert scripts(AnyOf((lost, RIGHT.goals[0]))) == scripts(RIGHT.goals[0])


def test_a_file_in_place_of_the_folder_is_named(tmp_path):
    """Exporting onto a file is refused."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="export"):
        write(CLAIMS[SLICE[0]], tmp_path / "file")


def test_a_second_solver_disagrees_with_nothing_in_the_slice(tmp_path):
    """The questions of a few claims, which cvc5 settles in a blink, get the same answers."""
    pytest.importorskip("cvc5")
    paths = [p for name in CROSSED for p in write(CLAIMS[name], tmp_path) if p.suffix == ".smt2"]
    pairs = [(expected_answer(path), cvc5_answer(path, 20)) for path in paths]
    assert len(pairs) >= 4
    assert [first for first, second in pairs if first != second] == []


@pytest.mark.slow
def test_all_exported_proofs_are_right(tmp_path):
    """Every script of the ledger runs, and cvc5 contradicts z3 nowhere; most questions it answers as well."""
    pytest.importorskip("cvc5")
    questions = []
    for claim in CLAIMS.values():
        files = write(claim, tmp_path)
        questions += [path for path in files if path.suffix == ".smt2"]
        for path in set(files) - set(questions):
            run(path)
    with ThreadPoolExecutor(2) as both:
        answers = list(both.map(partial(cvc5_answer, seconds=2), questions))
    counts = collections.Counter(zip(map(expected_answer, questions), answers, strict=True))
    print(dict(counts))
    assert counts["unsat", "sat"] == counts["sat", "unsat"] == 0
    for expected in ("unsat", "sat"):
        asked = sum(number for (wanted, _), number in counts.items() if wanted == expected)
        assert counts[expected, expected] > 0.9 * asked


def test_sympy_reads_symbols_named_like_its_own():
    """The letters N, S and E of the notation stay symbols in a script."""
    from boundcheck.proofs.ledger.export import scripts

    N, S = sp.symbols("N S", positive=True)
    (text,) = scripts(Identity(N * S / (N * S + 1), 1 - 1 / (N * S + 1)))
    exec(text, {})
