"""How single agents tell of their calls, where one must know it to understand them."""

from assent.acp.words import Kind
from assent.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """What may be taken from an agent that is known to tell it so, and from no other."""

    title_is_command: bool = False
    """The title of a call that executes is the command, in full. Where it would run stands in the text of the question,
    or is not told; of a shell with a line it runs what it takes for that line.
    """
    quotes_its_lines: bool = False
    """A line that needs quotes of both kinds as an argument of its shell is told as that argument."""
    arguments_in_text: bool = False
    """The arguments of a call stand as JSON in its text."""
    expects_no_missing_file: bool = False
    """It looks at a file before it makes it, through its client, and gives up when that is not there."""
    empties_files: bool = False
    """A file that it leaves empty it tells as deleted."""
    asks_by_another_id: bool = False
    """It tells of a call, then asks about it under an id that it tells nowhere else."""
    tells_refused_again: bool = False
    """A call that was refused it tells once more, as if it began, and then that it failed."""
    asks_for_all: bool = False
    """It tells of its calls, then asks about all of them at once, in a question that shows nothing."""
    keeps_its_folder: bool = False
    """A command begins in the folder in which the one before it has ended, which it does not tell."""
    stays_after_a_failure: bool = False
    """There, one that fails, or ends its shell, has led nowhere."""
    keeps_variables: bool = False
    """There, a command has the variables that those before it have set: one can say where folders are looked for."""
    goes_back_by: str = ""
    """A variable that makes it go back after each command, unsaid."""
    may_go_back: bool = False
    """It may go back after each command, unsaid."""
    settings: tuple[str, ...] = ()
    """Files in which that can be set: in the home folder, and relative ones where it works."""
    goes_by: tuple[str, ...] = ()
    """Names of tools with which it goes to other folders."""
    tells_folder_late: bool = False
    """It asks about a command, and tells only then where that would run."""
    patches_are_changes: bool = False
    """A patch it tells as a call of no kind. It is a change of files, and nothing else."""
    in_one_shell: bool = False
    """All its commands run in one shell, which keeps everything that any of them does to it."""
    notes: frozenset[str] = frozenset()
    """What the tool takes with which it keeps notes for itself, about which it does not ask."""
    kinds_of_tools: tuple[tuple[str, Kind], ...] = ()
    """It tells no kinds: those of its tools, whose names its titles begin with."""

    def kind_by_title(self, title: str | None) -> Kind | None:
        """What a call with this title is, where the title of this agent says it."""
        return dict(self.kinds_of_tools).get(title.partition(":")[0]) if title is not None else None


NO_HABITS = Habits()
UNKNOWN_HABITS = Habits(keeps_its_folder=True, may_go_back=True)
"""Of an agent that nobody knows here: whether its shell stays where a command has led it is not known either."""
