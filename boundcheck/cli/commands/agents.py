"""The command `mcp`: the tools for programs, by the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from boundcheck.cli.terminal.options import TrustCode

Trusted = Annotated[TrustCode, Parameter(help="Run the code that a request names: file.py:NAME.")]


def mcp(*, trust_code: Trusted = False, seconds: float = 60.0) -> None:
    """Serve programs that read proofs, by the Model Context Protocol on standard input and output.

    Needs the extra `mcp`.  Tools: decide, check, refute, review, worst, conform, explain, schema.  Every answer says
    what was not asked.  No code is run that a request names, unless this is started with --trust-code.

    Parameters
    ----------
    seconds
        Most time of one request.
    """
    from boundcheck.agents.server import server
    from boundcheck.errors import require

    require(1 <= seconds <= 3600, "--seconds", seconds, "a number in [1, 3600]")
    server(trust_code=trust_code, seconds=seconds).run("stdio")
