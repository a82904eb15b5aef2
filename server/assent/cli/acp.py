"""`assent acp`: Assent as an agent of any editor that speaks the Agent Client Protocol."""

import asyncio
import sys
from pathlib import Path

from assent.app.app import App
from assent.app.scopes import Scopes
from assent.cli.explain.question import block_of
from assent.cli.host import build_app
from assent.cli.logs import set_up_logging
from assent.cli.user_settings import read_user_settings
from assent.editors.face import Face
from assent.editors.pipes import Pipes
from assent.lsp.descriptors import ClientPipes, NoClient, take_client_pipes
from assent.model.errors import AssentError
from assent.model.json import JsonObject
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.own_environment import keep_to_itself
from assent.runtime.places import state_directory

_TO_FINISH = 2.0
"""Seconds for the last words to the editor."""


def acp(agent: str | None, user_settings: Path | None, *, log_level: str) -> int:
    """Serves one editor over standard input and output until it is gone; returns the exit code."""
    secrets = KnownSecrets()
    set_up_logging(log_level, state_directory(), secrets)
    keep_to_itself()
    try:
        settings = block_of(read_user_settings(user_settings)) if user_settings is not None else {}
        pipes = take_client_pipes()
    except (AssentError, NoClient) as fault:
        sys.stderr.write(f"assent: {fault}\n")
        return 2
    # Whoever could write there would say at the next start what is asked.
    own = (user_settings,) if user_settings is not None else ()
    asyncio.run(_serve(build_app(secrets, *own), agent, settings, pipes))
    return 0


async def _serve(app: App, agent: str | None, settings: JsonObject, descriptors: ClientPipes) -> None:
    pipes = Pipes(descriptors.incoming, descriptors.outgoing)

    def settle(folder: str) -> None:
        app.workspace.folders = (folder,)
        # The editor says nothing of trust: what the folder itself would loosen counts where it was agreed to before.
        app.trust.meet((Path(folder),), Scopes(user=settings), trusted=None, write=None)

    face = Face(app, agent, pipes, settle)
    pipes.begin(face.read)
    try:
        await pipes.over.wait()
    finally:
        await face.end()
        await app.shut_down()
        await pipes.finish(_TO_FINISH)
