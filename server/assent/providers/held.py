"""What is taken as it stands in a plain request: quoted text, and JSON after “with”."""

import json
import re
from collections.abc import Iterator

# An apostrophe within a word quotes nothing.
_ASIDE = re.compile(
    r"\"([^\"]*)\"|(?<!\w)'([^']*)'(?!\w)|“([^”]*)”|`([^`]*)`|(?P<before>\bwith\s+)(?=\{)", re.IGNORECASE
)
_MARK = re.compile("\ue000([0-9]+)\ue001")
MARK = "\ue000[0-9]+\ue001"
"""What stands for such a piece in the text that is looked at, as part of a pattern."""


class Held:
    """The pieces of one message, and its text with marks in their places, so that no word in them means anything."""

    def __init__(self, text: str) -> None:
        self._pieces: list[str] = []
        self.text = "".join(self._marked(text))

    def _marked(self, text: str) -> Iterator[str]:
        at = 0
        while match := _ASIDE.search(text, at):
            yield text[at : match.start()]
            at = match.end()
            if match["before"]:
                yield match["before"]
                end = _end_of_json(text, at)
                if end is not None:
                    yield self._hold(text[at:end])
                    at = end
            else:
                # Quoted, only \n means something: a line end.
                inner = next(group for group in match.groups()[:4] if group is not None)
                yield self._hold(inner.replace("\\n", "\n"))
        yield text[at:]

    def _hold(self, piece: str) -> str:
        self._pieces.append(piece)
        return f"\ue000{len(self._pieces) - 1}\ue001"

    def restore(self, text: str) -> str:
        """The text with every piece back in its place."""
        return self._restored(text, self._pieces)

    def quoted(self, text: str) -> str:
        """The same with quotes around the pieces, for somebody who takes it apart again."""
        return self._restored(text, [piece if _is_object(piece) else _in_quotes(piece) for piece in self._pieces])

    def name(self, text: str) -> str:
        """A name at the end of a sentence: what ends that is no part of it, unless it is quoted or all there is."""
        return self.restore(text.rstrip(".,!?") or text)

    def is_whole(self, text: str) -> bool:
        """Whether this is one piece and nothing else."""
        return _MARK.fullmatch(text) is not None

    @staticmethod
    def _restored(text: str, pieces: list[str]) -> str:
        return _MARK.sub(lambda mark: pieces[int(mark[1])] if int(mark[1]) < len(pieces) else "", text)


def _end_of_json(text: str, at: int) -> int | None:
    try:
        return json.JSONDecoder().raw_decode(text, at)[1]
    except (ValueError, RecursionError):
        return None


def _is_object(piece: str) -> bool:
    return piece.startswith("{") and _end_of_json(piece, 0) == len(piece)


def _in_quotes(piece: str) -> str:
    return f"`{piece}`" if '"' in piece else f'"{piece}"'
