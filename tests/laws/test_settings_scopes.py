"""Whatever stands in a workspace's files, it permits nothing beyond the user's own settings and agreements."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assent.model.limits import LIMITS, SHELL_LIMITS, ShellLimits
from assent.model.modes import Category, Mode
from assent.model.sandbox import SandboxChoice, SandboxKind
from assent.policy.matrix import Cell
from assent.policy.rules.rule import Effect, Rule
from assent.settings.consent import Consent
from assent.settings.effective import Effective, effective
from assent.settings.facts import Facts, NamedFile
from assent.settings.layers import Layer, Scope, layers_from
from assent.settings.matrix_overrides import nowhere_looser
from tests.support.probes import HOME, ROOT, permitted_beyond
from tests.support.scale import examples

BUILTIN = {"Demo": {"provider": "demo"}, "Local": {"provider": "scripted"}}
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 2),
    st.text(max_size=3),
    st.just([]),
    st.just({}),
    st.just([True]),
    st.just("true"),
)
SWITCH = st.one_of(st.booleans(), JUNK)
NAMES = st.sampled_from(["Demo", "Local", "Mine", "__proto__", "Ghost"])
DEFINITION = st.one_of(
    JUNK,
    st.fixed_dictionaries(
        {},
        optional={
            "command": st.sampled_from(["x", "y", "", 1]),
            "provider": st.sampled_from(["demo", "scripted", None]),
            "args": st.sampled_from([[], ["a"], "a"]),
            "bypassPermissions": SWITCH,
        },
    ),
)
ENTRY = st.one_of(
    st.sampled_from(["*", "src/**", "["]),
    JUNK,
    st.fixed_dictionaries(
        {},
        optional={
            "pattern": st.sampled_from(["*", "docs/**", 5]),
            "agents": st.sampled_from([["Demo"], [], "Demo"]),
            "match": st.sampled_from([["docs/a"], 5]),
        },
    ),
)
TOOL_RULES = st.one_of(
    JUNK,
    st.dictionaries(
        st.sampled_from(["read_file", "write_file"]), st.one_of(JUNK, st.lists(ENTRY, max_size=3)), max_size=2
    ),
)
DIRECTORIES = st.lists(st.sampled_from(["/beside", "/beside/deep", "/", "~/x", "", 5]), max_size=3)
CELLS = st.dictionaries(
    st.sampled_from(["read", "write", "execute", "external", "internal", "x"]),
    st.one_of(st.sampled_from(["auto", "ask", "block"]), JUNK),
    max_size=3,
)
MODE = st.sampled_from([*(mode.value for mode in Mode), "auto_accept_all", "ask_every_time", "AUTO"])
LIMITS_SAID = st.dictionaries(
    st.sampled_from(["iterations", "toolCalls", "writes", "resultBytes", "depth", "tool_calls", "__proto__"]),
    st.one_of(st.sampled_from([-1, 0, 1, 3, 49, 51, 999, 50_001, 10**9, 10**400, 1.5, "7"]), JUNK),
    max_size=4,
)
SHELL_SAID = st.fixed_dictionaries(
    {},
    optional={
        "path": st.one_of(st.sampled_from(["/bin/sh", "/bin/zsh", "/work/sh", "sh", "~/sh"]), JUNK),
        "maxBackground": st.one_of(st.sampled_from([1, 7, 8, 9, 64, 65]), JUNK),
        "maxProcesses": st.one_of(st.sampled_from([15, 16, 512, 513, 10**400]), JUNK),
        "maxMemoryMb": st.one_of(st.sampled_from([63, 64, 4096, 10**9]), JUNK),
        "max_processes": JUNK,
        "environment": st.one_of(
            st.dictionaries(
                st.sampled_from(["pass", "withhold", "x"]),
                st.one_of(JUNK, st.lists(st.sampled_from(["A", "B_*", "*", "", 5]), max_size=3)),
                max_size=2,
            ),
            JUNK,
        ),
    },
)
COLLECTION = st.fixed_dictionaries(
    {"path": st.sampled_from(["/beside", "/work/docs", "/", "~/x", 5])},
    optional={"include": st.one_of(st.lists(st.sampled_from(["**", "*.md"]), max_size=2), JUNK)},
)
SANDBOX_SAID = st.fixed_dictionaries(
    {},
    optional={
        "enabled": st.one_of(st.sampled_from([*(kind.value for kind in SandboxKind), "OFF"]), JUNK),
        "autoAllow": SWITCH,
        "network": SWITCH,
        "writable": st.one_of(DIRECTORIES, JUNK),
        "__proto__": JUNK,
    },
)
SERVICE_SAID = st.fixed_dictionaries(
    {},
    optional={
        "provider": st.one_of(st.sampled_from(["svg", "system", "openai-compatible", "automatic1111"]), JUNK),
        "baseUrl": st.one_of(st.sampled_from(["http://a", "http://b", "http://u:p@a", "file:///a"]), JUNK),
        "model": st.one_of(st.sampled_from(["m"]), JUNK),
        "voice": st.one_of(st.sampled_from(["v"]), JUNK),
        "apiKeyEnv": st.one_of(st.sampled_from(["KEY", "sk-1"]), JUNK),
        "apiKey": JUNK,
    },
)
BLOCK = st.one_of(
    JUNK,
    st.fixed_dictionaries(
        {},
        optional={
            "mode": st.one_of(MODE, JUNK),
            "agent": st.one_of(NAMES, JUNK),
            "agents": st.one_of(JUNK, st.dictionaries(NAMES, DEFINITION, max_size=4)),
            "bypassPermissions": st.one_of(JUNK, st.dictionaries(NAMES, SWITCH, max_size=4)),
            "bypassAvailable": SWITCH,
            "confirmOutsideWorkspace": SWITCH,
            "bypassWriteTarget": st.one_of(st.sampled_from(["user", "workspace"]), JUNK),
            "enabled": SWITCH,
            "sessionGrants": SWITCH,
            "approvalTimeoutSeconds": st.one_of(st.sampled_from([0, 1, 5.5, 300, 900, 86_400, 86_401]), JUNK),
            "secrets.reading": st.one_of(st.sampled_from(["show", "mask", "ask", "Show"]), JUNK),
            "approvalTimeoutWhen": st.one_of(st.sampled_from(["always", "unattended", "never", "Never"]), JUNK),
            "limits": st.one_of(JUNK, LIMITS_SAID),
            "shell": st.one_of(JUNK, SHELL_SAID),
            "sandbox": st.one_of(JUNK, SANDBOX_SAID),
            "streaming": SWITCH,
            "images": st.one_of(JUNK, SERVICE_SAID),
            "speech": st.one_of(JUNK, SERVICE_SAID),
            "webSearch": st.one_of(JUNK, SERVICE_SAID),
            "collections": st.one_of(JUNK, st.dictionaries(NAMES, st.one_of(COLLECTION, JUNK), max_size=3)),
            "toolAllowlist": st.one_of(JUNK, st.lists(st.sampled_from(["read_file", "write_file", 5]), max_size=2)),
            "additionalWorkingDirectories": st.one_of(JUNK, DIRECTORIES),
            "matrixOverrides": st.one_of(JUNK, st.dictionaries(MODE, st.one_of(CELLS, JUNK), max_size=3)),
            "alwaysDenyRules": TOOL_RULES,
            "alwaysAskRules": TOOL_RULES,
            "alwaysAllowRules": TOOL_RULES,
        },
    ),
)
many = settings(max_examples=examples(200), deadline=None)


class Told(dict[Any, Any]):
    """Facts about everything: where a text leads, and one file for each definition."""

    def __init__(self, make: Callable[..., object]) -> None:
        super().__init__()
        self._make = make

    def get(self, key: Any, default: Any = None) -> Any:
        return self._make(*key)


FACTS = Facts(
    (ROOT,),
    Told(lambda _, text: text.replace("~", HOME) if text.startswith(("/", "~")) else None),
    Told(lambda *_: (NamedFile("run.js", "content"),)),
)


def come_to(
    user: object,
    workspace: object = None,
    folder: object = None,
    *,
    agreed: Callable[[Consent], bool | None] = lambda _: None,
    trusted: bool | None = True,
    disk: dict[str, Any] | None = None,
) -> Effective:
    layers = layers_from({"user": user, "workspace": workspace, "folder": folder}, None)
    if disk is not None:
        layers = replace(layers, others=(Layer(Scope.FOLDER, disk, folder="/other", only_restricts=True),))
    return effective(layers, consents=lambda _: agreed, workspace_trusted=trusted, builtin_agents=BUILTIN, facts=FACTS)


def to_all(_: Consent) -> bool:
    return True


def looser_than(one: Effective, other: Effective) -> list[str]:
    """In what the first permits more than the second."""
    found = [f"bypassPermissions of {name}" for name in one.agents if one.bypass(name).on and not other.bypass(name).on]
    found += [f"agents {name}" for name, agent in one.agents.items() if other.agents.get(name) != agent]
    found += (
        ["mode"] if not nowhere_looser(one.mode_for_new_chats, other.mode_for_new_chats, one.matrix_overrides) else []
    )
    found += ["ceiling"] if other.mode_ceiling is not None and one.mode_ceiling is None else []
    found += ["available"] if one.bypass_available and not other.bypass_available else []
    found += ["outside"] if other.confirm_outside_workspace and not one.confirm_outside_workspace else []
    found += ["enabled"] if one.enabled and not other.enabled else []
    found += ["session grants"] if one.session_grants and not other.session_grants else []
    found += ["seconds"] if one.allowance.seconds > other.allowance.seconds else []
    found += ["when"] if one.allowance.when.looseness > other.allowance.when.looseness else []
    found += [f"limits {name}" for name in LIMITS if getattr(one.limits, name) > getattr(other.limits, name)]
    found += shell_looser_than(one.shell, other.shell) + sandbox_looser_than(one.sandbox, other.sandbox)
    found += ["images"] if one.images != other.images else []
    found += ["speech"] if one.speech != other.speech else []
    found += ["webSearch"] if one.web_search != other.web_search else []
    found += ["streaming"] if one.streaming and not other.streaming else []
    found += ["target"] if one.write_target is not other.write_target else []
    found += ["agent of new chats"] if one.agent_for_new_chats != other.agent_for_new_chats else []
    found += [f"toolAllowlist {tool}" for tool in one.rules.always_allowed - other.rules.always_allowed]
    found += [f"alwaysAllowRules {rule}" for rule in permissions(one) if rule not in permissions(other)]
    found += [f"no {rule}" for rule in restrictions(other) if rule not in restrictions(one)]
    found += ["doubt"] if other.rules.in_doubt and not one.rules.in_doubt else []
    found += [
        f"additionalWorkingDirectories {path}"
        for path in one.additional_directories
        if path not in other.additional_directories
    ]
    found += [
        f"collections {beyond}"
        for beyond in one.collections
        if not beyond.folders[0].startswith(ROOT) and beyond not in other.collections
    ]
    found += [f"matrixOverrides {cell}" for cell in auto_cells(one) - auto_cells(other)]
    return found


def shell_looser_than(one: ShellLimits, other: ShellLimits) -> list[str]:
    found = ["shell path"] if one.path not in (None, other.path) else []
    for name in SHELL_LIMITS:
        mine, theirs = getattr(one, name), getattr(other, name)
        found += [f"shell {name}"] if theirs is not None and (mine is None or mine > theirs) else []
    found += [f"shell passes {name}" for name in one.passed if name not in other.passed]
    return found + [f"shell withholds no {name}" for name in other.withheld if name not in one.withheld]


def sandbox_looser_than(one: SandboxChoice, other: SandboxChoice) -> list[str]:
    found = ["sandbox enabled"] if one.enabled is not other.enabled and other.enabled is not SandboxKind.OFF else []
    found += ["sandbox autoAllow"] if one.auto_allow and not other.auto_allow else []
    found += ["sandbox network"] if one.network and not other.network else []
    return found + [f"sandbox writable {path}" for path in one.writable if path not in other.writable]


def auto_cells(result: Effective) -> set[tuple[Mode, Category]]:
    overrides = result.matrix_overrides
    return {(mode, category) for mode, cells in overrides.items() for category in cells if cells[category] is Cell.AUTO}


def restrictions(result: Effective) -> list[Rule]:
    return [rule for rule in result.rules.rules if rule.effect.restricts]


def permissions(result: Effective) -> list[Rule]:
    return [rule for rule in result.rules.rules if not rule.effect.restricts]


def assert_nothing_more(one: Effective, other: Effective) -> None:
    """Neither by its values nor by what is decided does the first permit more than the second."""
    assert looser_than(one, other) == []
    for agent in ("Demo", "Mine"):
        assert permitted_beyond(one, other, agent) == []


@many
@given(BLOCK, BLOCK, BLOCK, st.sampled_from([True, False, None]), st.sampled_from([None, False]))
def test_a_workspace_adds_no_permission_without_consent(
    user: object, workspace: object, folder: object, trusted: bool | None, answer: bool | None
) -> None:
    one = come_to(user, workspace, folder, trusted=trusted, agreed=lambda _: answer)
    assert_nothing_more(one, come_to(user))


@many
@given(BLOCK, BLOCK, BLOCK)
def test_an_untrusted_workspace_adds_no_permission_even_with_consent_and_asks_nothing(
    user: object, workspace: object, folder: object
) -> None:
    one = come_to(user, workspace, folder, agreed=to_all, trusted=False)
    assert_nothing_more(one, come_to(user))
    assert one.awaiting == ()


@many
@given(BLOCK, BLOCK, BLOCK)
def test_files_that_only_restrict_add_no_permission_to_anything(user: object, workspace: object, disk: object) -> None:
    said = disk if isinstance(disk, dict) else {}
    one = come_to(user, workspace, agreed=to_all, disk={key: value for key, value in said.items() if value is not None})
    assert_nothing_more(one, come_to(user, workspace, agreed=to_all))


@many
@given(BLOCK, BLOCK, BLOCK, st.data())
def test_agreement_to_one_entry_opens_that_entry_and_nothing_else(
    user: object, workspace: object, folder: object, data: st.DataObject
) -> None:
    nothing = come_to(user, workspace, folder)
    if not nothing.awaiting:
        return
    entry = data.draw(st.sampled_from(nothing.awaiting))
    one = come_to(user, workspace, folder, agreed=lambda consent: True if consent == entry.consent else None)
    looser = looser_than(one, nothing)
    assert all(what.startswith(entry.setting) for what in looser)
    assert len([what for what in looser if not what.startswith("alwaysAllowRules")]) <= 1
    assert entry.consent not in {other.consent for other in one.awaiting}


@many
@given(BLOCK, BLOCK, BLOCK)
def test_whatever_loosens_was_asked_about_and_once_answered_nothing_is(
    user: object, workspace: object, folder: object
) -> None:
    nothing, everything = come_to(user, workspace, folder), come_to(user, workspace, folder, agreed=to_all)
    if looser_than(everything, come_to(user)):
        assert nothing.awaiting
    assert everything.awaiting == ()
    assert come_to(user, workspace, folder, agreed=lambda _: False).awaiting == ()


@many
@given(BLOCK, BLOCK, BLOCK, st.booleans())
def test_without_the_users_leave_no_bypass_is_on(user: object, workspace: object, folder: object, agreed: bool) -> None:
    if isinstance(user, dict):
        result = come_to({**user, "bypassAvailable": False}, workspace, folder, agreed=lambda _: agreed)
        assert not any(result.bypass(name).on for name in result.agents)


@many
@given(BLOCK, BLOCK, BLOCK, NAMES)
def test_a_no_of_the_workspace_always_counts(user: object, workspace: object, folder: object, name: str) -> None:
    block = folder if isinstance(folder, dict) else {}
    result = come_to(user, workspace, {**block, "bypassPermissions": {name: False}}, agreed=to_all)
    assert not result.bypass(name).on


KEYS = {"alwaysDenyRules": Effect.DENY, "alwaysAskRules": Effect.ASK}


@many
@given(BLOCK, BLOCK, st.sampled_from(["workspace", "folder"]))
def test_every_restriction_of_a_workspace_is_there(user: object, block: object, scope: str) -> None:
    """Each entry counts: as it is, or for the whole tool, or it holds every chat."""
    said = block if isinstance(block, dict) else {}
    result = come_to(user, block) if scope == "workspace" else come_to(user, None, block)
    there = [(rule.effect, rule.tool, rule.pattern) for rule in restrictions(result) if rule.scope == scope]
    for key, effect in KEYS.items():
        tools = said.get(key)
        if tools is not None and not isinstance(tools, dict):
            assert result.rules.in_doubt and result.mode_ceiling is Mode.ASK
        for tool, entries in tools.items() if isinstance(tools, dict) else ():
            for entry in entries if isinstance(entries, list) else [entries]:
                pattern = entry.get("pattern") if isinstance(entry, dict) else entry
                assert (effect, tool, pattern) in there or (effect, tool, "*") in there


@many
@given(BLOCK)
def test_restrictions_are_restrictions_whoever_says_them(block: object) -> None:
    mine, theirs = come_to(block), come_to(None, block)
    assert [replace(rule, scope="") for rule in restrictions(mine)] == [
        replace(rule, scope="") for rule in restrictions(theirs)
    ]
    assert permissions(theirs) == [] and theirs.rules.always_allowed == frozenset()
