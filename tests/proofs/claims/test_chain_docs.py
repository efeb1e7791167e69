"""The page about proofs: its example is the shipped file and falls as the page says."""

import re
from pathlib import Path

import pytest
from turns import case_of, every

from boundcheck.proofs.chain.whole.proof import PROOFS, tree
from boundcheck.proofs.language.files import HERE, load
from boundcheck.proofs.language.steps import RULES
from boundcheck.proofs.search.accepted import load_accepted
from boundcheck.proofs.search.outcomes import outcomes

pytestmark = pytest.mark.xdist_group("proofs")

PAGE = (Path(__file__).parents[3] / "docs" / "proofs.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_example_is_the_shipped_file():
    assert (HERE / "sgd.toml").read_text(encoding="utf-8") == EXAMPLE


@pytest.mark.parametrize(
    ("old", "new", "verdicts"),
    [
        ("eta/2 grad2", "eta/2 grad2", ["proved", "proved", "proved"]),
        case_of(("eta/2 grad2", "eta grad2", ["proved", "refuted", "undecided"]), slow=True),
        ("if eta L <= 1", "if eta L <= 2", ["proved", "refuted", "refuted"]),
        case_of(("fresh-noise : eta^2 L/2; ", "", ["proved", "does not follow", "undecided"]), slow=True),
    ],
)
def test_the_example_does_what_the_page_says(old, new, verdicts, tmp_path):
    """A copy elsewhere finds the textbook facts that are shipped."""
    path = tmp_path / "mine.toml"
    path.write_text(EXAMPLE.replace(old, new), encoding="utf-8")
    assert [one["verdict"] for one in outcomes(path)] == verdicts


def test_every_rule_has_a_row():
    rows = PAGE.partition("## Rules")[2].partition("\n## ")[0]
    assert all(rule.replace("-sum", "") in rows for rule in RULES)


def test_the_counts_of_the_page_are_those_of_the_proof():
    data = tree("momentum-fl.theorem11").data()
    assert f"{data['steps']} claims" in PAGE
    assert {kind: len(names) for kind, names in data["leaves"].items()} == {
        "assumption": 5,
        "fact": 1,
        "method": 5,
        "start": 2,
        "noise": 2,
    }


@pytest.mark.parametrize("number", [11, 15, 19, 22])
def test_the_table_of_the_page_is_that_of_the_proofs(number):
    data = tree(f"momentum-fl.theorem{number}").data()
    names = {"assumption": "assumptions", "fact": "fact", "method": "equations", "start": "starts", "noise": "laws"}
    leaves = ", ".join(f"{len(data['leaves'][kind])} {name}" for kind, name in names.items())
    assert f"| {number} | {data['steps']} | {leaves} |" in PAGE


def test_a_file_uses_shipped_facts_by_name(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('uses = "facts.toml"\n', encoding="utf-8")
    assert {"smooth", "descent-lemma", "lower"} <= set(load(path).setting.leaves)


ROWS = [
    (name, (int(claims), tuple(map(int, leaves.split(", ")))))
    for names, claims, leaves in re.findall(r"^\| (`.*?`) \| (\d+) \| ([\d, ]+) \| \S+ \|$", PAGE, re.MULTILINE)
    for name in re.findall(r"`(.*?)`", names)
]
VARIANTS = ("-alt", "-w", "-s", "-fedavgm", "-fedavg")


def test_every_proof_has_its_row():
    """But for second choices of parameters and special cases, of which the page speaks above."""
    listed = [name for name, _ in ROWS]
    assert len(listed) == len(set(listed)) == 35
    assert {name for name in PROOFS if not name.endswith(VARIANTS)} == {*listed, "example.sgd"}


@pytest.mark.xdist_group("proofs")
@pytest.mark.parametrize(("name", "row"), every(2, ROWS))
def test_a_row_is_that_of_the_proof(name, row):
    data = load_accepted(name).data()
    kinds = ("assumption", "fact", "method", "start", "noise")
    leaves = tuple(len(data["leaves"].get(kind, ())) for kind in kinds)
    assert (data["steps"], leaves) == row
    assert (data["apart_from"], data["weakest"]) == ([], "rule")
