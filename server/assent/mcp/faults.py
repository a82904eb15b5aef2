"""What can go wrong with an MCP server, told so that a person knows what to do."""

from assent.model.errors import AssentError


class McpFault(AssentError):
    """A request to a server came to nothing."""

    code = "mcp_failed"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class McpRefused(McpFault):
    """It answered that it will not, or cannot."""


class McpSilent(McpFault):
    """It did not answer in time. It may still do what it was asked for."""

    code = "mcp_timeout"


class McpUnclear(McpFault):
    """What it answered is no answer. It may have done what it was asked for."""


class McpGone(McpFault):
    """It could not be reached, or has ended, and answers nothing any more."""

    code = "mcp_gone"
