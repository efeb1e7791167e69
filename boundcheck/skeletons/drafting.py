"""A theorem's file from a printed line: what the line says is filled in, what it does not say is asked."""

from __future__ import annotations

from pathlib import Path

import sympy as sp
from sympy.printing.str import StrPrinter

from boundcheck.errors import require
from boundcheck.files.atomic import write_whole
from boundcheck.files.plain import text_of_file
from boundcheck.notation import LETTERS, NUMBER
from boundcheck.skeletons.latex import LatexStatement, read_statement

_SETTINGS = {"N", "S", "K", "T", "b", "d"}
_PRESCRIBED = {"eta": "1 / L", "gamma": "Integer(1)", "beta": "Integer(1) / 10", "delta_fail": "Rational(1, 20)"}
"""What stands for a step until the reader says what the theorem prescribes."""
_TRIVIAL = {
    "suboptimality": ("L * delta_x / 2", ("L", "delta_x")),
    "distance": ("delta_x", ("delta_x",)),
    "gradient_norm": ("sqrt(2 * L * Delta)", ("L", "Delta")),
    "gradient_size": ("sqrt(2 * d * L * Delta)", ("L", "Delta", "d")),
    "gradient": ("2 * L * Delta", ("L", "Delta")),
}
"""What holds at the start without a theorem, by the kind of the left-hand side."""
_NOISE = {"sigma", "G_rms", "G_inf", "G_norm"}
_SIGNS = {"<=": "Le", ">=": "Ge", "<": "Lt", ">": "Gt", "==": "Eq"}


class _SourcePrinter(StrPrinter):  # type: ignore[misc]
    """Prints an expression as Python that gives the same: whole numbers stay exact."""

    def _print_Rational(self, expr: sp.Rational) -> str:
        return f"Rational({expr.p}, {expr.q})"

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:  # noqa: FBT001, FBT002
        if expr.exp.is_Rational and not expr.exp.is_Integer and abs(expr.exp) != sp.Rational(1, 2):
            return f"({self._print(expr.base)})**Rational({expr.exp.p}, {expr.exp.q})"
        return str(super()._print_Pow(expr, rational))


def source(expression: sp.Expr) -> str:
    """Return an expression as Python source in names of letters."""
    text = str(_SourcePrinter().doprint(expression))
    return f"Integer({text})" if expression.is_Integer else text


def write_draft(file: Path, latex: str) -> LatexStatement:
    r"""Write the file of a theorem that begins from a printed line, and return what was read.

    Parameters
    ----------
    file : Path
        A path ending in .py that does not exist yet.
    latex : str
        ``LHS \le RHS``, or the path of a .tex file.

    Raises
    ------
    InputError
        If the file exists or has another ending, there is no such .tex file, or `read_statement` refuses it.
    """
    require(file.suffix == ".py", "file", str(file), "a path ending in .py")
    require(not file.exists(), "file", str(file), "a file that does not exist yet")
    source = Path(latex) if latex.strip().endswith(".tex") else None
    require(source is None or source.is_file(), "latex", latex, r"LHS \le RHS, or a .tex file that exists")
    printed = latex if source is None else text_of_file(source)
    statement = read_statement(printed)
    write_whole(file, draft(statement, printed).replace("FILE", str(file)))
    return statement


def draft(statement: LatexStatement, printed: str) -> str:
    """Return the text of a file that holds the theorem of a printed line.

    Letters that the notation does not have are declared as plain numbers; a comment asks what each of them is.

    Parameters
    ----------
    statement : LatexStatement
    printed : str
        The line as it was given, which the file repeats.
    """
    metric = statement.metric or "server_gradient"
    trivial, more = next((found for word, found in _TRIVIAL.items() if word in metric), _TRIVIAL["gradient"])
    letters = [name for name in statement.letters if name not in statement.unknown]
    chance = [statement.failure] if statement.failure else []
    steps = [name for name in letters if name in _PRESCRIBED and name not in chance] or ["eta"]
    parameters = [*steps, *chance]
    constants = [name for name in dict.fromkeys((*letters, *more, "L")) if name not in {*_SETTINGS, *parameters}]
    names = dict.fromkeys(("N", "S", "K", "T", "L", *letters, *constants, *more, *parameters))
    conditions = [
        f'Condition("as printed {i + 1}", {_SIGNS[sign]}({source(left)}, {source(right)})),'
        for i, (left, sign, right) in enumerate(statement.conditions)
    ]
    return _FILE.format(
        printed="\n".join(f"    {line}" for line in printed.replace('"""', "").strip().splitlines()),
        letters=", ".join(names),
        spelled=" ".join(names),
        declared="".join(_declare(name) for name in statement.unknown),
        imports=", ".join(sorted(_functions(statement, [*conditions, trivial], parameters))),
        metric=metric,
        asked="" if statement.metric else "  # ASK: the left-hand side is none that is known; which metric is it?",
        needs=", ".join(f'"{name}"' for name in constants) + ("," if len(constants) == 1 else ""),
        parameters=", ".join(f'"{name}": {_PRESCRIBED[name]}' for name in parameters),
        free=", ".join(f'"{name}"' for name in parameters) + ",",
        terms="\n".join(f'        "{name}": {source(e)},' for name, e in statement.terms),
        trivial=trivial,
        kind=statement.kind,
        conditions="".join(f"        {line}\n" for line in conditions),
        failure=f'\n    failure="{statement.failure}",' if statement.failure else "",
        assumed="".join(f"\n    {flag}=True,  # ASK: {why}" for flag, why in _assumptions_of(statement).items()),
        notation="declare, symbols" if statement.unknown else "symbols",
    )


def _assumptions_of(statement: LatexStatement) -> dict[str, str]:
    """Return what a theorem is taken to assume, as its line does not say it, and why."""
    exact = {} if _NOISE & set(statement.letters) else {"exact_gradients": "it has no letter of noise"}
    about_points = "delta_x" in statement.letters or "optimality" in statement.metric or "distance" in statement.metric
    return exact | ({"convex": "it is about the distance to a minimiser, or about values"} if about_points else {})


def _declare(name: str) -> str:
    return f'{name} = declare("{name}", "ASK: what it is", {NUMBER})  # ASK: unit\n'


def _functions(statement: LatexStatement, others: list[str], parameters: list[str]) -> set[str]:
    """Return what the file imports of sympy, for its terms, other formulas as they are written, and parameters."""
    written = [source(e) for _, e in statement.terms] + others + [_PRESCRIBED[name] for name in parameters]
    known = ("Rational", "Integer", "sqrt", "exp", "log", "Min", "Max", "pi", "Lt", "Gt", "Ge")
    return {"Eq", "Le"} | {name for name in known if any(f"{name}(" in text or text == name for text in written)}


def about_letters(statement: LatexStatement) -> list[str]:
    """Return what a reader has to say, a line each."""
    lines = [f"{name}: not a letter of the notation; say what it is, and its unit" for name in statement.unknown]
    lines += [] if statement.metric else [f"left-hand side {' '.join(statement.left.split())}: choose the metric"]
    lines += [f"taken: {printed} of the line is {letter}" for printed, letter in statement.renamed]
    lines += [f"taken: {flag} = True, because {why}" for flag, why in _assumptions_of(statement).items()]
    known = [f"{name}: {LETTERS[name].meaning}" for name in statement.letters if name in LETTERS]
    return lines + [f"taken as the notation has it -- {line}" for line in known]


_FILE = '''r"""A theorem begun from a printed line; what the line does not say is marked ASK.

{printed}

Try it: boundcheck review FILE:THEOREM
"""

from sympy import {imports}

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import {notation}

{letters} = symbols("{spelled}")
{declared}
THEOREM = Bound(
    id="theorem",
    paper="mine",
    title="ASK: what it says, in a few words",
    where="ASK: theorem and page",
    # ASK: a registered method, file.py:NAME, or the name of a class in this file.
    method="fedavg",
    metric="{metric}",{asked}
    needs=({needs}),
    # ASK: what the theorem prescribes; it leaves to the user what stands in `free`.
    parameters={{{parameters}}},
    free=({free}),
    terms={{
{terms}
    }},
    trivial={trivial},
    kind="{kind}",
    conditions=(
        # ASK: its conditions; these two are of plain SGD.
        Condition("one local step", Eq(K, 1)),
        Condition("full participation", Le(N, S)),
{conditions}    ),{failure}{assumed}
)
'''
