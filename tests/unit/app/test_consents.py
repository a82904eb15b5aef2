"""Questions about settings that would loosen something: one at a time, answered for exactly what was shown."""

import asyncio
import threading
from collections.abc import Callable, Sequence

import pytest

from assent.app.consents import ConsentQuestion, Consents
from assent.model.errors import InvalidRequest
from assent.settings.layers import Origin, Scope
from assent.settings.loosening import LooseningEntry
from tests.support.scale import limit


def entry(name: str, digest: str = "d", scope: Scope = Scope.WORKSPACE) -> LooseningEntry:
    return LooseningEntry("toolAllowlist", name, digest, f"Every {name} call runs.", None, name, Origin(scope))


class Keeper:
    """Settings in memory: what is agreed to or refused waits no more."""

    def __init__(self, *entries: LooseningEntry) -> None:
        self.entries = list(entries)
        self.agreed: list[LooseningEntry] = []
        self.refused: list[LooseningEntry] = []
        self.fault: str | None = None
        self.workspace = "/w"
        self.hold: threading.Event | None = None

    def awaiting(self) -> tuple[LooseningEntry, ...]:
        return tuple(one for one in self.entries if one not in (*self.agreed, *self.refused))

    def workspace_name(self) -> str:
        return self.workspace

    def to_keep(self, agreed: Sequence[LooseningEntry], refused: Sequence[LooseningEntry]) -> Callable[[], str | None]:
        def keep() -> str | None:
            if self.hold is not None:
                self.hold.wait(limit(10))
            return self.fault

        return keep

    def was_kept(self, agreed: Sequence[LooseningEntry], refused: Sequence[LooseningEntry]) -> None:
        self.agreed += agreed
        self.refused += refused


class Screen:
    """A client: what it shows now, and how often it was asked."""

    def __init__(self) -> None:
        self.shown: ConsentQuestion | None = None
        self.asked: list[ConsentQuestion] = []
        self.closed: list[str] = []

    def consent_asked(self, question: ConsentQuestion) -> None:
        self.shown = question
        self.asked.append(question)

    def consent_resolved(self, consent_id: str) -> None:
        self.closed.append(consent_id)
        if self.shown is not None and self.shown.consent_id == consent_id:
            self.shown = None


class Scene:
    """A question about these entries, shown."""

    def __init__(self, *entries: LooseningEntry) -> None:
        self.keeper, self.screen, self.changes = Keeper(*entries), Screen(), 0
        self.written: list[tuple[str, LooseningEntry]] = []
        """What the history says, and after which words."""
        self.consents = Consents(self.keeper, self.screen, self._agreed, self._changed)
        self.consents.look()

    def _agreed(self, entries: Sequence[LooseningEntry], how: str) -> None:
        self.written += [(how, one) for one in entries]

    def _changed(self) -> None:
        self.changes += 1
        self.consents.look()

    @property
    def question(self) -> ConsentQuestion:
        assert self.screen.shown is not None
        return self.screen.shown


async def test_nothing_to_agree_to_asks_nothing() -> None:
    assert Scene().screen.asked == []


async def test_all_entries_are_asked_about_together_and_once() -> None:
    scene = Scene(entry("a"), entry("b"))
    scene.consents.look()
    scene.consents.look()

    assert [len(question.entries) for question in scene.screen.asked] == [2]
    assert scene.consents.open is scene.screen.shown


async def test_the_answer_divides_what_counts_from_what_does_not() -> None:
    scene = Scene(entry("a"), entry("b"), entry("c"))
    question = scene.question
    answered = await scene.consents.answer(
        question.consent_id, question.digest, frozenset({question.entry_id(entry("b"))})
    )

    assert (answered.honoured, answered.ignored, answered.error) == (1, 2, None)
    assert scene.keeper.agreed == [entry("b")]
    assert scene.keeper.refused == [entry("a"), entry("c")]
    assert scene.written == [("You agreed to this", entry("b"))]
    assert scene.screen.shown is None
    assert scene.changes == 1
    assert len(scene.screen.asked) == 1


@pytest.mark.parametrize("which", ["id", "digest", "entry"])
async def test_an_answer_that_does_not_fit_changes_nothing(which: str) -> None:
    scene = Scene(entry("a"))
    question = scene.question
    honour = frozenset({"unknown" if which == "entry" else question.entry_id(entry("a"))})
    consent_id = "other" if which == "id" else question.consent_id
    digest = "other" if which == "digest" else question.digest

    with pytest.raises(InvalidRequest):
        await scene.consents.answer(consent_id, digest, honour)
    assert scene.keeper.agreed == scene.keeper.refused == []
    assert scene.screen.shown is question


async def test_an_answer_counts_once() -> None:
    scene = Scene(entry("a"))
    question = scene.question
    await scene.consents.answer(question.consent_id, question.digest, frozenset())

    with pytest.raises(InvalidRequest):
        await scene.consents.answer(question.consent_id, question.digest, frozenset({question.entry_id(entry("a"))}))
    assert scene.keeper.agreed == []


async def test_an_entry_that_changes_under_the_question_is_asked_about_anew() -> None:
    scene = Scene(entry("a", "old"))
    old = scene.question
    scene.keeper.entries = [entry("a", "new")]
    scene.consents.look()

    assert scene.screen.closed == [old.consent_id]
    assert scene.question.entry_id(entry("a", "new")) != old.entry_id(entry("a", "old"))
    with pytest.raises(InvalidRequest):
        await scene.consents.answer(old.consent_id, old.digest, frozenset({old.entry_id(entry("a", "old"))}))
    assert scene.keeper.agreed == []


async def test_settings_that_lose_their_entries_close_the_question() -> None:
    scene = Scene(entry("a"))
    scene.keeper.entries = []
    scene.consents.look()

    assert scene.screen.shown is None
    assert scene.consents.open is None


async def test_an_answer_that_cannot_be_kept_is_said_and_the_question_stays() -> None:
    scene = Scene(entry("a"))
    scene.keeper.fault = "the disk is full"
    question = scene.question
    answered = await scene.consents.answer(
        question.consent_id, question.digest, frozenset({question.entry_id(entry("a"))})
    )

    assert (answered.honoured, answered.error) == (0, "the disk is full")
    assert scene.written == []
    assert scene.consents.open is not None


async def test_while_an_answer_is_being_kept_no_second_one_counts_and_nobody_is_asked() -> None:
    scene = Scene(entry("a"), entry("b"))
    scene.keeper.hold = threading.Event()
    question = scene.question
    first = asyncio.ensure_future(scene.consents.answer(question.consent_id, question.digest, frozenset()))
    await asyncio.sleep(0)
    scene.consents.look()
    with pytest.raises(InvalidRequest):
        await scene.consents.answer(question.consent_id, question.digest, frozenset())
    scene.keeper.hold.set()

    assert (await first).ignored == 2
    assert len(scene.screen.asked) == 1


async def test_another_workspace_with_the_same_settings_is_another_question() -> None:
    scene = Scene(entry("a"))
    old = scene.question
    scene.keeper.workspace = "/other"
    scene.consents.look()

    assert scene.screen.closed == [old.consent_id]
    assert scene.question.workspace == "/other"
    with pytest.raises(InvalidRequest):
        await scene.consents.answer(old.consent_id, old.digest, frozenset({old.entry_id(entry("a"))}))


async def test_the_same_entry_of_the_users_settings_is_another_one() -> None:
    of_user = entry("a", scope=Scope.USER)
    scene = Scene(entry("a"), of_user)
    question = scene.question
    answered = await scene.consents.answer(
        question.consent_id, question.digest, frozenset({question.entry_id(entry("a"))})
    )

    assert (answered.honoured, answered.ignored) == (1, 1)
    assert (scene.keeper.agreed, scene.keeper.refused) == ([entry("a")], [of_user])
