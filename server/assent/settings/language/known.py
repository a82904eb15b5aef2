"""What there is to be named in settings, as far as an editor offers and explains it."""

from collections.abc import Mapping
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.model.modes import Category
from assent.model.nodes import FLOW_TOOL, MCP_TOOL, NODE_TOOL
from assent.policy.rules.rule import SHELL_TOOL, WEB_TOOL


@dataclass(frozen=True, slots=True)
class KnownTool:
    """One tool."""

    name: str
    category: Category
    about: str = ""
    """What a model is told that it does."""


@dataclass(frozen=True, slots=True)
class KnownAgent:
    """One agent, and whether it runs without asking now."""

    name: str
    bypassing: bool
    why: str
    """What decides that."""


@dataclass(frozen=True, slots=True)
class Known:
    """All of it."""

    tools: Mapping[str, KnownTool] = field(default_factory=dict)
    agents: Mapping[str, KnownAgent] = field(default_factory=dict)
    servers: tuple[str, ...] = ()
    """MCP servers."""
    editor_describes: bool = False
    """The editor knows by itself which settings there are, what they mean and which words they take."""


def example_patterns(tool: str, servers: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Patterns that show what can be said about this tool, the narrowest first."""
    if tool == SHELL_TOOL:
        return ("git status", "git log:*", "npm test:*", "rm:*", "*")
    if tool == WEB_TOOL:
        return ("example.org", "*.example.org", "https://example.org/docs/*", "localhost:3000", "*")
    if tool == MCP_TOOL:
        return (*(f"{server}:*" for server in servers), *(f"{server}:delete_*" for server in servers), "*")
    if tool == NODE_TOOL:
        return (*(f"mcp.{server}.*" for server in servers), "command.*", "*")
    if tool == FLOW_TOOL:
        return ("*",)
    return ("README.md", "docs/**", "src/*.py", "infra/", "~/notes/**", "*")


def touches_something(tool: KnownTool) -> bool:
    """Whether its rules can speak of anything but all of its calls."""
    return tool.category is not Category.INTERNAL
