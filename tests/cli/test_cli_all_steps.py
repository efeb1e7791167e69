"""The command `sharpen` for all steps and all K, and `verify` for what it writes."""

import json

import pytest
from cli_calls import called, parsed


def test_all_steps_as_data(capsys, tmp_path):
    """Terms, conditions, gap and proof; the file is accepted by verify, and refused once a number is changed."""
    file = tmp_path / "theorem.json"
    found = parsed(capsys, "sharpen", "fedavg", "--all-steps", "--K", 2, "--certificate", file)
    assert set(found) >= {"terms", "conditions", "up_to", "gap", "seconds", "proof", "theorem", "holds", "certificate"}
    assert found["up_to"] == "1"
    assert 0 <= found["gap"] <= 0.1
    assert found["proof"]["certificates"] == 1
    assert any("eta <= " in condition for condition in found["conditions"])
    code, out, _ = called(capsys, "verify", file)
    assert code == 0
    assert "its round compared with the method's code: verified" in out
    spoiled = json.loads(file.read_text())
    spoiled["round"]["zeta2"] = "1/100*h^2"
    file.write_text(json.dumps(spoiled))
    code, _, err = called(capsys, "verify", file)
    assert code == 1
    assert "refused" in err
    other = found["certificate"] | {"method": found["certificate"]["method"] | {"id": "scaffold"}}
    file.write_text(json.dumps(other))
    code, _, err = called(capsys, "verify", file)
    assert code == 1
    assert "not the round of the method's code" in err


def test_a_box_and_its_latex(capsys, tmp_path):
    """Ranges of two hyperparameters; the page has the theorem and the lemma of a round."""
    page = tmp_path / "theorem.tex"
    box = ("--box", "eta=1/16:1/8", "--box", "gamma=1/8:1/4", "--set", "beta=0.5", "--latex", page)
    box += ("--lean", tmp_path / "theorem.lean")
    code, out, _ = called(capsys, "sharpen", "fedavg-m", "--all-steps", "--K", 2, *box)
    assert code == 0
    assert "1/16 <= eta <= 1/8" in out
    text = page.read_text()
    assert r"\begin{theorem}" in text
    assert r"\begin{lemma}[end of a round]" in text
    assert text.count("{") == text.count("}")
    assert "import Mathlib" in (tmp_path / "theorem.lean").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fedavg", "--all-K", "--K", 2), "--K = 2"),
        (("fedavg", "--all-K", "--zeta", 1, "--N", 4, "--S", 0), "--S = 0 is not legal: a count from 1 to N = 4"),
        (("fedavg", "--all-K", "--zeta", 1, "--N", 4, "--S", 5), "--S = 5 is not legal: a count from 1 to N = 4"),
        (("fedavg", "--all-steps"), "--K is missing: a number of local steps, or --all-K"),
        (("fedavg", "--all-steps", "--K", 2, "--T", 5), "--T = 5"),
        (("fedavg", "--all-steps", "--K", 2, "--up-to", "half"), "--up-to = 'half'"),
        (("fedavg", "--all-steps", "--K", 2, "--up-to", "-1"), "up-to = '-1'"),
        (("fedavg", "--all-steps", "--K", 2, "--box", "eta=1"), "--box = 'eta=1'"),
        (("fedavg", "--all-steps", "--K", 2, "--box", "eta=1/2:1/4"), "1/2:1/4"),
        (("fedavg", "--all-steps", "--K", 2, "--box", "nu=1/4:1/2"), "nu"),
        (("fedavg", "--all-steps", "--K", 2, "--sigma", 1), "--sigma = 1"),
        (("fedavg", "--K", 2, "--T", 5, "--up-to", "1/2", "--set", "eta=0.1"), "--up-to = '1/2'"),
        (("fedavg", "--K", 2, "--set", "eta=0.1"), "--T is missing: a number of rounds"),
        (("fednova", "--all-K", "--zeta", 1), "fednova"),
        (("fedavg-local-m", "--all-K", "--zeta", 1), "local step 2 adds"),
        (("mime", "--all-K", "--zeta", 1), "its local loop is not y <- y - (a g(y) + fixed vectors)"),
    ],
)
def test_what_is_refused_in_one_line(capsys, arguments, said):
    """The argument or the method, its value, and what would be legal."""
    code, _, err = called(capsys, "sharpen", *arguments)
    assert code != 0
    assert said in err
    assert "Traceback" not in err


def test_a_round_of_one_hypothesis(capsys, tmp_path):
    """EF21 under the Polyak-Lojasiewicz condition: printed hypotheses; what has no such choice is refused by name."""
    file = tmp_path / "ef21.json"
    found = parsed(capsys, "sharpen", "ef21", "--all-steps", "--pl", "--up-to", "1/4", "--certificate", file)
    assert found["theorem"].startswith("E[f(x_T) - f_star] <= (1 - mu gamma)^T")
    assert set(found["terms"]) == {"descent", "error at the start"}
    code, out, _ = called(capsys, "verify", file)
    assert code == 0
    assert "given |u1|^2 <= (1 - p)^2*|u - p*c*w|^2" in out
    found = parsed(capsys, "sharpen", "sampled-sgd", "--all-steps")
    assert found["terms"] is None
    assert found["theorem"].endswith("eta L sigma^2/S")
    for choice, said in (("--sigma", "--sigma = 1.0"), ("--K", "--K = 1")):
        code, _, err = called(capsys, "sharpen", "ef21", "--all-steps", choice, 1)
        assert code != 0
        assert said in err
    code, _, err = called(capsys, "sharpen", "fedavg", "--all-steps", "--K", 2, "--pl")
    assert code != 0
    assert "--pl" in err
