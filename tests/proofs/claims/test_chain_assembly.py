"""Whole proofs as certificates: the checker takes them, names what it trusts, and refuses what is altered."""

import copy
import json
import re
from collections import Counter
from functools import cache

import pytest
from turns import case_of

from boundcheck.cli.app import run
from boundcheck.errors import UnknownNameError
from boundcheck.proofs.chain.whole.assembly import assemble_certificates, certificates_of, count_trusted
from boundcheck.proofs.chain.whole.proof import PROOFS, decide_shipped
from boundcheck.proofs.kernel.certificates import ERRORS, check

pytestmark = pytest.mark.xdist_group("proofs")

SGD = {"fresh": 1, "assumption": 3, "fact": 1, "equations": 1, "sum": 1}
NUMBER = re.compile(r"\((\d+)\)")


EXAMPLES = ("example.sgd", "momentum-fl.theorem11")
RATE = "momentum-fl.theorem11-rate"


@cache
def whole(name):
    """Return the certificates of a proof, put together once."""
    return assemble_certificates(decide_shipped(PROOFS[name])[1], name)


@pytest.fixture(scope="module")
def made():
    return {name: whole(name) for name in EXAMPLES}


@cache
def checked(name):
    """Return what the checker prints of a whole proof, and the certificates by name as it has taken them."""
    past = {}
    return [check(one, past) for one in whole(name)], past


def accepted(certificates):
    """Whether the checker takes a list of certificates."""
    past = {}
    try:
        for certificate in certificates:
            check(certificate, past)
    except ERRORS:
        return False
    return True


@pytest.mark.parametrize("name", [*EXAMPLES, pytest.param(RATE, marks=pytest.mark.slow)])
def test_the_checker_takes_whole_proofs(name):
    """In their order; the last one is the bound, and has no hypothesis about anything but letters."""
    assert len(checked(name)[0]) == len(whole(name))
    last = whole(name)[-1]
    assert last["id"] == f"{name}: {name}"
    assert not any("[" in line or "<" in line.replace("<=", "") for line in last["given"])


@pytest.mark.slow
@pytest.mark.parametrize("name", PROOFS)
def test_the_checker_takes_every_shipped_proof(name):
    by_coordinates = decide_shipped(PROOFS[name])[1].setting.coordinates
    assert accepted(certificates_of(name)) or by_coordinates


def test_what_is_trusted_is_counted_by_name(made):
    """By hand for the page on gradient descent: the steps of its three claims, and the equation behind one."""
    assert count_trusted(made["example.sgd"]) == SGD
    lines = checked("example.sgd")[0][-1]
    said = [json.loads(line.partition("trusted ")[2])[0] for line in lines if "trusted" in line]
    assert sorted(word.split()[0].strip(":,") for word in said) == sorted(Counter(SGD).elements())
    assert "sum in descent [sum t] : 2/(eta*T)" in said


def users(certificates, name):
    """Return the certificates that use the one of this name."""
    return [c for c in certificates if any(step.get("use") == name for step in c.get("steps", []))]


def passes(certificate, past):
    try:
        check(certificate, {name: one for name, one in past.items() if name != certificate["id"]})
    except ERRORS:
        return False
    return True


def test_instances_are_verified(made):
    """An index is replaced, as in move(t -> t - 1), and not by another one."""
    past = checked("momentum-fl.theorem11")[1]
    moved = 0
    for certificate in made["momentum-fl.theorem11"]:
        for k, step in enumerate(certificate.get("steps", [])):
            if step.get("with"):
                other = copy.deepcopy(certificate)
                other["steps"][k]["with"] = {name: f"{value} + 1" for name, value in step["with"].items()}
                moved += 1
                assert not passes(other, past)
    assert moved


@pytest.mark.parametrize(
    ("name", "all_users"), [("example.sgd", True), (EXAMPLES[1], False), case_of((EXAMPLES[1], True), slow=True)]
)
def test_a_rule_that_says_something_else_proves_nothing(name, all_users, made):
    """What a rule gives is changed by one in its first coefficient, or the rule is left out: what uses it breaks."""
    past = checked(name)[1]
    altered = 0
    rules = [c for c in made[name] if "rule" in c and NUMBER.search(c["shows"])]
    for rule in rules if all_users else {c["rule"]: c for c in rules}.values():
        shows = NUMBER.sub(lambda m: f"({int(m[1]) + 1})", rule["shows"], count=1)
        changed = past | {rule["id"]: past[rule["id"]] | {"shows": shows}}
        left_out = {key: one for key, one in past.items() if key != rule["id"]}
        for user in users(made[name], rule["id"])[: None if all_users else 1]:
            altered += 1
            assert passes(user, past)
            assert not passes(user, changed), rule["rule"]
            assert not passes(user, left_out)
    assert altered > 5


@pytest.mark.slow
def test_the_command_writes_the_whole_proof(tmp_path, capsys):
    """Beside the certificates of the claim of this name, in files that the checker takes together."""
    assert run(["prove", "momentum-fl.theorem11", "--certificates", str(tmp_path)]) == 0
    assert "trusts" in capsys.readouterr().err
    assert (tmp_path / "momentum-fl.theorem11.proof.json").exists()
    # Rules are taken on trust: what was written is checked, and is no proof by itself.
    assert run(["verify", str(tmp_path)]) == 5
    assert "rules taken on trust: not a proof by itself" in capsys.readouterr().out


def test_an_unknown_proof_is_named():
    with pytest.raises(UnknownNameError, match="proof"):
        certificates_of("sgd")
