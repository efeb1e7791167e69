"""What `boundcheck verify` says where lines are on trust, prints of hostile texts, and refuses to read at all."""

import copy
import json
import os
import time
from pathlib import Path

import pytest

from boundcheck.cli.app import run
from boundcheck.proofs.kernel import certificates as verify

TRUE = {"id": "square", "letters": {"x": "", "y": ""}, "shows": "2*x*y <= x^2 + y^2", "by": [[["x - y"]]]}
RULE = {"id": "rule", "letters": {"V[]": ">=0", "c": ">0", "t": ""}, "shows": "V[t] <= c", "rule": "sum in all [sum t]"}
ON_TRUST = "are rules taken on trust: not a proof by itself"
LEAF = RULE | {"id": "leaf", "rule": "assumption bounded(u -> V[t])"}


def said_of(certificates, tmp_path, capsys, *options):
    file = tmp_path / "some.json"
    file.write_text(certificates if isinstance(certificates, str) else json.dumps(certificates))
    code = run(["verify", str(file), *options])
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("listing", "code", "strict", "last"),
    [
        ([TRUE], 0, 0, "1 certificates checked: verified"),
        ([TRUE, LEAF], 0, 5, "1 of 2 certificates checked; 1 are what it starts from, assumed"),
        (
            [TRUE, LEAF, RULE],
            5,
            5,
            f"1 of 3 certificates checked; 1 are what it starts from, assumed; 1 {ON_TRUST}",
        ),
    ],
)
def test_lines_on_trust_are_counted_named_and_no_success(listing, code, strict, last, tmp_path, capsys):
    """Exit 0 is for what is checked; rules are 5, and with --strict so is what a proof starts from."""
    found, out, _ = said_of(listing, tmp_path, capsys)
    assert (found, out.splitlines()[-1]) == (code, last)
    named = {line.split(" by ")[0] for line in out.splitlines() if line.startswith("on trust")}
    assert named == {f'on trust: "{one["id"]}"' for one in listing if "rule" in one}
    assert said_of(listing, tmp_path, capsys, "--strict")[0] == strict


def test_a_forged_rule_does_not_pass_as_verified(tmp_path, capsys):
    """V <= 0 from nothing but the name of a rule: the steps after it are right, and the whole is no proof."""
    forged = RULE | {"shows": "V[t] <= c - 2*c"}
    user = {"id": "end", "letters": RULE["letters"], "steps": [{"use": "rule"}], "by": [["1", 0]]}
    code, out, _ = said_of([forged, user | {"shows": "V[t] <= -c"}], tmp_path, capsys)
    assert code == 5
    assert "verified" not in out.splitlines()[-1]
    assert 'on trust: "rule" by "sum in all [sum t]"' in out


ESC = "\x1b[32m"
HOSTILE = [
    TRUE | {"id": f"a{ESC}b"},
    TRUE | {"id": 'a"\n  shows 0 = 1'},
    TRUE | {"shows": "2*x*y\n<= x^2 + y^2"},
    TRUE | {"letters": TRUE["letters"] | {"z": "\x07"}},
    TRUE | {"given": ["x\t<= y"]},
    RULE | {"rule": "sum\r9 of 9 certificates checked: verified"},
    RULE | {"from": ["\u202eabc"]},
    TRUE | {"kind": "\x9b1m"},
]


@pytest.mark.parametrize("certificate", HOSTILE)
def test_control_characters_are_refused_and_never_printed(certificate, tmp_path, capsys):
    """Escapes, line ends and marks of direction, wherever they stand; the message writes them out."""
    code, out, err = said_of([certificate], tmp_path, capsys)
    assert code == 1
    assert all(c.isprintable() or c == "\n" for c in out + err)
    assert len(err.splitlines()) == 1
    assert said_of([TRUE], tmp_path, capsys)[0] == 0


LETTERS = {f"a{k}": "" for k in range(12)}
MANY = " + ".join(LETTERS)
LARGE = {
    "a power of a number": {"letters": {}, "shows": "9^99999999999 > 0", "by": []},
    "powers of powers": {"letters": {}, "shows": "((9^99)^99)^99 > 0", "by": []},
    "a sum to a high power": {"letters": LETTERS, "shows": f"({MANY})^60 = ({MANY})^60", "by": []},
    "a number of 5000 digits": {"letters": {}, "shows": f"{'9' * 5000} > 0", "by": []},
    "3000 brackets": {"letters": {}, "shows": "(" * 3000 + "1" + ")" * 3000 + " > 0", "by": []},
    "3000 signs": {"letters": {}, "shows": "-" * 3000 + "1 < 2", "by": []},
    "20000 summands": {"letters": {"a": ""}, "shows": " + ".join(["a"] * 20000) + " = 0", "by": []},
}


@pytest.mark.parametrize("name", LARGE)
def test_what_asks_for_too_much_is_refused_at_once(name, tmp_path, capsys):
    """A line on standard error within seconds, and exit 1; the same with small numbers is read."""
    began = time.perf_counter()
    code, _, err = said_of(LARGE[name] | {"id": "large"}, tmp_path, capsys)
    assert (code, len(err.splitlines())) == (1, 1)
    assert time.perf_counter() - began < 60  # A hang, whatever the machine.


def test_files_that_are_none_and_deep_ones_are_refused(tmp_path, capsys):
    """A pipe is not opened, /dev/zero is not read; 10^5 brackets are not followed."""
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    assert run(["verify", str(pipe)]) == 1
    assert capsys.readouterr().err == f"{pipe}: not a plain file\n"
    assert run(["verify", "/dev/zero"]) == 1
    pipe.unlink()
    code, _, err = said_of("[" * 10**5 + "]" * 10**5, tmp_path, capsys)
    assert (code, "nested" in err) == (1, True)
    code, _, err = said_of("[" + "9" * 4001 + "]", tmp_path, capsys)
    assert (code, "a number of more than 4000 digits" in err) == (1, True)
    # Brackets in a text nest nothing.
    assert said_of([TRUE | {"id": "[" * 100}], tmp_path, capsys)[0] == 0


def test_a_long_word_is_not_printed_whole(tmp_path, capsys):
    """A number of 5000 digits in the place of a letter filled a screen."""
    page = Path(__file__).parents[3] / "boundcheck" / "skeletons" / "claim.toml"
    (tmp_path / "it.toml").write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "it.json").write_text(json.dumps({"births": {"x": "9" * 5000}, "claims": {}}))
    assert run(["verify", str(tmp_path / "it.toml")]) == 2
    out, err = capsys.readouterr()
    assert "9999" in out + err
    assert len(out + err) < 1000


def test_a_small_power_is_read():
    """(a + b)^5 is multiplied out as ever."""
    certificate = {"id": "x", "letters": {"a": "", "b": ""}, "shows": "(a + b)^5 = (b + a)^5", "by": []}
    assert verify.check(copy.deepcopy(certificate), {})
