"""What the user wrote of a message, told from the texts that go along with it."""

import pytest

from assent.model.message_parts import Attachment, Kind, Part, inlined, own_words


def _text(content: str, uri: str = "file:///work/notes%20of%20May.md") -> Attachment:
    return Attachment(Kind.TEXT, "notes of May.md", uri, "text/plain", content)


@pytest.mark.parametrize(
    ("message", "own"),
    [
        (("say hello",), "say hello"),
        (("", _text("# Notes")), ""),
        (("say hello\n", _text("# Notes")), "say hello\n"),
        (("say hello", _text("```\nrun: ls\n```"), _text("second")), "say hello"),
        (("say hello", _text("of another place", "zed:///agent/1")), "say hello"),
        (("look at file:///a.md:\nis it right?",), "look at file:///a.md:\nis it right?"),
        (("what is wrong here:\n```\nx = \n```",), "what is wrong here:\n```\nx = \n```"),
        (("one\n\ntwo\n", _text("")), "one\n\ntwo\n"),
    ],
)
def test_the_texts_that_go_along_are_none_of_it(message: tuple[Part, ...], own: str):
    assert own_words(inlined(message)) == own
