"""The ledger on the command line: standing, kept answers, exported proofs, and the card of a claim."""

import pytest
from cli_calls import called, parsed

from boundcheck.proofs import CLAIMS
from boundcheck.proofs.ledger import cache, ledger
from boundcheck.proofs.ledger.tree import below
from boundcheck.verdicts import status

TOP = "fmgda.lemma5-collect"


def test_a_claim_is_decided_with_its_steps(capsys):
    """Only what was asked for is printed, with what it rests on and what falls with it."""
    (row,) = parsed(capsys, "prove", TOP)
    assert (row["id"], row["steps"]) == (TOP, "proved")
    assert row["rests_on"] == list(below(CLAIMS, TOP))
    assert "fmgda.lemma5" in row["falls_with"]


def test_a_refuted_claim_does_not_stand(capsys):
    """Its own verdict is enough."""
    (row,) = parsed(capsys, "prove", "fedlalr.lemma5-printed")
    assert (row["verdict"], row["steps"]) == ("refuted", "refuted")


def test_answers_are_kept_unless_asked_not_to(capsys, tmp_path, monkeypatch):
    """Where no certificate is shipped, the cache folder fills on the first run and stays empty with --no-cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    called(capsys, "prove", "fedglomo.theorem3-range-printed", "--no-cache")
    assert not cache.folder().exists()
    called(capsys, "prove", "fedglomo.theorem3-range-printed")
    assert len(list(cache.folder().rglob("*.json"))) == 1
    monkeypatch.setattr("boundcheck.proofs.provers.Real.decide", None)
    assert parsed(capsys, "prove", "fedglomo.theorem3-range-printed")[0]["verdict"] == "refuted"


def test_proofs_are_exported(capsys, tmp_path):
    """One file at least for each claim, named after it."""
    names = ["fedlalr.lemma9", "fedlalr.lemma5"]
    code, _, errors = called(capsys, "prove", *names, "--export", tmp_path / "proofs")
    files = sorted(path.name for path in (tmp_path / "proofs").iterdir())
    assert code == 0
    assert {name for name in names if any(f.startswith(f"{name}.0") for f in files)} == set(names)
    assert f"wrote {len(files)} files" in errors


def test_the_ledger_is_printed_by_paper_with_counts(capsys):
    """A title a paper says how many claims have each verdict, and of how many all named steps are proved."""
    code, out, _ = called(capsys, "prove", "fedlalr.lemma5", "fedlalr.lemma5-printed", "fmgda.lemma2-clients")
    assert code == 0
    assert "fedlalr: 1 proved, 1 refuted; of 1 the steps that the paper names are proved, too" in out
    assert "fmgda: 1 proved; of 1 the steps" in out


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        (TOP, {"printed", "statement", "verdict", "its steps", "steps", "falls with it"}),
        ("fedlalr.lemma5", {"printed", "given", "statement", "hypotheses", "verdict", "its steps"}),
        ("fedlalr.lemma5-printed", {"printed", "statement", "witness", "replay", "repaired by"}),
    ],
)
def test_the_card_of_a_claim(capsys, name, keys):
    """The tree is drawn, hypotheses that the paper lacks are marked, a refutation shows witness, replay and repair."""
    card = parsed(capsys, "show", name)
    assert keys <= set(card)
    if "steps" in keys:
        assert "\n      fmgda.lemma5-27: proved" in card["steps"]
    if name == "fedlalr.lemma5":
        assert "! not stated: eps <= G_inf" in card["hypotheses"]


def test_show_decides_a_claim_and_takes_its_steps_as_shipped(capsys, monkeypatch, tmp_path):
    """Of the claims below it none is decided; where one is shipped as refuted, the claim does not stand."""
    decided, decide = [], ledger.prove_claim

    def noted(claim, **options):
        decided.append(claim.id)
        return decide(claim, **options)

    monkeypatch.setattr(ledger, "prove_claim", noted)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "first"))
    assert parsed(capsys, "show", TOP)["its steps"] == "proved; that they give this line is not decided"
    assert decided == [TOP]
    step, found = CLAIMS[TOP].step_ids[0], status.shipped_statuses()
    claims = found["claims"] | {step: found["claims"][step] | {"verdict": "refuted"}}
    monkeypatch.setattr(status, "shipped_statuses", lambda: found | {"claims": claims})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "second"))
    card = parsed(capsys, "show", TOP)
    assert card["its steps"] == f"refuted: {step}; that they give this line is not decided"
    assert f"{step}: refuted" in card["steps"]


def test_the_command_reads_its_last_answer_unless_told_not_to(capsys, tmp_path, monkeypatch):
    """The same lines; with ``--no-cache`` claims are decided."""
    name = "momentum-fl.theorem19-gamma-printed"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first, decide, decided = called(capsys, "prove", name, "--json"), ledger.prove_claim, []
    assert first[0] == 0
    monkeypatch.setattr(ledger, "prove_claim", lambda claim, **how: decided.append(claim.id) or decide(claim, **how))
    assert called(capsys, "prove", name, "--json") == first
    assert not decided
    code, _, err = called(capsys, "prove", name, "--workers", "0")
    assert (code, "workers = 0" in err) == (2, True)
    assert called(capsys, "prove", name, "--json", "--no-cache")[0] == 0
    assert decided == [name]
