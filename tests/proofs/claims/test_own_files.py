"""Claim files of a reader's own: statements without sequences, and sequences in any order."""

import json

import pytest

from boundcheck.cli.app import run
from boundcheck.cli.commands.prove import prove
from boundcheck.errors import InputError
from boundcheck.proofs.search.outcomes import outcomes

SCALARS = """
about = "Steps of a draft."
letters = "a, b > 0; s real; vectors u, v; k > 0"

[claim.draft.mean]
title = "geometric and arithmetic mean [draft, (1)]"
shows = "sqrt(a*b) <= (a + b)/2"

[claim.draft.reversed]
title = "the wrong way round [draft, (2)]"
shows = "(a + b)/2 <= sqrt(a*b)"

[claim.draft.parallel]
title = "parallelogram [draft, (3)]"
shows = "|u + v|^2 + |u - v|^2 = 2*|u|^2 + 2*|v|^2"

[claim.draft.power]
title = "a power with a letter as its exponent [draft, (4)]"
shows = "(1 + a)^k <= 1 + k*a"

[claim.draft.bernoulli]
title = "the same, the right way round [draft, (5)]"
shows = "1 + k*a <= (1 + a)^k"
given = "1 <= k"

[claim.draft.grows]
title = "a power of more [draft, (6)]"
shows = "(1 + a)^k <= (1 + a + b)^k"
"""


def test_statements_without_sequences_are_decided(tmp_path, capsys):
    path = tmp_path / "scalars.toml"
    path.write_text(SCALARS, encoding="utf-8")
    assert prove(str(path), json=True) == 0
    found = {one["id"]: one for one in json.loads(capsys.readouterr().out)["results"]}
    words = [one["verdict"] for one in found.values()]
    assert words == ["proved", "refuted", "proved", "refuted", "proved", "proved"]
    witness = found["draft.power"]["witness"]
    k, a = int(witness["k"]), eval(witness["a"], {"__builtins__": {}})
    assert (1 + a) ** k > 1 + k * a
    assert {found[name]["trust"] for name in ("draft.bernoulli", "draft.grows")} == {"certificate checked"}
    assert prove(str(path), fail_on=["refuted"]) == 1
    assert prove(str(path), fail_on=["vacuous"]) == 0


def test_an_error_names_the_file_and_the_claim(tmp_path, capsys):
    path = tmp_path / "scalars.toml"
    path.write_text(SCALARS.replace("sqrt(a*b) <= (a + b)/2", "sqrt(a*z) <= (a + b)/2"), encoding="utf-8")
    assert prove(str(path)) == 2
    assert "scalars.toml:5: claim draft.mean: unknown letter 'z'" in capsys.readouterr().err


FEEDBACK = """
title = "error feedback"
about = "What is sent needs the error, and the error what is sent."
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, G"
">= 0" = "q"

[vectors]
DECLARED

[start]
begin = "e[0] = 0"

[equations]
sent = "p[t] = g[t] + e[t]"
left = "e[t + 1] = some(p[t])"

[leaf.bounded]
says = "|g[t]|^2 <= G^2 for t"

[leaf.contraction]
says = "|e[t + 1]|^2 <= q |p[t]|^2 for t"

[claim.first]
steps = "bounded(t -> 0); contraction(t -> 0); sent(t -> 0); begin"
shows = "|e[1]|^2 <= q G^2"
"""
SEQUENCES = ('"g[t]" = "client"', '"e[t]" = "client, t = 0 .. T"', '"p[t]" = "client"')


@pytest.mark.parametrize(
    "claims", ["[claim.a]", '[claim.a]\ntitle = "t"', '[claim.a]\n[claim.a.b]\ntitle = "t"\n[claim.c]\nshows = "a >"']
)
def test_a_file_without_a_legal_claim_is_told_so(claims, tmp_path, capsys):
    """Where no claim was legal, the letters of a short file were read as those of a proof: an internal error."""
    file = tmp_path / "it.toml"
    file.write_text(f'about = "x"\nletters = "a > 0"\n{claims}\n')
    assert run(["prove", str(file), "--no-cache"]) == 2
    out, err = capsys.readouterr()
    assert "it.toml:" in err
    assert "not legal" in out
    assert {one["verdict"] for one in outcomes(file)} == {"not legal"}


def test_claims_are_counted_while_they_are_decided(tmp_path, monkeypatch):
    """Nothing was said before all were: a proof of minutes had no word of what is left."""
    from boundcheck.proofs.search import outcomes as module

    file, said, before = tmp_path / "it.toml", [], []
    file.write_text(
        'title = "t"\n[letters]\n"> 0" = "a, b"\n[claim.one]\nshows = "0 <= a"\n[claim.two]\nshows = "0 <= b"\n'
        '[claim.three]\nshows = "0 <= a + b"\nsteps = "one; two"\n'
    )
    find = module.find_for
    monkeypatch.setattr(module, "find_for", lambda *given: before.extend(said) or find(*given))
    outcomes(file, progress=lambda *given: said.append(given))
    assert before == [(1, 3, 1 / 3), (2, 3, 2 / 3)]
    assert said[2:] == [(1, 3, 1 / 3), (2, 3, 2 / 3), (3, 3, 1.0)]


@pytest.mark.parametrize("turned", [0, 1, 2])
def test_sequences_may_be_declared_in_any_order(tmp_path, turned):
    path = tmp_path / "feedback.toml"
    lines = SEQUENCES[turned:] + SEQUENCES[:turned]
    path.write_text(FEEDBACK.replace("DECLARED", "\n".join(lines)), encoding="utf-8")
    assert [one["verdict"] for one in outcomes(path)] == ["proved"]


def test_what_is_made_from_each_other_at_one_index_is_refused(tmp_path):
    path = tmp_path / "circle.toml"
    text = FEEDBACK.replace("DECLARED", "\n".join(SEQUENCES)).replace("e[t + 1] = some", "g[t] = some")
    path.write_text(text.replace('begin = "e[0] = 0"', "").replace("; begin", ""), encoding="utf-8")
    with pytest.raises(InputError, match="each would be made from the other"):
        outcomes(path)


def test_a_key_of_another_form_is_answered_with_what_to_write(tmp_path):
    path = tmp_path / "given.toml"
    text = FEEDBACK.replace("DECLARED", "\n".join(SEQUENCES)) + 'given = "q <= 1"\n'
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"given\.toml:\d+: unknown key 'given'; what is given stands after 'if'"):
        outcomes(path)


TOGETHER = """
title = "a proof with a lemma about roots"
indices = "t = 0 .. T - 1"

[letters]
"> 0" = "T, a, b, E"

[numbers]
"A[t]" = "a sequence"

[leaf.shrinking]
says = "A[t + 1] <= A[t] for t = 0 .. T - 2"

[claim.summed]
steps = "shrinking [sum t = 0 .. T - 2]"
shows = "A[T - 1] <= A[0] if T >= 2"

[claim.mean]
title = "geometric and arithmetic mean"
shows = "sqrt(a b) <= (a + b)/2"

[claim.reversed]
shows = "(a + b)/2 <= sqrt(a b)"

[claim.letter]
shows = "E (a + b) <= E a + 2 E b"
"""


def test_one_file_has_claims_with_steps_and_claims_that_stand_alone(tmp_path):
    """Who decides follows from what a claim says; a declared letter is no function, whatever its name."""
    path = tmp_path / "together.toml"
    path.write_text(TOGETHER, encoding="utf-8")
    found = [(one["id"], one["verdict"], one["trust"]) for one in outcomes(path)]
    assert found == [
        ("summed", "proved", "kernel"),
        ("mean", "proved", "certificate checked"),
        ("reversed", "refuted", "witness rechecked"),
        ("letter", "proved", "kernel"),
    ]


def test_a_claim_with_steps_has_no_functions_of_numbers(tmp_path):
    path = tmp_path / "together.toml"
    path.write_text(TOGETHER.replace('shows = "sqrt', 'steps = "shrinking"\nshows = "sqrt'), encoding="utf-8")
    (mean,) = (one for one in outcomes(path) if one["id"] == "mean")
    assert mean["verdict"] == "not legal"
    assert "together.toml:21: shows = 'sqrt(a b) <= (a + b)/2' is not legal: a claim with sqrt(..)" in mean["why"]


def test_the_claims_of_a_file_are_shown(tmp_path, capsys):
    """What they say and from what, both kinds; a letter that is declared has no meaning of the notation."""
    path = tmp_path / "together.toml"
    path.write_text(TOGETHER, encoding="utf-8")
    assert run(["show", str(path), "--json"]) == 0
    pages = {page["heading"]: page for page in json.loads(capsys.readouterr().out)["results"]}
    assert pages["claim mean: geometric and arithmetic mean"] == {
        "heading": "claim mean: geometric and arithmetic mean",
        "printed": ["sqrt(a b) <= (a + b)/2"],
        "statement": ["for a > 0", "for b > 0", "sqrt(a b) <= (a + b)/2"],
    }
    assert pages["claim summed: "]["steps"] == ["shrinking [sum t = 0 .. T - 2]"]


def test_a_logarithm_is_one_of_a_positive_number(tmp_path, capsys):
    """True where y is known to be positive; of a real y there may be none, and it is not decided."""
    path = tmp_path / "logs.toml"
    lines = {"positive": "log(a) <= a - 1", "real": "log(s) <= s - 1", "hidden": "0 <= s + log(s)^2"}
    claims = (f'[claim.draft.{name}]\ntitle = "t [draft]"\nshows = "{line}"\n' for name, line in lines.items())
    path.write_text('about = "a"\nletters = "a > 0; s real"\n\n' + "\n".join(claims), encoding="utf-8")
    prove(str(path), json=True)
    found = [one["verdict"] for one in json.loads(capsys.readouterr().out)["results"]]
    assert found == ["proved", "undecided", "undecided"]
