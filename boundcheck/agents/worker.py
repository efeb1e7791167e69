"""``python -m boundcheck.agents.worker``: answers requests, a line of JSON each, one after the other."""

from __future__ import annotations

import json
import os
import sys

from boundcheck.agents.limits import MEGABYTES


def main(*, trust_code: bool = False) -> None:
    """Answer lines on standard input until it ends.

    Whatever computes may print: standard output leads to standard error, and answers go where it led before.
    """
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    # Nothing that computes reads what was meant for the next request.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    _hold_memory()
    # What nearly every request needs, while none waits.
    from boundcheck.agents.tools import call

    for line in requests:
        asked = json.loads(line)
        found = call(asked["tool"], asked["arguments"], trust_code=trust_code)
        out.write(json.dumps(found) + "\n")
        out.flush()


def _hold_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    most = MEGABYTES << 20
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    main(trust_code="--trust-code" in sys.argv[1:])
