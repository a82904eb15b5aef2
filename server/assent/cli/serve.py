"""`assent serve`: the language server over standard input and output."""

import sys
from typing import TYPE_CHECKING

from assent.cli.host import build_app
from assent.cli.logs import set_up_logging
from assent.lsp.descriptors import NoClient
from assent.lsp.features import Features
from assent.lsp.introduction import introduction
from assent.lsp.protocol import AssentServer
from assent.lsp.stdio import run_stdio
from assent.runtime.garbage import loading
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.own_environment import keep_to_itself
from assent.runtime.places import state_directory

if TYPE_CHECKING:
    from assent.app.app import App


class StdioHost:
    """The one client of this process is the editor: the folders are the ones that it has open."""

    follows_client_folders = True

    def __init__(self, secrets: KnownSecrets) -> None:
        self._secrets = secrets
        self._app: App | None = None

    @property
    def app(self) -> "App":
        if self._app is None:
            self._app = build_app(self._secrets)
        return self._app

    async def end(self) -> None:
        """Ends everything that waits, because the client is gone."""
        if self._app is not None:
            await self._app.shut_down()

    def end_programs(self) -> None:
        """Kills what still runs, and lets nothing more start."""
        if self._app is not None:
            self._app.end_programs()


def serve(*, log_level: str) -> int:
    """Serves until the client is gone; returns the exit code."""
    secrets = KnownSecrets()
    set_up_logging(log_level, state_directory(), secrets)
    keep_to_itself()
    with loading():
        host = StdioHost(secrets)
        server = AssentServer(introduction())
        features = Features(server, host)

    async def end() -> None:
        await host.end()
        await features.client.gone()

    try:
        return run_stdio(server, on_end=end, at_last=host.end_programs)
    except NoClient as fault:
        sys.stderr.write(f"assent: {fault}\n")
        return 1
