"""Programs that draw on a terminal and wait for keys. A command has neither, so they would wait until it is ended."""

import re
from collections.abc import Mapping

from assent.commandline.invocation import bare_name
from assent.model.commands import Command, Part
from assent.model.errors import ToolFault

_OF_VI = frozenset("-M -N -O -R -Z -d -n -o -p -y".split())  # noqa: SIM905 - as they are typed
_PROGRAMS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("vi", "vim", "nvim", "view", "vimdiff", "nvimdiff", "rvim"), _OF_VI),
    **dict.fromkeys(("nano", "pico"), frozenset({"-E", "-c", "-i", "-l", "-m", "-v", "-w"})),
    **dict.fromkeys(
        (
            *("micro", "joe", "jed", "ne", "mc", "mcedit", "ranger", "nnn", "vifm", "lf", "tig", "lazygit"),
            *(
                "lazydocker",
                "htop",
                "btop",
                "bpytop",
                "nmtui",
                "alsamixer",
                "mutt",
                "neomutt",
                "irssi",
                "weechat",
                "k9s",
            ),
        ),
        frozenset[str](),
    ),
}
"""With the options that change nothing about it. With any other one they may print and end, and it is left to them."""
_LINE = re.compile(r"\+\d*")


def terminal_fault(command: Command) -> ToolFault | None:
    """Why it cannot be run here, if it is certain to wait for keys."""
    # What is joined to its input may be the keys.
    if any(sign in command.text for sign in "|<"):
        return None
    name = next((bare_name(part.steps[0]) for part in command.all() if _waits(part)), None)
    if name is None:
        return None
    text = (
        f"{name} draws on a terminal and waits for keys, and a command has neither here, so it did not run. To change a"
        " file, use edit_file or write_file. For anything else, use an option or a program that prints and ends."
    )
    return ToolFault("needs_terminal", text)


def _waits(part: Part) -> bool:
    if part.dynamic or not part.steps or not all(word.exact for word in part.words):
        return False
    harmless = _PROGRAMS.get(bare_name(part.steps[0]))
    if harmless is None:
        return False
    options = (word.text for word in part.words[part.steps_at[0] + 1 :] if word.text.startswith(("-", "+")))
    return all(option in harmless or _LINE.fullmatch(option) for option in options)
