"""Plays the agent of a script: `python -m assent.acp.scripted SCRIPT [--record FILE]`.

A script is a JSON file with one object. All of its members may be left out:
- `name`, `version`, `protocol`: what it says of itself. `loads`: it can load sessions. `logins`: its ways to log in.
  `takes`: what a prompt may hold beside words: "image", "embeddedContext".
- `modes`, `models`, `configOptions`: what a session has, as session/new tells it.
- `begin`: steps after session/new. `load`: steps that session/load replays before its answer.
- `prompts`: lists of steps, for one prompt each, in turn; then the last one again.
- `named`: {"word": steps}: for prompts that hold the word, before `prompts` is asked.
- `busy`: what a second prompt meets while one runs: "queue" (as usual), "refuse", "ignore".
- `answers`: {"method": answer}: a result, {"error": {...}} or {"hang": true} in the place of its own answer;
  {"in_turn": [answer, ...]}: one after the other, then the last one again.
- `deaf`: it ignores session/cancel. `stays`: it ignores the end of its input, and SIGTERM.
- `tell`: names of environment variables whose values are recorded.

A step is an object that is named by the first of its members:
- `say`, `think`: text. `plan`: entries. `tool_call`, `update`: the members of a tool_call, of a tool_call_update.
  `commands`, `mode`, `options`, `usage`: the update of that kind. `session_update`: any update.
- `ask`: a tool call to ask about; `options` (default: "allow" and "reject"); `id` of the request; `session` to ask for.
  `on`: {"<option id>": steps, "cancelled": steps, "error": steps, "else": steps}. `patience`: seconds until it goes on
  with "silence". Without steps for "cancelled" that ends the turn. `withdraw`: the id of a question.
- `read`: path (`line`, `limit`); `write`: path with `content`; `terminal`: the members of terminal/create, after which
  it waits for the exit, reads the output and releases it (`kill`: after so many seconds; `of`: told as
  what the call with this id shows); `call`: any method with `params`. These have `on` with "ok", "error" and "else".
- `put`: path with `content`, and `run`: words: what the agent does by itself. `run` ends as "ok" or "error".
- `together`: lists of steps that are played at once. `again`: steps that are played `times` times.
- `wait`: seconds, or until it is cancelled. `until_cancelled`: steps that follow a cancel. `hang`: for ever.
- `stop`: the reason with which the turn ends here; steps behind it are played all the same. `error`: the error with
  which it is answered. Behind the last step it is "end_turn".
- `raw`: a line as it stands. `half`: text without an end of line. `long`: a line of so many bytes.
  `stderr`: text, `times`.
- `exit`: code. `kill`: kills itself with SIGKILL. `close`: closes its output and stays.

In the text of `say`, `content`, `command` and in words, $RESULT is the last result of a request, as JSON or as it is
where it is text, and $SESSION the session. With `--record` everything that it is told is written to a file, one JSON
object a line, after one with `begun`.
"""

import sys
from os.path import abspath, dirname

# Behind everything else, so that nothing beside this package is ever taken for a module of the standard library.
sys.path.append(dirname(dirname(dirname(dirname(abspath(__file__))))))  # noqa: PTH100, PTH120 - pathlib takes long to load

from assent.acp.scripted.agent import ScriptedAgent
from assent.acp.scripted.wire import Wire, read_script


def main() -> int:
    """Plays the script until the input ends."""
    match sys.argv[1:]:
        case [script]:
            record = None
        case [script, "--record", record]:
            pass
        case _:
            sys.stderr.write("usage: python -m assent.acp.scripted SCRIPT [--record FILE]\n")
            return 2
    return ScriptedAgent(read_script(script), Wire(record)).serve()


if __name__ == "__main__":
    sys.exit(main())
