"""The commands. Nothing heavy is imported before it is known which one is wanted."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from assent import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Parses the command line and runs the command."""
    options = _parser().parse_args(arguments)
    if options.command == "serve":
        from assent.cli.serve import serve

        return serve(log_level=options.log_level)
    if options.command == "explain":
        from assent.cli.explain import explain

        return explain(options.tool, options.args, Path(options.folder), agent=options.agent, mode=options.mode)
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

    why = commands.add_parser("explain", help="why a call would run, ask or be blocked; runs nothing")
    why.add_argument("tool", help="the tool, such as write_file")
    why.add_argument("args", nargs="?", default="{}", help='its arguments as JSON, such as \'{"path": "a.txt"}\'')
    why.add_argument("--folder", default=".", help="the workspace folder (default: this one)")
    why.add_argument("--mode", help="plan, ask, default or auto (default: the one of new chats)")
    why.add_argument("--agent", help="the agent (default: the one of new chats)")

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


def _add_log_level(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), default="info", help="what goes to standard error"
    )


if __name__ == "__main__":
    sys.exit(main())
