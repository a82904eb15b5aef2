"""What the demo agent says about itself."""

import re

INTRODUCTION = (
    "I am the demo agent: a few rules, no language model. My tool calls are real, and so is the gate they pass. "
    "I understand requests like these, several at once with “and”, one after the other with “then”:\n\n"
    "- **Files:** `write hello to greeting.txt` · `replace hello with goodbye in greeting.txt` · `read README.md` · "
    "`list files` · `find *.md` · `search for TODO`\n"
    "- **Commands:** `run: ls -l && mkdir -p notes` · `run in the background: python3 -m http.server` · "
    "`run in the sandbox: make`. All that follows the colon is one command, to the end of the message.\n"
    "- **Pages:** `fetch http://localhost:8000` · `open http://localhost:8000, then read the page` · `click e1` · "
    '`type "me" into e2` · `search the web for tide tables`\n'
    "- **Documents:** `list the collections` · `search the documents for tides`\n"
    "- **Nodes**, such as tools of MCP servers, scripts, functions: `list the nodes` · `search the nodes for hash` · "
    "`describe node builtin.hash` · `run node builtin.hash with text=hello`\n"
    '- **Workflows:** `list the workflows` · `run the workflow release with {"tag": "v1"}` · `run the task build`\n'
    "- **Pictures and speech:** `draw a yellow sun and a small red house to house.svg` · `say hello to hello.wav`\n"
    "- **The editor:** `show README.md in the editor` · `check a.txt` · `read the selection`\n"
    "- **Longer work:** `to do: read the notes, write an answer` · `ask a sub-agent to write one to a.txt, and ask "
    "another sub-agent to write two to b.txt`\n\n"
    "What a run has written is put back by “Assent: Review or Roll Back a Run…”."
)
ROLLING_BACK = (
    "I cannot take back what I did, and no agent can here: that is up to you. In the editor, the command “Assent: "
    "Review or Roll Back a Run…” shows what a run has written, file by file, and puts all of it back, or nothing. "
    "What shell commands wrote is not part of it."
)
_ROLL_BACK = re.compile(r"\s*(?:please\s+)?(?:roll\s*back|undo|revert|take\s+(?:it|that)\s+back)\b", re.IGNORECASE)


def answer_to(prompt: str) -> str:
    """What it says to a message in which there is nothing to do."""
    return ROLLING_BACK if _ROLL_BACK.match(prompt) else INTRODUCTION
