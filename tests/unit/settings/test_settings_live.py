"""The settings of a server over time: each question gets what counts at that moment."""

from pathlib import Path

import pytest

from assent.model.modes import Mode
from assent.settings.agents import bypass_consent
from assent.settings.consent import ConsentLedger
from assent.settings.files import workspace_settings_file
from assent.settings.live import LiveSettings

BUILTIN = {"Demo": {"provider": "demo"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace_settings_file(tmp_path / "work").parent.mkdir(parents=True)
    return tmp_path / "work"


@pytest.fixture
def live(folder: Path, tmp_path: Path) -> LiveSettings:
    return LiveSettings(folders=(folder,), state_dir=tmp_path / "state", builtin_agents=BUILTIN)


def test_until_the_client_spoke_every_chat_asks(live: LiveSettings, folder: Path) -> None:
    workspace_settings_file(folder).write_text('{"assent.mode": "plan"}')
    assert live.now().mode_ceiling is Mode.ASK
    live.client_settings(None)
    assert live.now().mode_ceiling is None
    assert live.now().mode_for_new_chats is Mode.PLAN


def test_unchanged_settings_are_put_together_once(live: LiveSettings) -> None:
    live.client_settings({"user": {}})
    assert live.now() is live.now()


def test_every_source_counts_from_the_next_question_on(live: LiveSettings, folder: Path) -> None:
    file = workspace_settings_file(folder)
    live.client_settings({"user": {"mode": "auto"}})
    assert live.now().mode_for_new_chats is Mode.AUTO
    file.write_text('{"assent.mode": "ask"}')
    assert live.now().mode_for_new_chats is Mode.ASK
    file.unlink()
    assert live.now().mode_for_new_chats is Mode.AUTO
    live.client_settings({"user": {"mode": "plan"}})
    assert live.now().mode_for_new_chats is Mode.PLAN


def test_a_consent_given_in_another_window_counts_and_trust_taken_away_counts(live: LiveSettings, folder: Path) -> None:
    live.client_settings(None)
    workspace_settings_file(folder).write_text('{"assent.bypassPermissions": {"Demo": true}}')
    assert not live.now().bypass("Demo").on
    assert "no effect until you agree" in live.diagnostics()[0].text
    other = ConsentLedger(live.ledger.state_dir)
    other.grant(folder, bypass_consent("Demo", live.now().agents["Demo"].digest))
    assert live.now().bypass("Demo").on
    live.trusted = False
    assert not live.now().bypass("Demo").on
    live.trusted = True
    assert live.now().bypass("Demo").on
    other.revoke(folder, "bypassPermissions", "Demo")
    assert not live.now().bypass("Demo").on


def test_a_folder_that_was_replaced_is_another_folder(live: LiveSettings, folder: Path) -> None:
    live.client_settings({"user": {}, "workspace": {"bypassPermissions": {"Demo": True}}})
    live.ledger.grant(folder, bypass_consent("Demo", live.now().agents["Demo"].digest))
    assert live.now().bypass("Demo").on
    folder.rename(folder.with_name("moved"))
    assert not live.now().bypass("Demo").on
    folder.mkdir()
    assert not live.now().bypass("Demo").on


def test_a_broken_ledger_is_reported(live: LiveSettings) -> None:
    live.client_settings(None)
    live.ledger.state_dir.mkdir()
    live.ledger.file.write_text("{")
    assert any("asks again" in diagnostic.sentence for diagnostic in live.diagnostics())


def test_without_a_folder_the_users_settings_count(tmp_path: Path) -> None:
    live = LiveSettings(folders=(), state_dir=tmp_path, builtin_agents=BUILTIN)
    live.client_settings({"user": {"bypassPermissions": {"Demo": True}}, "workspace": {"mode": "plan"}})
    assert live.now().bypass("Demo").on
    assert live.now().mode_for_new_chats is Mode.PLAN
