"""A message said instead of an earlier one: what the history holds then, and that it is kept as one."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from assent.agent.history import History
from assent.agent.nowhere import NoKeeper
from assent.model.conversation import AssistantTurn, Message, Summary, UserText
from assent.model.ids import RunId


@dataclass
class Remembering(NoKeeper):
    """Keeps the history as a store would."""

    kept: list[Message] = field(default_factory=list)

    def message(self, index: int, message: Message) -> None:
        self.kept[index : index + 1] = [message]

    def cut(self, index: int, messages: Sequence[Message]) -> None:
        self.kept[index:] = messages


def said(text: str) -> UserText:
    """A message, with a run that is named like it."""
    return UserText(text, run_id=RunId(text))


def test_all_from_there_on_goes_but_what_the_user_did_meanwhile() -> None:
    keeper = Remembering()
    history = History(keeper)
    undone = UserText("a.txt was rolled back", by_user=False)
    for message in (said("one"), AssistantTurn("1"), said("two"), AssistantTurn("2"), undone, Summary("so far", 2)):
        history.append(message)
    place = history.begin_of(RunId("two"))
    assert place == 2
    history.go_on_from(place, said("other"))
    assert list(history) == [said("one"), AssistantTurn("1"), undone, said("other")]
    assert keeper.kept == list(history)
    assert history.begin_of(RunId("two")) is None
    assert history.begin_of(RunId("other")) == 3


def test_what_was_written_here_begins_no_run() -> None:
    history = History(NoKeeper(), [UserText("a note", by_user=False), AssistantTurn("1")])
    assert history.begin_of(RunId("")) is None
