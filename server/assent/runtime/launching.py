"""How a program of the user's settings is started: with the environment of the server and additions. No I/O."""

import errno
from collections.abc import Callable, Mapping
from dataclasses import field

from assent.lazy_dataclasses import dataclass
from assent.runtime.starts import Start

_BATCH_FILES = (".cmd", ".bat")
_MEANS_SOMETHING = frozenset('"%^&|<>()!\r\n')
"""What Windows' shell, which runs batch files, does not take for plain text, however it is quoted."""

Find = Callable[[str, str | None], str | None]
"""The path of a program by its name and the PATH, as `shutil.which` finds it."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A program that settings name, and where it works."""

    argv: tuple[str, ...]
    folder: str
    environment: Mapping[str, str] = field(default_factory=dict)
    """Added to the environment of the server, which it gets whole: programs find their logins there."""


def environment_of(launch: Launch, own: Mapping[str, str]) -> dict[str, str]:
    """What the program finds in its environment."""
    return {**own, **launch.environment}


def start_of(launch: Launch, own: Mapping[str, str], find: Find, *, on_windows: bool) -> Start:
    """What is started for it: a program that is talked with. Raises OSError where its words are not safe there."""
    environment = environment_of(launch, own)
    argv = argv_on_windows(launch.argv, environment, find) if on_windows else launch.argv
    return Start(argv, launch.folder, environment, talks=True)


def argv_on_windows(argv: tuple[str, ...], environment: Mapping[str, str], find: Find) -> tuple[str, ...]:
    """The words with the program's path in the place of its name: there, `npx` is a batch file, `npx.cmd`.

    Raises OSError where a word would mean something to the shell that runs batch files.
    """
    if not argv:
        return argv
    path = next((value for name, value in environment.items() if name.upper() == "PATH"), None)
    program = find(argv[0], path) or argv[0]
    if program.lower().endswith(_BATCH_FILES) and any(_MEANS_SOMETHING & set(word) for word in argv[1:]):
        raise OSError(errno.EINVAL, 'it is a batch file, which cannot be given words with any of " % ^ & | < > ( ) !')
    return (program, *argv[1:])
