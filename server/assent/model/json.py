"""JSON as Python sees it."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
JsonObject: TypeAlias = Mapping[str, "Json"]

LARGEST_EXACT = 2**53 - 1
"""The largest integer that every reader of JSON takes for just this number."""
