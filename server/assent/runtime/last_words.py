"""What a program printed last beside its protocol: where it fails, that says why."""

from assent.masking import mask_text

MOST = 32 * 1024
"""Bytes of it that are kept."""
_TORN = 512
"""Bytes at a cut that are left out where no line begins: the rest of a secret there would not be known for one."""


class LastWords:
    """Keeps the end of what is printed."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept = bytearray()
        self._was_cut = False

    def add(self, data: bytes) -> None:
        """The next bytes."""
        self._kept += data
        # Cut now and then, not for every piece: each cut moves what is kept.
        if len(self._kept) > 2 * self._most:
            self._cut()

    def text(self, secrets: frozenset[str] = frozenset()) -> str:
        """What is kept, for people: whole lines where there are any, and no secret."""
        if len(self._kept) > self._most:
            self._cut()
        kept = bytes(self._kept)
        if self._was_cut:
            end_of_line = kept.find(b"\n")
            kept = kept[end_of_line + 1 :] if end_of_line >= 0 else kept[_TORN:]
        masked, _ = mask_text(kept.decode("utf-8", "replace"), secrets)
        return masked.strip()

    def _cut(self) -> None:
        del self._kept[: -self._most]
        self._was_cut = True
