"""What reaches places in the network: its tools, and who does their work by what the settings say at that moment."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from assent.agent.ports import Tool
from assent.app.keys import KeyPlace, Keys
from assent.jsontext import canonical_json
from assent.model.errors import ToolFault
from assent.model.services import Makes, ServiceChoice
from assent.providers.endpoint import Endpoint
from assent.tools.web_fetch import WebFetch
from assent.tools.web_search import Searcher, WebSearch
from assent.web.visit import Visitor

if TYPE_CHECKING:
    from assent.app.browsers import Browsers
    from assent.settings.effective import Effective

_NAME = f"assent.{Makes.SEARCHES}"
_NOBODY = (
    f"Nobody searches the web here: {_NAME} is not set. The user can name a server there, such as "
    '{"provider": "searxng", "baseUrl": "http://127.0.0.1:8888"}. Nothing was sent.'
)


class Web:
    """The tools for pages, and whom they ask."""

    def __init__(self, keys: Keys, now: "Callable[[], Effective]", browsers: "Callable[[Visitor], Browsers]") -> None:
        self._keys = keys
        self._now = now
        self._visitor = Visitor()
        self.browsers = browsers(self._visitor)

    def tools(self) -> list[Tool]:
        """Those of every chat."""
        return [WebFetch(self._visitor), WebSearch(self._searcher), self.browsers.tool()]

    def key_places(self) -> Iterator[KeyPlace]:
        """Where the key is looked for that the user's own settings speak of."""
        choice = self._now().web_search
        if choice.of_user and choice.fault is None and (choice.base_url or choice.maker.is_known_place):
            yield _key_place(choice, _address(choice))

    def _searcher(self) -> Searcher:
        from assent.providers.search_server import SearchServer
        from assent.providers.searching import SEARCHING

        choice = self._now().web_search
        if choice.fault is not None:
            raise ToolFault("not_configured", f"Nobody searches the web here. {choice.fault} Nothing was sent.")
        address = _address(choice)
        if not address:
            raise ToolFault("not_configured", _NOBODY)
        place = _key_place(choice, address)
        endpoint = Endpoint(address, _NAME, key=partial(self._keys.key, place))
        server = SearchServer(endpoint, SEARCHING[choice.maker])
        return Searcher(endpoint.origin, _bound(choice), server.search)


def _address(choice: ServiceChoice) -> str:
    from assent.providers.searching import SEARCHING

    return choice.base_url or SEARCHING[choice.maker].usual_address


def _key_place(choice: ServiceChoice, address: str) -> KeyPlace:
    return KeyPlace(_NAME, Endpoint(address, _NAME).origin, choice.key_variable, choice.of_user)


def _bound(choice: ServiceChoice) -> str:
    parts = [choice.maker.value, choice.base_url, choice.key_variable, choice.of_user]
    return canonical_json(parts).decode("ascii")
