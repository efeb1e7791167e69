"""The command rate: what ships, own questions, certificates and horizons."""

import json

from cli_calls import called, parsed

from boundcheck.rates import HEADLINES, shipped_rates


def test_all_headline_rates_are_ranked(capsys):
    """The largest guaranteed over attained power first; every rate has a row."""
    rows = parsed(capsys, "rate")
    assert {row["headline"]["id"] for row in rows} == set(HEADLINES)
    ratios = [row["ratio"] for row in rows]
    assert ratios == sorted(ratios, reverse=True)


def test_names_of_many_kinds(capsys):
    """A rate, a method, a paper, a bound that is printed or run."""
    for name, count in {
        "fmgda.T": 1,
        "scaffold-m-vr": 3,
        "fedlalr": 4,
        "momentum-fl.theorem11-printed": 4,
        "momentum-fl.theorem15": 3,
    }.items():
        assert len(parsed(capsys, "rate", name)) == count, name


def test_one_rate_shows_its_points_and_its_control(capsys):
    """The title names the family and what was declared; every point has a row."""
    code, out, _ = called(capsys, "rate", "fedavg-m.T")
    assert code == 0
    assert "sigma = 0.25 declared" in out
    assert "control: gradient descent by 1 T^-0.667 a round" in out
    assert all(f"{point.T:,}" in out for point in shipped_rates()["fedavg-m.T"].points)


def test_an_own_question_is_run_written_and_checked(capsys, tmp_path):
    """Any bound, a letter and a grid; the certificate stands, and a changed one does not."""
    path = tmp_path / "rate.json"
    asked = ["rate", "momentum-fl.theorem11", "--letter", "T", "--grid", "1000", "2000", "4000"]
    code, out, _ = called(capsys, *asked, "--declare", "sigma=0.8", "--N", 2, "-o", path)
    assert code == 0
    assert "as promised" in out
    assert called(capsys, "rate", "--check", path)[:2] == (0, "momentum-fl.theorem11:T: as promised, stands\n")
    data = json.loads(path.read_text())
    data["rates"][0]["points"][0]["late"] = [0.5]
    path.write_text(json.dumps(data))
    code, out, _ = called(capsys, "rate", "--check", path)
    assert code == 1
    assert "late at 1000: says [0.5]" in out


def test_a_horizon_has_words_and_a_verdict_beyond(capsys):
    """GradMA's lemma for FedAvg on a ridge: two horizons and a run beyond the second."""
    asked = ["rate", "gradma.lemma6-fedavg", "--horizon", "--problem", "ridge-split[d=2,sigma=0.0,zeta=0.1]", "--N", 4]
    code, out, _ = called(capsys, *asked)
    assert code == 0
    assert "vacuous below T = " in out
    assert "holds, measured" in out
    data = parsed(capsys, *asked)
    assert data["beyond"]["verdict"] == "holds"
    assert data["says_from"] <= data["binds_from"]


def test_bad_input_is_one_line(capsys, tmp_path):
    """What is wrong, its value and what would be legal."""
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    for arguments, words in {
        ("fmgda.X",): "unknown rate 'fmgda.X'; did you mean fmgda.",
        ("--letter", "T", "--grid", "1", "2", "3"): "names = [] is not legal: one bound beside --letter",
        ("momentum-fl.theorem11", "--letter", "T"): "both together",
        ("momentum-fl.theorem11", "--letter", "Q", "--grid", "1", "2", "3"): "letter = 'Q' is not legal",
        ("momentum-fl.theorem11", "--letter", "T", "--grid", "8", "4", "2"): "3 or more increasing integers",
        ("momentum-fl.theorem11", "--letter", "T", "--grid", "2", "4", "8", "--declare", "L=2"): "one of sigma, zeta",
        ("momentum-fl.theorem11", "--letter", "T", "--grid", "2", "4", "8", "--declare", "sigma=x"): "a number",
        ("--horizon",): "one bound beside --horizon",
        ("--check", tmp_path / "missing.json"): "missing.json: No such file",
        ("--check", broken): "broken.json: line 1: not JSON",
    }.items():
        code, _, message = called(capsys, "rate", *arguments)
        assert (code, words in message) == (2, True), (arguments, message)
        assert len(message.strip().splitlines()) == 1
