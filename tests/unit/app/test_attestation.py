"""What the user saved by hand counts as agreed to: exactly what changed, and only if the file says it."""

import hashlib
import json
from pathlib import Path

import pytest

from assent.app.attestation import Attested, attested_entries
from assent.app.scopes import Scopes
from assent.app.trust import Trust
from assent.model.errors import InvalidRequest
from assent.model.json import Json

RULES = {"write_file": ["docs/**"]}


class Desk:
    """A workspace whose settings the user edits."""

    def __init__(self, home: Path) -> None:
        self.root = home / "root"
        (self.root / ".vscode").mkdir(parents=True)
        self.file = self.root / ".vscode/settings.json"
        self.workspace_file: Path | None = None
        self.trust = Trust(home / "state")
        self.trust.meet((self.root,), None, trusted=True, write=None)

    def save(self, settings: Json) -> str:
        self.file.write_text(json.dumps(settings))
        return hashlib.sha256(self.file.read_bytes()).hexdigest()

    def attest(self, sha256: str, *entries: Attested, file: Path | None = None) -> int:
        """How many entries it agrees to, once that is recorded."""
        agreed = attested_entries(self.trust, self.workspace_file, file or self.file, sha256, entries)
        assert self.trust.to_keep(agreed, ())() is None
        return len(agreed)

    @property
    def patterns(self) -> list[str]:
        return [rule.pattern for rule in self.trust.now().rules.rules]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_what_the_user_saved_counts(desk: Desk) -> None:
    sha = desk.save({"assent.alwaysAllowRules": RULES})
    assert desk.patterns == []
    assert len(desk.trust.awaiting()) == 1

    assert desk.attest(sha, Attested("assent.alwaysAllowRules", None, RULES)) == 1
    assert desk.patterns == ["docs/**"]
    assert desk.trust.awaiting() == ()


def test_what_stood_there_before_is_not_agreed_to_with_it(desk: Desk) -> None:
    both = {"write_file": ["docs/**", "src/**"]}
    sha = desk.save({"assent.alwaysAllowRules": both})
    desk.attest(sha, Attested("assent.alwaysAllowRules", {"write_file": ["src/**"]}, both))

    assert desk.patterns == ["docs/**"]
    assert [entry.after for entry in desk.trust.awaiting()] == ["src/**"]


def test_another_content_than_was_saved_counts_for_nothing(desk: Desk) -> None:
    sha = desk.save({"assent.alwaysAllowRules": RULES})
    desk.save({"assent.alwaysAllowRules": RULES, "x": 1})

    with pytest.raises(InvalidRequest, match="not the one that was saved"):
        desk.attest(sha, Attested("assent.alwaysAllowRules", None, RULES))
    assert desk.patterns == []


def test_a_value_that_the_file_does_not_hold_counts_for_nothing(desk: Desk) -> None:
    sha = desk.save({"assent.alwaysAllowRules": RULES})

    assert desk.attest(sha, Attested("assent.alwaysAllowRules", None, {"write_file": ["**"]})) == 0
    assert desk.attest(sha, Attested("assent.toolAllowlist", None, ["write_file"])) == 0
    assert desk.patterns == []


def test_the_nested_spelling_is_read_too(desk: Desk) -> None:
    sha = desk.save({"assent": {"toolAllowlist": ["write_file"]}})

    assert desk.attest(sha, Attested("assent.toolAllowlist", [], ["write_file"])) == 1
    assert desk.trust.now().rules.always_allowed == {"write_file"}


@pytest.mark.parametrize("name", ["other.json", "../settings.json", "root/.vscode/tasks.json"])
def test_a_file_that_holds_no_settings_of_the_workspace_is_refused(desk: Desk, name: str) -> None:
    sha = desk.save({"assent.alwaysAllowRules": RULES})

    with pytest.raises(InvalidRequest, match="no settings file"):
        desk.attest(sha, Attested("assent.alwaysAllowRules", None, RULES), file=desk.root / name)


def test_a_setting_of_somebody_else_is_none_of_ours(desk: Desk) -> None:
    sha = desk.save({"toolAllowlist": ["write_file"], "assent.toolAllowlist": ["write_file"]})

    assert desk.attest(sha, Attested("toolAllowlist", None, ["write_file"])) == 0


def test_a_bypass_is_agreed_to_for_the_agent_as_it_is_and_not_for_one_that_waits(desk: Desk) -> None:
    evil = {"Demo": {"command": "./evil.sh"}}
    on = {"Demo": True}
    sha = desk.save({"assent.agents": evil, "assent.bypassPermissions": on})
    desk.attest(sha, Attested("assent.bypassPermissions", None, on))
    (definition,) = [entry for entry in desk.trust.awaiting() if entry.setting == "agents"]
    assert desk.trust.to_keep([definition], ())() is None

    assert desk.trust.now().agents["Demo"].definition["command"] == "./evil.sh"
    assert not desk.trust.now().bypass("Demo").on


def test_a_file_that_cannot_be_read_is_refused(desk: Desk) -> None:
    sha = desk.save({})
    desk.file.write_text("{ no")

    with pytest.raises(InvalidRequest, match="cannot be read"):
        desk.attest(sha, Attested("assent.toolAllowlist", None, ["write_file"]))


def test_a_workspace_of_several_folders_has_a_file_of_its_own(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "all.code-workspace"
    file.write_text(json.dumps({"folders": [], "settings": {"assent.toolAllowlist": ["write_file"]}}))
    sha = hashlib.sha256(file.read_bytes()).hexdigest()
    # Of this file only the editor knows what it means: it tells the values of the workspace.
    scopes = Scopes(user={}, workspace={"toolAllowlist": ["write_file"]}, folder={})
    desk.trust.meet((desk.root,), scopes, trusted=True, write=None)
    assert desk.trust.now().rules.always_allowed == frozenset()

    with pytest.raises(InvalidRequest, match="no settings file"):
        desk.attest(sha, Attested("assent.toolAllowlist", None, ["write_file"]), file=file)

    desk.workspace_file = file
    assert desk.attest(sha, Attested("assent.toolAllowlist", None, ["write_file"]), file=file) == 1
    assert desk.trust.now().rules.always_allowed == {"write_file"}
