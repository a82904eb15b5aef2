"""docs/settings.md: every setting in one table, for people."""

import json
from typing import Any

from assent.settings.declared import Declared, declared
from assent.settings.declaring import About
from assent.settings.spelling import PREFIX
from codegen.setting_schema import schema_of

_HEADER = """\
# Settings

<!-- Generated from server/assent/settings/declared.py by `python3 dev.py generate`. Do not edit. -->

All names begin with `assent.`. In settings.json a setting is written `"assent.mode": "ask"`, or inside of one object:
`"assent": {"mode": "ask"}`. Values are taken literally: `"yes"` is not `true`. What is wrong is underlined where it
stands, and permits nothing until it is mended. Where a setting stands twice, the stricter reading counts.

A workspace's own files never loosen anything by themselves. What they would permit counts entry by entry, once you
agreed to it on this machine; what they restrict counts at once.
"""


def settings_document() -> str:
    """The whole text of docs/settings.md."""
    parts = [_HEADER, "## At a glance\n", _overview(), "## One by one\n"]
    parts += [_section(setting) for setting in declared().values()]
    return "\n".join(parts)


def _overview() -> str:
    head = ["| setting | type | default | scope | a workspace's value |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *(_row(setting) for setting in declared().values()), ""])


def _row(setting: Declared) -> str:
    about = setting.about
    cells = [f"`{setting.name}`", _cell(about.expected), _default(setting), about.reach.value, _of_workspace(about)]
    return f"| {' | '.join(cells)} |"


def _section(setting: Declared) -> str:
    about = setting.about
    words = [f"- `{word}`: {meaning}" for word, meaning in about.words.items()]
    words += [_entry(name, schema) for name, schema in schema_of(setting.type).get("properties", {}).items()]
    listed = ["", *words] if words else []
    text = _plain(f"{about.does}\n\n{about.warning}")
    return "\n".join([f"### {PREFIX}.{setting.name}\n", text, *listed, ""])


def _entry(name: str, schema: dict[str, Any]) -> str:
    """One entry of a setting that is an object."""
    ends = [f"{schema[end]:,}".replace(",", " ") for end in ("minimum", "maximum") if end in schema]
    between = f" (from {' to '.join(ends)})" if ends else ""
    return f"- `{name}`{between}: {_plain(schema['description'])}"


def _of_workspace(about: About) -> str:
    if not about.reach.is_open_to_workspaces:
        return "does not count"
    if about.loosens:
        return "counts where it restricts; what it permits needs your consent"
    return "counts; it can only restrict"


def _default(setting: Declared) -> str:
    return f"`{json.dumps(setting.default, ensure_ascii=False)}`"


def _plain(text: str) -> str:
    """Without the links that only the editor's own settings follow: a name between two number signs."""
    return text.replace("`#", "`").replace("#`", "`")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
