"""`show BOUND --proof` and `prove FILE.toml`."""

import json
from fractions import Fraction

import pytest
from cli_calls import called, parsed

from boundcheck.proofs.chain.whole.pending import PENDING

DRAFT = """[letters]
"> 0" = "beta, gl"

[claim.absorb]
shows = "4 gl^2/beta + beta/9 <= 2 beta/9 if gl <= beta/6, beta <= 1"

[claim.absorb-5]
shows = "4 gl^2/beta + beta/9 <= 2 beta/9 if gl <= beta/5"

[claim.nothing]
shows = "beta <= 0 if gl <= beta/5, beta <= gl"
"""


@pytest.fixture
def draft(tmp_path):
    path = tmp_path / "draft.toml"
    path.write_text(DRAFT, encoding="utf-8")
    return path


def test_a_claim_file_is_decided(capsys, draft):
    """A proved, a refuted and an empty claim; the witness is exact and the certificate has the weight of the claim."""
    proved, refuted, vacuous = parsed(capsys, "prove", draft)
    assert [one["verdict"] for one in (proved, refuted, vacuous)] == ["proved", "refuted", "vacuous"]
    assert [one["id"] for one in proved["certificate"]] == ["absorb"]
    assert refuted["certificate"] == []
    assert proved["given"] == ["gl <= beta/6", "beta <= 1"]
    beta, gl = (Fraction(refuted["witness"][name]) for name in ("beta", "gl"))
    assert gl <= beta / 5
    assert 4 * gl**2 / beta + beta / 9 > 2 * beta / 9


def test_a_verdict_sets_the_exit_code(capsys, draft):
    assert called(capsys, "prove", draft)[0] == 0
    assert called(capsys, "prove", draft, "--fail-on", "refuted")[0] == 1
    assert called(capsys, "prove", draft, "--fail-on", "vacuous")[0] == 1
    assert called(capsys, "prove", draft, "--fail-on", "undecided")[0] == 0


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("4 gl^2/beta + beta/9 <= 2", "4 gl^2/beta $ 2", 5, "legal are numbers, letters"),
        ('if gl <= beta/5"', 'if gl <= betta/5"', 8, "unknown letter 'betta'; did you mean beta?"),
        ("[claim.nothing]", '[claim.nothing]\nfrom = "nowhere"', 11, "unknown key 'from'"),
        ('"> 0" =', '"big" =', 2, "legal: '> 0', '>= 0', 'real'"),
        ("[claim.absorb-5]", "[claim.absorb]", 7, "Cannot declare"),
        ("[letters]", "[letters", 1, "Expected"),
    ],
)
def test_what_is_illegal_is_named_with_its_line(capsys, draft, old, new, line, message):
    draft.write_text(DRAFT.replace(old, new), encoding="utf-8")
    code, _, err = called(capsys, "prove", draft)
    assert code == 2
    assert message in err
    assert f"{draft}:{line}" in err or f"line {line}" in err


def test_a_missing_file_is_named(capsys, tmp_path):
    code, _, err = called(capsys, "prove", tmp_path / "none.toml")
    assert (code, f"{tmp_path}/none.toml: No such file" in err) == (2, True)


def test_files_and_claims_of_the_ledger_do_not_mix(capsys, draft):
    code, _, err = called(capsys, "prove", draft, "fedlalr.lemma9")
    assert (code, "decide the ledger's apart" in err) == (2, True)


@pytest.mark.xdist_group("proofs")
def test_the_proof_of_a_bound_is_shown(capsys):
    """The tree names the method's equations and the assumptions, and the sentence at its end counts."""
    code, out, _ = called(capsys, "show", "momentum-fl.theorem11", "--proof")
    assert code == 0
    assert "momentum-fl.theorem11: proved: mean(t) |mean(i) grad(x[t])|^2 <= " in out
    assert "smooth: assumption: |grad(u) - grad(v)|^2 <= L^2*|u - v|^2" in out
    assert "momentum-fl.theorem11 is proved by 22 claims" in out


@pytest.mark.xdist_group("proofs")
def test_the_proof_of_a_bound_as_data(capsys):
    found = parsed(capsys, "show", "momentum-fl.theorem11", "--proof")
    assert (found["proved"], found["steps"], found["apart_from"], found["weakest"]) == (True, 22, [], "rule")
    assert found["leaves"]["assumption"] == ["client-gradients", "gap", "lower", "smooth", "variance"]
    assert json.dumps(found)


def test_a_bound_without_a_proof_says_so(capsys):
    found = parsed(capsys, "show", "momentum-fl.theorem19-proof", "--proof")
    assert (found["proved"], found["apart_from"]) == (False, ["momentum-fl.theorem19-proof"])
    assert (found["breaks"], found["why"]) == ("momentum-fl.theorem19-gamma-printed", PENDING[found["bound"]])
    out = called(capsys, "show", "momentum-fl.theorem19-proof", "--proof")[1]
    assert out.endswith(f"momentum-fl.theorem19-proof has no proof: {found['why']}.\n")
    assert called(capsys, "show", "momentum-fl.theorem99", "--proof")[0] == 2


@pytest.mark.xdist_group("proofs")
def test_a_printed_theorem_that_is_false_shows_where_it_breaks(capsys):
    """Theorem 15 prints no condition eta K L <~ beta, which Lemma 14 needs: its bound falls with it."""
    name = "momentum-fl.theorem15-printed"
    found = parsed(capsys, "show", name, "--proof")
    assert (found["proved"], found["breaks"]) == (False, "momentum-fl.theorem15-eta-printed")
    assert found["falls"] == ["momentum-fl.theorem15-bound", "momentum-fl.theorem15", name]
    assert found["instead"] == "momentum-fl.theorem15-eta"
    assert {"beta", "ekl"} <= set(found["witness"])
    out = called(capsys, "show", name, "--proof")[1]
    assert "> momentum-fl.theorem15-eta-printed: breaks here: false at K = 1" in out
    assert "  momentum-fl.theorem15-bound: falls: " in out
    assert f"{name} does not follow: " in out
