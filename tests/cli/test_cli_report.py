"""The report command writes a PDF."""

import pytest
from cli_calls import called

pytest.importorskip("boundcheck.report", exc_type=ImportError)


def test_report_writes_a_pdf(tmp_path, capsys):
    """A tiny recipe without claims becomes a PDF at the path asked for."""
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(
        'title = "Tiny"\nreplicates = 4\n[[study]]\nid = "s"\ntitle = "s"\nproblem = "ridge-ratio"\n'
        'bounds = ["momentum-fl.theorem11"]\nN = [2]\nK = [1]\nT = [4, 8, 16]\nfit = ["T"]\n'
    )
    pdf = tmp_path / "tiny.pdf"
    code, out, err = called(
        capsys, "report", recipe, "-o", pdf, "--store", tmp_path / "store", "--workers", 1, "--no-claims"
    )
    assert (code, out) == (0, ""), err
    assert pdf.read_bytes().startswith(b"%PDF")
    assert f"wrote {pdf}" in err.replace("\n", "")
