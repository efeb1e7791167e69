"""Data that ship are those that were listed; a change of a byte, a file more or less is named."""

import json

import pytest

from boundcheck.files import shipped


@pytest.mark.derived
def test_nothing_differs():
    """After data were made anew, `make derived` (or ``python -m boundcheck.files.shipped --write``) lists them."""
    assert shipped.differing() == []


def test_what_is_believed_is_listed():
    """Statuses, the audit, certificates, sums of squares, worst cases; no source, whose edits change nothing."""
    names = set(json.loads(shipped.LISTING.read_text(encoding="utf-8")))
    for name in (
        "reports/status.json",
        "reports/audit-verdicts.json",
        "cli/cards/catalogue.json",
        "proofs/papers/certificates/gradma.json",
        "proofs/papers/whole/fmgda_rate.json",
        "problems/extremal/tables.json",
        "problems/data/tables/digits.csv.gz",
    ):
        assert name in names
    assert not [name for name in names if not name.endswith((".json", ".csv.gz"))]


@pytest.mark.parametrize("damage", ["changed", "missing", "more"])
def test_what_differs_is_named(damage, tmp_path, monkeypatch, capsys):
    """One bit of one file, one file that is gone, one that nobody listed; and no other file is named."""
    files = {name: path for name, path in shipped.data_files().items() if name.startswith("reports/")}
    listing = tmp_path / "listing.json"
    monkeypatch.setattr(shipped, "data_files", lambda: files)
    monkeypatch.setattr(shipped, "LISTING", listing)
    assert shipped.main(["--write"]) == 0
    name = "reports/status.json"
    if damage == "changed":
        content = bytearray(files[name].read_bytes())
        content[100] ^= 1
        files[name] = tmp_path / "status.json"
        files[name].write_bytes(content)
    elif damage == "missing":
        del files[name]
    else:
        name = "reports/zz.json"
        files[name] = listing
    assert shipped.main([]) == 1
    assert capsys.readouterr().err == f"{name}: not the file that was listed\n"
