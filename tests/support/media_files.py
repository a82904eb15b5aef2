"""The smallest files of each kind that are real ones."""

import io
import struct
import wave
import zlib


def png(red: int = 255, width: int = 1, height: int = 1) -> bytes:
    """One point, whatever it says of itself."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes((0, red, 0, 0)))) + chunk(b"IEND", b"")


def wav(seconds: float = 0.1) -> bytes:
    """Silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(b"\0\0" * int(8_000 * seconds))
    return file.getvalue()


JPEG_BYTES = b"\xff\xd8\xff\xe0" + b"\0" * 100 + b"\xff\xd9"
GIF_BYTES = b"GIF89a" + b"\1\0\1\0" + b"\0" * 20 + b"\x3b"
WEBP_BYTES = b"RIFF" + struct.pack("<I", 20) + b"WEBPVP8 " + b"\0" * 12
MP3_BYTES = b"\xff\xfb\x90\x64" + b"\0" * 400
