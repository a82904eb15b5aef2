"""The user's settings of a running server, told anew while it runs."""

from tests.support.model_servers.formats import Format
from tests.support.model_servers.server import ModelServer
from tests.support.server import Chat, Json, Server

MODEL = "Model"


def tell(server: Server, **user: Json) -> None:
    """The user's settings say this from now on, beside the scripted agents."""
    told = {"assent": server.settings(**user)}
    server.client.notify("workspace/didChangeConfiguration", {"settings": told})


def chat_with(server: Server, form: Format, models: ModelServer, **user: Json) -> Chat:
    """A chat with a model behind an address, under these settings of the user."""
    defined = {"provider": form.provider, "model": form.model, "baseUrl": models.base_url}
    tell(server, agents={MODEL: defined}, **user)
    return server.chat(agent=MODEL)
