"""A collection: documents in one place, under a name by which they can be asked."""

from assent.lazy_dataclasses import dataclass

DOCUMENTS = ("**/*.md", "**/*.markdown", "**/*.mdx", "**/*.txt", "**/*.rst", "**/*.adoc", "**/*.asciidoc", "**/*.org")
"""What counts as a document where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Which files of which folders belong to it."""

    name: str
    folders: tuple[str, ...]
    """By their real paths."""
    include: tuple[str, ...] = DOCUMENTS
    """Globs from each folder on."""
    exclude: tuple[str, ...] = ()
    description: str = ""
    """What its owner says about it."""
