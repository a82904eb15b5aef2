"""The settings in the extension's manifest; every other byte of it stays as it is."""

import json
from typing import Any

from assent.settings.declared import Declared, declared
from assent.settings.jsonc import Document, Node, parse
from assent.settings.spelling import PREFIX
from codegen.setting_schema import schema_of

TITLE = "Assent"


def manifest_with_settings(text: str) -> str:
    """The manifest's text with the settings as they are declared."""
    document = parse(text)
    replacements = [
        (_node(document, "contributes", "configuration"), configuration()),
        (_node(document, "capabilities", "untrustedWorkspaces", "restrictedConfigurations"), restricted()),
    ]
    for node, value in sorted(replacements, key=lambda replacement: replacement[0].start, reverse=True):
        text = text[: node.start] + _written(value, _indent(text, node.start)) + text[node.end :]
    return text


def configuration() -> dict[str, Any]:
    """What the editor shows in its settings and checks in settings.json."""
    return {"title": TITLE, "properties": {_full(setting): _property(order, setting) for order, setting in _numbered()}}


def restricted() -> list[str]:
    """The settings of which a workspace that nobody trusts has no say."""
    return [_full(setting) for setting in declared().values() if setting.about.is_restricted]


def _numbered() -> "enumerate[Declared]":
    return enumerate(declared().values(), start=1)


def _full(setting: Declared) -> str:
    return f"{PREFIX}.{setting.name}"


def _property(order: int, setting: Declared) -> dict[str, Any]:
    about = setting.about
    schema = schema_of(setting.type)
    if about.words:
        schema["enumDescriptions"] = [about.words[word] for word in schema["enum"]]
    return schema | {
        "default": setting.default,
        "scope": about.reach.value,
        "order": order,
        "markdownDescription": f"{about.does} {about.warning}",
    }


def _node(document: Document, *path: str) -> Node:
    node = document.find(*path)
    assert node is not None, f"the manifest has no {'.'.join(path)}"
    return node


def _written(value: Any, indent: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", f"\n{indent}")


def _indent(text: str, offset: int) -> str:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip())]
