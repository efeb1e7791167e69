"""The Model Context Protocol on standard input and output, by the official SDK (extra `mcp`)."""

from __future__ import annotations

import contextlib
import inspect
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from boundcheck.agents import descriptions, instructions, section
from boundcheck.agents.bounded import BoundedTools
from boundcheck.agents.limits import SECONDS
from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context


def server(*, trust_code: bool = False, seconds: float = SECONDS) -> MCPServer[Any]:
    """Return the server, with its tools, its prompt and its resources; `run("stdio")` serves.

    Parameters
    ----------
    trust_code : bool
        Whether requests may name code (``file.py:NAME``), which is then run.
    seconds : float
        Most time of one request.

    Raises
    ------
    NotApplicableError
        If the extra `mcp` is not installed.
    """
    try:
        import anyio.to_thread
        from mcp.server import MCPServer
        from mcp.server.mcpserver.prompts import Prompt
        from mcp.server.mcpserver.resources import TextResource
        from mcp.types import CallToolResult, TextContent
    except ImportError as error:
        msg = f"boundcheck mcp needs the extra mcp: pip install 'boundcheck[mcp]' ({error})"
        raise NotApplicableError(msg) from None
    from boundcheck.agents.tools import TOOLS
    from boundcheck.version import __version__

    bounded = BoundedTools(seconds=seconds, trust_code=trust_code)

    @contextlib.asynccontextmanager
    async def serving(_: MCPServer[Any]) -> AsyncIterator[None]:
        bounded.start()
        try:
            yield
        finally:
            bounded.close()

    words = descriptions()
    about: dict[str, Any] = {"instructions": words["server"], "version": __version__}

    class BoundedServer(MCPServer[Any]):  # type: ignore[misc]
        """Answers every request for a tool with data of one shape, errors too.

        The SDK would drop arguments that a tool does not have, and answer those of another type in its own shape.
        """

        async def call_tool(
            self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
        ) -> CallToolResult:
            del context
            found = await anyio.to_thread.run_sync(partial(bounded.call, name, arguments), abandon_on_cancel=True)
            text = TextContent(type="text", text=json.dumps(found, indent=1))
            return CallToolResult(content=[text], structured_content=found, is_error="error" in found)

    # Standard output is the protocol's, and what is logged would only stand between errors.
    made = BoundedServer("boundcheck", lifespan=serving, log_level="WARNING", **about)
    for name, function in TOOLS.items():
        _add_tool(made, name, function, words[name])
    language = f"{section('The language of a statement')}\n\n{section('The language of a proof')}"
    for address, title, text in (
        ("boundcheck://instructions", "From a lemma to a claim that is decided", instructions()),
        ("boundcheck://claims", "The language of claims", language),
    ):
        made.add_resource(TextResource(uri=address, name=title, mime_type="text/markdown", text=text))
    made.add_prompt(Prompt.from_function(lemma, title="Decide a lemma"))
    return made


def lemma(text: str) -> str:
    """Take a lemma from its text to a verdict."""
    return f"{instructions()}\n\n## The lemma\n\n{text}\n\nTake it to a verdict, and report as step 7 says."


def _add_tool(to: MCPServer[Any], name: str, function: Callable[..., Any], words: dict[str, str]) -> None:
    """Add a tool, of which the SDK reads the input from a signature."""
    from mcp.types import CallToolResult, ToolAnnotations

    def tool(**arguments: Any) -> CallToolResult:
        raise NotImplementedError(arguments)  # `BoundedServer.call_tool` answers.

    # Whether code is trusted is no matter of a request's.
    asked = [p for p in inspect.signature(function, eval_str=True).parameters.values() if p.name != "trust_code"]
    keywords = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in asked]
    tool.__signature__ = inspect.Signature(keywords, return_annotation=CallToolResult)  # type: ignore[attr-defined]
    hints = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    description = f"{inspect.getdoc(function)} {words['text']}"
    to.add_tool(tool, name=name, title=words["title"], description=description, annotations=hints)
