"""Whole proofs with one thing changed: none is accepted with another conclusion."""

import copy
import json
from dataclasses import replace
from fractions import Fraction

import pytest
from kernel_papers import LIBRARY, pages, written_page

from boundcheck.bounds import BOUNDS
from boundcheck.proofs.kernel import File, Kernel, Proof, Refused
from boundcheck.proofs.kernel.text import Tree

FAST = ["sgd"]


def _read(page):
    file = File()
    file.read(page, LIBRARY)
    return file


@pytest.fixture(scope="module")
def base(request):
    """Return file, proof object and verdicts of a shipped proof."""
    page = written_page(request.param)
    data = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    kernel = Kernel(_read(page), Proof(copy.deepcopy(data)))
    assert all(verdict.proved for verdict in kernel.check().values())
    return kernel, data


def _tighter(claim, factor=Fraction(99, 100)):
    """Yield a claim whose right side is one percent smaller, or times another factor."""
    left, right = claim.statement.shows.parts
    if right != Tree("number", "0"):
        less = Tree("mul", "", (Tree("number", str(factor)), right))
        yield replace(
            claim, statement=replace(claim.statement, shows=Tree(claim.statement.shows.kind, "", (left, less)))
        )


def _without_a_step(claim, parts):
    """Yield a claim without one of its steps, and the multipliers that are left; a law is known without its step."""
    for key in ("steps", "base"):
        steps = getattr(claim, key)
        for n, step in enumerate(steps):
            if step.id == "orthogonal":
                continue
            shorter = replace(claim, **{key: (*steps[:n], *steps[n + 1 :])})
            for drop in (None, *range(max(len(part.get("multipliers", [])) for part in parts))):
                less = copy.deepcopy(parts)
                for part in less:
                    if drop is not None and drop < len(part.get("multipliers", [])):
                        del part["multipliers"][drop]
                yield step, shorter, less


def _without_hypotheses(claim):
    """Yield a claim without all that it takes as given; a single hypothesis may be one that a bound does not need."""
    if claim.statement.given:
        yield replace(claim, statement=replace(claim.statement, given=()))


def _verdict(kernel, data, id_, claim, parts=None):
    file = copy.copy(kernel.file)
    file.claims = {**file.claims, id_: claim}
    claims = {**data["claims"], id_: data["claims"].get(id_, []) if parts is None else parts}
    before = dict(kernel.verdicts)
    made = Kernel(file, Proof({**data, "claims": claims}), before)
    return made.check_claim(id_)


def _mutants(kernel, data):
    for id_, claim in kernel.file.claims.items():
        parts = data["claims"].get(id_, [{}])
        for tighter in _tighter(claim):
            yield id_, "tighter", tighter, None
        for step, shorter, less in _without_a_step(claim, parts):
            yield id_, f"without {step.text}", shorter, less
        for bare in _without_hypotheses(claim):
            yield id_, "without hypotheses", bare, None


@pytest.mark.parametrize("base", FAST, indirect=True)
def test_what_is_changed_is_not_proved(base):
    kernel, data = base
    survivors = [
        (id_, what)
        for id_, what, claim, parts in _mutants(kernel, data)
        if _verdict(kernel, data, id_, claim, parts).proved
    ]
    assert not survivors


@pytest.mark.slow
@pytest.mark.parametrize("base", ["momentum_fl_theorem11", "gradma_lemma6"], indirect=True)
def test_what_is_changed_in_a_paper_is_not_proved(base):
    """Each bound one percent tighter, each step left out, all hypotheses dropped."""
    kernel, data = base
    survivors = {
        (id_, what)
        for id_, what, claim, parts in _mutants(kernel, data)
        if _verdict(kernel, data, id_, claim, parts).proved
    }
    assert survivors == set()


@pytest.mark.parametrize(
    "base",
    [*FAST, *(pytest.param(name, marks=pytest.mark.slow) for name in pages() if name not in FAST)],
    indirect=True,
)
def test_a_tenth_of_a_bound_stands_on_nothing(base):
    """Each bound of each whole proof, all at once: what leads to them is proved as before."""
    kernel, data = base
    file = copy.copy(kernel.file)
    bounds = {id_ for id_ in file.claims if id_ in BOUNDS} | {list(file.claims)[-1]}
    file.claims = {
        id_: next(_tighter(claim, Fraction(1, 10))) if id_ in bounds else claim for id_, claim in file.claims.items()
    }
    verdicts = Kernel(file, Proof(copy.deepcopy(data))).check()
    assert {id_ for id_, one in verdicts.items() if not one.proved} == bounds


def _altered(data):
    """Yield proof objects with one number or sign changed."""
    for id_, parts in data["claims"].items():
        for n, part in enumerate(parts):
            for m in range(len(part.get("multipliers", []))):
                for change in ("2*({})", "-({})", "0*({})"):
                    made = copy.deepcopy(parts)
                    made[n]["multipliers"][m] = change.format(part["multipliers"][m])
                    yield id_, made
            for m, (weight, _) in enumerate(part.get("squares", [])):
                for change in ("2*({})", "-({})"):
                    made = copy.deepcopy(parts)
                    made[n]["squares"][m][0] = change.format(weight)
                    yield id_, made
            for key, why in part.get("signs", {}).items():
                for change in ({"scale": "-1"}, {"scale": "2"}, {"factors": []}, {"times": {"N": 2}}):
                    made = copy.deepcopy(parts)
                    made[n]["signs"][key] = {**why, **change}
                    yield id_, made


@pytest.mark.parametrize("base", FAST, indirect=True)
def test_other_choices_prove_no_other_statement(base):
    """A changed choice leaves a claim unproved: here none of the numbers can be another."""
    kernel, data = base
    tried = list(_altered(data))
    assert len(tried) > 20
    for id_, parts in tried:
        verdict = _verdict(kernel, data, id_, kernel.file.claims[id_], parts)
        assert not verdict.proved, (id_, parts)


@pytest.mark.parametrize("name", pages())
def test_births_that_are_too_old_are_refused(name):
    """What is claimed to be determined one time too early is refused with the equation, or proves nothing more."""
    page = written_page(name)
    data = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    file = _read(page)
    noises = {name for name, one in file.vectors.items() if one.kind in ("noise", "deviation", "sample")}
    refused = 0
    for sequence, offset in data["births"].items():
        if sequence in noises or offset == "end":
            continue
        births = {**data["births"], sequence: offset - 1}
        try:
            Kernel(file, Proof({**data, "births": births}))
        except Refused:
            refused += 1
    assert refused or not any(one.kind == "noise" for one in file.vectors.values())


def test_a_proof_object_of_another_claim_proves_nothing():
    page = written_page("sgd")
    data = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    data["claims"]["descent"] = data["claims"]["fresh-noise"]
    verdicts = Kernel(_read(page), Proof(data)).check()
    assert verdicts["fresh-noise"].proved
    assert not verdicts["descent"].proved
    assert not verdicts["example.sgd"].proved
