"""All pages: code runs, commands parse, links and anchors lead somewhere, and every room of the package has a page."""

import re
import shlex
from pathlib import Path

import pytest
from together import together
from turns import first_of_each

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.cli.app import app, run
from boundcheck.conform import IDENTITIES
from boundcheck.evidence import feasibility
from boundcheck.notation import PAPERS
from boundcheck.problems import certify, load_problem
from boundcheck.proofs import CLAIMS
from boundcheck.report import save_figure, write_report
from boundcheck.sweep.recipes.recipe import ComparedMethod, Recipe, Study

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md"])
TEXT = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py")))


def blocks(page, language="python"):
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT[page], flags=re.DOTALL | re.MULTILINE)


def commands():
    """Yield (page, command) for every command line in a fence or in code within a sentence."""
    for page, text in TEXT.items():
        fences = re.findall(r"^```\w*\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
        lines = "\n".join(fences).replace("\\\n", " ").splitlines()
        prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]
        for line in dict.fromkeys([*lines, *spans]):
            if re.match(r"boundcheck \w", line):
                yield page, tuple(shlex.split(line, comments=True)[1:])


COMMANDS = list(commands())
RUNNABLE = sorted({c for _, c in COMMANDS if c[0] in {"list", "show", "check"} and len(c) > 1 and not c[1].isupper()})


@together(sorted({c for _, c in COMMANDS}))
def test_command_of_a_page_parses(command):
    """The command exists, with these options; a name alone is a mention of the command."""
    if command[0].isupper():
        return
    assert command[0] in app
    if len(command) > 1:
        filled = [*command, "x"] if command[-1] == "--against" else command
        app.parse_args(filled, exit_on_error=False, print_error=False)


def form_of(line):
    """Return the verb of a command, its options, and the paper, kind or object that it is about."""
    verb, about, *words = line.split()
    return verb, about.split(".")[0], *(word for word in words if word.startswith("--"))


SHORT = first_of_each(form_of, [shlex.join(c) for c in RUNNABLE if "--proof" not in c])
PROVING = [
    pytest.param(shlex.join(c), marks=[pytest.mark.xdist_group("proofs"), pytest.mark.slow])
    for c in RUNNABLE
    if "--proof" in c
]


@pytest.mark.parametrize("line", [*SHORT, *PROVING])
def test_command_of_a_page_runs(line, capsys, tmp_path, monkeypatch):
    """What the pages list, show and check is there; `mine.py` and `mine.toml` are the files that `new` writes."""
    monkeypatch.chdir(tmp_path)
    for kind, name in (("theorem", "mine.py"), ("claim", "mine.toml")):
        if name in line:
            assert run(["new", kind, name]) == 0
    assert run(shlex.split(line)) == 0
    assert capsys.readouterr().out


def test_code_of_the_readme_prints_what_it_says(capsys):
    """Each printed line begins with the words of the comment beside it, up to its dots."""
    (block,) = blocks("README.md")
    exec(block, {})
    printed = capsys.readouterr().out.splitlines()
    said = re.findall(r"^print\(.*\)\s+# (.*)$", block, flags=re.MULTILINE)
    assert len(printed) == len(said) == 3
    for line, comment in zip(printed, said, strict=True):
        place = 0
        for part in comment.split("..."):
            place = line.find(part.strip(), place)
            assert place >= 0, (line, comment)


def test_code_of_the_report_page_runs(tmp_path, monkeypatch):
    """The page's calls write a report and two figures, here for a small recipe and two claims of the ledger."""
    recipe = (
        'title = "Small"\nseed = 1\n[[study]]\nid = "a"\ntitle = "A"\nproblem = "ridge-ratio"\nfit = ["T"]\n'
        'bounds = ["momentum-fl.theorem11"]\nparameters = { d = 2, sigma = 0.5 }\n'
        "N = [2, 4]\nK = [1]\nT = [8, 16, 32]\n"
    )
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(recipe, encoding="utf-8")
    namespace = {}
    first, second = blocks("docs/report.md")
    first = first.replace('"overview"), Store', '"small.toml"), Store')
    first = first.replace("prove()", 'prove(["fmgda.lemma5-28", "fedlalr.merge-25-26-printed"])')
    exec(first, namespace)
    exec(second, namespace)
    assert namespace["write_report"] is write_report
    assert namespace["save_figure"] is save_figure
    assert Path("build/overview.pdf").read_bytes().startswith(b"%PDF")
    assert all("<svg" in Path(name).read_text(encoding="utf-8") for name in ("speedup.svg", "by-clients.svg"))


def test_family_of_the_problem_page_is_certified():
    """The class of docs/add-a-problem.md is a problem whose claimed constants stand."""
    (block,) = re.findall(r"^   ```python\n(.*?)^   ```", TEXT["docs/add-a-problem.md"], flags=re.DOTALL | re.MULTILINE)
    code = "\n".join(line[3:] for line in block.splitlines())
    names = {}
    exec(code, names)
    problem = names["Huber"](N=4, zeta=0.5, sigma=0.3)
    assert {"L", "sigma", "zeta", "f_star", "Delta"} <= set(problem.constants)
    assert [row.constant for row in certify(problem) if not row.ok] == []


def test_instance_of_the_problem_page_is_certified(tmp_path, monkeypatch):
    """The page's own file is loaded by its path."""
    monkeypatch.chdir(tmp_path)
    Path("steep.toml").write_text(blocks("docs/add-a-problem.md", "toml")[0], encoding="utf-8")
    exec(blocks("docs/add-a-problem.md")[0], {})
    assert load_problem("steep.toml", N=4).constant("L") == 20.0


def test_names_of_theorems_and_claims_exist():
    """A name in code that begins with a paper and a dot is a bound, a claim, a rate or an identity."""
    name = re.compile(rf"`((?:{'|'.join(PAPERS)})\.[\w.-]*\w)`")
    named = {(found, page) for page, text in TEXT.items() for found in name.findall(text)}
    assert len(named) > 100
    known = {*BOUNDS, *CLAIMS, *RATES, *IDENTITIES}
    assert sorted((found, page) for found, page in named if found not in known) == []


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("fmgda.theorem1-proof", {"mu": 0.25}),
        ("fedglomo.theorem1", {"N": 8, "S": 8}),
        ("momentum-fl.theorem19-proof", {}),
        ("momentum-fl.theorem22-proof", {}),
    ],
)
def test_conditions_that_the_page_on_bounds_calls_empty_are(name, at):
    """Real arithmetic says so for every theorem that the page lists."""
    assert f"`{name}`" in TEXT["docs/bounds.md"].split("Where nothing meets")[1]
    assert feasibility(BOUNDS[name], at=at).feasible is False


def test_every_page_with_code_has_a_test_that_runs_it():
    """A page with Python blocks is named in a test that executes blocks."""
    pages = [page for page in TEXT if blocks(page)]
    assert len(pages) > 10
    assert [page for page in pages if f'{Path(page).name}"' not in TESTS] == []


def test_every_key_of_a_recipe_is_explained():
    """docs/sweep.md names every key of a recipe, a study and a comparison, docs/report.md every shipped recipe."""
    keys = {key for part in (Recipe, Study, ComparedMethod) for key in part.__struct_encode_fields__} - {"study"}
    assert {key for key in keys if f"`{key}`" not in TEXT["docs/sweep.md"]} == set()
    recipes = {path.stem for path in (ROOT / "reports").glob("*.toml")}
    assert {name for name in recipes if f"`{name}`" not in TEXT["docs/report.md"]} == set()


def test_targets_of_make_exist():
    """Every `make` target that a page names is in the Makefile."""
    rules = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    named = {word for text in TEXT.values() for word in re.findall(r"(?:`|^)make ([\w-]+)", text, flags=re.MULTILINE)}
    assert len(named) > 4
    assert named - rules == set()


def heading_anchors(text):
    """Return the anchors of a page: headings in lower case, spaces as hyphens, without marks."""
    heads = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_links_and_anchors_lead_somewhere():
    """A relative link names an existing file, on the pages of methods too, and an anchor one of its headings."""
    for page, text in TEXT.items():
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)]*))?\)", text):
            path = (ROOT / page).parent / target if target else ROOT / page
            assert path.exists(), (page, target)
            if anchor:
                assert anchor in heading_anchors(path.read_text(encoding="utf-8")), (page, target, anchor)


def test_every_room_of_the_package_is_in_the_tour():
    """The table of rooms on docs/index.md names every folder of the package that holds code."""
    rooms = {path.parent.name for path in (ROOT / "boundcheck").glob("*/__init__.py")}
    assert {room for room in rooms if f"`boundcheck/{room}/`" not in TEXT["docs/index.md"]} == set()


def test_pages_speak_of_all_papers():
    """No page counts the papers as fewer than there are."""
    assert [page for page, text in TEXT.items() if re.search(r"\b(three|four) papers\b", text)] == []


@pytest.mark.derived
def test_every_command_has_a_row_on_its_page():
    """docs/cli.md lists each command that --help lists."""
    from boundcheck.cli.app import app

    names = {name for name in app if not name.startswith("-")}
    rows = set(re.findall(r"^\| `(\w+)", TEXT["docs/cli.md"], flags=re.MULTILINE))
    assert "check" in names
    assert names - rows == set()
