"""The commands of the editor that agents may run, as data. No other one can be run by its id.

Each is understood here: it takes no code and starts nothing that a text names. What an extension does when it is asked
is its own business, so every one of them counts as running something.
"""

from enum import StrEnum

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject

_LONGEST_PATH = 4_096
_MOST_PLACE = 2_000_000


class Kind(StrEnum):
    """What a parameter is, and so how it is handed to the command."""

    FILE = "file"
    POSITION = "position"
    """Two inputs, `line` and `column`, counted from 1."""
    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a command. All of them are needed."""

    kind: Kind
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class EditorCommand:
    """A command, with what it does in words of our own."""

    command: str
    title: str
    description: str
    parameters: tuple[Parameter, ...] = ()

    @property
    def schema(self) -> JsonObject:
        """For its inputs."""
        properties = {name: one for parameter in self.parameters for name, one in _properties(parameter).items()}
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    @property
    def files(self) -> tuple[str, ...]:
        """The inputs that name files."""
        return tuple(one.name for one in self.parameters if one.kind is Kind.FILE)

    def arguments(self, inputs: JsonObject) -> tuple[tuple[Kind, Json], ...]:
        """The inputs, which fit the schema, as the command takes them."""
        return tuple((one.kind, _value(one, inputs)) for one in self.parameters)


def _properties(parameter: Parameter) -> dict[str, Json]:
    count: dict[str, Json] = {"type": "integer", "minimum": 1, "maximum": _MOST_PLACE}
    said: dict[str, Json] = {"description": parameter.description}
    match parameter.kind:
        case Kind.FILE:
            return {parameter.name: {**said, "type": "string", "minLength": 1, "maxLength": _LONGEST_PATH}}
        case Kind.POSITION:
            return {
                "line": {**count, "description": f"The line of {parameter.description}, counted from 1."},
                "column": {**count, "description": f"The column of {parameter.description}, counted from 1."},
            }
        case Kind.TEXT:
            return {parameter.name: {**said, "type": "string", "maxLength": 1_000}}
        case Kind.NUMBER:
            return {parameter.name: {**said, "type": "integer", "minimum": 0, "maximum": 1_000}}
        case Kind.BOOLEAN:
            return {parameter.name: {**said, "type": "boolean"}}


def _value(parameter: Parameter, inputs: JsonObject) -> Json:
    if parameter.kind is Kind.POSITION:
        return {"line": inputs["line"], "column": inputs["column"]}
    return inputs[parameter.name]


_FILE = Parameter(Kind.FILE, "path", "The file, relative to the workspace folder or absolute.")
_NAME = Parameter(Kind.POSITION, "position", "the name that is asked about")
_AT = (_FILE, _NAME)

_COMMANDS = (
    EditorCommand(
        "vscode.executeDocumentSymbolProvider",
        "The symbols of a file",
        "Tells the classes, functions, keys and other symbols of a file as a tree, with their places.",
        (_FILE,),
    ),
    EditorCommand(
        "vscode.executeWorkspaceSymbolProvider",
        "Find symbols of the workspace",
        "Finds symbols of the whole workspace by a part of their name, with their places.",
        (Parameter(Kind.TEXT, "query", "A part of the name of the symbol."),),
    ),
    EditorCommand(
        "vscode.executeDefinitionProvider",
        "Go to the definition",
        "Tells where the name at a place of a file is defined.",
        _AT,
    ),
    EditorCommand(
        "vscode.executeTypeDefinitionProvider",
        "Go to the definition of the type",
        "Tells where the type of the name at a place of a file is defined.",
        _AT,
    ),
    EditorCommand(
        "vscode.executeImplementationProvider",
        "Find implementations",
        "Tells where the interface or method at a place of a file is implemented.",
        _AT,
    ),
    EditorCommand(
        "vscode.executeReferenceProvider",
        "Find references",
        "Tells every place where the name at a place of a file is used.",
        _AT,
    ),
    EditorCommand(
        "vscode.executeHoverProvider",
        "What the editor says of a name",
        "Tells what the editor shows when the pointer rests on a place of a file: types, documentation.",
        _AT,
    ),
    EditorCommand(
        "vscode.executeSignatureHelpProvider",
        "The parameters of a call",
        "Tells the parameters of the function that is called at a place of a file.",
        _AT,
    ),
    EditorCommand(
        "vscode.executeCodeLensProvider",
        "What stands above the lines of a file",
        "Tells what the editor offers above lines of a file, such as running a test. Nothing of it is run.",
        (_FILE, Parameter(Kind.NUMBER, "resolve", "How many of them are told with their words.")),
    ),
    EditorCommand(
        "editor.action.formatDocument",
        "Format the file before the user",
        "Formats the file that the user has before them, with the formatter that the editor has for it. It changes the "
        "text in the editor and does not save it.",
    ),
    EditorCommand(
        "editor.action.organizeImports",
        "Organize the imports of the file before the user",
        "Sorts the imports of the file that the user has before them and takes out those that are not used. It changes "
        "the text in the editor and does not save it.",
    ),
    EditorCommand(
        "workbench.action.files.saveAll",
        "Save all files",
        "Saves every file that has changes in the editor, as they stand there; the user is asked where files that have "
        "no name yet belong. What the editor does when it saves, such as formatting, it does.",
    ),
    EditorCommand(
        "testing.runAll",
        "Run all tests",
        "Runs all tests that the editor knows. They are programs of the workspace and run outside of any sandbox.",
    ),
    EditorCommand(
        "testing.reRunFailTests",
        "Run the tests that failed again",
        "Runs the tests again that failed the last time. They are programs of the workspace and run outside of any "
        "sandbox.",
    ),
    EditorCommand(
        "testing.cancelRun",
        "Stop the tests",
        "Ends the tests that the editor runs now.",
    ),
    EditorCommand(
        "git.refresh",
        "Look at the repository again",
        "Lets the editor look again at what has changed in the repository. Nothing of it is changed.",
    ),
)

COMMANDS = {one.command: one for one in _COMMANDS}
"""By their ids."""
