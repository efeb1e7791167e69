"""One status a statement: joined in one place, shipped, current, and the same word wherever it is shown."""

import json
from dataclasses import replace
from typing import get_args

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.cli.app import run
from boundcheck.evidence.papers.status import bound_statements, claim_statements
from boundcheck.files.resources import folder
from boundcheck.proofs import CLAIMS, Claim
from boundcheck.proofs.chain.whole.proof import PROOFS
from boundcheck.report.pages.status import because, count_verdicts, status, verdict_on
from boundcheck.sweep.compare.statuses import build, join_statuses, write
from boundcheck.verdicts.status import StatusRecord, of_bound, of_claim, shipped_statuses
from boundcheck.verdicts.words import STATUS_WORDS, Status

pytestmark = pytest.mark.xdist_group("proofs")

VERDICTS = {name: entry["verdict"] for name, entry in shipped_statuses()["claims"].items()}
FALSE = {name for name in BOUNDS if of_bound(name).status == "false as printed"}


def claim(name, *steps, **more):
    return Claim(f"p.{name}", name, "here", "x <= y", lambda: None, steps=tuple(f"p.{s}" for s in steps), **more)


def ledger(*claims):
    return {c.id: c for c in claims}


@pytest.mark.derived
def test_the_shipped_file_is_what_its_evidence_gives(tmp_path):
    """Joined again from the verdicts in it and from the shipped audit, byte for byte."""
    write(join_statuses(VERDICTS, shipped_statuses()["studies"]), tmp_path / "status.json")
    assert (tmp_path / "status.json").read_text() == (folder("reports") / "status.json").read_text()


@pytest.mark.derived
def test_every_statement_has_a_status():
    """Each bound and claim has one of four words, each with a meaning, and grounds unless nothing is known."""
    certified = [name for name in shipped_statuses()["bounds"] if name not in list(BOUNDS)]
    assert list(shipped_statuses()["bounds"]) == [*BOUNDS, *certified]
    assert "field.fedavg-all" in certified
    assert all(BOUNDS[name].certificate and of_bound(name).status == "proved" for name in certified)
    assert list(shipped_statuses()["claims"]) == list(CLAIMS)
    assert tuple(STATUS_WORDS) == get_args(Status)
    for entry in (*shipped_statuses()["bounds"].values(), *shipped_statuses()["claims"].values()):
        assert entry["status"] in STATUS_WORDS
        assert entry["because"] or entry["status"] == "open"


@pytest.mark.slow
def test_the_shipped_evidence_is_current(tmp_path):
    """The ledger decided and the findings run again give the same file."""
    build(tmp_path / "status.json", tmp_path / "store", workers=1)
    assert (tmp_path / "status.json").read_text() == (folder("reports") / "status.json").read_text()


def test_no_repaired_statement_is_false():
    """What is false is printed, or what the printed proof gives; each names its counterexample."""
    assert {BOUNDS[name].form for name in FALSE} <= {"printed", "proof"}
    assert len(FALSE) >= 15
    assert [name for name in FALSE if not of_bound(name).because] == []


def test_last_lines_prove_no_theorem():
    """A bound is proved by a chain that ends in it, and by nothing else."""
    whole = set(PROOFS)
    proved = {name for name in BOUNDS if of_bound(name).status == "proved"}
    assert proved <= whole | {name for name, bound in BOUNDS.items() if bound.follows_from in whole}
    assert VERDICTS["momentum-fl.theorem11"] == "proved"


@pytest.mark.parametrize(
    ("verdicts", "word", "grounds"),
    [
        ({"a": "proved", "b": "proved"}, "proved", ("claim:p.a",)),
        ({"a": "proved", "b": "refuted"}, "open", ("claim:p.b",)),
        ({"a": "proved", "b": "supported"}, "not contradicted", ("claim:p.b",)),
        ({"a": "supported", "b": "proved"}, "not contradicted", ("claim:p.a",)),
        ({"a": "refuted", "b": "proved"}, "false as printed", ("claim:p.a",)),
        ({"a": "undecided", "b": "proved"}, "open", ("claim:p.a",)),
        ({"a": "vacuous", "b": "proved"}, "open", ("claim:p.a",)),
        ({"a": "proved", "b": "vacuous"}, "open", ("claim:p.b",)),
    ],
)
def test_a_line_is_as_strong_as_what_it_rests_on(verdicts, word, grounds):
    """By hand, for a claim a on a step b."""
    claims = ledger(claim("b"), claim("a", "b"))
    found = claim_statements(claims, {f"p.{name}": verdict for name, verdict in verdicts.items()})
    assert found["p.a"] == StatusRecord(word, grounds)


BOUND = replace(BOUNDS["momentum-fl.theorem11"], id="p.t")
ORDER = replace(BOUND, kind="order", refuted_by=("p.no", "p.grows"))


def of(bound, verdicts=None, studies=None, audit=None, proofs=()):
    known = dict.fromkeys(("p.no", "p.grows"), "undecided") | {f"p.{k}": v for k, v in (verdicts or {}).items()}
    return bound_statements({bound.id: bound}, known, studies or {}, audit or {}, proofs)[bound.id]


def test_what_follows_from_a_proved_bound_is_proved():
    """A chain proves its bound and what follows from that; the verdict on a claim of the same name proves nothing."""
    assert of(BOUND, {"t": "proved"}).status == "open"
    assert of(BOUND, proofs=["p.t"]) == StatusRecord("proved", ("proof:p.t",))
    follower = replace(ORDER, id="p.f", refuted_by=(), follows_from="p.t")
    both = bound_statements({"p.f": follower, "p.t": BOUND}, {}, {}, {}, ["p.t"])
    assert both["p.f"] == StatusRecord("proved", ("bound:p.t",))


def test_a_chain_from_the_assumptions_proves_its_bound():
    """It outweighs measurements that contradict nothing, and a counterexample outweighs it."""
    known = dict.fromkeys(("p.no", "p.grows"), "undecided")
    found = bound_statements({"p.t": BOUND}, known, {}, {"p.t": "consistent"}, ["p.t"])
    assert found["p.t"] == StatusRecord("proved", ("proof:p.t",))
    assert bound_statements({"p.t": BOUND}, known, {}, {"p.t": "violated"}, ["p.t"])["p.t"].status == (
        "false as printed"
    )
    chained = {name for name in BOUNDS if f"proof:{name}" in of_bound(name).because}
    assert {"momentum-fl.theorem11", "momentum-fl.theorem19", "gradma.lemma6"} <= chained


def test_runs_contradict_or_do_not():
    """A violation outweighs all; holds, consistent and vacuous contradict nothing; not applicable says nothing."""
    assert of(BOUND, audit={"p.t": "violated"}).status == "false as printed"
    assert of(BOUND, studies={"r/s": {"p.t": "violated"}}, audit={"p.t": "holds"}).because == ("study:r/s",)
    for word in ("holds", "consistent", "vacuous"):
        assert of(BOUND, audit={"p.t": word}) == StatusRecord("not contradicted", ("audit:p.t",))
    for word in ("undecided", "not applicable", "order only"):
        assert of(BOUND, audit={"p.t": word}) == StatusRecord("open")


def test_a_hidden_constant_is_refuted_by_a_proof_alone():
    """That one constant fails refutes an explicit bound and no order; that none serves is a proved claim."""
    explicit = replace(ORDER, kind="explicit")
    assert of(ORDER, {"no": "refuted"}).status == "open"
    assert of(ORDER, {"no": "refuted", "grows": "proved"}).because == ("claim:p.no", "claim:p.grows")
    assert of(ORDER, {"no": "undecided", "grows": "proved"}).status == "false as printed"
    assert of(explicit, {"no": "refuted"}) == StatusRecord("false as printed", ("claim:p.no",))


def test_listing_runs_and_proves_nothing(monkeypatch, capsys):
    """`list` and `bounds` work where deciding and simulating are broken."""
    monkeypatch.setattr("boundcheck.proofs.ledger.ledger.prove_claim", None)
    monkeypatch.setattr("boundcheck.evidence.trials.trial.simulate", None)
    for kind in ("bounds", "claims"):
        assert run(["list", kind, "--json"]) == 0
        found = {entry["id"]: entry for entry in json.loads(capsys.readouterr().out)["results"]}
        statement = of_bound if kind == "bounds" else of_claim
        assert [n for n, e in found.items() if (e["status"], tuple(e["because"])) != _plain(statement(n))] == []
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["list", "bounds"]) == 0
    assert "false as printed" in capsys.readouterr().out


def _plain(found):
    return found.status, found.because


def test_every_command_says_the_same_word(capsys, monkeypatch):
    """`show` and `bounds` have the status of the shipped file; a claim of the same name is called a line."""
    names = ["fedlalr.theorem1", "fedglomo.lemma13", "momentum-fl.theorem11"]
    assert run(["bounds", *names, "--json"]) == 0
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)["results"]}
    for name in names:
        assert run(["show", name, "--json"]) == 0
        cards = json.loads(capsys.readouterr().out)["results"]
        first, *lines = cards if isinstance(cards, list) else [cards]
        assert first["status"] == rows[name]["status"] == of_bound(name).status
        assert first["because"] == rows[name]["because"] == list(of_bound(name).because)
        assert [line["bound_of_this_name"].partition(":")[0] for line in lines] == [first["status"]] * len(lines)
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["bounds", "fedlalr.theorem1"]) == 0
    assert "✗ false as printed" in " ".join(capsys.readouterr().out.split())


def test_a_gate_on_false_statements(capsys):
    """--fail-on "false as printed": exit 1 where the cell itself is fine, and for a refuted claim."""
    cell = ["--N", "2", "--K", "1", "--T", "4", "--fail-on", "false as printed"]
    assert run(["check", "fedlalr.theorem1", "ridge-log", *cell]) == 1
    assert run(["check", "fedlalr.theorem1R", "ridge-log", *cell]) == 0
    assert run(["prove", "gradma.young-printed", "--no-cache", "--fail-on", "false as printed"]) == 1
    assert run(["prove", "gradma.polarisation", "--no-cache", "--fail-on", "false as printed"]) == 0
    capsys.readouterr()


def test_pages_show_no_success_on_a_false_statement():
    """The word stands without sign and colour; the status is beside."""
    assert verdict_on("fedlalr.theorem1", "consistent") == '#"consistent"; here'
    assert count_verdicts("fedlalr.theorem1", {"holds": 3, "vacuous": 1}) == '3 #"holds";, 1 #symbol-of("vacuous")'
    assert verdict_on("fedlalr.theorem1", "violated") == '#badge("violated");'
    assert verdict_on("fedlalr.theorem1R", "consistent") == '#badge("consistent");'
    assert status("fedlalr.theorem1") == '#badge("false as printed");'
    assert "claim:fedlalr.theorem1-eps-printed" in because("fedlalr.theorem1")
