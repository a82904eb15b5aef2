"""The commands. Nothing heavy is imported before it is known which one is wanted."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assent import __version__
from assent.runtime.garbage import loading

if TYPE_CHECKING:
    from enum import StrEnum


def main(arguments: Sequence[str] | None = None) -> int:
    """Parses the command line and runs the command."""
    options = _parser().parse_args(arguments)
    if options.command == "serve":
        with loading():
            from assent.cli.serve import serve

        return serve(log_level=options.log_level)
    if options.command == "acp":
        return _acp(options)
    if options.command == "explain":
        return _explain(options)
    if options.command == "history":
        return _history(options)
    if options.command == "diagnostics":
        return _diagnostics(options)
    from assent.cli.playground import playground

    return playground(
        Path(options.folder),
        Path(options.page),
        port=options.port,
        open_browser=not options.no_open,
        script=Path(options.script) if options.script else None,
        log_level=options.log_level,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="assent", description="One gate for every AI agent in the editor.")
    parser.add_argument("--version", action="version", version=f"assent {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="the language server; an editor starts it")
    serve.add_argument("--stdio", action="store_true", required=True, help="speak over standard input and output")
    _add_log_level(serve)

    _add_acp(commands)
    _add_explain(commands)
    _add_history(commands)
    _add_diagnostics(commands)

    play = commands.add_parser("playground", help="the page in a plain browser, on this machine only")
    play.add_argument("--folder", required=True, help="the workspace folder that the agent may work in")
    play.add_argument("--page", required=True, help="the folder of the built page")
    play.add_argument("--port", type=int, default=0, help="a fixed port; by default a free one")
    play.add_argument(
        "--script",
        help="turns for an agent named Scripted (format: assent/providers/scripted.py)",
    )
    play.add_argument("--no-open", action="store_true", help="print the address without opening a browser")
    _add_log_level(play)
    return parser


def _acp(options: argparse.Namespace) -> int:
    with loading():
        from assent.cli.acp import acp

    user = Path(options.user_settings) if options.user_settings else None
    return acp(options.agent, user, log_level=options.log_level)


def _add_acp(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    face = commands.add_parser(
        "acp",
        help="an agent for any editor that speaks the Agent Client Protocol; the editor starts it",
        description="Stands between an editor and an agent: what the agent wants to do goes through Assent's gate, and "
        "what has to be asked is asked in the editor. Speaks over standard input and output.",
    )
    face.add_argument("--agent", help="the agent behind it, as your settings name it (default: the one of new chats)")
    face.add_argument("--user-settings", metavar="FILE", help="your settings.json, where the agents and rules stand")
    _add_log_level(face)


def _explain(options: argparse.Namespace) -> int:
    from assent.cli.explain.command import Wish, explain_batch, explain_one, trouble

    if options.batch is not None:
        if options.tool is not None or options.user_settings or options.mode or options.agent or options.json:
            return trouble(
                "with --batch each line brings its own call, settings, mode and agent; nothing else is taken"
            )
        return explain_batch(options.batch, Path(options.folder))
    if options.tool is None:
        return trouble('a tool must be named, such as: assent explain write_file \'{"path": "notes.txt"}\'')
    return explain_one(
        Wish(
            tool=options.tool,
            args=options.args,
            folder=Path(options.folder),
            mode=options.mode,
            agent=options.agent,
            user_settings=Path(options.user_settings) if options.user_settings else None,
            as_json=options.json,
        )
    )


def _diagnostics(options: argparse.Namespace) -> int:
    from assent.cli.diagnostics.command import DiagnosticsWish, diagnostics

    user = Path(options.user_settings) if options.user_settings else None
    return diagnostics(DiagnosticsWish(Path(options.folder), user, as_json=options.json))


def _add_diagnostics(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    about = commands.add_parser(
        "diagnostics",
        help="versions, settings, files and the end of the log, to pass on to somebody who helps",
        description="Prints what is needed to find out what is wrong. Secrets are masked and variables of programs are "
        "left out; nothing is written, started or sent.",
    )
    about.add_argument("--folder", default=".", help="the workspace folder (default: this one)")
    about.add_argument("--user-settings", metavar="FILE", help="your settings.json, as the editor has it")
    about.add_argument("--json", action="store_true", help="the same for programs")


def _history(options: argparse.Namespace) -> int:
    from assent.cli.history import HistoryWish, history
    from assent.store.query import Filters

    names = ("agent", "tool", "stage", "ending", "by", "folder", "text", "since", "until", "before", "limit")
    given = {name: getattr(options, name) for name in names}
    return history(
        HistoryWish(
            action=options.action,
            filters=Filters(session_id=options.chat, call_id=options.call, **given),
            as_json=options.json,
            after=options.after,
            out=Path(options.out) if options.out else None,
        )
    )


def _add_history(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    kept = commands.add_parser(
        "history",
        help="what was asked, decided and run; checks that nobody changed it",
        description="Looks into the history of decisions. Only reads; a server may be running meanwhile.",
        epilog=_HISTORY_MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kept.add_argument("action", nargs="?", choices=("list", "export", "verify"), default="list", help="default: list")
    for name, what in (
        ("chat", "of the chat with this id"),
        ("call", "about the call with this id"),
        ("agent", "of the agent with this name or id"),
        ("tool", "about this tool"),
        ("stage", "how far the call had come"),
        ("ending", "how it was decided or ended; what a card calls denied is rejected here"),
        ("by", "who or what decided"),
        ("folder", "in the workspace whose first folder is this"),
        ("text", "with these words in the headline, the arguments or the reason"),
        ("since", "from this time on, such as 2030-01-31"),
        ("until", "before this time"),
    ):
        kept.add_argument(f"--{name}", help=what, choices=_words_of(name))
    kept.add_argument("--before", type=int, metavar="N", help="older than entry N")
    kept.add_argument("--limit", type=int, help="so many at most (default: 50)")
    kept.add_argument("--after", type=int, metavar="N", help="export only what comes after entry N")
    kept.add_argument("--out", metavar="FILE", help="export into this file")
    kept.add_argument("--json", action="store_true", help="the same for programs")


def _words_of(name: str) -> "list[str] | None":
    """The words that this filter knows, so that a wrong one is not taken for one that fits nothing."""
    from assent.model.approval import ResolvedBy
    from assent.model.records import Ending, Stage

    closed: dict[str, type[StrEnum]] = {"stage": Stage, "ending": Ending, "by": ResolvedBy}
    return [word.value for word in closed[name]] if name in closed else None


_HISTORY_MORE = """\
list     The newest entries that fit all that is given, one a line.
export   Every entry as a line of JSON: its number "n", its "hash" and the "entry" itself. The hash is SHA-256 in
         hexadecimal over: the hash before (64 zeros before the first), a line feed, the number, a line feed, and the
         text of "entry" exactly as it stands in the line.
verify   Whether every entry is as it was written, and none is missing. Ends with 1 where that is not so.

The history is in Assent's state directory, or in the one that ASSENT_STATE_DIR names. Secrets were masked before they
were written.
"""


def _add_explain(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    why = commands.add_parser(
        "explain",
        help="why a call would run, ask or be blocked; runs nothing",
        description="Says what Assent would do with a call, why, and what you can do about it. "
        "Nothing runs, nothing is written, nothing goes over a network.",
        epilog=_EXPLAIN_MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    why.add_argument("tool", nargs="?", help="the tool, such as write_file")
    why.add_argument("args", nargs="?", default="{}", help='its arguments as JSON, such as \'{"path": "a.txt"}\'')
    why.add_argument("--folder", default=".", help="the workspace folder (default: this one)")
    why.add_argument("--mode", help="plan, ask, default or auto (default: the one of new chats)")
    why.add_argument("--agent", help="the agent (default: the one of new chats)")
    why.add_argument("--user-settings", metavar="FILE", help="your settings.json, as the editor has it")
    why.add_argument("--json", action="store_true", help="the same for programs")
    why.add_argument("--batch", metavar="FILE", help="explain every line of a file, or of standard input (-)")


_EXPLAIN_MORE = """\
what counts:
  The workspace's own .vscode/settings.json counts as in the editor: it restricts, and what it would permit counts where
  you agreed to it on this machine. What you agreed to is read from Assent's state directory, as the server does, or
  from the one that ASSENT_STATE_DIR names; name an empty folder there to leave it out. Your user settings are known to
  the editor: give their file with --user-settings. What was clicked in an open chat is not known here. No hook is run.

many calls:
  --batch reads one JSON object a line and prints one a line, in the same order.
    in:   {"id": 1, "workspace": "/home/me/code", "userSettings": {"assent.mode": "ask"}, "workspaceSettings": {},
           "mode": "auto", "agent": "Demo", "tool": "write_file", "args": {"path": "a.txt", "content": ""}}
    out:  {"id": 1, "outcome": "run|ask|block|error", "reason": {"code": "needs_approval", "text": "..."}}
  Only id (text or number) and tool are needed. Without workspace, --folder is meant; relative paths start there.
  userSettings and workspaceSettings are keyed as in settings.json, also nested {"assent": {...}}. workspaceSettings
  stand in for what an editor sends of the workspace: then its own file only restricts, and of the settings in the line
  counts what you agreed to for that folder. Any agent may be named: one that nothing defines counts as one that another
  program brings, and what your settings say of its name holds. A line that makes no sense has outcome "error" and code
  "invalid_request".
  The exit code is 0 where every line has an answer.
"""


def _add_log_level(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), default="info", help="what goes to standard error"
    )


if __name__ == "__main__":
    sys.exit(main())
