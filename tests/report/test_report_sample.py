"""The sample that ships is the one that the present code builds."""

import json
from pathlib import Path

import pytest
from report_cases import RECIPE, SINGLE

from boundcheck.errors import InputError
from boundcheck.files.resources import folder
from boundcheck.report import sample
from boundcheck.report.sample import build, differences, main, read, stale, text_of

SHIPPED = Path(folder("reports")) / "sample"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build a sample of one cell."""
    target = tmp_path_factory.mktemp("sample")
    return target, build(target, target / "store", workers=1, recipe=recipe())


def recipe():
    return type(RECIPE)(title="One cell", study=[SINGLE], claims=["gradma.polarisation"], replicates=4)


@pytest.mark.slow
def test_the_shipped_sample_is_current():
    """Went wrong: the sample was older than the code and nothing said so. If this fails: ``make sample``."""
    assert stale(SHIPPED) == []


def test_the_shipped_record_holds_the_text():
    """A long text that names what the report is about, and no page on how to reproduce it."""
    text = "\n".join(read(SHIPPED).text)
    assert "= Theorems" in text
    assert "= Findings" in text
    assert sample.LAST not in text


@pytest.mark.slow
def test_a_fresh_build_gives_the_shipped_sample(tmp_path):
    """Byte for byte under the recorded versions, elsewhere the same words and the same numbers to three digits."""
    shipped, fresh = read(SHIPPED), build(tmp_path, tmp_path / "store")
    assert differences(shipped.text, fresh.text) == []
    if fresh.versions == shipped.versions:
        assert fresh.pdf == shipped.pdf


def test_a_fresh_sample_is_current_and_built_again_the_same(built, tmp_path):
    """Another store and another folder give the same bytes and the same record."""
    target, record = built
    assert stale(target) == []
    assert read(target) == record == build(tmp_path, tmp_path / "store", workers=1, recipe=recipe())
    assert (tmp_path / "overview.pdf").read_bytes() == (target / "overview.pdf").read_bytes()


def test_other_code_another_version_and_another_pdf_are_named(built, tmp_path, monkeypatch):
    """Each of the three is a reason of its own."""
    target, record = built
    for name in ("overview.pdf", "overview.json", "overview.html"):
        (tmp_path / name).write_bytes((target / name).read_bytes())
    monkeypatch.setattr(sample, "package_hash", lambda: "another")
    assert stale(tmp_path) == [f"source: recorded {record.source}, found another"]
    monkeypatch.setattr(sample, "__version__", "9.9")
    (tmp_path / "overview.pdf").write_bytes(b"%PDF-")
    (tmp_path / "overview.html").unlink()
    assert [reason.partition(":")[0] for reason in stale(tmp_path)] == ["version", "source", "pdf", "html"]


def test_the_check_ends_with_the_answer(built, tmp_path, capsys, monkeypatch):
    """Exit code 0 for a current sample, 1 with the reason for another or none."""
    target, _ = built
    assert main([str(target), "--check"]) == 0
    monkeypatch.setattr(sample, "package_hash", lambda: "another")
    assert main([str(target), "--check"]) == 1
    assert "found another" in capsys.readouterr().err
    assert main([str(tmp_path), "--check"]) == 1
    assert "not the record of a sample" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"text": 1}', '{"text": [], "sense": 1}'])
def test_a_broken_record_is_an_error_that_names_the_file(tmp_path, text):
    """Half a file, or a file of something else."""
    (tmp_path / "overview.json").write_text(text)
    with pytest.raises(InputError, match=r"overview\.json: not the record of a sample"):
        read(tmp_path)


SAME = [
    ("ratio 1.234 at T = 16", "ratio 1.238 at T = 16"),
    ("2.5e-07", "2.51e-07"),
    ("8.99, 3", "9.01, 3"),
]
OTHER = [
    ("ratio 1.23 at T = 16", "ratio 1.25 at T = 16"),
    ("ratio 1.23 at T = 1600", "ratio 1.23 at T = 1601"),
    ("1e-6", "1e-7"),
    ("holds 1.0", "violated 1.0"),
    ("1.0, 2.0", "1.0"),
    ("x1.0", "x1.004"),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_the_third_digit_may_move(a, b):
    """What another processor's rounding moves is no difference."""
    assert differences([a], [b]) == []


@pytest.mark.parametrize(("a", "b"), OTHER)
def test_words_whole_numbers_and_the_second_digit_may_not(a, b):
    """A count, a word or a visible change of a number is one."""
    assert len(differences([a], [b])) == 1


def test_a_line_more_is_a_difference():
    """Either text may be the longer one."""
    assert len(differences(["a"], ["a", "b"])) == len(differences(["a", "b"], ["a"])) == 1


def test_the_page_on_how_to_reproduce_it_is_no_part_of_the_text():
    """It holds versions and the hash."""
    assert text_of("= Theorems\nx\n= How to reproduce\nboundcheck 0.1") == ("= Theorems", "x")
    assert json.dumps(text_of("a\nb")) == '["a", "b"]'
