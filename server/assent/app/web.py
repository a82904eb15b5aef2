"""What reaches places in the network: its tools, and what they share."""

from assent.agent.ports import Tool
from assent.tools.web_fetch import WebFetch
from assent.web.visit import Visitor


class Web:
    """The tools for pages."""

    def __init__(self) -> None:
        self._visitor = Visitor()

    def tools(self) -> list[Tool]:
        """Those of every chat."""
        return [WebFetch(self._visitor)]
