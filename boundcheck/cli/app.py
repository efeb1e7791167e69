"""The application object and its exit codes: 0 done, 1 a verdict that the user asked to fail on, 2 bad input."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError

import boundcheck
from boundcheck.cli import certify, check, conformance, look, prove, report, simulate, survey, sweep
from boundcheck.errors import BoundcheckError

if TYPE_CHECKING:
    from collections.abc import Sequence


def option_name(parameter: str) -> str:
    """Return the option of a parameter: the letters of the notation keep their case."""
    return parameter.strip("_").replace("_", "-")


app = App(
    name="boundcheck",
    help="Decide whether a convergence theorem holds, how loose it is and whether its proof is sound.",
    version=boundcheck.__version__,
    default_parameter=Parameter(name_transform=option_name),
    suppress_keyboard_interrupt=False,
    help_epilogue="Exit codes: 0 done, 1 a verdict named by --fail-on occurred, 2 bad input.",
)
for command in (
    look.list_,
    look.show,
    certify.certify,
    simulate.run,
    check.check,
    survey.bounds,
    prove.prove,
    conformance.conform,
    sweep.sweep,
    report.report,
):
    app.command(command, name=command.__name__.rstrip("_"))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; an error is one line on standard error."""
    try:
        result = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except UnusedCliTokensError as error:
        extra = ", ".join(error.unused_tokens or ())
        return _failed(f"too many arguments: {extra}; an option that takes several values is repeated before each")
    except CycloptsError as error:
        return _failed(" ".join(str(error).split()))
    except BoundcheckError as error:
        return _failed(" ".join(str(error).split()))
    except BrokenPipeError:
        # The reader of our output went away: point stdout at nothing so that Python's own flush stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        named = error.strerror is not None and error.filename is not None
        return _failed(f"{error.filename}: {error.strerror}" if named else " ".join(str(error).split()))
    except KeyboardInterrupt:
        print("interrupted; finished cells are kept", file=sys.stderr)
        return 130
    return result if isinstance(result, int) else 0


def _failed(message: str) -> int:
    print(f"boundcheck: {message}", file=sys.stderr)
    return 2
