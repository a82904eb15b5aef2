"""What the user ought to know and what belongs to no chat: said in every open chat, or in the first one that opens."""

from collections.abc import Callable

from assent.agent.chat import Chat


class Announcements:
    """Says each thing once, as soon as there is somewhere to say it."""

    def __init__(self, chats: Callable[[], tuple[Chat, ...]]) -> None:
        self._chats = chats
        self._untold: list[str] = []

    def say(self, words: str) -> None:
        """This is to be known."""
        self._untold.append(words)
        self.tell()

    def tell(self) -> None:
        """There may be a chat by now."""
        chats = self._chats()
        if chats:
            untold, self._untold = self._untold, []
            for chat in chats:
                for words in untold:
                    chat.warn(words)
