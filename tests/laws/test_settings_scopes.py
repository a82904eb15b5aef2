"""Whatever stands in a workspace's files, it permits nothing that the user's settings did not."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from assent.model.modes import Mode
from assent.policy.matrix import nowhere_looser
from assent.policy.rules.rule import Effect, Rule
from assent.settings.effective import Effective, effective
from assent.settings.layers import layers_from

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
BLOCK = st.one_of(
    JUNK,
    st.fixed_dictionaries(
        {},
        optional={
            "mode": st.one_of(st.sampled_from([*(mode.value for mode in Mode), "auto_accept_all", "AUTO"]), JUNK),
            "agent": st.one_of(NAMES, JUNK),
            "agents": st.one_of(JUNK, st.dictionaries(NAMES, DEFINITION, max_size=4)),
            "bypassPermissions": st.one_of(JUNK, st.dictionaries(NAMES, SWITCH, max_size=4)),
            "bypassAvailable": SWITCH,
            "confirmOutsideWorkspace": SWITCH,
            "bypassWriteTarget": st.one_of(st.sampled_from(["user", "workspace"]), JUNK),
            "enabled": SWITCH,
            "toolAllowlist": st.one_of(JUNK, st.lists(st.sampled_from(["read_file", "write_file", 5]), max_size=2)),
            "alwaysDenyRules": TOOL_RULES,
            "alwaysAskRules": TOOL_RULES,
            "alwaysAllowRules": TOOL_RULES,
        },
    ),
)
many = settings(max_examples=500, deadline=None)


def come_to(
    user: object, workspace: object = None, folder: object = None, *, agreed: bool = False, trusted: bool | None = True
) -> Effective:
    layers = layers_from({"user": user, "workspace": workspace, "folder": folder}, None)
    return effective(layers, consents=lambda _: lambda _: agreed, workspace_trusted=trusted, builtin_agents=BUILTIN)


def looser_than(one: Effective, other: Effective) -> list[str]:
    """In what the first permits more than the second."""
    found = [f"bypass of {name}" for name in one.agents if one.bypass(name).on and not other.bypass(name).on]
    found += [f"agent {name}" for name, agent in one.agents.items() if other.agents.get(name) != agent]
    found += ["mode"] if not nowhere_looser(one.mode_for_new_chats, other.mode_for_new_chats) else []
    found += ["ceiling"] if other.mode_ceiling is not None and one.mode_ceiling is None else []
    found += ["available"] if one.bypass_available and not other.bypass_available else []
    found += ["outside"] if other.confirm_outside_workspace and not one.confirm_outside_workspace else []
    found += ["enabled"] if one.enabled and not other.enabled else []
    found += ["target"] if one.write_target is not other.write_target else []
    found += ["agent of new chats"] if one.agent_for_new_chats != other.agent_for_new_chats else []
    found += [f"always {tool}" for tool in one.rules.always_allowed - other.rules.always_allowed]
    found += [f"allow rule {rule}" for rule in permissions(one) if rule not in permissions(other)]
    found += [f"no {rule}" for rule in restrictions(other) if rule not in restrictions(one)]
    found += ["doubt"] if other.rules.in_doubt and not one.rules.in_doubt else []
    return found


def restrictions(result: Effective) -> list[Rule]:
    return [rule for rule in result.rules.rules if rule.effect.restricts]


def permissions(result: Effective) -> list[Rule]:
    return [rule for rule in result.rules.rules if not rule.effect.restricts]


@many
@given(BLOCK, BLOCK, BLOCK, st.sampled_from([True, False, None]))
def test_a_workspace_adds_no_permission_without_consent(
    user: object, workspace: object, folder: object, trusted: bool | None
) -> None:
    assert looser_than(come_to(user, workspace, folder, trusted=trusted), come_to(user)) == []


@many
@given(BLOCK, BLOCK, BLOCK)
def test_an_untrusted_workspace_adds_no_permission_even_with_consent(
    user: object, workspace: object, folder: object
) -> None:
    assert looser_than(come_to(user, workspace, folder, agreed=True, trusted=False), come_to(user)) == []


@many
@given(BLOCK, BLOCK, BLOCK, st.booleans())
def test_without_the_users_leave_no_bypass_is_on(user: object, workspace: object, folder: object, agreed: bool) -> None:
    if isinstance(user, dict):
        result = come_to({**user, "bypassAvailable": False}, workspace, folder, agreed=agreed)
        assert not any(result.bypass(name).on for name in result.agents)


@many
@given(BLOCK, BLOCK, BLOCK, NAMES)
def test_a_no_of_the_workspace_always_counts(user: object, workspace: object, folder: object, name: str) -> None:
    block = folder if isinstance(folder, dict) else {}
    result = come_to(user, workspace, {**block, "bypassPermissions": {name: False}}, agreed=True)
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
