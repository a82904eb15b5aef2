"""Where a rule of the user's settings file stands: the server hears of these settings without their places."""

from pathlib import Path

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.model.verdict import RuleOrigin
from assent.settings.jsonc import Document, Node, below
from assent.settings.repeated import said_in


@dataclass(frozen=True, slots=True)
class SettingsText:
    """A settings file as it was read for this question."""

    file: Path
    document: Document

    def placed(self, rule: RuleOrigin, setting: str, tool: str) -> RuleOrigin:
        """The rule with its file and line, where it is one of the user's."""
        node = said_in(self.document).counts.get(setting)
        entries = below(node, tool) if node else None
        if rule.scope != "user" or rule.file is not None or entries is None:
            return rule
        found = next((item for item in entries.items or [] if _pattern(item) == rule.pattern), entries)
        return RuleOrigin(rule.pattern, rule.scope, str(self.file), self.document.line(found.start))


def _pattern(item: Node) -> Json:
    return item.value.get("pattern") if isinstance(item.value, dict) else item.value
