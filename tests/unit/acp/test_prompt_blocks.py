"""A message in parts, as agents take it: nothing is lost without a word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.acp.prompt_blocks import left_out, prompt_blocks
from assent.acp.words import Introduction
from assent.model.message_parts import Attachment, Kind, Part

IMAGE = Attachment(Kind.IMAGE, "shot.png", "file:///w/shot.png", "image/png", "aGk=")
LINK = Attachment(Kind.LINK, "a.py", "file:///w/a.py")
TEXT = Attachment(Kind.TEXT, "b.py", "file:///w/b.py", "text/x-python", "x = 1")
MESSAGE: tuple[Part, ...] = ("See ", IMAGE, LINK, TEXT, " now.")


def test_one_that_takes_all_gets_all_in_its_place() -> None:
    agent = Introduction(1, takes_images=True, takes_resources=True)
    assert prompt_blocks(MESSAGE, agent) == [
        {"type": "text", "text": "See "},
        {"type": "image", "data": "aGk=", "mimeType": "image/png", "uri": "file:///w/shot.png"},
        {"type": "resource_link", "uri": "file:///w/a.py", "name": "a.py"},
        {
            "type": "resource",
            "resource": {"uri": "file:///w/b.py", "text": "x = 1", "mimeType": "text/x-python"},
        },
        {"type": "text", "text": " now."},
    ]
    assert left_out(MESSAGE, agent) == []


def test_one_that_takes_words_alone_gets_what_can_be_put_into_words() -> None:
    agent = Introduction(1)
    found = prompt_blocks(MESSAGE, agent)
    assert {one["type"] for one in found} == {"text", "resource_link"}
    assert "x = 1" in str(found[3]["text"]) and "file:///w/b.py" in str(found[3]["text"])
    assert "aGk=" not in str(found)
    assert left_out(MESSAGE, agent) == ["shot.png"]


@pytest.mark.parametrize("takes", [True, False])
@given(st.lists(st.text() | st.sampled_from([IMAGE, LINK, TEXT])))
def test_every_part_is_a_block_or_empty(takes: bool, message: list[Part]) -> None:
    agent = Introduction(1, takes_images=takes, takes_resources=takes)
    assert len(prompt_blocks(message, agent)) == sum(part != "" for part in message)
