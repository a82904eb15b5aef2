"""What a file of a picture or of sound really is: by its bytes, never by its name or by what a server calls it."""

from assent.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A format, as people and browsers call it, and how names of its files end."""

    name: str
    mime: str
    endings: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        """Whether it is heard, not seen."""
        return self.mime.startswith("audio/")


PNG = Kind("PNG", "image/png", (".png",))
JPEG = Kind("JPEG", "image/jpeg", (".jpg", ".jpeg"))
WEBP = Kind("WebP", "image/webp", (".webp",))
GIF = Kind("GIF", "image/gif", (".gif",))
SVG = Kind("SVG", "image/svg+xml", (".svg",))
WAV = Kind("WAV", "audio/wav", (".wav",))
MP3 = Kind("MP3", "audio/mpeg", (".mp3",))

PICTURES = (PNG, JPEG, WEBP, GIF)
"""Pictures of points, which servers make."""
SOUNDS = (WAV, MP3)
ALL = (*PICTURES, SVG, *SOUNDS)

_PNG_END = b"\x00\x00\x00\x00IEND\xaeB`\x82"
_UNKNOWN_SIZE = 0x7FFF_0000
"""Whoever writes sound as it comes does not know its size, and says that it is as large as can be."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What bytes are. Not whole: they end before what they begin."""

    kind: Kind
    whole: bool


def kind_by_name(path: str) -> Kind | None:
    """The kind that a name promises."""
    folded = path.lower()
    return next((kind for kind in ALL if folded.endswith(kind.endings)), None)


def recognise(data: bytes) -> Recognised | None:
    """What these bytes are, of the kinds that have a mark of their own; a drawing has none."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
        return Recognised(PNG, _PNG_END in data[-64:])
    if data.startswith(b"\xff\xd8\xff"):
        return Recognised(JPEG, b"\xff\xd9" in data[-64:])
    if data.startswith((b"GIF87a", b"GIF89a")):
        return Recognised(GIF, data.rstrip(b"\0").endswith(b"\x3b"))
    if data.startswith(b"RIFF"):
        return _of_riff(data)
    return Recognised(MP3, whole=True) if _is_mp3(data) else None


def _of_riff(data: bytes) -> Recognised | None:
    size = int.from_bytes(data[4:8], "little")
    there = len(data) >= size + 8
    if data[8:12] == b"WEBP" and data[12:15] == b"VP8":
        return Recognised(WEBP, there)
    if data[8:12] == b"WAVE" and b"fmt " in data[12:4096]:
        return Recognised(WAV, (there or size >= _UNKNOWN_SIZE) and b"data" in data[12:65536])
    return None


def _is_mp3(data: bytes) -> bool:
    """A tag, or the head of a frame in which nothing stands that no frame has."""
    if data.startswith(b"ID3"):
        return len(data) > 10
    if len(data) < 4 or data[0] != 0xFF or data[1] & 0xE0 != 0xE0:
        return False
    version, layer, rate, samples = (data[1] >> 3) & 3, (data[1] >> 1) & 3, data[2] >> 4, (data[2] >> 2) & 3
    return version != 1 and layer == 1 and rate not in (0, 15) and samples != 3
