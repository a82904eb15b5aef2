"""What the server says of itself when it meets a client."""

from assent import __version__
from assent.protocol.handshake import PROTOCOL_VERSION, ServerHandshake


def introduction() -> ServerHandshake:
    """The protocol that is spoken, and every option that a card of this server may have."""
    return ServerHandshake(
        version=PROTOCOL_VERSION,
        options=(
            "allow_once",
            "allow_session",
            "allow_always",
            "add_directory",
            "bypass_session",
            "bypass_agent",
            "reject_once",
            "reject_always",
        ),
        server_version=__version__,
    )
