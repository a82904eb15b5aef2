"""The escapes of `$'…'`."""

import re

from assent.commandline.syntax.tree import NotUnderstood

_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(x\{)|c(.)|(.))", re.DOTALL
)
_LETTERS = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip


def decoded(body: str) -> str:
    """The characters that the body of `$'…'` stands for. A NUL ends it, as it does for the shell."""
    if "\\" not in body:
        return body
    out = bytearray()
    end = 0
    for found in _ESCAPE.finditer(body):
        out += body[end : found.start()].encode()
        end = found.end()
        one = _one(found)
        if one in (b"\0", b""):
            return _text(out)
        out += one
    out += body[end:].encode()
    return _text(out)


def _one(found: re.Match[str]) -> bytes:
    octal, byte, short, long, braced, control, letter = found.groups()
    if octal is not None:
        return bytes([int(octal, 8) & 0xFF])
    if byte is not None:
        return bytes([int(byte, 16)])
    if short is not None or long is not None:
        return _character(int(short or long, 16))
    if braced is not None:
        raise NotUnderstood(r"\x{ in $'…' is not read")
    if control is not None:
        if not control.isascii() or control in "\\'\x7f":
            raise NotUnderstood(r"this \c in $'…' is not read")
        return b"\x7f" if control == "?" else bytes([ord(control.upper()) & 0x1F])
    return _LETTERS[letter].encode() if letter in _LETTERS else found.group().encode()


def _character(number: int) -> bytes:
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise NotUnderstood("$'…' names a character that does not exist")
    return chr(number).encode()


def _text(raw: bytearray) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise NotUnderstood("$'…' stands for bytes that are no text") from None
