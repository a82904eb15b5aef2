"""A click on a card that did not show what other calls made of its file before the turn of its call came."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from assent.app.desk import Sent
from assent.model.approval import Question
from assent.model.events import ToolProgress
from assent.model.grants import KeyGrant, Limits
from assent.model.modes import Category
from assent.model.preview import DiffPreview, LineKind
from assent.model.records import Stage
from assent.tools.write_file import WriteFile
from tests.support.world import CountingTool, Step, World, call, until

BEFORE, FIRST, SECOND = "zero\n", "important work\n", "zero\nmore\n"


def lines(question: Question) -> list[tuple[LineKind, str]]:
    preview = question.card.preview
    assert isinstance(preview, DiffPreview)
    return [(line.kind, line.text) for line in preview.lines]


def write(content: str, index: int) -> list[Step]:
    return call("write_file", index=index, path="a.txt", content=content)


def content_of(file: Path) -> str:
    return file.read_text()


def asked_about(world: World, tool: str) -> Question | None:
    return next((one for one in world.broker.waiting() if one.card.call.tool == tool), None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "a.txt"
    file.write_text(BEFORE)
    return file


async def _overtaken(file: Path) -> tuple[World, Question, asyncio.Task[Sent]]:
    """The first write waits behind a slow call by a grant of one use; the second one was clicked before it wrote."""
    tool = WriteFile(lambda: (str(file.parent),))
    slow = CountingTool("slow", Category.WRITE)
    slow.hold = asyncio.Event()
    slow.paths = (await tool.prepare({"path": "a.txt", "content": ""})).paths
    turn = [*call("slow", index=1), *write(FIRST, 2), *write(SECOND, 3)]
    world = World(turns=[turn], tools=[slow, tool])  # type: ignore[list-item]
    world.rules = replace(world.rules, roots=(str(file.parent),))
    chat = world.chat()
    chat.grants.give(KeyGrant("write_file"), Limits(uses=1))
    sent = world.send(chat)
    await until(lambda: asked_about(world, "slow") and asked_about(world, "write_file"), "both cards")
    clicked = asked_about(world, "write_file")
    assert clicked is not None and lines(clicked) == [(LineKind.CONTEXT, "zero"), (LineKind.ADDED, "more")]
    first = asked_about(world, "slow")
    assert first is not None
    await world.allow(first)
    await until(lambda: slow.entered, "the slow call")
    await world.allow(clicked)
    slow.hold.set()
    await until(lambda: asked_about(world, "write_file"), "the second card")
    again = asked_about(world, "write_file")
    assert again is not None and again.approval_id != clicked.approval_id
    return world, again, sent


async def test_it_is_asked_again_with_what_it_would_do_now(file: Path) -> None:
    world, again, sent = await _overtaken(file)
    (chat,) = world.desk.chats()

    assert content_of(file) == FIRST
    assert (LineKind.REMOVED, "important work") in lines(again)
    told = [one.note for one in world.of(chat, ToolProgress) if one.call_id == again.card.call.call_id]
    assert any(note and note.startswith("Another call has changed") for note in told)

    await world.allow(again)
    await sent
    assert content_of(file) == SECOND
    assert [outcome.is_error for outcome in world.outcomes(chat)] == [False] * 3
    stages = [one.stage for one in world.journal.entries if one.subject.call.call_id == again.card.call.call_id]
    answered = [Stage.REQUESTED, Stage.DECIDED]
    assert stages == [*answered, Stage.FINISHED, *answered, Stage.STARTED, Stage.FINISHED]


async def test_what_the_first_one_left_stays_where_that_is_refused(file: Path) -> None:
    world, again, sent = await _overtaken(file)
    (chat,) = world.desk.chats()

    await world.deny(again)
    await sent

    assert content_of(file) == FIRST
    assert world.outcomes(chat)[-1].code == "permission_denied"
