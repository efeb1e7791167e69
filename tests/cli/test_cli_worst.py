"""The commands worst and tightness."""

import json
from fractions import Fraction

import pytest
from remembered import remember

from boundcheck.cli.app import run


@pytest.fixture(autouse=True, scope="module")
def found_once():
    """Find a worst case that is printed in several forms once."""
    with pytest.MonkeyPatch.context() as patch:
        remember(patch, "boundcheck.worst", "worst")
        remember(patch, "boundcheck.evidence.slack.waterfall", "waterfall")
        yield


def test_worst_prints_one_object_a_horizon(capsys):
    """FedAvg at eta = 1/(L K): 35/32 at T = 2, attained in the engine; at T = 1 nothing moves, 2 L Delta."""
    command = "worst fedavg --K 2 --T 1 2 --zeta 1 --set eta=0.5 --json"
    assert run(command.split()) == 0
    rows = json.loads(capsys.readouterr().out)["results"]
    assert [row["T"] for row in rows] == [1, 2]
    assert [row["upper"] for row in rows] == pytest.approx([2.0, 35 / 32], rel=1e-7)
    assert [row["attained"] for row in rows] == pytest.approx([row["lower"] for row in rows], rel=1e-6)
    assert {"T", "upper", "lower", "dual", "attained", "status", "seconds"} <= set(rows[0])


def test_with_noise_what_is_attained_is_a_mean_of_runs(capsys):
    """Within four standard errors of the lower side, which without noise has none."""
    command = "worst fedavg --K 1 --zeta 1 --set eta=0.3 --json"
    assert run([*command.split(), "--T", "3", "--sigma", "1", "--measure", "best"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["results"]
    assert 0 < abs(row["attained"] - row["lower"]) <= 4 * row["standard_error"] <= 0.1 * row["lower"]
    assert run([*command.split(), "--T", "2"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["standard_error"] is None


def test_worst_takes_minimax_methods(capsys):
    """2 (L^2/mu) Delta before anything moves, less after a step; saddles that a search finds come near from below."""
    command = "worst local-sgda --K 2 --T 1 2 --mu 0.5 --zeta 0.5 --distance 0.5 --set eta_x=0.05 --set eta_y=0.5"
    assert run([*command.split(), "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["results"]
    assert first["upper"] == pytest.approx(4.0, rel=1e-6)
    assert second["upper"] < 3.5
    assert 0.99 * second["upper"] < second["lower"] < second["upper"]
    assert (second["verdict"], second["exact"]) == ("proved", False)


def test_worst_takes_a_bound_at_its_own_parameters(capsys):
    """FedGLOMO's Theorem 3 is about Delta_mean, which takes the place of Delta."""
    assert run(["worst", "fedglomo.theorem3", "--K", "2", "--T", "4", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["results"]
    assert row["upper"] == pytest.approx(0.8484, rel=1e-3)
    assert (row["Delta"], row["Delta_mean"]) == (None, 1.0)


def test_tightness_prints_the_levels(capsys):
    """By default at K = 2, T = 4, N = 2 and zeta = 1: each with its factor over the one below, and what fails."""
    assert run(["tightness", "gradma.lemma6-fedavg"]) == 0
    out = capsys.readouterr().out
    for text in ("8.25", "1.033", "proved over Q", "7.16", "ridge-split"):
        assert text in out
    assert run(["tightness", "momentum-fl.theorem22-proof"]) == 0
    assert "outside its conditions: descent" in capsys.readouterr().out


def test_without_a_lower_side_worst_says_why(capsys):
    """Nothing bounds how clients differ."""
    assert run(["worst", "fedavg", "--K", "2", "--T", "2", "--set", "eta=0.5"]) == 0
    assert "zeta or G_0 has to bound how clients differ" in capsys.readouterr().out


def test_some_of_the_clients_have_both_sides(capsys):
    """A step of one of two clients adds eta^2 zeta^2/2 to what gradient descent leaves."""
    command = "worst fedavg --K 1 --T 1 --N 2 --S 1 --mu 0.1 --zeta 0.8 --measure value --set eta=0.7 --json"
    assert run(command.split()) == 0
    (row,) = json.loads(capsys.readouterr().out)["results"]
    for side in ("upper", "lower"):
        assert row[side] == pytest.approx(0.93**2 + 0.7**2 * 0.8**2 / 2, rel=1e-6)
    assert row["S"] == 1


VERDICTS = [
    ("worst fedavg --K 2 --T 2 --zeta 1 --set eta=0.5", "exact", 0),
    ("worst fedavg --K 2 --T 2 --zeta 1 --sigma 1 --set eta=0.5", "proved", 0),
    ("worst fedavg --K 2 --T 2 --S 1 --zeta 1 --set eta=0.5", "numerical", 0),
    ("worst fedavg --K 2 --T 2 --set eta=0.5", "infinite", 0),
    ("worst fedavg --K 2 --T 2 --zeta 1 --set eta=1e6", "undecided", 2),
    ("tightness gradma.lemma6-fedavg", "proved", 0),
]


@pytest.mark.parametrize(("command", "verdict", "code"), VERDICTS)
def test_the_verdict_decides_the_exit_code(command, verdict, code, capsys):
    """In JSON whatever the code; --fail-on makes it 1, and another word does not."""
    assert run([*command.split(), "--json"]) == code
    out, error = capsys.readouterr()
    assert [row["verdict"] for row in json.loads(out)["results"]] == [verdict]
    assert ("undecided" in error) == (code == 2)
    assert run([*command.split(), "--fail-on", verdict]) == 1
    out = capsys.readouterr().out
    assert verdict in out or command.startswith("tightness")
    other = "numerical" if verdict != "numerical" else "exact"
    assert run([*command.split(), "--fail-on", other]) == code


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("--T 1 2 --set eta=0.5", "at T = 2 there is none: its verdict is infinite"),
        ("--T 1 2 --mu 1 --set eta=0.5", "at T = 1 there is none: mu = L is decided in closed form"),
        ("--T 2 --sigma 1 --mu 0.9999999999 --zeta 1 --set eta=1e6", "there is none"),
    ],
)
def test_what_has_no_certificate_keeps_its_table(command, said, capsys, tmp_path):
    """The table is printed, the file has the certificates that there are, and one line says which are missing."""
    path = tmp_path / "proof.json"
    assert run(["worst", "fedavg", "--K", "2", *command.split(), "--certificate", str(path)]) == 2
    out, error = capsys.readouterr()
    assert "verdict" in out
    assert said in error
    assert error.count("\n") == 1
    assert len(json.loads(path.read_text())) == ("--T 1 2 --set" in command)


@pytest.mark.parametrize("L", ["1", "1e-8", "1e6"])
def test_certificates_are_of_f_over_L(L, capsys, tmp_path):
    """The same certificate in all units, of the step eta L, and verify prints what it is about."""
    path = tmp_path / "proof.json"
    given = ["--L", L, "--Delta", str(1 / float(L)), "--zeta", "1", "--set", f"eta={0.5 / float(L)}"]
    assert run(["worst", "fedavg", "--K", "2", "--T", "2", *given, "--certificate", str(path), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["results"]
    assert row["upper"] == pytest.approx(35 / 32, rel=1e-8)
    assert run(["verify", str(path)]) == 0
    assert '"worst.fedavg/average/N=2, K=2, T=2, eta=1/2, gamma=1, L=1, mu=-1, Delta, zeta"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            "worst fedadam --K 2 --T 1 --set eta=0.1 --set gamma=1 --set tau=0.1",
            "method fedadam: Gram coordinates need",
        ),
        ("worst nosuch --K 1 --T 1", "unknown method or bound 'nosuch'"),
        ("worst fedavg --K 2 --T 1 --set eta=0.5 --zeta -1", "zeta = -1.0 is not legal: a number >= 0"),
        ("worst fedavg --K 0 --T 1 --set eta=0.5 --zeta 1", "K = 0 is not legal"),
        (
            f"worst fedavg --K 1 --T 1 --N {10**28} --set eta=0.5 --zeta 1",
            f"N = {10**28} is not legal: at most 1e+06 clients",
        ),
        ("worst fedavg --K 1 --T 0 --set eta=0.5 --zeta 1", "T = 0 is not legal"),
        ("worst fedavg --K 1 --T 1 --zeta 1", "fedavg needs eta"),
        ("worst fedavg --K 1 --T 1 --set eta=0.5 --zeta 1 --S 3", "S = 3 is not legal: at most N = 2"),
        ("worst fedavg --K 1 --T 1 --set eta=0.5 --S 1 --certificate x.json", "--S = 1 is not legal: left out with"),
        ("worst fedglomo.theorem3 --K 1 --T 1 --S 1", "S = 1 is not legal: left out: theorems"),
        ("tightness fmgda.theorem1", "is about Delta_Phi"),
        ("tightness nosuch", "unknown bound 'nosuch'"),
    ],
)
def test_bad_input_is_one_line(command, said, capsys):
    """The message names the thing, the value and what would be legal; the exit code is 2."""
    assert run(command.split()) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_worst_writes_proofs_that_verify_accepts(capsys, tmp_path):
    """One certificate a horizon, whose value is in the row: 35/32 and a little."""
    path = tmp_path / "proof.json"
    command = f"worst fedavg --K 2 --T 1 2 --zeta 1 --set eta=0.5 --json --certificate {path}"
    assert run(command.split()) == 0
    rows = json.loads(capsys.readouterr().out)["results"]
    assert [float(Fraction(row["proved"])) for row in rows] == pytest.approx([2.0, 35 / 32], rel=1e-7)
    ids = [c["id"] for c in json.loads(path.read_text())]
    about = "worst.fedavg/average/N=2, K=2, T={}, eta=1/2, gamma=1, L=1, mu=-1, Delta, zeta"
    assert ids == [row["certificate"] for row in rows] == [about.format(T) for T in (1, 2)]
    assert run(["verify", str(path)]) == 0
    path.write_text(path.read_text().replace("106250001", "106240001"))
    assert run(["verify", str(path)]) == 1
