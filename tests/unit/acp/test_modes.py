"""Which mode of an agent asks, which plans, and which acts without asking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.acp.known_agents import KNOWN_AGENTS
from assent.acp.modes import asking_mode, danger, is_of_modes, judge, plan_mode
from assent.acp.well_known import KnownAgent
from assent.acp.words import Choice, Introduction, Setting

COPILOT = "https://agentclientprotocol.com/protocol/session-modes#"


def modes(*choices: str | tuple[str, str], category: str | None = "mode", by_option: bool = False) -> Setting:
    told = tuple(Choice(one, one) if isinstance(one, str) else Choice(*one) for one in choices)
    return Setting("mode", "Mode", category, told[0].choice_id, told, by_option=by_option)


CLAUDE = modes(
    ("default", "Manual"), ("acceptEdits", "Accept edits"), "plan", ("auto", "Auto"), "dontAsk", "bypassPermissions"
)
CODEX = modes(
    ("read-only", "Read-only"), ("workspace-write", "Workspace access"), ("agent", "Auto review"), "agent-full-access"
)
CODEX_ZED = modes(("read-only", "Read Only"), ("auto", "Default"), ("full-access", "Full Access"))
GEMINI = modes(("yolo", "YOLO"), ("autoEdit", "Auto Edit"), ("default", "Default"), ("plan", "Plan"))
QWEN = modes("plan", "default", "auto-edit", "auto", "yolo")
COPILOT_MODES = modes((f"{COPILOT}agent", "Agent"), (f"{COPILOT}plan", "Plan"), (f"{COPILOT}autopilot", "Autopilot"))
CLINE = modes("plan", "act")
KIMI = modes("default", "plan", "yolo")
VIBE = modes(("accept-edits", "Accept Edits"), ("ask", "Ask"), ("auto-approve", "Auto Approve"), "plan")
HERMES = modes(("default", "Default"), ("accept_edits", "Accept Edits"), ("dont_ask", "Don't Ask"))
OPENHANDS = modes("always-approve", "llm-approve", "always-ask")
OPENCODE = modes("build", "plan", by_option=True)
FAST_AGENT = modes("default", "reviewer")
PI = modes("off", "minimal", "auto")


@pytest.mark.parametrize(
    ("agent", "setting", "asks"),
    [
        ("claude-agent-acp", CLAUDE, "default"),
        ("codex-acp", CODEX, "read-only"),
        ("@zed-industries/codex-acp", CODEX_ZED, "read-only"),
        ("gemini-cli", GEMINI, "default"),
        ("qwen-code", QWEN, "default"),
        ("Copilot", COPILOT_MODES, f"{COPILOT}agent"),
        ("cline", CLINE, "act"),
        ("kimi-code", KIMI, "default"),
        ("kimi", KIMI, "default"),
        ("mistral-vibe", VIBE, "ask"),
        ("hermes-agent", HERMES, "default"),
        ("openhands", OPENHANDS, "always-ask"),
        ("OpenCode", OPENCODE, None),
        ("fast-agent", FAST_AGENT, None),
        ("pi-acp", PI, None),
    ],
)
def test_known_agents_are_put_into_the_mode_in_which_they_ask(agent: str, setting: Setting, asks: str | None) -> None:
    assert asking_mode(Introduction(1, name=agent), setting) == asks


@pytest.mark.parametrize(
    ("setting", "asks"),
    [
        (modes("auto", "always-ask", "default"), "always-ask"),
        (modes("yolo", ("m1", "Ask before edits")), "m1"),
        (modes("full-access", "read-only"), "read-only"),
        (modes(("https://x.org/modes#ask", "Whatever"), "b"), "https://x.org/modes#ask"),
        (modes(("auto", "Default"), ("b", "B")), None),
        (modes("build", "chat"), None),
        (modes("default", category="model"), None),
        (modes("default", category="thought_level"), None),
        (modes("ask", category=None), "ask"),
    ],
)
def test_agents_that_nobody_knows(setting: Setting, asks: str | None) -> None:
    assert asking_mode(None, setting) == asks


def test_an_agent_that_does_not_ask_by_default_is_not_put_into_its_default() -> None:
    assert asking_mode(Introduction(1, name="mistral-vibe"), modes("default", "plan")) is None
    assert asking_mode(None, modes("default", "plan")) == "default"


def test_the_words_that_start_an_agent_tell_as_well() -> None:
    assert asking_mode(Introduction(1), COPILOT_MODES) is None
    assert asking_mode(Introduction(1), COPILOT_MODES, ("copilot", "--acp")) == f"{COPILOT}agent"


@pytest.mark.parametrize(
    ("setting", "plans"),
    [
        (CLAUDE, "plan"),
        (COPILOT_MODES, f"{COPILOT}plan"),
        (modes(("p", "Plan mode")), "p"),
        (modes("planet", "explain"), None),
        (modes("plan", category="model"), None),
    ],
)
def test_the_mode_that_plans(setting: Setting, plans: str | None) -> None:
    assert plan_mode(setting) == plans


@pytest.mark.parametrize(
    "mode",
    [
        *("yolo", "YOLO", "bypassPermissions", "bypass_permissions", "allow_all", "auto_approve", "auto-approve"),
        *("acceptEdits", "accept-edits", "autoEdit", "auto-edit", "full-access", "agent-full-access", "dontAsk"),
        *("dont_ask", "never", "auto", "autopilot", "always-approve", "llm-approve", f"{COPILOT}autopilot"),
        *("danger-full-access", "risk_based"),
    ],
)
def test_dangers(mode: str) -> None:
    by_id = danger(modes(mode), mode)
    assert by_id is not None
    assert "the agent" in by_id
    assert danger(modes(("m", mode)), "m") is not None or "#" in mode


def test_dangers_by_name_as_people_write_them() -> None:
    assert (
        danger(modes(("m", "Don't Ask")), "m")
        == "In the mode “Don't Ask” the agent never asks you: Assent sees only what it asks for."
    )
    assert danger(modes(("m", "Auto Edit")), "m") is not None


@pytest.mark.parametrize(
    "mode",
    [
        "automatic-formatting",
        "auto-format",
        "yolov8",
        "never-mind",
        "full-access-review",
        "allow",
        "edits",
        "automode2",
        "",
    ],
)
def test_a_part_of_a_word_is_no_danger(mode: str) -> None:
    found = judge(modes(mode), mode)

    assert found.danger is None
    assert not found.known


@pytest.mark.parametrize("mode", ["default", "ask", "plan", "read-only", "always-ask", "Manual"])
def test_modes_that_are_known_to_be_safe(mode: str) -> None:
    assert judge(modes(mode), mode) == judge(modes(("x", mode)), "x")
    assert judge(modes(mode), mode).known
    assert danger(modes(mode), mode) is None


def test_what_sounds_harmless_is_a_danger_where_it_is_known_to_be_one() -> None:
    codex = Introduction(1, name="codex-acp")

    assert danger(CODEX, "agent") is not None, "by its name"
    assert danger(modes("agent"), "agent") is None
    assert danger(modes("agent"), "agent", codex) is not None
    assert danger(CODEX, "workspace-write", codex) is not None
    assert danger(CODEX, "read-only", codex) is None
    assert danger(CODEX_ZED, "auto", Introduction(1, name="@zed-industries/codex-acp")) is not None


def test_modes_that_are_agents_or_thoughts_are_no_danger() -> None:
    assert judge(PI, "auto", Introduction(1, name="pi-acp")).danger is None
    assert not judge(FAST_AGENT, "default", Introduction(1, name="fast-agent")).known


@pytest.mark.parametrize(("value", "dangerous"), [("on", True), ("true", True), ("off", False), ("false", False)])
def test_an_option_that_switches_asking_off(value: str, dangerous: bool) -> None:
    for setting_id, name in (("allow_all", "Allow all"), ("auto_approve", "Auto approve"), ("x", "YOLO mode")):
        setting = Setting(setting_id, name, None, value, (Choice(value, value.title()),))
        assert (danger(setting, value) is not None) is dangerous
        assert judge(setting, value).known


def test_a_model_may_be_called_auto() -> None:
    assert judge(Setting("model", "Model", "model", "auto", (Choice("auto", "Auto"),)), "auto").danger is None
    assert not is_of_modes(Setting("model", "Model", None, "auto", ()))


@given(st.text(max_size=12), st.text(max_size=12), st.text(max_size=12), st.sampled_from([None, "mode", "model"]))
def test_no_mode_is_a_fault_and_none_that_asks_is_a_danger(
    mode_id: str, name: str, other: str, category: str | None
) -> None:
    setting = Setting(other, other, category, mode_id, (Choice(mode_id, name), Choice(other, mode_id)))

    judge(setting, other)
    plan_mode(setting)
    asks = asking_mode(None, setting)
    assert asks is None or danger(setting, asks) is None


def test_no_agent_is_put_into_a_dangerous_mode_where_there_is_another() -> None:
    for agent in KNOWN_AGENTS:
        if agent.asking_modes:
            dangerous = dict(agent.dangerous_modes)
            assert agent.asking_modes[0] not in dangerous


@pytest.mark.parametrize("agent", KNOWN_AGENTS, ids=lambda agent: agent.key)
def test_a_mode_in_which_a_known_agent_acts_alone_is_never_taken_for_one_that_asks(agent: KnownAgent) -> None:
    introduction = Introduction(1, name=agent.known_as[0])
    for mode, _ in agent.dangerous_modes:
        setting = modes(mode)
        assert danger(setting, mode, introduction) is not None
        # Without its mode that only reads, Codex has none that asks more than this one, of which the user is warned.
        expected = mode if (agent.key, mode) == ("codex", "workspace-write") else None
        assert asking_mode(introduction, setting) == expected


@pytest.mark.parametrize("agent", ["codex-acp", "@agentclientprotocol/codex-acp", "@zed-industries/codex-acp"])
def test_codex_is_put_into_no_mode_at_all_where_it_offers_none_that_asks(agent: str) -> None:
    alone = modes(("agent", "Default"), ("auto", "Default"), "agent-full-access", "full-access")

    assert asking_mode(Introduction(1, name=agent), alone) is None
    assert all(danger(alone, one.choice_id, Introduction(1, name=agent)) for one in alone.choices)
