"""Claims of the ledger as leaves: only what it proves, by id, and the proof says that it is one apart from them."""

from fractions import Fraction

import pytest

from boundcheck.errors import UnknownNameError
from boundcheck.proofs.chain.whole.proof import ProofTree, decide_file
from boundcheck.proofs.language.files import load
from boundcheck.proofs.language.source import FileError
from boundcheck.proofs.ledger.apart import require_proved
from boundcheck.proofs.search.outcomes import outcomes

PAGE = """
indices = "t = 0 .. T - 1"

[letters]
"> 0" = "T"

[numbers]
"A[t]" = "the first"
"B[t]" = "the second"

[leaf.lemma]
claim = "fmgda.lemma4"
says = "A[t] <= 2 B[t] for t"

[claim.summed]
steps = "lemma [sum t] : 1"
shows = "sum(t) A[t] <= 3 sum(t) B[t]"

[claim.free]
shows = "0 <= sum(t) A[t]"
"""


def page(tmp_path, old="", new=""):
    path = tmp_path / "mine.toml"
    assert old in PAGE
    path.write_text(PAGE.replace(old, new), encoding="utf-8")
    return path


def tree_of(path, name):
    file = load(path)
    return ProofTree(name, file.setting, decide_file(file).found, ())


def test_a_proof_with_a_claim_of_the_ledger_is_one_apart_from_it(tmp_path):
    data = tree_of(page(tmp_path), "summed").data()
    assert (data["proved"], data["apart_from"], data["weakest"]) == (False, ["fmgda.lemma4"], "claim of the ledger")
    assert data["leaves"] == {"claim": ["lemma"]}


def test_what_does_not_use_it_is_proved(tmp_path):
    data = tree_of(page(tmp_path), "free").data()
    assert (data["proved"], data["apart_from"]) == (True, [])


def test_the_verdicts_of_a_file_name_the_claims(tmp_path):
    found = {one["id"]: (one["verdict"], one["apart_from"]) for one in outcomes(page(tmp_path))}
    assert found == {"summed": ("proved", ["fmgda.lemma4"]), "free": ("proved", [])}


def test_without_the_leaf_it_falls(tmp_path):
    (summed, _) = outcomes(page(tmp_path, 'steps = "lemma [sum t] : 1"'))
    assert summed["verdict"] == "undecided"


def test_numbers_without_an_equation_are_not_negative_and_nothing_else(tmp_path):
    (_, free) = outcomes(page(tmp_path, "0 <= sum(t) A[t]", "1 <= sum(t) A[t]"))
    assert free["verdict"] == "refuted"
    assert Fraction(free["witness"]["left"]) > Fraction(free["witness"]["right"]) >= 0


def test_an_unknown_claim_is_refused(tmp_path):
    with pytest.raises(UnknownNameError, match=r"fmgda\.lemma44"):
        require_proved("fmgda.lemma44")
    with pytest.raises(FileError, match=r"mine\.toml:\d+: .*fmgda\.lemma44"):
        outcomes(page(tmp_path, "fmgda.lemma4", "fmgda.lemma44"))


def test_a_refuted_claim_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"mine\.toml:\d+: .*fmgda\.units-printed.* refuted"):
        outcomes(page(tmp_path, "fmgda.lemma4", "fmgda.units-printed"))


def test_a_claim_that_is_not_decided_is_refused(tmp_path, monkeypatch):
    from boundcheck.proofs.ledger import apart

    monkeypatch.setattr(apart, "verdict_of", lambda name: "undecided")
    with pytest.raises(FileError, match="undecided; a leaf must be proved"):
        outcomes(page(tmp_path))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"fmgda.lemma4"', '""'),
        ('claim = "fmgda.lemma4"', 'claim = "fmgda.lemma4"\nkind = "fact"'),
        ('claim = "fmgda.lemma4"', 'kind = "belief"'),
        ('"the first"', '""'),
        ('"the first"', "1"),
        ('"A[t]"', '"A[s]"'),
        ('"A[t]"', '"T[t]"'),
    ],
)
def test_what_is_not_legal_is_named(tmp_path, old, new):
    with pytest.raises(FileError, match=r"mine\.toml"):
        load(page(tmp_path, old, new))
