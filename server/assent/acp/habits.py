"""How single agents tell of their calls, where one must know it to understand them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """What may be taken from an agent that is known to tell it so, and from no other."""

    title_is_command: bool = False
    """The title of a call that executes is the command, in full. Where it would run is not told."""
    arguments_in_text: bool = False
    """The arguments of a call stand as JSON in its text."""
    expects_no_missing_file: bool = False
    """It looks at a file before it makes it, through its client, and gives up when that is not there."""
    asks_by_another_id: bool = False
    """It tells of a call, then asks about it under an id that it tells nowhere else."""


NO_HABITS = Habits()
