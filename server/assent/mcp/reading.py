"""What a server says about itself and its tools, taken apart: bounded, and with nothing in it believed. Pure."""

from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from assent.agent.tool_pictures import Looked, as_many_as_fit, shown
from assent.jsontext import canonical_json, line_json
from assent.mcp.words import Answered, ServerInfo, ServerTool
from assent.media.pictures import LARGEST_PICTURE

MOST_NAME = 128
MOST_TITLE = 200
MOST_DESCRIPTION = 8_000
MOST_SCHEMA = 64 * 1024
MOST_TEXT = 512 * 1024
"""Characters of one answer that are handed on."""
_NAME_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
OFFERS = ("tools", "resources", "prompts")


def info_of(result: Mapping[str, Any]) -> ServerInfo:
    """What a server says of itself."""
    said, capabilities = result.get("serverInfo"), result.get("capabilities")
    said = said if isinstance(said, Mapping) else {}
    capabilities = capabilities if isinstance(capabilities, Mapping) else {}
    offers = frozenset(one for one in OFFERS if isinstance(capabilities.get(one), Mapping))
    tells = frozenset(one for one in offers if capabilities[one].get("listChanged") is True)
    return ServerInfo(text_of(said.get("name"), MOST_TITLE), text_of(said.get("version"), MOST_TITLE), offers, tells)


def tool_of(said: Any) -> ServerTool | str:
    """A tool, or why it is left out."""
    name = said.get("name") if isinstance(said, Mapping) else None
    if not isinstance(name, str) or not 0 < len(name) <= MOST_NAME or not _NAME_SIGNS.issuperset(name):
        return f"a tool whose name is none: {text_of(name, 80)!r}"
    schema = said.get("inputSchema")
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        return f"{name}: its inputs have no schema of an object"
    written = canonical_json(schema)
    if len(written) > MOST_SCHEMA:
        return f"{name}: the schema of its inputs is larger than {MOST_SCHEMA >> 10} KB"
    hints = said.get("annotations")
    hints = hints if isinstance(hints, Mapping) else {}
    described = {key: value for key, value in said.items() if key not in ("icons", "_meta")}
    return ServerTool(
        name=name,
        title=text_of(said.get("title") or hints.get("title"), MOST_TITLE),
        description=text_of(said.get("description"), MOST_DESCRIPTION),
        schema=dict(schema),
        digest=sha256(canonical_json(described)).hexdigest(),
        reads_only=hints.get("readOnlyHint") is True and hints.get("destructiveHint") is not True,
        destroys=hints.get("destructiveHint") is True,
    )


def answer_of(result: Mapping[str, Any]) -> Answered:
    """What a tool, a resource or a prompt came to, as text for a model."""
    blocks = result.get("content")
    looked = [_shown(block, place) for place, block in enumerate(blocks, 1)] if isinstance(blocks, list) else []
    parts = [text for text, _ in looked]
    pictures = as_many_as_fit(picture for _, picture in looked if picture is not None)
    structured = result.get("structuredContent")
    if structured is not None and not any(parts):
        parts = [line_json(structured)]
    answered = bounded("\n".join(filter(None, parts)), failed=result.get("isError") is True)
    return replace(answered, pictures=pictures)


def resource_of(result: Mapping[str, Any]) -> Answered:
    """What a resource holds."""
    contents = result.get("contents")
    return bounded("\n".join(map(_resource, contents)) if isinstance(contents, list) else "")


def prompt_of(result: Mapping[str, Any]) -> Answered:
    """The messages of a prompt, each with whose it is."""
    messages = result.get("messages")
    found = [one for one in messages if isinstance(one, Mapping)] if isinstance(messages, list) else []
    lines = (f"{text_of(one.get('role'), 20) or 'user'}: {_block(one.get('content'))}" for one in found)
    return bounded("\n".join(lines))


def listing_of(entries: Iterator[Mapping[str, Any]], *keys: str) -> Answered:
    """Entries of a list, one a line, with what is said of each under these names."""
    chosen = ({key: entry[key] for key in keys if key in entry} for entry in entries)
    return bounded("\n".join(map(line_json, chosen)) or "[none]")


def bounded(text: str, *, failed: bool = False) -> Answered:
    """As much of it as is handed on."""
    if len(text) <= MOST_TEXT:
        return Answered(text or "[no content]", failed)
    left = len(text) - MOST_TEXT
    return Answered(f"{text[:MOST_TEXT]}\n[{left} more characters]", failed, truncated=True)


def text_of(value: Any, most: int) -> str:
    """A text of a stranger, not without end; nothing for what is none."""
    if not isinstance(value, str):
        return ""
    return value if len(value) <= most else f"{value[:most]}…"


def _shown(block: Any, place: int) -> Looked:
    """A block as text, and as a picture where it is one by its bytes, whatever its server calls it."""
    if isinstance(block, Mapping) and block.get("type") == "image" and _decoded(block.get("data")) <= LARGEST_PICTURE:
        try:
            data = b64decode(block.get("data") or "", validate=True)
        except (ValueError, TypeError):
            return _block(block), None
        return shown(f"picture {place}", data) or (_block(block), None)
    return _block(block), None


def _block(block: Any) -> str:
    if not isinstance(block, Mapping):
        return ""
    match block.get("type"):
        case "text":
            return text_of(block.get("text"), MOST_TEXT + 1)
        case "image" | "audio" as kind:
            mime = text_of(block.get("mimeType"), 80) or "of no kind"
            return f"[{kind}, {mime}, {_decoded(block.get('data'))} bytes]"
        case "resource_link":
            return f"[resource {text_of(block.get('name'), 200)!r} at {text_of(block.get('uri'), 2_000)}]"
        case "resource":
            return _resource(block.get("resource"))
    return f"[content of the kind {text_of(block.get('type'), 40)!r}, which is not understood]"


def _resource(said: Any) -> str:
    if not isinstance(said, Mapping):
        return ""
    text, blob = said.get("text"), said.get("blob")
    if isinstance(text, str):
        return text_of(text, MOST_TEXT + 1)
    kind = text_of(said.get("mimeType"), 80) or "of no kind"
    return f"[resource {text_of(said.get('uri'), 2_000)}, {kind}, {_decoded(blob)} bytes]"


def _decoded(data: Any) -> int:
    """How many bytes a text in base64 stands for."""
    return len(data.rstrip("=")) * 3 // 4 if isinstance(data, str) else 0
