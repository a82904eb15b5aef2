"""For any history of edits, clicks, looks and restarts, an entry counts only if the last word on it was a yes."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assent.model.modes import Mode
from assent.model.patience import TimeoutWhen
from assent.model.secrets_reading import SecretsReading
from assent.settings.files import workspace_settings_file
from assent.settings.live import LiveSettings
from tests.support.scale import examples

BUILTIN = {"Demo": {"provider": "demo"}}
ENTRIES: dict[str, tuple[str, Any]] = {
    "bypass": ("bypassPermissions", {"Demo": True}),
    "rule": ("alwaysAllowRules", {"bash": ["npm test:*"]}),
    "tool": ("toolAllowlist", ["web_fetch"]),
    "mode": ("mode", "auto"),
    "directory": ("additionalWorkingDirectories", ["../beside"]),
    "time": ("approvalTimeoutWhen", "never"),
    "secrets": ("secrets.reading", "show"),
    "server": ("mcpServers", {"s": {"command": "serve"}}),
    "hook": ("hooks", {"PreToolUse": [{"command": "check"}]}),
}
TIGHTER = {"bypass": ("bypassPermissions", {"Demo": False}), "mode": ("mode", "plan"), "tool": ("toolAllowlist", [])}
WAYS = ("plain", "tightened", "unreadable", "spaced")

_SILENT = frozenset[str]()


def _steps(names: list[str]) -> st.SearchStrategy[list[tuple[str, frozenset[str], str]]]:
    """Histories of these few entries: of more, hardly one would come, go and come again."""
    some = st.frozensets(st.sampled_from(names))
    seen = st.sampled_from(("plain", "plain", "plain", *WAYS))
    step = st.one_of(
        st.tuples(st.just("edit and look"), some, seen),
        st.tuples(st.just("edit"), some, st.sampled_from(WAYS)),
        st.tuples(st.just("agree"), st.just(frozenset(names)), st.just("")),
        st.tuples(st.sampled_from(("agree", "refuse")), some, st.just("")),
        st.tuples(st.sampled_from(("look", "restart", "distrust")), st.just(_SILENT), st.just("")),
    )
    return st.lists(step, min_size=3, max_size=14)


_histories = st.lists(st.sampled_from(sorted(ENTRIES)), min_size=1, max_size=2, unique=True).flatmap(_steps)


class _World:
    """One workspace, what stands in its settings, and the user's last word on each entry that was seen."""

    def __init__(self, base: Path) -> None:
        self.base, self.folder = base, base / "work"
        (base / "beside").mkdir()
        self.file = workspace_settings_file(self.folder)
        self.file.parent.mkdir(parents=True)
        self.there, self.readable, self.agreed = frozenset[str](), True, set[str]()
        self.restart()

    def restart(self) -> None:
        self.live = LiveSettings(folders=(self.folder,), state_dir=self.base / "state", builtin_agents=BUILTIN)
        self.live.client_settings(None)

    def edit(self, entries: frozenset[str], way: str) -> None:
        said = dict(ENTRIES[name] for name in sorted(entries))
        if way == "tightened":
            said |= dict(value for name, value in TIGHTER.items() if name not in entries)
        text = json.dumps(
            {f"assent.{key}": value for key, value in said.items()}, indent=7 if way == "spaced" else None
        )
        self.file.write_text(text[:-1] + ", oops" if way == "unreadable" else text)
        self.there, self.readable = entries, way != "unreadable"

    def look(self) -> None:
        counting = self.counting()
        if self.readable:
            self.agreed &= self.there
            assert counting == self.there & self.agreed
        else:
            assert not counting

    def counting(self) -> set[str]:
        now = self.live.now()
        found = {
            "bypass": now.verdicts["Demo"].on,
            "rule": any(rule.pattern == "npm test:*" for rule in now.rules.rules),
            "tool": "web_fetch" in now.rules.always_allowed,
            "mode": now.mode_for_new_chats is Mode.AUTO and now.mode_ceiling is None,
            "directory": bool(now.additional_directories),
            "time": now.allowance.when is TimeoutWhen.NEVER,
            "secrets": now.secrets_reading is SecretsReading.SHOW,
            "server": "s" in now.mcp_servers,
            "hook": any(hook.command == "check" for hook in now.hooks),
        }
        return {name for name, counts in found.items() if counts}

    def answer(self, entries: frozenset[str], *, honoured: bool) -> None:
        self.look()
        settings = {ENTRIES[name][0] for name in entries}
        chosen = [one for one in self.live.awaiting() if one.setting in settings]
        self.live.record(*((chosen, []) if honoured else ([], chosen)))
        if honoured:
            self.agreed |= {name for name in self.there if ENTRIES[name][0] in {one.setting for one in chosen}}

    def step(self, what: str, entries: frozenset[str], way: str) -> None:
        match what:
            case "edit" | "edit and look":
                self.edit(entries, way)
                if what != "edit":
                    self.look()
            case "agree" | "refuse":
                self.answer(entries, honoured=what == "agree")
            case "look":
                self.look()
            case "restart":
                self.restart()
            case "distrust":
                # An editor that does not trust the workspace permits nothing of it, and takes nothing back.
                self.live.trusted = False
                assert not self.counting()
                self.live.trusted = None


@settings(max_examples=examples(400), deadline=None)
@given(_histories)
def test_only_what_was_agreed_to_last_counts(steps: list[tuple[str, frozenset[str], str]]) -> None:
    with tempfile.TemporaryDirectory() as base:
        world = _World(Path(base))
        for step in steps:
            world.step(*step)
        world.look()
