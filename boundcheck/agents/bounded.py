"""Bounded work: tools run in a process of their own, which ends when a request has used up its time."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from boundcheck.agents.limits import CHARACTERS, MEGABYTES, SECONDS
from boundcheck.api.answer import failure

if TYPE_CHECKING:
    from collections.abc import Mapping


class BoundedTools:
    """Answers requests one after the other, each within a number of seconds.

    Parameters
    ----------
    seconds : float
        Most time of one request; what runs then is ended, and the next request finds a fresh process.
    trust_code : bool
        Whether names of code are followed.
    """

    def __init__(self, *, seconds: float = SECONDS, trust_code: bool = False) -> None:
        self.seconds, self.trust_code = seconds, trust_code
        self._process: subprocess.Popen[str] | None = None
        self._turn = threading.Lock()

    @property
    def limits(self) -> dict[str, Any]:
        """What every answer says of the work that was allowed."""
        code = "trusted" if self.trust_code else "refused"
        return {"seconds": self.seconds, "megabytes": MEGABYTES, "characters": CHARACTERS, "code": code}

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer of a tool, or why there is none; never raises for what a request does."""
        line = json.dumps({"tool": tool, "arguments": dict(arguments)})
        if len(line) > CHARACTERS:
            message = f"request = {len(line)} characters is not legal: at most {CHARACTERS}"
            return failure(tool, 2, message, kind="limit") | {"limits": self.limits}
        began = time.monotonic()
        with self._turn:
            found = self._ask(line)
        if found is None:
            late = time.monotonic() - began >= self.seconds
            words = (
                f"stopped after {self.seconds:g} seconds, the server's limit: ask for less work or fewer rounds"
                if late
                else f"the process ended without an answer, for want of memory ({MEGABYTES} MB) perhaps: ask for less"
            )
            found = failure(tool, 2 if late else 4, f"{tool}: {words}", kind="limit")
        return found | {"limits": self.limits}

    def _ask(self, line: str) -> dict[str, Any] | None:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(self.seconds, _end, [process])
        timer.start()
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            reply = process.stdout.readline()
        except BrokenPipeError:
            reply = ""
        finally:
            timer.cancel()
        if not reply.endswith("\n"):
            self.close()
            return None
        found: dict[str, Any] = json.loads(reply)
        return found

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            # -P: nothing in the current folder runs in the place of a library.
            command = [
                sys.executable,
                "-P",
                "-m",
                "boundcheck.agents.worker",
                *(["--trust-code"] if self.trust_code else []),
            ]
            pipes: dict[str, Any] = {
                "stdin": subprocess.PIPE,
                "stdout": subprocess.PIPE,
                "text": True,
                "encoding": "utf-8",
            }
            self._process = subprocess.Popen(command, start_new_session=True, **pipes)
        return self._process

    def start(self) -> None:
        """Start the process, so that it has imported what it needs when the first request comes."""
        with self._turn:
            self._running()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            _end(self._process)
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self._process = None


def _end(process: subprocess.Popen[str]) -> None:
    """End a process and those that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
