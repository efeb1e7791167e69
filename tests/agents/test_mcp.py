"""A program that reviews: the SDK's own client takes lemmas from their text to a verdict, over stdio."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from importlib.util import find_spec

import pytest

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="the extra mcp is not installed")

COMMAND = [sys.executable, "-P", "-m", "boundcheck", "mcp"]
PATH = os.pathsep.join(path for path in sys.path if path)


def with_server(talk, folder, *options):
    """Run a conversation with a fresh server in a folder."""
    import mcp

    async def run():
        server = mcp.StdioServerParameters(
            command=COMMAND[0], args=[*COMMAND[1:], *options], cwd=folder, env={"PYTHONPATH": PATH}
        )
        async with mcp.Client(server, read_timeout_seconds=60) as client:
            return await talk(client)

    return asyncio.run(run())


async def ask(client, tool, **arguments):
    """Return the answer of a tool, which the client sees as an error exactly if it is one."""
    found = await client.call_tool(tool, arguments)
    assert found.is_error == ("error" in found.structured_content)
    return found.structured_content


TEXT = r"Lemma 3. Let $\gamma L \le \beta/5$ and $\beta \le 1$. Then $4(\gamma L)^2/\beta + \beta/9 \le 2\beta/9$."
"""A false lemma: at the cap the first term is 4 beta/25 > beta/9."""


def test_a_program_reviews(tmp_path):
    """A false lemma and its repair, errors that are mended from their messages, a review, and code that is refused."""
    (tmp_path / "mine.py").write_text("open('RAN', 'w')\nTHEOREM = None\n", encoding="utf-8")

    async def talk(client):
        assert {tool.name for tool in (await client.list_tools()).tools} >= {"decide", "review", "schema"}
        prompt = await client.get_prompt("lemma", {"text": TEXT})
        assert TEXT in prompt.messages[0].content.text
        read = await client.read_resource("boundcheck://instructions")
        assert "The ten commonest errors" in read.contents[0].text

        # Names that a tool does not have, or lacks, are the server's to name: the SDK drops the first.
        found = await ask(client, "decide", statement="a <= b")
        assert "argument = 'statement' is not legal: shows, " in found["error"]["message"]
        found = await ask(client, "explain")
        assert "word = 'nothing' is not legal" in found["error"]["message"]

        # As a program would begin: the sign of the paper's line, two relations in one hypothesis.
        asked = {
            "shows": "4*gl^2/beta + beta/9 ≤ 2*beta/9",
            "given": "0 <= gl <= beta/5; beta <= 1",
            "letters": "gl > 0",
        }
        found = await ask(client, "decide", **asked)
        assert "character = '≤ (U+2264" in found["error"]["message"]
        assert "semicolons between them" in found["error"]["grammar"]
        asked["shows"] = asked["shows"].replace("≤", "<=")
        found = await ask(client, "decide", **asked)
        wrong = re.match(r"line = '(.*?)' is not legal", found["error"]["message"])
        asked["given"] = asked["given"].replace(wrong[1], "gl <= beta/5")
        found = await ask(client, "decide", **asked)
        (false,) = found["results"]
        assert false["verdict"] == "refuted"
        beta, gl = (eval(false["witness"][name]) for name in ("beta", "gl"))
        assert gl <= beta / 5
        assert beta <= 1
        assert 4 * gl**2 / beta + beta / 9 > 2 * beta / 9
        found = await ask(client, "decide", **{**asked, "given": "gl <= beta/6; beta <= 1"})
        assert found["results"][0]["verdict"] == "proved"
        assert found["not_asked"]
        assert found["limits"]["code"] == "refused"

        found = await ask(client, "review", bound="field.gd-convex", work=2_000)
        assert found["results"][0]["verdict"] == "holds"
        assert any("no search proves a theorem" in line for line in found["not_asked"])

        found = await ask(client, "check", bound="mine.py:THEOREM", problem="common", N=2, K=1, T=4)
        assert found["error"]["kind"] == "code refused"
        assert "--trust-code" in found["error"]["message"]

    with_server(talk, tmp_path)
    assert not (tmp_path / "RAN").exists()


@pytest.mark.slow
def test_a_server_that_trusts_code_runs_it(tmp_path):
    """The control: the same request runs the file."""
    text = "open('RAN', 'w').close()\nfrom boundcheck.bounds import BOUNDS\nTHEOREM = BOUNDS['momentum-fl.theorem11']\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")

    async def talk(client):
        found = await ask(client, "check", bound="mine.py:THEOREM", problem="common", N=2, K=1, T=4)
        assert found["limits"]["code"] == "trusted"

    with_server(talk, tmp_path, "--trust-code")
    assert (tmp_path / "RAN").exists()


@pytest.mark.slow
def test_a_signal_ends_the_server_and_its_process(tmp_path):
    """SIGTERM: no traceback, and nothing stays behind."""
    environment = {**os.environ, "PYTHONPATH": PATH}
    process = subprocess.Popen(
        COMMAND,
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()
    assert '"serverInfo"' in process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 143
    assert "Traceback" not in said


def test_without_the_extra_the_command_says_so(capsys, monkeypatch):
    """One line that names the extra, and exit code 2."""
    from boundcheck.cli.app import run

    monkeypatch.setitem(sys.modules, "mcp.server", None)
    assert run(["mcp"]) == 2
    assert "pip install 'boundcheck[mcp]'" in capsys.readouterr().err
