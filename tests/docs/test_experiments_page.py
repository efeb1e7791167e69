"""The page of experiments has the shipped verdicts, and these are of the shipped assertions."""

import json
import re
from pathlib import Path

from boundcheck.files.resources import folder
from boundcheck.sweep import load_recipe, shipped_verdicts
from boundcheck.verdicts.words import EXPERIMENT_WORDS

PAGE = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")


def test_the_table_is_the_shipped_verdicts():
    """Every row: id, title, verdict and where it holds; what has not been run says so, and none stands twice."""
    table = PAGE.split("## Verdicts")[1].split("## Other seeds")[0]
    rows = re.findall(r"^\| ([a-z-]+-\d+) \| (.+?) \| (.+?) \| (.+?) \|$", table, flags=re.MULTILINE)
    found = shipped_verdicts()
    wanted = []
    for one in load_recipe("experiments").assertion:
        row = found.get(one.id, {"verdict": "not run yet", "where": ""})
        wanted.append((one.id, one.title, row["verdict"], row["where"] or "-"))
    assert rows == wanted
    missing = len(wanted) - len(found)
    assert not missing or f"{len(found)} of the {len(wanted)} have been run in this design" in PAGE
    alone = sum(
        row["verdict"] in {"reproduced", "contradicted", "no difference above the margin"} for row in found.values()
    )
    assert f"{alone} of them have a word without a qualifier" in " ".join(PAGE.split())


def test_shipped_verdicts_are_of_the_shipped_recipe():
    """Assertions of the recipe in its order, each with a verdict that exists and as many answers as it says."""
    asserted = load_recipe("experiments").assertion
    found = shipped_verdicts()
    assert [(a.id, a.title, a.lines, a.paper) for a in asserted if a.id in found] == [
        (name, row["title"], row["lines"], row["paper"]) for name, row in found.items()
    ]
    for row in found.values():
        assert row["verdict"] in EXPERIMENT_WORDS
        assert row["controls"] > 0
        alone = {word for word in ("yes", "no", "same", "open") if row[word]}
        assert (row["verdict"] == "reproduced") == (alone == {"yes"} and not row["failed"])
        assert _is_controlled(row)
        assert bool(row["where"]) == (len(alone) > 1)


def test_the_table_of_seeds_is_the_shipped_one():
    """Budget, verdict and counts of every seed; seed 1 in full is the shipped verdict; the same are counted."""
    first, wanted, whole, same = shipped_verdicts(), [], 0, 0
    for name, rows in json.loads((folder("reports") / "experiment-seeds.json").read_text(encoding="utf-8")).items():
        budget = rows.pop("budget")
        found = {"1": first[name], **rows} if budget == "full" else rows
        assert budget in {"full", "quick"}
        assert (budget == "full") == ("1" not in rows)
        whole += len(found) == 3
        same += len(found) == 3 and len({row["verdict"] for row in found.values()}) == 1
        wanted.append((name, budget, *(_counted(found.get(seed)) for seed in "123")))
    table = PAGE.split("<!-- seeds -->")[1].split("<!-- end -->")[0]
    assert re.findall(r"^\| ([a-z-]+-\d+) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", table, flags=re.MULTILINE) == wanted
    assert f"{same} of the {whole} asked at three seeds have the same verdict at all" in " ".join(PAGE.split())


def test_the_table_of_speed_ups_is_the_shipped_one():
    """Every method and letter of the recipe `speedup`: powers by two readouts, that of the control, the verdict."""
    shipped = json.loads((folder("reports") / "speedup-verdicts.json").read_text(encoding="utf-8"))
    asked = {one.id: one for one in load_recipe("speedup").assertion}
    assert list(shipped) == list(asked)
    wanted = []
    for name, row in ((name, row) for name, row in shipped.items() if "powers" in row):
        powers = {(one["of"], one["readout"]): one for one in row["powers"] if one["axis"] == "rounds"}
        assert row["powers"][0]["promised"] == asked[name].ask[0].level
        for method in dict.fromkeys(of for of, readout in powers if readout != "control"):
            shown = [powers[method, readout] for readout in ("average", "late")]
            texts = [f"{one['power']:.2f} [{one['low']:.2f}, {one['high']:.2f}]" for one in shown]
            known = "noise leads"
            for one in (one for (_, readout), one in powers.items() if readout == "control"):
                if one["of"] in {method, "FedAvg"}:
                    known = f"{one['of']}: {one['power']:.2f}" if one["of"] != method else f"{one['power']:.2f}"
            assert (known == "noise leads") == any(control.kind == "rises" for control in asked[name].control)
            decided = f"{row['needed']:,}" if row["needed"] else "-"
            wanted.append(
                (method, shown[0]["along"], f"{shown[0]['promised']:.2f}", *texts, known, row["verdict"], decided)
            )
        assert _is_controlled(row)
    section = PAGE.split("## Rates and speed-ups by runs")[1].split("## Every method")[0]
    found = [
        tuple(cell.strip() for cell in line.strip("|").split("|")) for line in section.splitlines() if line[:1] == "|"
    ]
    assert found[2:] == wanted


def _is_controlled(row):
    """Return whether a verdict goes with its controls: beside one that fails, only answers that differ stand."""
    if row["failed"]:
        return row["verdict"] in {"could not have told", "mixed"}
    return row["verdict"] != "could not have told"


def _counted(row):
    if row is None:
        return "-"
    return f"{row['verdict']}: {', '.join(str(row[word]) for word in ('yes', 'no', 'same', 'open'))}"
