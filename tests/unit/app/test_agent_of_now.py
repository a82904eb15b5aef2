"""An open chat whose agent is defined otherwise, taken out of the settings, or put back: from the next run on."""

from pathlib import Path

from assent.agent.chat import Agent, Chat
from assent.model.events import DoneReason, Notice, RunFailed
from assent.model.grants import ChatBypass, KeyGrant, ToolGrant
from tests.support.kept_world import KeptWorld
from tests.support.world import AGENT, HandModel, call, say, until


class Place(KeptWorld):
    """Agents that can be defined otherwise while chats are open."""

    def redefine(self, *turns: str, digest: str = "another", window: int | None = None) -> HandModel:
        """The agent has another model from now on."""
        model = HandModel([say(text) for text in turns])
        self.agents[AGENT] = Agent(AGENT, AGENT, "changed", lambda: model, digest, window)
        return model


def notices(chat: Chat) -> list[str]:
    return [one.event.text for one in chat.events.since(0) if isinstance(one.event, Notice)]


async def test_the_next_message_goes_to_the_agent_as_it_is_now_and_the_chat_says_so_once(tmp_path: Path) -> None:
    place = Place(tmp_path, [say("Hello.")])
    chat = place.chat()
    await place.send(chat, "hi")
    other = place.redefine("I am another.", "Still me.", window=9_000)
    chat.context.window = 1_000

    for _ in range(2):
        assert (await place.send(chat, "who are you?")).end.reason is DoneReason.STOP

    assert (len(place.model.requests), len(other.requests)) == (1, 2)
    (told,) = notices(chat)
    assert "defined otherwise now" in told
    assert "not allowed any more" not in told
    assert chat.context.window == 9_000, "what was learnt of the model before says nothing of this one"
    await place.end()


async def test_what_was_allowed_was_meant_for_the_agent_as_it_was(tmp_path: Path) -> None:
    place = Place(tmp_path, [call("count", n=1), say("ran"), say("never said")])
    chat = place.chat()
    chat.grants.give(KeyGrant("count"))
    chat.grants.give(ChatBypass())
    chat.grants.held.append(place.trust.hold(ToolGrant("count")))
    await place.send(chat, "go")
    assert len(place.tool.entered) == 1

    other = place.redefine()
    other.turns = place.model.turns[:1]
    place.send(chat, "again")
    await place.question()

    assert (chat.grants.all, chat.grants.held) == ((), [])
    assert "not allowed any more" in notices(chat)[-1]
    assert len(place.tool.entered) == 1
    await place.end()


async def test_in_the_middle_of_a_run_the_agent_stays_and_what_waits_behind_it_goes_to_the_new_one(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path, [call("count", n=1), say("It ran.")])
    chat = place.chat()
    first, behind = place.send(chat, "go"), place.send(chat, "and then?")
    question = await place.question()
    other = place.redefine("I am another.")

    await place.allow(question)

    assert (await first).end.reason is (await behind).end.reason is DoneReason.STOP
    assert (len(place.model.requests), len(other.requests)) == (2, 1)
    await place.end()


async def test_an_agent_that_is_gone_is_sent_nothing_and_goes_on_once_it_is_back(tmp_path: Path) -> None:
    place = Place(tmp_path, [say("Hello."), say("Back again.")])
    chat = place.chat()
    await place.send(chat, "hi")
    known = place.agents.pop(AGENT)

    for text in ("secret plan", "and another"):
        sent = await place.send(chat, text)
        assert "not defined any more" in (sent.end.message or "")
    failed = chat.events.since(0)[-1].event
    assert isinstance(failed, RunFailed)
    assert (failed.code, failed.again) == ("agent_gone", True)
    assert len(place.model.requests) == 1

    place.agents[AGENT] = known
    assert (await place.desk.retry(chat.session_id)).end.reason is DoneReason.STOP
    assert len(place.model.requests) == 2
    assert notices(chat) == []
    await place.end()


async def test_what_was_told_of_it_is_not_told_again_after_a_restart(tmp_path: Path) -> None:
    place = Place(tmp_path, [say("Hello.")])
    chat = place.chat()
    await place.send(chat, "hi")
    place.redefine("I am another.")
    await place.send(chat, "who are you?")
    await place.end()

    again = KeptWorld(tmp_path, agents=place.agents)
    await again.restore()
    assert len(notices(again.desk.chats()[0])) == 1
    await again.end()


async def test_an_agent_that_was_gone_at_the_restart_goes_on_once_it_is_back(tmp_path: Path) -> None:
    first = KeptWorld(tmp_path, [say("Hello.")])
    await first.send(first.chat(), "hi")
    await first.end()

    place = Place(tmp_path, agents={})
    await place.restore()
    (chat,) = place.desk.chats()
    assert "not defined any more" in notices(chat)[-1]
    other = place.redefine("I am another.", window=9_000)
    assert (await place.send(chat, "are you there?")).end.reason is DoneReason.STOP
    await until(lambda: len(other.requests) == 1, "the request")
    assert "defined otherwise now" in notices(chat)[-1]
    assert chat.context.window == 9_000
    await place.end()
