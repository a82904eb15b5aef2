"""Generated settings texts: any layout, comments, trailing commas, repeated keys, both spellings, strange names."""

import json
from dataclasses import dataclass

from hypothesis import strategies as st

AGENTS = [
    "Claude Code",
    "Local",
    "a.b.c",
    "__proto__",
    "constructor",
    "",
    "Zoë 🦊",
    'quo"te\\',
    "x" * 300,
    "\u202e",
    "\ud800",
    "\x07",
]
FEW = ["Claude Code", "a.b.c", "__proto__"]
# Names by depth, so that the paths that are edited often exist.
NAMES = (
    ["assent", "assent.mode", "assent.bypassPermissions", "assent.agents", "assent.mode", "editor.tabSize"],
    ["bypassPermissions", "mode", "agents", *FEW, *FEW, *AGENTS],
    [*FEW, *FEW, "bypassPermissions", "mode", *AGENTS],
    ["bypassPermissions", "mode", "x"],
)
LEAVES = st.one_of(
    st.booleans(),
    st.none(),
    st.integers(-(10**6), 10**6),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=6),
    st.sampled_from(["// no comment", "/* neither */", "}", ",", "\ud83d"]),
)


@dataclass(frozen=True)
class Text:
    """A generated text and the comments in it."""

    text: str
    comments: tuple[str, ...]


class _Writer:
    """Writes values with space and comments drawn for every gap."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.eol = draw(st.sampled_from(["\n", "\r\n", "\r"]))
        self.unit = draw(st.sampled_from(["  ", "    ", "\t", ""]))
        self.tidy = draw(st.booleans())
        self.comments: list[str] = []

    def gap(self) -> str:
        if self.tidy:
            return ""
        return "".join(
            self.draw(
                st.lists(st.sampled_from(["space", "break", "line", "block", "tall"]), max_size=2).map(self._pieces)
            )
        )

    def _pieces(self, kinds: list[str]) -> list[str]:
        return [self.piece(kind) for kind in kinds]

    def piece(self, kind: str) -> str:
        if kind == "space":
            return " "
        if kind == "break":
            return self.eol
        number = len(self.comments)
        text = {
            "line": f'// c{number} "x": {{ /* , ',
            "block": f"/* c{number} // }} */",
            "tall": f"/* c{number}{self.eol} ** */",
        }[kind]
        self.comments.append(text)
        return text + (self.eol if kind == "line" else "")

    def quoted(self, text: str) -> str:
        plain = json.dumps(text, ensure_ascii=self.draw(st.booleans()))
        return "".join(f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in plain)

    def value(self, depth: int, indent: str) -> str:
        kind = self.draw(st.sampled_from(["leaf", "object", "object", "array"])) if depth < 3 else "leaf"
        if kind == "leaf":
            leaf = self.draw(LEAVES)
            return self.quoted(leaf) if isinstance(leaf, str) else json.dumps(leaf)
        if kind == "array":
            return self.listed(
                "[", "]", [self.value(depth + 1, indent) for _ in range(self.draw(st.integers(0, 3)))], indent
            )
        return self.object(depth, indent)

    def object(self, depth: int, indent: str) -> str:
        inner = indent + self.unit
        members = []
        for _ in range(self.draw(st.integers(0, 5))):
            name = self.quoted(self.draw(st.sampled_from(NAMES[depth])))
            members.append(f"{name}{self.gap()}:{self.gap() or ' '}{self.value(depth + 1, inner)}")
        return self.listed("{", "}", members, indent)

    def listed(self, opening: str, closing: str, parts: list[str], indent: str) -> str:
        one_line = self.draw(st.booleans())
        lead = "" if one_line else self.eol + indent + self.unit
        written = [f"{self.gap()}{lead}{part}{self.gap()}" for part in parts]
        trailing = "," if parts and self.draw(st.booleans()) else ""
        end = "" if one_line else self.eol + indent
        return f"{opening}{','.join(written)}{trailing}{self.gap()}{end}{closing}"


@st.composite
def settings_texts(draw: st.DrawFn) -> Text:
    """A text that holds an object, as a settings file should."""
    writer = _Writer(draw)
    bom = draw(st.sampled_from(["", "\ufeff"]))
    text = bom + writer.gap() + writer.object(0, "") + writer.gap()
    return Text(text, tuple(comment for comment in writer.comments if comment in text))


def paths() -> st.SearchStrategy[tuple[str, ...]]:
    """Where an entry may be set: a whole setting, an entry of one, an entry of an entry."""
    setting = st.sampled_from(["assent.mode", "assent.bypassPermissions", "assent.agents", "editor.tabSize"])
    return st.one_of(
        setting.map(lambda name: (name,)),
        st.tuples(setting, st.sampled_from([*FEW, *FEW, *FEW, *AGENTS])),
        st.tuples(setting, st.sampled_from([*FEW, *FEW, *AGENTS]), st.sampled_from(["bypassPermissions", "mode"])),
    )


VALUES = st.one_of(LEAVES, st.just({}), st.just({"a": [1, {"b": None}]}), st.just([]))
