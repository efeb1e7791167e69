"""The application object, and what becomes of an error: one line on standard error and an exit code."""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from cyclopts import (
    App,
    CycloptsError,
    Group,
    MissingArgumentError,
    Parameter,
    UnknownOptionError,
    UnusedCliTokensError,
)

from boundcheck.cli.blame import locate_names, place_of, references_in
from boundcheck.cli.commands import (
    agents,
    certify,
    check,
    compare,
    conformance,
    draw,
    look,
    lookup,
    new,
    prove,
    rate,
    refute,
    report,
    review,
    satisfies,
    sharpen,
    simulate,
    steps,
    survey,
    sweep,
    table,
    verify,
    worst,
)
from boundcheck.cli.terminal import signals
from boundcheck.cli.terminal.options import option_name
from boundcheck.cli.terminal.output import begin_answer, print_failure
from boundcheck.cli.terminal.progress import waiting
from boundcheck.errors import BoundcheckError, LostWorkerError
from boundcheck.files.display import one_line
from boundcheck.files.own import noting_names
from boundcheck.verdicts.codes import BAD_INPUT, CODES, INTERNAL, LOST
from boundcheck.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


_TRACE = "BOUNDCHECK_TRACEBACK"
"""Environment variable that shows errors as Python does."""


app = App(
    name="boundcheck",
    help="Decide whether a convergence theorem holds, how loose it is and whether its proof is sound.",
    version=__version__,
    default_parameter=Parameter(name_transform=option_name, json_list=False),
    suppress_keyboard_interrupt=False,
    help_epilogue=f"Exit codes: {', '.join(f'{code} {said}' for code, said in CODES.items())}, "
    "129, 130, 143 on a signal.",
)
GROUPS: dict[str, tuple[tuple[Callable[..., Any], str], ...]] = {
    "Theorems": (
        (review.review, "review momentum-fl.theorem11"),
        (check.check, "check momentum-fl.theorem11 common --N 2 --K 1 --T 512"),
        (refute.refute, "refute momentum-fl.theorem15-printed --budget 60"),
        (survey.bounds, "bounds momentum-fl.theorem11 fedlalr.corollary2"),
        (steps.steps, "steps momentum-fl.theorem11 common --N 2 --K 2 --T 40"),
        (draw.plot, "plot momentum-fl.theorem11 common --N 2 --K 1 --T 2000 -o check.png"),
        (rate.rate, "rate momentum-fl"),
        (table.table, "table fmgda.table1 --along sigma"),
        (lookup.findings, "findings momentum-fl-e1 --script shows.py"),
        (lookup.explain, "explain vacuous"),
    ),
    "Methods and problems": (
        (look.list_, "list problems --needs L,mu"),
        (look.show, "show fedavg-m"),
        (simulate.run, "run ridge-ratio fedavg --set eta=0.1 --N 8 --K 4 --T 1000"),
        (compare.compare, "compare common --N 2 --K 2 --T 40"),
        (certify.certify, "certify ridge-ratio"),
        (satisfies.satisfies, "satisfies ridge-ratio fedlalr"),
        (conformance.conform, "conform --against mine.py:my_code --method fedavg"),
    ),
    "Proofs": (
        (prove.prove, "prove fmgda.lemma3-split"),
        (verify.verify, "verify fedavg.json"),
    ),
    "Worst cases": (
        (worst.worst, "worst fedavg --set eta=0.5 --K 1 --T 1 2 3"),
        (worst.tightness, "tightness momentum-fl.theorem11"),
        (sharpen.sharpen, "sharpen fedavg --set eta=0.25 --K 2 --T 10"),
    ),
    "Reports": (
        (report.report, "report overview -o overview.pdf"),
        (sweep.sweep, "sweep complexity --dry-run"),
    ),
    "Your own": (
        (new.new, "new theorem mine.py"),
        (agents.mcp, "mcp"),
    ),
}
"""Commands as `--help` lists them, each with an example."""
BEFORE = {
    "conform": "new adapter mine.py",
    "verify": "sharpen fedavg --all-K --sigma 1 --zeta 1 --certificate fedavg.json",
}
"""What writes the file of an example, by command."""
for place, (title, commands) in enumerate(GROUPS.items()):
    group = Group(title, help=f"boundcheck {commands[0][1]}", sort_key=place)
    for command, example in commands:
        # A command's own page ends with its example; the exit codes are on the page of all.
        name = command.__name__.rstrip("_")
        after = f"\n\nafter boundcheck {BEFORE[name]}" if name in BEFORE else ""
        app.command(command, name=name, group=group, help_epilogue=f"Example: boundcheck {example}{after}")
_SELF = Group("This program", sort_key=len(GROUPS))
app["--help"].group = app["--version"].group = _SELF
app.register_install_completion_command(
    group=_SELF, help="Install completion of commands, options and names for your shell."
)
_NAMES = {name for name in app if not name.startswith("-")}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    signals.listen()
    # What a terminal cannot show is a question mark, not an error; marks never stand alone.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; an error is one line on standard error."""
    with noting_names():
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    words = sys.argv[1:] if arguments is None else list(arguments)
    begin_answer(next((word for word in words if word in _NAMES), ""))
    try:
        with waiting(_named_command(arguments)):
            result = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except KeyboardInterrupt as error:
        return signals.report_interrupt(error)
    except BrokenPipeError:
        # The reader of our output went away: point stdout at nothing so that Python's own flush stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Exception, SystemExit) as error:
        if os.environ.get(_TRACE) or (
            isinstance(error, SystemExit) and place_of(error, references_in(arguments)) is None
        ):
            raise
        code, message = describe_error(error, arguments)
        message = one_line(message)
        if "--json" in words:
            print_failure(code, message)
        print(f"boundcheck: {message}", file=sys.stderr)
        return code
    return result if isinstance(result, int) else 0


def _named_command(arguments: Sequence[str] | None) -> str:
    """Return the name of the command that is run, as far as the words have one."""
    words = sys.argv[1:] if arguments is None else arguments
    return next((word for word in words if not word.startswith("-")), "boundcheck")


def describe_error(error: BaseException, arguments: Sequence[str] | None = None) -> tuple[int, str]:
    """Return the exit code and the words of an error: 2 for the user's, 4 for a lost process, 3 for ours.

    Parameters
    ----------
    error : BaseException
    arguments : sequence of str, optional
        The words of the command; by default those of the process.
    """
    if isinstance(error, UnusedCliTokensError):
        extra = ", ".join(error.unused_tokens or ())
        return BAD_INPUT, f"too many arguments: {extra}; an option that takes several values is repeated before each"
    if isinstance(error, MissingArgumentError):
        return BAD_INPUT, _of_missing(error)
    if isinstance(error, UnknownOptionError) and error.command_chain:
        return BAD_INPUT, _of_unknown(error)
    if isinstance(error, LostWorkerError):
        return LOST, f"{error}; finished cells are kept"
    place = place_of(error, own := references_in(arguments))
    if isinstance(error, (BoundcheckError, CycloptsError)):
        said = place is None or f"line {place.line}" in str(error)
        return BAD_INPUT, str(error) if said else f"{error} ({place})"
    words = f"{type(error).__name__}: {error}"
    if place is not None:
        return BAD_INPUT, f"{place}: {words}"
    if isinstance(error, MemoryError):
        return BAD_INPUT, f"not enough memory: {str(error) or 'take fewer clients, replicates or dimensions'}"
    if isinstance(error, OSError):
        return BAD_INPUT, _of_system(error)
    if own:
        return BAD_INPUT, f"{locate_names(own)}: cannot be used as it is: {words} ({_TRACE}=1 shows where)"
    return INTERNAL, f"internal error, please report it: {words} ({_TRACE}=1 shows where)"


def _of_missing(error: MissingArgumentError) -> str:
    """Return which argument is missing, what it is, and where it stands."""
    assert error.argument is not None
    name, command = error.argument.name, " ".join(error.command_chain or ())
    known = app[command].assemble_argument_collection(parse_docstring=True)
    field = error.argument.field_info.name
    words = next((one.parameter.help for one in known if one.field_info.name == field), None) or ""
    about = re.split(r";|\.(?: |$)", " ".join(words.split()))[0]
    said = f": {about}" if about else ""
    asked = f"; {_help_of(command)}"
    if error.keyword is not None:
        return f"{command}: {error.keyword} has no value{said}{asked}"
    return f"{command}: {name} is missing{said}{asked}"


def _of_unknown(error: UnknownOptionError) -> str:
    """Return which option a command does not have, one that is spelt like it, and those that it has."""
    command, given = " ".join(error.command_chain or ()), error.token.keyword or error.token.value or ""
    known = [name for one in error.argument_collection if one.parse for name in one.names if name.startswith("-")]
    near = get_close_matches(given.partition("=")[0], [*known, "--help"], n=1, cutoff=_ALIKE)
    meant = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)};"
    return f"{command}: unknown option {given}; {meant} {_help_of(command)}"


_ALIKE = 0.7
"""How much two options are alike, of 1, from which on one may be meant for the other."""


def _help_of(command: str) -> str:
    """Return where a command says what it takes."""
    return f"boundcheck {command} --help lists what it takes"


def _of_system(error: OSError) -> str:
    """Return what the system refuses, and where: a file, or what has no name."""
    if error.strerror is None:
        return str(error)
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    try:
        os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        return "the current folder was deleted: change to one that exists"
    return f"standard output: {error.strerror}" if error.errno in {errno.ENOSPC, errno.EIO, errno.EBADF} else str(error)
