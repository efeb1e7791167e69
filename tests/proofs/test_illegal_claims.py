"""A claim of a file that is not legal is said to be so, and leaves the others alone."""

import json
from pathlib import Path

import pytest

from boundcheck.cli.app import app
from boundcheck.errors import InputError
from boundcheck.proofs.language.source import FileError
from boundcheck.proofs.search.outcomes import outcomes

HEAD = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T, a"
[vectors]
"u[t]" = "server"
[claim.first]
shows = "0 <= |u[t]|^2 for t"
"""
LAST = """
[claim.last]
steps = "first"
shows = "0 <= 2 |u[t]|^2 for t"
"""
ILLEGAL = {
    "index": ('shows = "0 <= |u[t + 1]|^2 for t"', "index t + 1 may leave the range"),
    "text": ('shows = "0 <= <= a"', "was expected where '<=' stands"),
    "letter": ('shows = "0 <= b"', "unknown letter 'b'"),
    "step": ('steps = "nothing"\nshows = "0 <= a"', "unknown step"),
    "free": ('steps = "first"\nshows = "0 <= a"', "index t of first is free"),
    "renamed": ('steps = "first(s -> 0)"\nshows = "0 <= a"', "first(s -> 0)"),
}


def page(tmp_path: Path, middle: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + "[claim.middle]\n" + middle + LAST, encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ILLEGAL)
def test_the_others_are_decided(kind, tmp_path):
    text, why = ILLEGAL[kind]
    found = outcomes(page(tmp_path, text))
    assert [(one["id"], one["verdict"]) for one in found] == [
        ("first", "proved"),
        ("middle", "not legal"),
        ("last", "proved"),
    ]
    assert why in found[1]["why"]
    assert found[1]["why"].startswith(f"{tmp_path / 'mine.toml'}:")


def test_what_stands_on_it_is_not_proved(tmp_path):
    text = 'shows = "0 <= |u[t + 1]|^2 for t"\n[claim.above]\nsteps = "middle"\nshows = "0 <= 2 a"'
    found = {one["id"]: one for one in outcomes(page(tmp_path, text))}
    assert found["above"]["verdict"] == "undecided"
    assert found["above"]["why"] == "its step middle is not legal"
    assert found["last"]["verdict"] == "proved"


def test_what_is_no_claim_stops_the_file(tmp_path):
    path = page(tmp_path, 'shows = "0 <= a"')
    path.write_text(path.read_text(encoding="utf-8").replace('"u[t]"', '"u[s]"'), encoding="utf-8")
    with pytest.raises(FileError, match=r"mine\.toml"):
        outcomes(path)


def test_the_exit_code_is_2_and_every_claim_is_printed(tmp_path, capsys):
    assert app(["prove", str(page(tmp_path, ILLEGAL["index"][0])), "--json"], result_action="return_value") == 2
    out, err = capsys.readouterr()
    assert [one["verdict"] for one in json.loads(out)["results"]] == ["proved", "not legal", "proved"]
    assert err.count("boundcheck:") == 1
    assert app(["prove", str(page(tmp_path, 'shows = "0 <= a"'))], result_action="return_value") == 0


def test_a_statement_about_numbers_leaves_the_others_alone(tmp_path):
    path = tmp_path / "numbers.toml"
    path.write_text(
        'about = "mine"\nletters = "a > 0"\n'
        '[m.one]\ntitle = "one [m]"\nshows = "0 <= a"\n'
        '[m.two]\ntitle = "two [m]"\nshows = "0 <= <= a"\n'
        '[m.three]\ntitle = "three [m]"\nshows = "-a <= a"\n',
        encoding="utf-8",
    )
    found = outcomes(path)
    assert [one["verdict"] for one in found] == ["proved", "not legal", "proved"]
    assert "m.two" in found[1]["why"]


def test_a_leaf_of_two_relations_proves_nothing(tmp_path):
    """The kernel refuses it in words; it was a ValueError, reported as an internal error."""
    path = page(tmp_path, 'shows = "0 <= a"')
    path.write_text(path.read_text(encoding="utf-8") + '[leaf.two]\nsays = "a <= N = T"\n', encoding="utf-8")
    found = outcomes(path)
    assert {one["verdict"] for one in found} == {"undecided"}
    assert all("two: a leaf says one relation, not 2" in one["why"] for one in found)


def test_a_leaf_about_what_nobody_declared_refutes_nothing(tmp_path):
    """No claim uses it; in the search for a witness its sequence was a KeyError."""
    path = page(tmp_path, 'shows = "a <= N"')
    text = (
        path.read_text(encoding="utf-8") + '[leaf.lost]\nsays = "b[t + 1] <= (1 + 1/T) b[t] + a for t = 0 .. T - 2"\n'
    )
    path.write_text(text, encoding="utf-8")
    found = {one["id"]: one["verdict"] for one in outcomes(path)}
    assert found["first"] == "proved"
    assert found["middle"] != "proved"


@pytest.mark.parametrize("name", ["#b", "2b", "b'", "b.c", "\u0434"])
def test_a_letter_is_a_name(name, tmp_path):
    """`#b` was a KeyError of the search, which calls generators of its own so."""
    path = page(tmp_path, 'shows = "0 <= a"')
    path.write_text(path.read_text(encoding="utf-8").replace("N, T, a", f"N, T, a, {name}"), encoding="utf-8")
    with pytest.raises(InputError, match="is not legal: a name is of letters, digits and _"):
        outcomes(path)


def test_letters_in_exponents_are_tried_at_whole_numbers(tmp_path):
    """Two of them, each at 1, 2, 3; a root of a power, a logarithm beside one, and more letters stop no file."""
    shows = {
        "(1 + a)^m <= (1 + a)^n": "refuted",  # m = 2, n = 1
        "(1 + a)^m <= (1 + a)^n if m <= n": "proved",
        "a^m a^n = a^p": "refuted",  # a = 2, m = n = p = 1
        "log(1 + a) <= a^m": "refuted",  # a = 1/2, m = 2: log(3/2) = 0.405 > 1/4
    }
    path = tmp_path / "powers.toml"
    claims = "".join(f'[claim.n{n}]\nshows = "{one}"\n' for n, one in enumerate(shows))
    path.write_text(f'letters = "a, m, n, p > 0"\n{claims}', encoding="utf-8")
    assert [one["verdict"] for one in outcomes(path)] == [*shows.values()]
