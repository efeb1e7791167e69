"""Claim files of the ledger: what is written is what is decided, and what is not legal is named."""

import re
import tomllib

import pytest

from boundcheck.cli.commands.prove import prove
from boundcheck.errors import InputError
from boundcheck.proofs import prove_claim
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.language.alone import read_claims
from boundcheck.proofs.language.texts import entries
from boundcheck.proofs.ledger.ledger import FILES

HEAD = 'title = "a [here]"\n'
DRAFT = """
about = "My draft."
letters = "gl, other > 0; unused >= 0"

[claim.draft.absorbed-printed]
title = "the drift (of all clients) is absorbed, at the printed step [my draft, eq. (7)]"
prose = "the drift is absorbed, by eq. (6)"
as = "gl -> gamma*L"
shows = \"\"\"4*gl^2/beta + beta/9
  <= 2*beta/9\"\"\"
given = "gl <= beta/5; beta <= 1"
hypotheses = ["gl = gamma L <= beta/5; this is (5)", "beta <= 1"]
repaired_by = "absorbed"

[claim.draft.absorbed]
title = "the same at a sixth [my draft, eq. (7)]"
shows = "4*gl^2/beta + beta/9 <= 2*beta/9"
given = "gl <= beta/6; beta <= 1"
letters = "gl > 0"
steps = "absorbed-printed, other.lemma"
"""


@pytest.fixture
def read(tmp_path):
    """Return what reads claims from a text."""

    def read(text):
        (tmp_path / "draft.toml").write_text(text)
        return read_claims(tmp_path / "draft.toml")

    return read


def test_claims_of_a_file_are_decided(read):
    """4 gl^2/beta is at most beta/9 from gl = beta/6 on, and is 4 beta/25 at gl = beta/5."""
    printed, repair = read(DRAFT)
    assert prove_claim(printed).verdict == "refuted"
    assert prove_claim(repair).verdict == "proved"
    assert printed.hypotheses == ("gl = gamma L <= beta/5; this is (5)", "beta <= 1")
    assert (printed.title, printed.where) == (
        "the drift (of all clients) is absorbed, at the printed step",
        "my draft, eq. (7)",
    )
    assert printed.prose == "the drift is absorbed, by eq. (6)"
    assert printed.printed == ("4 (gamma L)^2/beta + beta/9 <= 2 beta/9",)
    assert printed.printed_given == ("gamma L <= beta/5", "beta <= 1")
    assert (repair.prose, repair.printed) == ("", ("4 gl^2/beta + beta/9 <= 2 beta/9",))
    assert repair.statement[0] == "for gl > 0"
    assert printed.statement == (
        "for gl > 0",
        "given gl <= beta/5",
        "given beta <= 1",
        "4*gl^2/beta + beta/9 <= 2*beta/9",
    )
    assert (printed.repaired_by, printed.step_ids) == ("draft.absorbed", ())
    assert (repair.repaired_by, repair.step_ids) == (None, ("draft.absorbed-printed", "other.lemma"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[draft", "draft.toml: Expected"),
        ("about = 'none'", r"draft.toml: no claim; legal are tables \[claim.ID\]"),
        ("mine = 3", "draft.toml:1: unknown key 'mine'; legal are title, about, letters, as, claim"),
        (f"more = 1\n[claim.mine.a]\n{HEAD}shows = 'x <= x'", "draft.toml:1: unknown key 'more'; legal are"),
        (f"letters = 1\n[claim.mine.a]\n{HEAD}shows = 'x <= x'", "letters = 1 is not legal: a text"),
        (f"letters = 'x-y > 0'\n[claim.mine.a]\n{HEAD}shows = '0 <= x'", "letters = 'x-y > 0' is not legal: names"),
        (
            "[claim.mine.a]\nshows = 'x <= x'",
            "draft.toml:1: title = None is not legal: what it says, and in brackets where",
        ),
        (
            "[claim.mine.a]\ntitle = 'a'\nshows = 'x <= x'",
            "title = 'a' is not legal: what it says, and in brackets where",
        ),
        (f"[claim.mine.a]\n{HEAD}show = 'x <= x'", "draft.toml:3: unknown key 'show'; legal are title"),
        (f"[claim.mine.a]\n{HEAD}shows = '0 <= x'\nas = 'x'", "as = 'x' is not legal: LETTER -> EXPRESSION"),
        (
            f"[claim.mine.a]\n{HEAD}shows = '0 <= x'\nkind = 'lemma'",
            "kind = 'lemma' is not legal: printed line",
        ),
        (f"[claim.mine.a]\n{HEAD}shows = '0 <= x'\nweight = 'slip'", "weight = 'slip' is not legal: theorem, step"),
        (f"[claim.mine.a]\n{HEAD}", "either shows or goal"),
        (f"[claim.mine.a]\n{HEAD}shows = 'x <= x'\ngoal = 'm'", "either shows or goal"),
        (f"[claim.mine.a]\n{HEAD}shows = ['x <= x', 3]", "draft.toml:1: shows = 3 is not legal: a text"),
        (f"[claim.mine.a]\n{HEAD}shows = ''", "draft.toml:1: shows = '' is not legal: a text"),
        (f"[claim.mine.a]\n{HEAD}shows = 'x <= x'\nrepaired_by = 1", "repaired_by = 1 is not legal: a text"),
        (f"[claim.mine.a]\n{HEAD}goal = 'os'", "prose, beside goal"),
        (f"[claim.mine.a]\n{HEAD}prose = 'x'\ngoal = 'os'", "goal = 'os' is not legal: a module of boundcheck"),
    ],
)
def test_what_is_not_legal_is_named(read, text, says):
    """File, claim, key and what would be legal."""
    with pytest.raises(InputError, match=says):
        read(text)


def test_a_goal_that_its_module_does_not_build_is_named(read):
    """The claim and those that it builds."""
    (claim,) = read(f"[claim.mine.a]\n{HEAD}prose = 'x'\ngoal = 'boundcheck.proofs.papers.fmgda.clients'")
    with pytest.raises(InputError, match=r"claim = 'mine\.a' is not legal: fmgda\.lemma3-18-printed"):
        goal_of(claim.goal)


def test_an_older_file_is_read_with_a_word(read):
    """A `formula` was printed and tied to nothing: it is words now, and what is decided is printed."""
    with pytest.warns(FutureWarning, match="draft.toml: claim 'mine.a': formula is no longer printed as a formula"):
        (claim,) = read(f"[claim.mine.a]\n{HEAD}formula = 'every client is a teapot'\nshows = '2*x^2 <= 3*x^2'")
    assert (claim.prose, claim.printed) == ("every client is a teapot", ("2 x^2 <= 3 x^2",))


FORMER = DRAFT.replace("[claim.draft", "[draft")


def test_tables_of_an_older_file_are_read_with_a_word(read, tmp_path, capsys):
    """The same claims, and one line that says what to write."""
    found, path = read(FORMER), str(tmp_path / "draft.toml")
    assert prove(path) == 0
    assert "draft.toml: [draft.NAME] is read as [claim.draft.NAME]; write so" in capsys.readouterr().err
    assert found == read(DRAFT)
    assert prove(path) == 0
    assert "write so" not in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(tmp_path):
    """One line, no traceback of the file system."""
    with pytest.raises(InputError, match=r"none\.toml: No such file"):
        read_claims(tmp_path / "none.toml")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_letters_of_a_file_are_those_of_its_claims(path):
    """Each is declared by a claim that has none of its own: none is left over."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    own = {id_ for id_, entry in entries(data["claim"]) if "letters" in entry}
    used = {name for one in read_claims(path) if one.id not in own for name in re.findall(r"\w+", str(declared(one)))}
    assert set(re.findall(r"\w+", data.get("letters", ""))) <= used


def declared(claim):
    """Return the letters that a claim declares, none where its goal is built."""
    return getattr(claim.goal, "letters", ())
