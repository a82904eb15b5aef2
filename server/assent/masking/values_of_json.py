"""Masking of JSON: in its texts and names, and whatever stands under a name that promises a secret."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from assent.masking.marks import MARK, mark
from assent.masking.names import kind_of_name
from assent.masking.texts import mask_text
from assent.masking.values import is_placeholder

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None

_DEEPEST = 400
_SCHEMA_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})


def mask_json(value: Json, known: frozenset[str] = frozenset()) -> tuple[Json, int]:
    """The value with every secret masked, and how many there were. Types, order and numbers are kept."""
    masking = _Masking(known)
    masked = masking.value(value, None, 0)
    return masked, masking.count


class _Masking:
    """One walk through one value, counting."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self.count = 0

    def value(self, value: Json, kind: str | None, depth: int) -> Json:
        """This value, which stands under a name of this kind."""
        if isinstance(value, str):
            return self._secret(value, kind) if kind else self._text(value)
        if not isinstance(value, (Mapping, Sequence)):
            return value
        if depth > _DEEPEST:
            self.count += 1
            return mark("too deep to look into", 0)
        if isinstance(value, Mapping):
            return self._object(value, kind, depth)
        items = [self.value(item, kind, depth + 1) for item in value]
        return tuple(items) if isinstance(value, tuple) else items

    def _object(self, value: Mapping[str, Json], kind: str | None, depth: int) -> dict[str, Json]:
        if value.get("type") in _SCHEMA_TYPES:
            kind = None
        named = self._promise(str(value.get("name") or value.get("key") or "")) if "value" in value else None
        masked: dict[str, Json] = {}
        for name, item in value.items():
            below = self._promise(name) or kind or (named if name == "value" else None)
            masked[self._name(name, masked)] = self.value(item, below, depth + 1)
        return masked

    def _promise(self, name: str) -> str | None:
        """What a name promises, without the marks in it: they speak of secrets, too."""
        return kind_of_name(MARK.sub("", mask_text(name, self._known)[0]))

    def _name(self, name: str, taken: Mapping[str, Json]) -> str:
        """Two names may not become one, or a value would be lost."""
        masked = own = self._text(name)
        again = 2
        while masked in taken:
            masked, again = f"{own} ({again})", again + 1
        return masked

    def _text(self, text: str) -> str:
        masked, count = mask_text(text, self._known)
        self.count += count
        return masked

    def _secret(self, text: str, kind: str) -> str:
        if is_placeholder(text) or MARK.fullmatch(text):
            return text
        by_itself, count = mask_text(text, self._known)
        self.count += 1
        return by_itself if count == 1 and MARK.fullmatch(by_itself) else mark(kind, len(text))
