"""What is explained is what happens: for any call, settings, mode and grants, with real tools and a real disk."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.agent import gate, look
from assent.agent.arguments import parse_arguments
from assent.agent.chat import Chat
from assent.agent.gate import Explanation
from assent.agent.permit import Permit, Refusal
from assent.agent.run_view import RunView
from assent.app.app import App
from assent.app.scopes import Scopes
from assent.jsontext import write_json
from assent.model.approval import Question, ResolvedBy, Status
from assent.model.calls import Access, Caller, CallFacts, ToolCall
from assent.model.grants import ChatBypass, DirectoryGrant, KeyGrant
from assent.model.ids import CallId, RunId
from assent.model.modes import Category, Mode
from assent.model.verdict import Decision, Outcome
from assent.policy.decide import Rules
from tests.support.clock import FakeClock
from tests.support.scale import examples
from tests.support.world import Watching, until

DEMO = "Demo"


@dataclass
class House:
    """An app in a small tree of files, with links; every decision of its gate is written down."""

    app: App
    place: Path
    decisions: list[Decision] = field(default_factory=list)

    def chat(self, told: dict[str, Any], mode: Mode, grants: list[Any]) -> Chat:
        """A new chat under these settings."""
        self.app.trust.meet((self.place / "ws",), Scopes(**told), trusted=None, write=None)
        chat = self.app.open_chat(DEMO, mode)
        for grant in grants:
            chat.grants.give(grant)
        return chat

    async def explained(self, chat: Chat, tool: str, args: Any) -> Explanation:
        return await self.app.explain(tool, args, agent_id=None, mode=None, session_id=chat.session_id)

    async def happens(self, chat: Chat, tool: str, args: Any) -> "Happened":
        """The same call as a run would make it; where it asks, nobody answers. What may run is not carried out."""
        # As a turn reads what a model sends; nothing at all is an empty text.
        value, fault = parse_arguments("" if args is None else write_json(args).decode())
        call = ToolCall(CallId("call"), tool, value)
        caller = Caller(chat.agent.agent_id, chat.agent.name, chat.session_id, RunId("run"))
        self.decisions.clear()
        admitting = asyncio.create_task(self.app._gate.admit(call, caller, self._run(chat), fault))
        await until(lambda: admitting.done() or self.app.broker.told(), "a decision")
        first, waiting = self.decisions[0], self.app.broker.waiting()
        for question in waiting:
            self.app.broker.end(question.approval_id, Status.CANCELLED, ResolvedBy.STOP, "over")
        return Happened(first, waiting[0] if waiting else None, await admitting)

    def _run(self, chat: Chat) -> RunView:
        async def seen(category: Category, headline: str) -> None: ...

        return RunView(
            rules=lambda: self.app._rules.of(chat, frozenset({chat.mode})),
            ended_by=lambda: ResolvedBy.STOP,
            unattended=lambda: None,
            seen=seen,
            asked=lambda call, approval: None,
            progress=lambda call, phase, text: None,
        )


@dataclass(frozen=True)
class Happened:
    """What became of a call: the first decision, the question if it asked, the permit or refusal."""

    decision: Decision
    question: Question | None
    end: Permit | Refusal


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    place = tmp_path_factory.mktemp("explained")
    for folder in ("ws/src/deep", "ws/.git/hooks", "ws/.vscode", "out/docs", "state"):
        (place / folder).mkdir(parents=True)
    for name in ("ws/src/a.py", "ws/b.sql", "ws/.env", "ws/.git/config", "out/docs/c.md", "out/id_rsa"):
        (place / name).write_text("text\n")
    for link, target in (("ws/way", "out"), ("ws/plain", "ws/.env"), ("out/back", "ws/src"), ("ws/loop", "ws/loop")):
        (place / link).symlink_to(place / target)
    made = House(App(FakeClock(), place / "state", own_places=()), place)
    made.app.workspace.folders = (str(place / "ws"),)
    made.app.hub.attach(Watching())
    decide = gate.decide

    def watched(facts: CallFacts, rules: Rules) -> Decision:
        decision = decide(facts, rules)
        made.decisions.append(decision)
        return decision

    with pytest.MonkeyPatch.context() as patch:
        # The gate decides through the asker, and explains by itself.
        patch.setattr(gate, "decide", watched)
        patch.setattr(look, "decide", watched)
        yield made


INSIDE = ["src/a.py", "src/new.py", "SRC/A.py", "b.sql", "plain", "way/docs/c.md", "loop/x", ".", "x" * 300, ""]
PROTECTED = [".env", ".git/hooks/x", ".vscode/settings.json", "{place}/out/id_rsa"]
OUTSIDE = ["../out/docs/c.md", "../out/back/a.py", "{place}/ws/src/../b.sql", "{place}/out"]
NEVER = ["{place}/state/consent.json", "/proc/self/environ", "/dev/sda", "a\0b"]
PATHS = st.sampled_from([*INSIDE, *PROTECTED, *OUTSIDE, *NEVER])
SENSIBLE = st.one_of(
    st.tuples(st.just("write_file"), st.fixed_dictionaries({"path": PATHS, "content": st.just("x")})),
    st.tuples(st.just("read_file"), st.fixed_dictionaries({"path": PATHS}, optional={"limit": st.just(2)})),
    st.tuples(st.just("list_files"), st.fixed_dictionaries({"path": PATHS})),
)
ANY_TOOL = st.sampled_from(["read_file", "write_file", "list_files", "list_file", "rm"])
ANY_ARGS = st.sampled_from([None, {}, [], "text", '{"path": "b.sql"}', 5, {"path": 5}, {"path": "a", "more": 1}])
SENSELESS = st.tuples(ANY_TOOL, ANY_ARGS)
CALLS = st.integers(0, 9).flatmap(lambda number: SENSELESS if number == 0 else SENSIBLE)
PATTERNS = st.sampled_from(["*", "**", "src/**", "*.sql", ".env", "~/**", "way/**", "//**/docs/*", "*a*", "[", "{a,b}"])
ENTRIES = PATTERNS | st.builds(
    lambda text, who: {"pattern": text, "agents": who}, PATTERNS, st.just([DEMO]) | st.just([])
)
RULES = st.dictionaries(st.sampled_from(["read_file", "write_file", "list_files"]), st.lists(ENTRIES, max_size=3))
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "alwaysDenyRules": st.integers(0, 9).flatmap(lambda number: RULES if number else st.just(5)),
        "alwaysAskRules": RULES,
        "alwaysAllowRules": RULES | st.just({"write_file": ["**"], "read_file": ["//**", ".env"], "list_files": ["*"]}),
        "toolAllowlist": st.lists(st.sampled_from(["read_file", "write_file"]), max_size=2),
        "bypassPermissions": st.just({DEMO: True}) | st.just({DEMO: False}) | st.just({DEMO: "yes"}),
        "bypassAvailable": st.booleans(),
        "confirmOutsideWorkspace": st.booleans(),
        "matrixOverrides": st.just({"default": {"write": "auto"}}) | st.just({"auto": {"read": "ask"}}),
        "mode": st.sampled_from([*Mode, "yolo"]),
        "enabled": st.integers(0, 9).map(bool),
    },
)
TOLD = st.fixed_dictionaries({"user": SETTINGS}, optional={"workspace": SETTINGS})
GRANTS = st.lists(
    st.sampled_from([KeyGrant("write_file"), KeyGrant("read_file"), ChatBypass(), "{place}/out/docs", "{place}/ws"]),
    max_size=2,
)


@settings(max_examples=examples(1_000), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CALLS, TOLD, st.sampled_from(Mode), GRANTS)
def test_what_is_explained_is_what_happens(
    house: House, call: tuple[str, Any], told: dict[str, Any], mode: Mode, grants: list[Any]
) -> None:
    tool, args = call
    placed = [_grant(one, house.place) for one in grants]
    asyncio.run(_compare(house, tool, _placed(args, house.place), house.chat(told, mode, placed)))


async def _compare(house: House, tool: str, args: Any, chat: Chat) -> None:
    before = await house.explained(chat, tool, args)
    happened = await house.happens(chat, tool, args)
    after = await house.explained(chat, tool, args)

    assert before.decision == happened.decision == after.decision
    assert (before.headline, before.category, before.facts) == (after.headline, after.category, after.facts)
    decision, card = before.decision, happened.question.card if happened.question else None
    assert (card is not None) is (decision.outcome is Outcome.ASK and before.impossible is None)
    assert isinstance(happened.end, Permit) is (decision.outcome is Outcome.RUN)
    if card is not None:
        assert (card.reason, card.reason_text, card.rule) == (decision.reason, decision.text, decision.rule)
        assert (card.headline, card.category) == (before.headline, before.category)
    if before.impossible is not None:
        assert isinstance(happened.end, Refusal) and happened.end.message == before.impossible
    if isinstance(happened.end, Refusal) and decision.outcome in (Outcome.BLOCK, Outcome.ERROR):
        assert happened.end.message == decision.text


def _placed(args: Any, place: Path) -> Any:
    if isinstance(args, dict) and isinstance(args.get("path"), str):
        return args | {"path": args["path"].replace("{place}", str(place))}
    return args


def _grant(grant: Any, place: Path) -> Any:
    if isinstance(grant, str):
        return DirectoryGrant(grant.replace("{place}", str(place)), Access.WRITE)
    return grant
