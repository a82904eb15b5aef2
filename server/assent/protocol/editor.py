"""What the server asks of the editor: how documents stand in it, to save one; which tasks it has, to run one; to run a
command of a closed list; to call one of its tools for language models."""

from typing import Any

from attrs import frozen

from assent.protocol.words import ArgumentKind, EditorCommandId


@frozen
class EditorDocumentParams:
    """A file by its names: as it was called, and its real one."""

    paths: tuple[str, ...]


@frozen
class EditorDocument:
    """How the editor has the file open; `open` false: it has not, and nothing else is said."""

    open: bool
    uri: str | None = None
    version: int | None = None
    dirty: bool | None = None
    """It holds changes that are not saved."""
    text: str | None = None
    """All of it; left out where it is longer than 10 MiB."""


@frozen
class EditorSaveParams:
    """A document that is to be saved as it stands."""

    uri: str


@frozen
class EditorSaved:
    """Whether the editor saved it."""

    saved: bool


@frozen
class EditorTask:
    """A task of the editor: one of its workspace, or one that an extension found there."""

    task_id: str
    label: str
    text: str | None = None
    """The command line. Left out where an extension decides what runs, or where it is longer than 64 KiB."""
    directory: str | None = None
    shell: str | None = None
    """The shell that it asks for, where it does."""
    variables: tuple[str, ...] = ()
    """The variables that it sets, as `NAME=value`."""
    first: tuple[str, ...] = ()
    """Labels of the tasks that are run before it, and before those; an empty one for each of which nothing is known."""


@frozen
class EditorTasksParams:
    """All of them, whatever they are for."""


@frozen
class EditorTasks:
    """The tasks of the editor, the first thousand of them."""

    tasks: tuple[EditorTask, ...]


@frozen
class EditorTaskParams:
    """The task that is to be run, as it was told: where it is another one by now, nothing runs."""

    task: EditorTask


@frozen
class EditorTaskEnd:
    """How it ended. `fault` says why it did not begin."""

    exit_code: int | None = None
    """Left out where it ended without one."""
    fault: str | None = None


@frozen
class EditorOpenParams:
    """A file that the user is to see as text, at this line, counted from 1."""

    path: str
    line: int | None = None


@frozen
class EditorShowDiffParams:
    """A file, and the text beside it."""

    path: str
    content: str


@frozen
class EditorShown:
    """Whether the editor shows it, and where not, why."""

    shown: bool
    error: str | None = None


@frozen
class EditorDiagnosticsParams:
    """Of which file, by its names."""

    paths: tuple[str, ...]


@frozen
class EditorDiagnostic:
    """Something that is underlined; lines and columns are counted from 1."""

    line: int
    column: int
    severity: str
    message: str
    source: str | None = None


@frozen
class EditorDiagnostics:
    """The first of them, and how many there are."""

    diagnostics: tuple[EditorDiagnostic, ...]
    total: int


@frozen
class EditorSelectionParams:
    """Nothing to say."""


@frozen
class EditorSelection:
    """The file before the user, and what is selected in it; without a path there is none of the disk."""

    path: str | None = None
    text: str | None = None
    first_line: int | None = None
    last_line: int | None = None
    whole: bool | None = None


@frozen
class EditorArgument:
    """One argument of a command: a file by its path, a position as line and column counted from 1, or a plain value."""

    kind: ArgumentKind
    value: Any


@frozen
class EditorCommandParams:
    """A command with its arguments, in their order. No other command is run."""

    command: EditorCommandId
    arguments: tuple[EditorArgument, ...]


@frozen
class EditorCame:
    """What came of a command or a tool. `fault` says why it did not come to its end."""

    text: str | None = None
    """Of a command, JSON with paths in the place of addresses, lines and columns counted from 1; left out where there
    is nothing to tell."""
    truncated: bool = False
    """There was more."""
    fault: str | None = None


@frozen
class EditorTool:
    """A tool that an extension has for language models, as the extension describes it."""

    name: str
    description: str
    schema: dict[str, Any] | None = None


@frozen
class EditorToolsParams:
    """All of them."""


@frozen
class EditorTools:
    """The first 256 of them that are not larger than 64 KiB."""

    tools: tuple[EditorTool, ...]


@frozen
class EditorToolParams:
    """A tool, and what it is given."""

    name: str
    input: dict[str, Any]
