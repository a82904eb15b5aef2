"""A layout in the words of macOS's sandbox-exec. No I/O.

Not used yet: it has not been tried on macOS, and no means counts before its test has failed to escape from it there.
"""

from collections.abc import Iterable, Iterator

from assent.sandbox.layout import Layout

PROGRAM = "/usr/bin/sandbox-exec"
_DEVICES = ("/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper")
_SERVICES = (
    *("com.apple.system.logger", "com.apple.system.notification_center", "com.apple.trustd.agent"),
    *("com.apple.system.opendirectoryd.libinfo", "com.apple.system.opendirectoryd.membership"),
)
"""Other programs that may be asked, because nearly every program asks them: none of them starts anything."""


def arguments(layout: Layout) -> tuple[str, ...]:
    """What stands before the command. Raises ValueError where a path cannot be written down."""
    return (PROGRAM, "-p", profile(layout), "--")


def profile(layout: Layout) -> str:
    """The rules. Of several that fit, the last one counts."""
    return "\n".join(("(version 1)", "(allow default)", *_general(layout), *_files(layout))) + "\n"


def _general(layout: Layout) -> Iterator[str]:
    if layout.everything:
        return
    yield "(deny appleevent-send)"
    yield "(deny job-creation)"
    yield "(deny lsopen)"
    yield "(deny mach-lookup)"
    yield _rule("allow mach-lookup", "global-name", _SERVICES)
    yield "(deny signal)"
    yield "(allow signal (target same-sandbox))"
    yield "(deny process-info* (target others))"
    yield "(deny network-outbound (remote unix-socket))" if layout.network else "(deny network*)"


def _files(layout: Layout) -> Iterator[str]:
    if not layout.everything:
        yield "(deny file-write*)"
        yield _rule("allow file-write*", "literal", _DEVICES)
        yield '(allow file-write* (regex #"^/dev/fd/[0-9]+$"))'
    # Outermost first: what lies deeper counts more, whatever it is.
    ways = [
        *((path, "allow file-read* file-write*", "subpath") for path in layout.writable),
        *((path, "deny file-write-unlink", "literal") for path in (*layout.pinned(), *layout.writable)),
        *((path, "deny file-write*", "subpath") for path in layout.held),
        *((path, "deny file-read* file-write*", "subpath") for path in layout.hidden_folders),
        *((path, "deny file-read* file-write*", "literal") for path in layout.hidden_files),
    ]
    for path, effect, kind in sorted(ways, key=lambda way: way[0].count("/")):
        yield _rule(effect, kind, (path,))


def _rule(effect: str, kind: str, values: Iterable[str]) -> str:
    return f"({effect} {' '.join(f'({kind} {_quoted(value)})' for value in values)})"


def _quoted(text: str) -> str:
    """As a string of that language, which knows no way to write down most characters that control a terminal."""
    if any(ord(character) < 32 or ord(character) == 127 for character in text):
        raise ValueError("a path with control characters cannot be named in a sandbox")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
