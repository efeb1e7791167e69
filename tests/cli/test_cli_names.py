"""Names in any case, by part and in any order; whole numbers in powers of ten."""

import pytest
from cli_calls import called, parsed

from boundcheck.cli.terminal.named import resolve_name
from boundcheck.errors import UnknownNameError, alike

CHECK = ("--N", 2, "--K", 1, "--T", 20)


def test_names_in_any_case_and_by_part(capsys):
    """Case is no matter; a part that one name has is enough and is said; parameters stay."""
    known = ["fedlalr.theorem1", "fmgda.theorem1", "ridge-ratio"]
    assert resolve_name("bound", "FedLALR.Theorem1", known) == "fedlalr.theorem1"
    assert capsys.readouterr().err == ""
    assert resolve_name("problem", "ratio[zeta=2]", known) == "ridge-ratio[zeta=2]"
    assert "ridge-ratio (for 'ratio')" in capsys.readouterr().err
    assert resolve_name("bound", "mine.py:THEOREM", known) == "mine.py:THEOREM"


def test_a_part_of_several_names_is_refused():
    """None is taken; all that have it are offered, the likest first."""
    known = ["fedlalr.theorem1", "fmgda.theorem1-proof", "ridge-ratio"]
    with pytest.raises(UnknownNameError, match=r"did you mean fedlalr.theorem1 or fmgda.theorem1-proof\?"):
        resolve_name("bound", "Theorem", known)
    with pytest.raises(UnknownNameError, match=r"did you mean fmgda.theorem1 or fedlalr.theorem1"):
        resolve_name("bound", "theorem1", ["fedlalr.theorem1", "fmgda.theorem1"])


def test_the_ending_that_one_name_has_is_enough(capsys):
    """Without its paper, where others only have it as a part."""
    known = ["fedlalr.theorem1", "fmgda.theorem1-proof", "gradma.theorem11", "ridge-ratio"]
    assert resolve_name("bound", "Theorem1", known) == "fedlalr.theorem1"
    assert "fedlalr.theorem1 (for 'Theorem1')" in capsys.readouterr().err
    assert resolve_name("bound", "theorem11", known) == "gradma.theorem11"


def test_likeness_orders_what_is_offered():
    """Names with the asked part come before names that are merely close; what is like nothing gets nothing."""
    known = ["fedavg", "fedavg-m", "fedag", "scaffold"]
    assert alike("FedAvg-", known)[0] == "fedavg-m"
    assert alike("fedav", known) == ["fedavg", "fedavg-m", "fedag"]
    assert alike("zzz", known) == []


@pytest.mark.parametrize("name", ["MOMENTUM-FL.theorem11", "FedAvg", "Ridge-Ratio"])
def test_cards_are_found_in_any_case(capsys, name):
    """The card is that of the name as it is listed."""
    assert parsed(capsys, "show", name) == parsed(capsys, "show", name.lower())


def test_check_takes_its_names_in_any_order(capsys):
    """The verdict is the same, to the digit."""
    names = ("momentum-fl.theorem11", "ridge-ratio")
    assert parsed(capsys, "check", *names, *CHECK) == parsed(capsys, "check", *reversed(names), *CHECK)


def test_run_takes_its_names_in_any_order(capsys):
    """And 2e1 rounds are 20."""
    one = parsed(capsys, "run", "ridge-ratio", "fedavg", *CHECK, "--set", "eta=0.1")
    two = parsed(capsys, "run", "fedavg", "Ridge-Ratio", "--N", 2, "--K", 1, "--T", "2e1", "--set", "eta=0.1")
    assert one == two


@pytest.mark.parametrize(
    ("text", "T"), [("1e1", 10), ("1.5e1", 15), ("0.2e+1", 2), ("15e-1", None), ("1.55e1", None), ("1e40", None)]
)
def test_powers_of_ten_where_whole(capsys, text, T):
    """1.55e1 is no whole number, a negative power is not read, and 1e40 has too many digits; 0.2e1 is 2."""
    code, out, err = called(
        capsys, "run", "ridge-ratio", "fedavg", "--N", 2, "--K", 1, "--T", text, "--set", "eta=.1", "--json"
    )
    if T is None:
        assert code == 2
        assert "not legal: an integer" in err
        assert len(err.splitlines()) == 1
    else:
        assert code == 0, err
        assert f'"T": {T},' in out


def test_a_theorem_of_the_main_text_is_offered_by_the_number_of_its_proof(capsys):
    """The paper states Theorem 3 and proves it as Theorem 19; the printed form and the proved one are both offered."""
    code, out, err = called(capsys, "check", "momentum-fl.theorem3", "ridge-ratio", "--N", "4", "--K", "1", "--T", "4")
    assert (code, out) == (2, "")
    assert "name of several: momentum-fl.theorem19-printed, momentum-fl.theorem19\n" in err


@pytest.mark.parametrize(("name", "said"), [("ridge-ratio", "noise: A name in"), ("fedavg", "gamma: Server step")])
def test_a_docstring_on_a_card_is_read_as_a_list(capsys, name, said):
    """Sections of a docstring are lists; their underlines and the marks of bold type are for other readers."""
    _, out, _ = called(capsys, "show", name)
    assert said in out
    assert "----" not in out
    assert "**" not in out
