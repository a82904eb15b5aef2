"""What the server says of itself when it meets a client."""

from typing import get_args

from assent import __version__
from assent.protocol.handshake import PROTOCOL_VERSION, ServerHandshake
from assent.protocol.words import OptionKind


def introduction() -> ServerHandshake:
    """The protocol that is spoken, and every option that a card of this server may have."""
    return ServerHandshake(version=PROTOCOL_VERSION, options=get_args(OptionKind), server_version=__version__)
