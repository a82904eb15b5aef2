"""What agents call the arguments of their tools. All names are compared in small letters, without `_` and `-`."""

COMMANDS = ("command", "cmd", "fullcommandtext", "script", "shellcommand", "commandline")
SEVERAL_COMMANDS = ("commands",)
REST_OF_COMMAND = ("args", "argv")
ENVIRONMENTS = ("env", "environment", "envvars")
FOLDERS_OF_COMMANDS = ("cwd", "workdir", "workingdir", "workingdirectory", "currentworkingdirectory")
FOLDERS = ("directory", "dir", "dirpath", "folder")
"""Where a command runs; without a command, what it is about."""

PATHS = (
    "filepath",
    "path",
    "abspath",
    "absolutepath",
    "relativepath",
    "filename",
    "file",
    "targetfile",
    "notebookpath",
    "paths",
    "files",
    "filepaths",
    "filenames",
    "absolutepaths",
)
SOURCES = ("source", "src", "sourcepath", "oldpath", "from", "frompath")
TARGETS = ("destination", "dest", "destinationpath", "newpath", "to", "topath", "movepath")

OLD = ("oldstring", "oldtext", "oldstr", "old", "oldcontent")
NEW = ("newstring", "newtext", "newstr", "new", "newcontent", "content", "contents", "filetext", "newsource")
WHOLE = ("newfilecontents",)
"""The whole new content, beside a diff that shows the same."""
LENGTHS = ("contentlength",)
"""How long the new content is, without the content."""
PATCHES = ("diff", "patch", "unifieddiff", "patchtext")
EDITS = ("edits", "edit", "replacements", "changes", "operations", "files")
"""Several changes in one call."""

EDITOR = ("view", "create", "strreplace", "insert", "undoedit")
"""What tools that edit files are told to do in an argument that others use for a command."""

EDITOR_UNSHOWN = ("undoedit",)
"""What it brings back stands nowhere."""

ADDRESSES = ("url", "urls", "uri", "uris")
IN_WORDS = ("prompt", "query", "queries", "searchquery", "searchterm")
"""Addresses may stand in such a text."""
PLACES_IN_PATTERNS = ("pattern", "patterns", "glob", "globpattern", "include", "filepattern")
"""They may begin with a folder somewhere else."""

QUESTIONS = ("questions", "question")
QUESTION_TOOLS = frozenset(
    {
        "askuserquestion",
        "askuser",
        "askuserquestions",
        "askfollowupquestion",
        "askquestion",
        "question",
        "clarify",
        "userquestion",
        "userinput",
        "requestuserinput",
    }
)

HARMLESS = frozenset(
    {
        *("description", "explanation", "reason", "justification", "intention", "summary", "title", "thought"),
        *("timeout", "timeoutms", "timeoutseconds", "maxtimeout", "yieldtimems", "maxoutputtokens", "login"),
        *("offset", "limit", "line", "startline", "endline", "viewrange", "lineoffset", "nlines", "maxresults"),
        *("pattern", "patterns", "regex", "exclude", "ignorecase", "casesensitive", "outputmode", "headlimit"),
        *("type", "multiline", "recursive", "i", "n", "a", "b", "c", "context", "depth"),
        *("replaceall", "allowmultiple", "expectedreplacements", "overwrite", "createdirs", "insertline", "mode"),
        *("callid", "turnid", "itemid", "toolcallid", "approvalid", "id", "kind", "tool", "name", "startedatms"),
        *("parsedcmd", "commandactions", "proposedexecpolicyamendment", "availabledecisions"),
        *("background", "isbackground", "runinbackground", "requiresapproval", "securityrisk"),
        *("cellid", "cellnumber", "celltype", "editmode", "oldfilemode", "hunks", "filediff"),
        *("modifiedbyuser", "aiproposedcontent", "originalcontent", "subagenttype", "format"),
    }
)
"""They change nothing about what a card must show."""
BESIDE_COMMANDS = ("parsedcmd", "commandactions", "proposedexecpolicyamendment", "availabledecisions")
"""They repeat what the command says, in objects."""
HARMLESS_WHEN_OFF = frozenset({"dangerouslydisablesandbox", "isinput", "reset", "escalated", "sudo"})


def plain(name: str) -> str:
    """A name as it is compared here."""
    return name.lower().replace("_", "").replace("-", "")
