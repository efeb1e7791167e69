"""The recipe and the code of docs/sweep.md run."""

import re
from pathlib import Path

from boundcheck.sweep import load_recipe

PAGE = Path(__file__).parents[2] / "docs" / "sweep.md"


def test_page_on_sweeps_runs(tmp_path, monkeypatch, capsys):
    """Its recipe has 24 cells, the second run finds them all, and every bound gets a verdict."""
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text()
    recipe, compared = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    Path("recipe.toml").write_text(recipe)
    exec(code, {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["SweepCount(ran=24, found=0)", "SweepCount(ran=0, found=24)"]
    assert [line.split()[1] for line in lines[2:4]] == ["momentum-fl.theorem11", "momentum-fl.theorem11-rate"]
    assert len(lines) == 4 + 4
    Path("more.toml").write_text(f"{recipe}\n{compared}")
    assert [c.method for c in load_recipe("more.toml").study[0].compare] == ["fedavg", "storm"]
