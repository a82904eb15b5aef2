"""What is known of the disk about settings: looked up by those who do I/O, handed to those who decide."""

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from assent.lazy_dataclasses import dataclass


class NamedFile(NamedTuple):
    """A file that a word of a definition names."""

    name: str
    """From the folder of the settings on, or absolute."""
    digest: str
    """Of what an agreement is bound to."""
    real: str = ""
    """Where it really is."""


FilesOf = tuple[NamedFile, ...]
"""Files of a workspace that a definition names, with digests of their content, in a fixed order."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is not here could not be told, or was too much: it permits nothing."""

    roots: tuple[str, ...] = ()
    """The workspace's folders, by their real paths."""
    directories: Mapping[tuple[str | None, str], str] = field(default_factory=dict)
    """Where a path of the settings (a directory, a shell) really leads, by the folder whose settings hold it."""
    files: Mapping[tuple[str | None, str], FilesOf] = field(default_factory=dict)
    """The files that an agent's definition, or a hook's command, names: by the folder whose settings hold it, and the
    digest of what names them."""
