"""Call the command line in this process."""

import json

from boundcheck.cli.app import run


def no_constant(text):
    """Refuse NaN and Infinity, which JSON does not have."""
    raise AssertionError(text)


def called(capsys, *arguments):
    """Return exit code, standard output and standard error of a command."""
    capsys.readouterr()
    code = run([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def parsed(capsys, *arguments, code=0):
    """Return the JSON that a command prints with --json, parsed strictly: its results, or of one record its keys."""
    found, out, err = called(capsys, *arguments, "--json")
    assert found == code, err
    data = json.loads(out, parse_constant=no_constant)
    assert data["schema"] == f"boundcheck/{arguments[0]}/1"
    own = {key: value for key, value in data.items() if key not in {"schema", "results"}}
    return own or data["results"]
