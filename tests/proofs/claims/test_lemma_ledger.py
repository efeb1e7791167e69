"""The contract of the ledger, and the ledger itself."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from ledger_parts import quick

import boundcheck.proofs
from boundcheck.errors import InputError, UnknownNameError
from boundcheck.notation import PAPERS
from boundcheck.proofs import CLAIMS, Claim, prove, prove_claim
from boundcheck.proofs.language.alone import read_claims
from boundcheck.proofs.ledger.ledger import FILES
from boundcheck.proofs.ledger.tree import standings

pytestmark = pytest.mark.xdist_group("ledger")

ROOM = Path(boundcheck.proofs.__file__).parent


@pytest.fixture(scope="module")
def ledger():
    return {proof.id: proof for proof in prove(quick())}


def test_ids_are_unique_and_belong_to_a_known_paper():
    """No claim hides another, and every prefix is a paper under audit."""
    ids = [claim.id for file in FILES for claim in read_claims(file)]
    assert len(ids) == len(set(ids)) == len(CLAIMS)
    assert {claim.paper for claim in CLAIMS.values()} <= set(PAPERS)


def test_every_claim_says_what_and_where():
    """Title, place and statement are filled in, on one line each."""
    for claim in CLAIMS.values():
        for text in (claim.title, claim.where, *(claim.printed or [claim.prose])):
            assert text
            assert "\n" not in text


def test_listing_claims_imports_no_solver():
    """A fresh interpreter lists all claims without sympy, z3, mpmath or numpy."""
    code = (
        "import sys; from boundcheck.proofs import CLAIMS; print(len(list(CLAIMS)));"
        "assert not {'sympy', 'z3', 'mpmath', 'numpy'} & set(sys.modules), sorted(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == len(CLAIMS)


def test_the_room_imports_only_downwards():
    """Of boundcheck outside the room only the modules below it are imported."""
    below = ("errors", "files", "workers", "notation", "bounds", "metrics", "proofs", "verdicts")
    allowed = tuple(f"boundcheck.{name}" for name in below)
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("boundcheck"):
                assert node.module.startswith(allowed), (path, node.module)


def check_decided(proof):
    """Nothing is left undecided; what was only searched says how hard, and how near it came to failing."""
    assert proof.verdict != "undecided"
    assert (proof.verdict == "supported") == (proof.slack is not None) == (proof.tries > 0)


def check_repair(proof, proofs):
    """Errata, and nothing else, name a repaired claim; that claim is registered and stands."""
    repair = CLAIMS[proof.id].repaired_by
    assert (proof.verdict == "refuted") == (repair is not None), proof.id
    assert proof.repaired_by == repair
    assert repair is None or proofs[repair].verdict in {"proved", "supported"}


def check_replay(proof):
    """Show the printed statement failing at the witness alone, without any prover."""
    assert proof.replay.startswith("import numpy as np\n")
    assert len(proof.replay.splitlines()) <= (60 if "def " in proof.replay else 12)
    exec(proof.replay, {})


def check_all(proofs):
    for proof in proofs.values():
        check_decided(proof)
        check_repair(proof, proofs)
        if proof.verdict == "refuted":
            check_replay(proof)


def test_a_part_of_the_ledger_is_decided(ledger):
    """Every verdict is settled, only errata are refuted, each has its repair, and refutations replay in plain numpy."""
    check_all(ledger)
    assert {proof.paper for proof in ledger.values()} == {claim.paper for claim in CLAIMS.values()}


@pytest.mark.slow
def test_the_whole_ledger_is_decided():
    """The same for every claim; a claim that is proved stands unless a refuted one is named below it."""
    proofs = {proof.id: proof for proof in prove(workers=2)}
    check_all(proofs)
    for standing in standings(CLAIMS, proofs.values()).values():
        assert (standing.steps == "refuted") == bool(standing.broken)


def test_every_prover_is_used(ledger):
    """Each exact prover decides several claims."""
    for prover in ("identity", "gram", "real", "monotone"):
        assert sum(prover in proof.prover for proof in ledger.values()) >= 3


def test_thresholds_of_the_fmgda_conditions(ledger):
    """Solved by hand: 1/L_block + 1/mu < 360/211 for mu <= 1, so (2, 1) is feasible and (1, 1) is not."""
    assert 1 / 2 + 1 / 1 < 360 / 211 < 1 / 1 + 1 / 1
    witness = ledger["fmgda.conditions-meet-2-1"].witness
    c = eval(witness["c_dual"])
    assert 211 / (2160 * 4) <= c < min(1 / 6, 1 / (6 * 6))


def test_prove_keeps_the_order_and_agrees_between_workers():
    """Ids come back in the order asked for, whatever the number of processes."""
    names = ["momentum-fl.lemma7", "fedlalr.term-217-printed", "fmgda.lemma5-33"]
    alone, together = prove(names), prove(names, workers=2)
    assert [p.id for p in alone] == [p.id for p in together] == names
    assert [p.verdict for p in alone] == [p.verdict for p in together]


def test_illegal_requests_are_named():
    """Unknown ids suggest the nearest ones; workers and timeout must be positive."""
    with pytest.raises(UnknownNameError, match=r"fmgda\.lemma5"):
        prove(["fmgda.lemma55"])
    with pytest.raises(InputError, match="workers"):
        prove([], workers=0)
    with pytest.raises(InputError, match="timeout"):
        prove([], timeout=0)


def test_a_reader_can_decide_a_claim_of_their_own():
    """A claim outside the ledger is decided in the same way."""

    def goal():
        from boundcheck.proofs.provers import Real, positive

        x, y = positive("x y")
        return Real(2 * x * y, x**2 + y**2)

    proof = prove_claim(Claim("mine.young", "Young", "my draft", "2 x y <= x^2 + y^2", goal))
    assert (proof.verdict, proof.paper, proof.prover) == ("proved", "mine", "real")


def test_progress_counts_the_claims():
    """Progress is called once a claim, with the share that is decided."""
    seen = []
    names = ["gradma.polarisation", "fedglomo.polarisation"]
    prove(names, progress=lambda done, total, share: seen.append((done, total, share)))
    assert seen == [(1, 2, 0.5), (2, 2, 1.0)]


def test_one_name_is_not_a_list_of_names():
    """A string in the place of a list is refused by name."""
    with pytest.raises(InputError, match=r"ids = 'gradma\.polarisation' is not legal: a list of names"):
        prove("gradma.polarisation")
