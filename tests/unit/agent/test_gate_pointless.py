"""Calls that nobody is asked about: nobody is there, or they can never work."""

import json
from dataclasses import replace
from typing import Any

from assent.model.approval import ResolvedBy, Status
from assent.model.calls import Access, PathUse
from assent.model.errors import ToolFault
from assent.policy.rules.book import RuleBook
from assent.policy.rules.rule import Effect, Rule
from tests.support.world import World, call


def refusal(world: World, chat: Any) -> dict[str, str]:
    """The one refusal that the model was given."""
    (outcome,) = world.outcomes(chat)
    assert outcome.is_error
    assert not outcome.ran
    body = json.loads(outcome.content)
    assert body["error"] == outcome.code
    return dict(body)


async def test_nobody_to_ask_is_said_and_nothing_runs() -> None:
    world = World([call("count", n=1)])
    world.client.deaf = True
    chat = world.chat()
    await world.send(chat)

    assert refusal(world, chat)["error"] == "unattended"
    assert world.client.questions == []
    assert world.tool.entered == []


async def test_a_client_that_turns_out_to_be_deaf_ends_the_wait() -> None:
    world = World([call("count", n=1)])
    chat = world.chat()
    sent = world.send(chat)
    question = await world.question()
    world.client.deaf = True
    world.broker.end(question.approval_id, Status.REJECTED, ResolvedBy.POLICY, "Nobody can be asked.")
    await sent

    assert refusal(world, chat)["error"] == "unattended"
    assert world.tool.entered == []


async def test_an_attended_client_is_asked_while_a_deaf_one_watches() -> None:
    world = World([call("count", n=1)])
    deaf = type(world.client)(deaf=True)
    world.hub.attach(deaf)
    chat = world.chat()
    sent = world.send(chat)

    await world.allow(await world.question())
    await sent
    assert len(world.tool.entered) == 1


NEVER = ToolFault("is_a_directory", "docs is a directory.")


async def test_nobody_is_asked_for_what_can_never_work() -> None:
    world = World([call("count", n=1)])
    world.tool.impossible = NEVER
    chat = world.chat()
    await world.send(chat)

    assert world.client.questions == []
    assert refusal(world, chat)["error"] == "is_a_directory"


async def test_a_rule_comes_before_the_word_that_it_can_never_work() -> None:
    world = World([call("count", n=1)])
    world.tool.impossible = NEVER
    world.rules = replace(world.rules, book=RuleBook([Rule(Effect.DENY, "count", "*")]))
    chat = world.chat()
    await world.send(chat)

    assert refusal(world, chat)["error"] == "denied_by_rule"


async def test_of_what_lies_outside_nothing_is_told_before_someone_agrees() -> None:
    world = World([call("look")])
    world.reader.paths = (PathUse("/etc/x", "/etc/x", Access.READ, inside=False),)
    world.reader.impossible = NEVER
    chat = world.chat()
    sent = world.send(chat)

    await world.deny(await world.question())
    await sent
    assert refusal(world, chat)["error"] == "permission_denied"
