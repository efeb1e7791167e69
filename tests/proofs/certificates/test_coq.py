"""Coq accepts the certificates, as text without ``nra``."""

import contextlib
import shutil
import subprocess

import pytest

from boundcheck.errors import InputError
from boundcheck.proofs.certificates.coq import HEAD, coq
from boundcheck.proofs.ledger.certify import shipped_certificates

BATCH = 12
LONG = {"fedglomo.eq123-coupling/7", "fmgda.lemma8R-feedback"}
"""Accepted by the checker; ``field`` takes minutes on their hundred products."""


NAMES = [name for name in shipped_certificates() if name not in LONG]


def texts(names):
    """Return the theorems of those certificates that have one in Coq, without their common head."""
    found = []
    for name in names:
        with contextlib.suppress(InputError):
            found.append(coq(shipped_certificates()[name]).removeprefix(HEAD))
    return found


def accepted(theorems, folder):
    """Whether coqc takes a file of theorems, in ten minutes at most."""
    (folder / "some.v").write_text("\n".join([HEAD, *theorems]))
    run = subprocess.run(["coqc", "-q", "some.v"], cwd=folder, capture_output=True, check=False, timeout=600)
    return run.returncode == 0


@pytest.mark.parametrize(("share", "vectors"), [(3, 80), pytest.param(1, 250, marks=pytest.mark.slow)])
def test_texts_are_written(share, vectors):
    """Nearly all certificates have a text in Coq, those about vectors too; none uses nra; what has none is named."""
    found = texts(NAMES[share - 1 :: share])
    assert len(found) > 0.9 * len(shipped_certificates()) / share
    assert not any("nra" in text for text in found)
    assert sum(": vec)" in text for text in found) > vectors
    with pytest.raises(InputError, match="a limit or derivative"):
        coq(next(one for one in shipped_certificates().values() if one.get("kind") == "tail"))
    with pytest.raises(InputError, match="no sequences"):
        coq({"id": "entry", "letters": {"x[]": "vector"}, "shows": "|x[1]|^2 >= 0", "by": [[["x[1]"]]]})


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
@pytest.mark.parametrize("start", range(0, len(NAMES), BATCH))
def test_coq_accepts(start, tmp_path):
    """A dozen theorems a file."""
    assert accepted(texts(NAMES[start : start + BATCH]), tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
def test_coq_refuses_a_false_neighbour(tmp_path):
    """x^2 <= x for x <= 1 passes; with 101/100 x^2 in its place the same proof does not."""
    one = {"id": "one", "letters": {"x": ">0"}, "given": ["x <= 1"], "shows": "x^2 <= x", "by": [["1", 0, "x"]]}
    assert accepted([coq(one).removeprefix(HEAD)], tmp_path)
    assert not accepted([coq(one | {"shows": "101*x^2/100 <= x"}).removeprefix(HEAD)], tmp_path)


YOUNG = {
    "id": "young",
    "letters": {"x": ">0", "a": "vector", "b": "vector"},
    "shows": "2*<a, b> <= x*|a|^2 + |b|^2/x",
    "by": [["1", "x", ["a - b/x"]]],
}
VARIANCE = {
    "id": "variance",
    "letters": {"c": "vector", "v": "family"},
    "shows": "|v - mean(v)|^2 <= |v - c|^2",
    "by": [["1", ["mean(v) - c"]]],
}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
@pytest.mark.parametrize(
    ("certificate", "false"),
    [(YOUNG, "2*<a, b> <= x*|a|^2 + |b|^2/(2*x)"), (VARIANCE, "|v - c|^2 <= |v - mean(v)|^2")],
)
def test_coq_takes_vectors_and_refuses_a_false_neighbour(certificate, false, tmp_path):
    """Young's inequality and that the mean is nearest, in an abstract space; with a half, or turned round, neither."""
    assert accepted([coq(certificate).removeprefix(HEAD)], tmp_path)
    assert not accepted([coq(certificate | {"shows": false}).removeprefix(HEAD)], tmp_path)
