"""Collects what is wrong with settings while they are put together: each thing once, and not without end."""

from assent.settings.layers import Diagnostic, Layer, Layers, Origin

# A hostile file can hold tens of thousands of wrong entries; nobody reads more than a few.
MAX_DIAGNOSTICS = 50


class Findings:
    """The diagnostics so far, in the order in which they were found."""

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], Diagnostic] = {}

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(self._found.values())

    def add(self, text: str, layer: Layer, key: str, *path: str | int) -> None:
        """Something to say about the value that stands here."""
        # Places are looked up for those that will be shown only.
        if len(self._found) < MAX_DIAGNOSTICS:
            self.add_at(text, layer.origin(key, *path))

    def add_at(self, text: str, origin: Origin) -> None:
        # The editor's block of a scope and the server's own reading may hold the same line of the same file.
        same = (text, origin.file, origin.line) if origin.line else (text, origin)
        if len(self._found) < MAX_DIAGNOSTICS:
            self._found.setdefault(same, Diagnostic(text, origin))

    def wrong(self, layer: Layer, expected: str, key: str, *path: str) -> None:
        """A value that is not what its setting takes."""
        self.add(f"{'.'.join((f'assent.{key}', *path))} should be {expected}.", layer, key, *path)

    def report_unreadable(self, layers: Layers) -> None:
        for layer in layers.all:
            if layer.fault is not None:
                self.add(
                    f"These settings cannot be read: {layer.fault}. What they last restricted still counts,"
                    " what they permit does not.",
                    layer,
                    "",
                )
