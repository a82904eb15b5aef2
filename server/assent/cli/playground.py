"""`assent playground`: the page in a plain browser, on this machine only, for as long as the command runs."""

import asyncio
import signal
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path

from assent.app.app import App
from assent.cli.host import build_app
from assent.cli.logs import set_up_logging
from assent.lsp.features import Features
from assent.lsp.introduction import introduction
from assent.lsp.playground import serve_playground
from assent.lsp.protocol import AssentServer
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.own_environment import keep_to_itself
from assent.runtime.places import state_directory


class PlaygroundHost:
    """The app belongs to the command and outlives every page; its folder is the one that the command was given."""

    follows_client_folders = False

    def __init__(self, app: App) -> None:
        self.app = app
        self._features: dict[AssentServer, Features] = {}

    def make_server(self) -> AssentServer:
        """A server for a page that has just connected."""
        server = AssentServer(introduction())
        self._features[server] = Features(server, self)
        return server

    async def page_gone(self, server: AssentServer) -> None:
        """A page was closed or reloaded; what waits goes on waiting."""
        await self._features.pop(server).disconnected()


def playground(folder: Path, page: Path, *, port: int, open_browser: bool, script: Path | None, log_level: str) -> int:
    """Runs the playground until it is interrupted; returns the exit code."""
    secrets = KnownSecrets()
    set_up_logging(log_level, state_directory(), secrets)
    keep_to_itself()
    problem = _problem(folder, page, script)
    if problem is not None:
        sys.stderr.write(f"assent: {problem}\n")
        return 2
    try:
        asyncio.run(
            _serve(
                build_app(secrets),
                folder.resolve(),
                page,
                port,
                open_browser=open_browser,
                script=script and script.resolve(),
            )
        )
    except KeyboardInterrupt:
        return 0
    except OSError as fault:
        sys.stderr.write(f"assent: the playground cannot listen on port {port}: {fault.strerror}.\n")
        return 1
    except ModuleNotFoundError as fault:
        sys.stderr.write(f"assent: the playground needs the package {fault.name}: pip install 'assent[playground]'\n")
        return 1
    return 0


def _problem(folder: Path, page: Path, script: Path | None) -> str | None:
    if not folder.is_dir():
        return f"there is no folder {folder}; --folder names the workspace that the agent may work in"
    if not (page / "index.html").is_file():
        return f"there is no page in {page}; build it first, or let `python3 dev.py run` do it"
    if script is not None and not script.is_file():
        return f"there is no script {script}"
    return None


async def _serve(app: App, folder: Path, page: Path, port: int, *, open_browser: bool, script: Path | None) -> None:
    app.workspace.folders = (str(folder),)
    if script is not None:
        app.trust.add_scripted_agent("Scripted", script)
    host = PlaygroundHost(app)
    opened = await serve_playground(host.make_server, page, port=port, on_close=host.page_gone)
    sys.stdout.write(f"Assent's playground works in {folder}\nOpen {opened.url}\nCtrl+C ends it.\n")
    sys.stdout.flush()
    if open_browser:
        await asyncio.to_thread(webbrowser.open, opened.url)
    try:
        await _interrupted()
    finally:
        await app.shut_down()
        await opened.close()


async def _interrupted() -> None:
    """Returns on Ctrl+C or SIGTERM. Where the loop takes no signals (Windows), Ctrl+C ends the loop itself."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, asked.set)
    await asked.wait()
