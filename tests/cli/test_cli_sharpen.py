"""The command `sharpen`."""

import json

import pytest
from cli_calls import called, parsed

SHORT = ("sharpen", "fedavg", "--K", 2, "--set", "eta=0.25", "--T", 10)


def test_sharpen_prints_its_factors(capsys):
    """The keys of the JSON; the value is that of the factors at zeta = 1, which was assumed."""
    found = parsed(capsys, *SHORT)
    assert {"descent", "zeta2", "sigma2", "seconds", "certificate", "steps", "remarks"} <= set(found)
    assert found["value"] == pytest.approx(found["descent"] / 10 + found["zeta2"], rel=1e-6)
    assert found["sigma2"] == 0
    assert found["steps"] == {"eta": "1/4", "gamma": "1"}
    assert any("without zeta" in line for line in found["remarks"])


def test_sharpen_tells_people_the_theorem(capsys):
    """In words, with the step that was used in place of the one asked for."""
    code, out, _ = called(capsys, "sharpen", "sgd", "--K", 1, "--set", "eta=0.123456789012", "--T", 10)
    assert code == 0
    assert "L Delta/T" in out
    assert "eta = 0.123456789012 is rounded to 247/2000" in out


def test_a_theorem_with_noise_is_not_said_to_be_the_best(capsys):
    """In the JSON and on the card; without noise it is, of some clients too."""
    assert parsed(capsys, *SHORT)["best"] is True
    some = (*SHORT, "--N", 4, "--S", 2)
    assert parsed(capsys, *some)["best"] is True
    assert "fedavg, the best potential of one round" in called(capsys, *some)[1]
    noisy = (*SHORT, "--sigma", 1)
    assert parsed(capsys, *noisy)["best"] is False
    assert "fedavg, a potential of one round" in called(capsys, *noisy)[1]


def test_the_certificate_is_written_and_checked(capsys, tmp_path):
    """The file is what `verify` accepts, and what it rejects after a change."""
    path = tmp_path / "proof.json"
    assert called(capsys, *SHORT, "--certificate", path)[0] == 0
    assert called(capsys, "verify", path)[0] == 0
    proof = json.loads(path.read_text())
    proof[0]["by"][0][0] = "1"
    path.write_text(json.dumps(proof))
    assert called(capsys, "verify", path)[0] == 1


def test_a_step_is_advised(capsys):
    """The best step of gradient descent is 1/L."""
    found = parsed(capsys, "sharpen", "sgd", "--K", 1, "--set", "eta=0.3", "--T", 10, "--free", "eta")
    assert found["descent"] == pytest.approx(2.0, rel=1e-3)


def levels(found):
    return {stage["name"]: stage for stage in found["stages"]}


def test_tightness_has_the_sharpened_value_between(capsys):
    """Worst case <= sharpened <= right-hand side, and a reason where there is none in the class."""
    (found,) = parsed(capsys, "tightness", "momentum-fl.theorem19", "--K", 2, "--T", 3, "--G-0", 4)
    assert found["upper"] <= levels(found)["sharpened"]["value"] <= found["rhs"]
    (found,) = parsed(capsys, "tightness", "momentum-fl.theorem11", "--K", 2, "--T", 3, "--G-0", 4)
    assert "value" not in levels(found)["sharpened"]
    assert "needs zeta" in levels(found)["sharpened"]["why"]
    code, out, _ = called(capsys, "tightness", "momentum-fl.theorem11", "--K", 2, "--T", 3, "--G-0", 4)
    assert code == 0
    assert "needs zeta" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("fedav",), "unknown method 'fedav'"),
        (("fedavg", "--set", "eta=5"), "no theorem of one round was found at eta = 5"),
        (("fedavg", "--set", "etta=5"), "no hyperparameter 'etta'"),
        (("fedavg", "--set", "eta=0.1", "--zeta", -1), "zeta = -1.0 is not legal"),
        (("fedadam", "--set", "eta=0.1", "--set", "gamma=1", "--set", "tau=1"), "method fedadam: Gram coordinates"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, words):
    """Exit code 2, and what is legal."""
    code, out, err = called(capsys, "sharpen", *arguments, "--K", 2, "--T", 3)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1
