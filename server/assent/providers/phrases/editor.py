"""Sentences about the editor's windows, and about pictures and speech."""

from assent.providers.held import Held
from assent.providers.phrases.words import INTO_A_FILE, THE_FILE, Found, Phrases, just, naming
from assent.providers.wish import Wish


def _compare(match: Found, held: Held) -> Wish:
    path = held.restore(match[1])
    return Wish("ui_show_diff", {"path": path, "content": held.restore(match[2])}, f"compare {path} with that")


def _draw(match: Found, held: Held) -> Wish:
    path = held.name(match[2])
    return Wish("generate_image", {"prompt": held.restore(match[1]), "path": path}, f"draw {path}")


def _say(match: Found, held: Held) -> Wish:
    path = held.name(match[2])
    return Wish("text_to_speech", {"text": held.restore(match[1]), "path": path}, f"speak into {path}")


PHRASES: Phrases = (
    (rf"(?:show|open)\s+(?:me\s+)?{THE_FILE}(\S+)\s+in\s+the\s+editor", naming("ui_open_file", "path", "show {}")),
    (rf"compare\s+{THE_FILE}(\S+)\s+with\s+(.+)", _compare),
    (rf"check\s+{THE_FILE}(\S+)", naming("ui_get_diagnostics", "path", "look at what the editor finds in {}")),
    (r"read\s+(?:the\s+selection|what\s+is\s+selected)[.!]?", just("ui_get_selection", "read what is selected")),
    (rf"draw\s+(?:me\s+)?(.+){INTO_A_FILE}", _draw),
    (rf"(?:say|speak)\s+(.+){INTO_A_FILE}", _say),
)
