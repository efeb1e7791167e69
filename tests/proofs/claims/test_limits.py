"""What claim files and statements may ask for: beyond it one line names the limit, at once, and nothing is read."""

import os
import time

import pytest

from boundcheck.cli.app import run
from boundcheck.errors import InputError
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.goals.letters import read_letters
from boundcheck.proofs.language.alone import read_claims
from boundcheck.proofs.language.files import load
from boundcheck.proofs.language.limits import SUMMANDS, TERMS, require_ascii, require_modest, require_printable
from boundcheck.proofs.language.stated import text_statement
from boundcheck.proofs.search.outcomes import outcomes

MANY = " + ".join(f"a{k}" for k in range(12))
LARGE = {
    "9^99999999999": "exponent",
    "x^(99999999)": "exponent",
    "2^3^4^5": "power",
    f"({MANY})^40": "terms",
    "(x + y)*" * 30 + "1": "terms",
    "(x + y)(x - y)" * 15: "terms",
    "((x + y)^20)^20": "terms",
    "9" * 5000: "digits",
    "(" * 3000 + "1" + ")" * 3000: "nesting",
    "-" * 3000 + "1": "signs in a row",
    " + ".join(["x"] * 20000): "length",
    "+".join(["x"] * (SUMMANDS + 1)): "summands",
    "*".join(["x"] * 600): r"\*",
}
SMALL = [
    "9^60",
    "x^(2/3)",
    "x^(-2)",
    "(a + b)^5",
    "(1 + x)^90",
    "+".join(["x"] * SUMMANDS),
    "((x + y)^2)^2",
    "x^(y + z)",
]


@pytest.mark.parametrize("text", LARGE, ids=lambda text: text[:20])
def test_an_expression_that_is_too_large_is_named(text):
    began = time.perf_counter()
    with pytest.raises(InputError, match=f"{LARGE[text]} = .* is not legal"):
        require_modest(text)
    with pytest.raises(InputError, match="is not legal"):
        goal_of(text_statement(f"{text} <= 1", letters=("x, y real",)))
    assert time.perf_counter() - began < 60  # A hang, whatever the machine.


@pytest.mark.parametrize("text", SMALL)
def test_a_small_one_is_read(text):
    require_modest(text)


def test_terms_are_counted_as_they_multiply():
    """A power n of k terms has C(n + k - 1, n) of them: 8 in the fifth power 792, in the tenth 19448."""
    eight = " + ".join("abcdefgh")
    require_modest(f"({eight})^5")
    require_modest(f"({eight})^10")
    assert TERMS < 31824
    with pytest.raises(InputError, match="terms = 31824"):
        require_modest(f"({eight})^11")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("\u0430 <= 1", r"CYRILLIC SMALL LETTER A"),
        ("x <= \u03b2", r"GREEK SMALL LETTER BETA"),
        ("x \u2264 1", r"LESS-THAN OR EQUAL TO"),
        ("x\n<= 1", r"U\+000A"),
        ("x <= 1\x1b[0m", r"U\+001B"),
        ("x < 1 for x in [1, 0]", r"x in = '\[1, 0\]'"),
        ("r < 1 for r in [-1, 1]", "within the sign"),
        ("r < 1 for r in [0]", "is not legal"),
        ("r < 1 for r in [0, N]", "which values N takes"),
        ("r < 1 for r in [0, 1], r in [2, 3]", "is not legal"),
        ("r + N < 3 for r in [0, 1]", "which values N takes"),
        ("r <= N*r for r >= 1", "which values N takes"),
        ("sum(i) 1 = N", "is not legal"),
        ("<= 1", "is not legal"),
        ("x", "is not legal"),
        ("", "is not legal"),
        ("x <= 1 <= ", "is not legal"),
        ("never", "is not legal"),
        ("1/0 = 0", "divides by 0"),
        ("1/(1/0) = 0", "divides by 0"),
        ("x <= 1/(x - x)", "divides by 0"),
        ("sqrt(-1) <= 1", "not a number"),
        ("abs(u) <= 1", "mixed up"),
        ("max(u, u) <= 1", "mixed up"),
        ("|deviation(e)|^2 <= N/2*|deviation(e)|^2", "K members, not N"),
    ],
)
def test_what_the_grammar_does_not_have_is_named(line, says):
    letters = ("x real", "r > 0", "vectors u", "noise e over K")
    with pytest.raises(InputError, match=says):
        goal_of(text_statement(line, letters=letters))


@pytest.mark.parametrize("name", ["pi > 0", "vectors pi", "x, pi real", "u_mean real", "u_dev > 0"])
def test_a_letter_is_no_word_of_the_grammar(name):
    """With pi declared as a letter, `pi >= 3` would be read about 3.14159 alone; u_mean is the mean of a family."""
    with pytest.raises(InputError, match="it has a meaning"):
        goal_of(text_statement("1 <= 2", letters=(name,)))


CLAIM = '[claim.fmgda.{name}]\ntitle = "{title}"\nshows = "{shows}"\n'


def write(path, **parts):
    path.write_text(CLAIM.format(**({"name": "a", "title": "a claim [l.1]", "shows": "1 <= 2"} | parts)))
    return path


def test_claim_files_have_limits(tmp_path):
    """A pipe, a device, depth, size, escapes in ids and titles; the same file without them is read."""
    assert [claim.id for claim in read_claims(write(tmp_path / "good.toml"))] == ["fmgda.a"]
    os.mkfifo(tmp_path / "pipe.toml")
    for path in (tmp_path / "pipe.toml", "/dev/zero"):
        with pytest.raises(InputError, match="a plain file"):
            read_claims(path)
    (tmp_path / "deep.toml").write_text("a = " + "[" * 10**5 + "]" * 10**5)
    with pytest.raises(InputError, match="nesting"):
        read_claims(tmp_path / "deep.toml")
    (tmp_path / "dots.toml").write_text(".".join(["a"] * 5000) + " = 1")
    with pytest.raises(InputError, match="depth"):
        read_claims(tmp_path / "dots.toml")
    (tmp_path / "long.toml").write_text("#" * 2_000_000)
    with pytest.raises(InputError, match="size"):
        read_claims(tmp_path / "long.toml")
    for part in ({"title": "a\\u001b[31m [l.1]"}, {"name": '"a\\u000ab"'}, {"shows": "9^99999999999 <= 1"}):
        with pytest.raises(InputError, match="is not legal"):
            read_claims(write(tmp_path / "bad.toml", **part))


def test_files_that_use_files_have_limits(tmp_path, capsys):
    """Itself, a circle, one twice, a folder above, an absolute path, and more than there may be."""
    own = tmp_path / "own.toml"
    cases = {
        "own.toml": "used once",
        "../x.toml": "no \\.\\.",
        "/etc/passwd": "no \\.\\.",
        "b.toml, b.toml": "used once",
    }
    (tmp_path / "b.toml").write_text('title = "b"\n')
    for uses, says in cases.items():
        own.write_text(f'uses = "{uses}"\n')
        with pytest.raises(InputError, match=says):
            load(own)
    own.write_text('uses = "b.toml"\n')
    assert load(own).claims == ()
    for k in range(30):
        (tmp_path / f"c{k}.toml").write_text(f'uses = "c{k + 1}.toml"\n')
    (tmp_path / "c30.toml").write_text('title = "end"\n')
    with pytest.raises(InputError, match="at most 20 files"):
        load(tmp_path / "c0.toml")
    assert run(["prove", str(tmp_path / "c0.toml")]) == 2
    assert "at most 20 files" in capsys.readouterr().err


def test_texts_of_titles_may_have_accents_but_no_escapes():
    require_printable("Gradientenabstieg für Föderierte [S. 3]", "title")
    with pytest.raises(InputError, match=r"U\+202E"):
        require_printable("abc\u202edef", "title")
    with pytest.raises(InputError, match="U\\+00FC LATIN SMALL LETTER U WITH DIAERESIS"):
        require_ascii("für", "line")


@pytest.mark.parametrize(
    "line",
    ["noise " + "a over b of " * 800, "draw a of " + " from x with replacement " * 400, "noise " + "a over " * 1400],
)
def test_a_declaration_with_many_readings_is_refused_at_once(line):
    """Which `of` ends which part was tried in all ways: minutes for a line of a legal length."""
    began = time.process_time()
    with pytest.raises(InputError, match=r"letters = .* is not legal: at most 500 characters"):
        read_letters([line], lambda letters: str)
    assert time.process_time() - began < 1


@pytest.mark.parametrize("around", ["({})^1", "-({})", "1/({})", "2*({})", "({} + 1)"])
def test_what_is_nested_is_read_and_written_once(around, tmp_path):
    """With each bracket the work would double: four million times at this depth."""
    text = "a"
    for _ in range(22):
        text = around.format(text)
    page = tmp_path / "nested.toml"
    head = 'indices = "t = 0 .. T - 1"\n[letters]\n"> 0" = "T, a"\n[numbers]\n"p[t]" = "p"\n'
    page.write_text(f'{head}[claim.nested]\nshows = "{text} >= 0"\n', encoding="utf-8")
    start = time.process_time()
    (found,) = outcomes(page)
    assert found["verdict"] == "proved"
    assert time.process_time() - start < 5
