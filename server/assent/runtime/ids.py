"""Where identities come from: 122 random bits each, so that none is ever met twice, across restarts too."""

from uuid import uuid4


def new_id() -> str:
    """A fresh random id."""
    return str(uuid4())
