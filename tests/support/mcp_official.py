"""An MCP server on the official library: `mcp_official.py [PORT]`. Without a port it talks on its standard streams."""

import os
import sys
from base64 import b64decode
from pathlib import Path

from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

server = MCPServer("official", instructions="Says what it is told.")
_PIXEL = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")


@server.tool(title="Say it again", annotations=ToolAnnotations(read_only_hint=True))
def echo(text: str, times: int = 1) -> str:
    """Says the text, so many times."""
    return " ".join([text] * times)


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def note(path: str, text: str) -> str:
    """Writes a note to a file."""
    Path(path).write_text(text)
    return f"Wrote {len(text)} characters."


@server.tool()
def environment(name: str) -> str:
    """What this server finds in its environment."""
    return os.environ.get(name, "nothing")


@server.tool()
def picture() -> Image:
    """A picture."""
    return Image(data=_PIXEL, format="png")


@server.tool()
def totals(numbers: list[int]) -> dict[str, int]:
    """Their sum and their number."""
    return {"sum": sum(numbers), "count": len(numbers)}


class Wanted(BaseModel):
    """What somebody has to say for a table."""

    guests: int = Field(ge=1, le=20)
    smoking: bool = False


@server.tool()
async def table(ctx: Context) -> str:
    """Asks for what it needs."""
    came = await ctx.elicit("How many will you be?", Wanted)
    return f"{came.action}: {came.data.model_dump_json()}" if came.action == "accept" else came.action


@server.tool()
def fail() -> str:
    """Fails."""
    raise ValueError("it was meant to fail")


@server.resource("notes://first")
def first() -> str:
    """The first note."""
    return "Remember the milk."


@server.prompt()
def greet(name: str) -> str:
    """Greets somebody."""
    return f"Say hello to {name}."


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run()
