"""Every setting that this version reads: its type, its default, and what is said of it. Declared here and nowhere else.

The editor's manifest and the table in the documentation are written from this. Loading it takes a while, because of the
library that checks types: `judging` loads it when the first value has to be checked.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, cast, get_args, get_type_hints

from pydantic import BaseModel, Field

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json
from assent.model.patience import LONGEST, SHORTEST
from assent.settings.declaring import HARMLESS, LOOSENS, About, Power, Reach
from assent.settings.entry_types import (
    ActingCategory,
    AgentEntry,
    ChangeableMode,
    CollectionEntry,
    Declaration,
    HookEntries,
    ImageEntries,
    LimitEntries,
    McpServerEntry,
    ModeWord,
    Rules,
    SandboxEntries,
    SearchEntries,
    ShellEntries,
    SpeechEntries,
    Text,
    Texts,
)

_PATTERNS = (
    "A pattern is a glob as in `.gitignore`, relative to the workspace folder, or starts with `~/` or is absolute;"
    " `*` is the whole tool. For `bash` a pattern is words: `npm test:*` means every command that begins with them,"
    " `git status` exactly these. For `web_fetch` it is about addresses: `example.org`, `*.example.org` for all hosts"
    " below it, `https://example.org/docs/*`, `localhost:3000`. For `run_node` it is about the ids of nodes:"
    " `mcp.files.*`; for `mcp` about tools of MCP servers: `files:delete_*`."
)
_UNITED = (
    "A rule for `write_file` or `edit_file` holds for both and for what makes pictures and sound, one for `read_file`"
    " also for `edit_file`, `grep`, collections and the editor's windows."
    " The rules of all your settings and of the workspace count together; a workspace can add some, and cannot take"
    " yours away."
)
_AGREED = "What a workspace's settings say here counts only once you agreed to it on this machine."
_RULES = 'an object that maps a tool to a list of patterns, each a text or {"pattern": …, "agents": […]}'
_RULE = 'a pattern as a text, or an object with a "pattern" and, where needed, "agents", "match" and "notMatch"'
_SWITCH = "true or false"


class Server(Declaration):
    """How the editor starts the server."""

    python: Annotated[
        str | None,
        About(
            "The Python interpreter (3.11 or newer) that runs the server, as an absolute path. When empty, the Python"
            " extension's environment and then the interpreters on PATH are tried; one inside an open folder is never"
            " used.",
            risk="this program is started as you.",
            expected="the path of a Python interpreter, or null",
            reach=Reach.MACHINE,
            powers=frozenset({Power.STARTS}),
        ),
    ] = None
    args: Annotated[
        Texts,
        About(
            "Further arguments of `assent serve --stdio`.",
            risk="they can change how the server behaves.",
            expected="a list of texts",
            reach=Reach.MACHINE,
            powers=frozenset({Power.STARTS, Power.LOOSENS}),
        ),
    ] = Field(default_factory=list)


class Trace(Declaration):
    """What is logged."""

    server: Annotated[
        Literal["off", "messages"],
        About(
            "What the log holds of the messages between editor and server while its level is set to Trace.",
            risk="with `messages` the log tells who asked what and when, never what a message holds.",
            expected='"off" or "messages"',
            reach=Reach.MACHINE,
            powers=HARMLESS,
            words={
                "off": "Nothing of them.",
                "messages": "Which messages there were, without what they hold.",
            },
        ),
    ] = "off"


class Secrets(Declaration):
    """What becomes of secrets."""

    reading: Annotated[
        Literal["show", "mask", "ask"],
        About(
            "What becomes of private keys, of tokens of known services and of the keys that Assent was given, in what a"
            " model is about to read: in results of reading, searching, commands and all other tools, and in files that"
            " an external agent has Assent read. A workspace can"
            " choose a stricter way (`mask` is stricter than `ask`, and that than `show`); a looser one counts only"
            " once you agreed to it on this machine.",
            risk_of="`show`",
            risk="keys that stand in files, or that a command prints, go to the server of the model.",
            expected='"show", "mask" or "ask"',
            reach=Reach.WINDOW,
            powers=LOOSENS,
            words={
                "show": "Models read them as they are.",
                "mask": "A mark stands for each; files keep them, also when other parts are edited.",
                "ask": "You are asked each time; without a yes they are masked.",
            },
        ),
    ] = "mask"


class Keys(Declaration):
    """What keys do."""

    approve: Annotated[
        bool,
        About(
            "Whether “Approve the Call in View” and “Deny the Call in View” answer the card in view. Their keys,"
            " Ctrl+Enter and Ctrl+Alt+Enter in the chat, can be changed like any other. A key answers nothing while you"
            " write, and no card that has not stood in view, unchanged, for half a second.",
            risk="a key that was meant for something else can answer a card that you see; when off, only buttons do.",
            expected=_SWITCH,
            reach=Reach.APPLICATION,
            powers=HARMLESS,
        ),
    ] = True


class Settings(Declaration):
    """All settings, by their names below `assent.`."""

    mode: Annotated[
        ModeWord,
        About(
            "The mode of new chats. A workspace can choose a stricter one; a looser one counts only once you agreed to"
            " it on this machine.",
            risk="with `auto` an agent changes files and starts commands without asking you first.",
            expected="plan, ask, default or auto",
            reach=Reach.WINDOW,
            powers=LOOSENS,
            words={
                "plan": "Reads and proposes. Nothing is changed and nothing runs.",
                "ask": "Asks before everything, also before reading.",
                "default": "Reads inside the workspace without asking. Asks before everything else.",
                "auto": "Runs everything without asking, except what touches protected files or leaves the workspace.",
                "ask_every_time": 'The same as "ask".',
                "auto_accept_read_only": 'The same as "default".',
                "auto_accept_all": 'The same as "auto".',
            },
        ),
    ] = "default"
    agent: Annotated[
        str,
        About(
            f"The agent of new chats: `Demo`, or a name from `#assent.agents#`. {_AGREED}",
            risk="another agent may have other permissions.",
            expected="the name of an agent that your settings define",
            reach=Reach.WINDOW,
            powers=LOOSENS,
        ),
    ] = "Demo"
    agents: Annotated[
        dict[str, AgentEntry],
        About(
            "Agents by name. A model with the tools of Assent:"
            ' `"Local": {"provider": "ollama", "model": "qwen3"}`. An agent of others, started as a program:'
            ' `"Gemini CLI": {"command": "gemini", "args": ["--acp"], "env": {"GEMINI_API_KEY": "…"}}`; the command'
            f" “Assent: Add an Agent” writes such an entry. {_AGREED}",
            risk="what stands here decides which model reads what you write and proposes actions. A `command` is a"
            " program that runs with your rights as soon as a chat with it begins: Assent holds what it asks for, and"
            " sees what else it does only if it says so.",
            expected="an object that maps a name to an agent",
            item="an object that defines an agent",
            reach=Reach.WINDOW,
            powers=frozenset(Power),
        ),
    ] = Field(default_factory=dict)
    bypass_permissions: Annotated[
        dict[str, bool],
        About(
            'Agents that run without asking: `{"<agent>": true}`. An entry from a workspace counts only if you made it'
            " by a click or agreed to it on this machine; `false` always counts at once.",
            risk="such an agent changes files and runs commands without a card; only protected files and places outside"
            " the workspace still ask.",
            expected="an object of agents' names with true or false",
            item=_SWITCH,
            reach=Reach.WINDOW,
            powers=LOOSENS,
        ),
    ] = Field(default_factory=dict)
    bypass_available: Annotated[
        bool,
        About(
            "Whether bypassing is possible at all. When off, no card offers it and every bypass setting is ignored.",
            risk_of="leaving it on",
            risk="one click can let an agent run without asking.",
            expected=_SWITCH,
            reach=Reach.MACHINE,
            powers=LOOSENS,
        ),
    ] = True
    bypass_write_target: Annotated[
        Literal["workspace", "user"],
        About(
            'Where a click on "Bypass" is stored.',
            risk="with `user` it holds in every workspace.",
            expected='"workspace" or "user"',
            reach=Reach.MACHINE,
            powers=LOOSENS,
            words={
                "workspace": "The bypass holds for this workspace.",
                "user": "The bypass holds in every workspace of this user.",
            },
        ),
    ] = "workspace"
    confirm_outside_workspace: Annotated[
        bool,
        About(
            "Asks before anything outside the workspace's folders is written or deleted, whatever the mode.",
            risk_of="switching it off",
            risk="in `auto`, or with a bypass, an agent can change any file of yours.",
            expected=_SWITCH,
            reach=Reach.MACHINE,
            powers=LOOSENS,
        ),
    ] = True
    enabled: Annotated[
        bool,
        About(
            "When off, no tool runs at all; agents can only talk. A workspace can switch it off, and cannot switch it"
            " on again.",
            risk_of="switching it on",
            risk="none by itself, every call still goes through the gate.",
            expected=_SWITCH,
            reach=Reach.WINDOW,
            powers=HARMLESS,
        ),
    ] = True
    always_deny_rules: Annotated[
        Rules,
        About(
            'What never runs, by tool: `{"write_file": ["infra/**"]}`. It is refused without asking, in every mode and'
            f" for every agent. {_PATTERNS} {_UNITED}",
            risk="a rule that is too wide keeps an agent from its work; one that is too narrow leaves the rest to the"
            " other rules and the mode.",
            expected=_RULES,
            item=_RULE,
            reach=Reach.WINDOW,
            powers=HARMLESS,
        ),
    ] = Field(default_factory=dict)
    always_ask_rules: Annotated[
        Rules,
        About(
            'What is always asked for, by tool: `{"write_file": ["infra/**"]}`, also where the mode, a bypass or an'
            f" allow rule would let it run. {_PATTERNS} {_UNITED}",
            risk="a rule that is too wide asks so often that one stops reading; one that is too narrow leaves the rest"
            " to the other rules and the mode.",
            expected=_RULES,
            item=_RULE,
            reach=Reach.WINDOW,
            powers=HARMLESS,
        ),
    ] = Field(default_factory=dict)
    always_allow_rules: Annotated[
        Rules,
        About(
            f'What runs without asking, by tool: `{{"write_file": ["docs/**"]}}`. {_PATTERNS} Deny and ask rules,'
            f" protected files and places outside the workspace come first. {_AGREED}",
            risk="whatever matches runs without you seeing it; keep the patterns narrow.",
            expected=_RULES,
            item=_RULE,
            reach=Reach.WINDOW,
            powers=LOOSENS,
        ),
    ] = Field(default_factory=dict)
    tool_allowlist: Annotated[
        list[Text],
        About(
            'Tools that run without asking, whatever they touch: `["write_file"]`. Deny and ask rules, protected files'
            f" and places outside the workspace come first. {_AGREED}",
            risk="every call of such a tool runs without you seeing it; `#assent.alwaysAllowRules#` with a pattern is"
            " narrower.",
            expected="a list of tools' names",
            item="a tool's name",
            reach=Reach.WINDOW,
            powers=LOOSENS,
        ),
    ] = Field(default_factory=list)
    matrix_overrides: Annotated[
        dict[ChangeableMode, dict[ActingCategory, Literal["auto", "ask"]]],
        About(
            "What a mode does with a category of calls, where that differs from the mode itself:"
            ' `{"default": {"write": "auto"}}` lets files of the workspace be changed without asking. The mode `plan`'
            " cannot be changed. Only your user settings count.",
            risk="with `auto`, every call of that category runs without asking in that mode, except on protected files"
            " and outside the workspace.",
            expected="an object that maps ask, default or auto to an object that maps read, write, execute or external"
            " to auto or ask",
            item="auto or ask",
            reach=Reach.APPLICATION,
            powers=LOOSENS,
        ),
    ] = Field(default_factory=dict)
    additional_working_directories: Annotated[
        Texts,
        About(
            'Directories beside the workspace\'s folders that count as part of it: `["~/notes"]`. Absolute, from `~/`,'
            f" or relative to the workspace folder. {_AGREED}",
            risk="whatever an agent may read or change in the workspace, it may read or change there.",
            expected="a list of directories",
            item="a directory, as a text",
            reach=Reach.WINDOW,
            powers=LOOSENS,
        ),
    ] = Field(default_factory=list)
    session_grants: Annotated[
        bool,
        About(
            'Whether cards offer to allow something "for this chat". A workspace can switch it off, and cannot switch'
            " it on again.",
            risk_of="leaving it on",
            risk="one click can let a tool run without asking until the chat is closed.",
            expected=_SWITCH,
            reach=Reach.WINDOW,
            powers=HARMLESS,
        ),
    ] = True
    approval_timeout_seconds: Annotated[
        Annotated[float, Field(ge=SHORTEST, le=LONGEST)],
        About(
            "How long a call waits for your answer before it is refused by itself, in seconds; which time counts, says"
            " `#assent.approvalTimeoutWhen#`. A workspace can choose less; more counts only once you agreed to it on"
            " this machine.",
            risk="with little time you have to decide in a hurry, and calls are refused while you still read; with much"
            " of it, a question waits for whoever comes to your desk meanwhile.",
            expected=f"a number of seconds from {SHORTEST} to {LONGEST}",
            reach=Reach.WINDOW,
            powers=LOOSENS,
        ),
    ] = 300
    approval_timeout_when: Annotated[
        Literal["unattended", "always", "never"],
        About(
            "Which time counts until a waiting call is refused by itself. A workspace can choose a stricter way"
            " (`always` is stricter than `unattended`, and that than `never`); a looser one counts only once you"
            " agreed to it on this machine.",
            risk="with `never`, a question that you forgot can be answered days later, by whoever sits there, when"
            " nobody remembers what it was for.",
            expected='"unattended", "always" or "never"',
            reach=Reach.WINDOW,
            powers=LOOSENS,
            words={
                "unattended": "Only while no chat is open in a window, or nobody has touched one since the question.",
                "always": "All of it, also while you look at the question.",
                "never": "None: a call waits until somebody answers.",
            },
        ),
    ] = "unattended"
    limits: Annotated[
        LimitEntries,
        About(
            "How far one run may go, with all its sub-agents, before it is ended: the run says which limit it reached."
            " A workspace can choose smaller numbers; a larger one than yours counts only once you agreed to it on this"
            " machine. Changed numbers count from the next message on.",
            risk_of="larger numbers",
            risk="an agent that goes wrong goes on for longer: it costs more, and does more that you allowed in"
            " advance, before anything stops it.",
            expected="an object that maps a limit to a number",
            reach=Reach.WINDOW,
            powers=LOOSENS,
        ),
    ] = Field(default_factory=lambda: cast("LimitEntries", LimitEntries().model_dump(by_alias=True)))
    shell: Annotated[
        ShellEntries,
        About(
            "What runs shell commands, and how much they may take. A workspace can choose smaller numbers; a larger one"
            " than yours, or another shell, counts only once you agreed to it on this machine.",
            risk="the program at `path` is started as you, and is given every command; with larger numbers a command"
            " that goes wrong takes more of the machine before anything stops it.",
            expected="an object that says which shell runs commands and how much they may take",
            reach=Reach.WINDOW,
            powers=frozenset({Power.STARTS, Power.LOOSENS}),
        ),
    ] = Field(default_factory=lambda: cast("ShellEntries", ShellEntries().model_dump(by_alias=True)))
    sandbox: Annotated[
        SandboxEntries,
        About(
            "What commands are held in, so that they change nothing outside the workspace, see no secrets and reach no"
            " network. A workspace can switch it on, and `autoAllow` and `network` off; whatever leaves more open,"
            " another sandbox than yours, and each directory of `writable` counts only once you agreed to it on this"
            " machine. Your `autoAllow` does not count where only a workspace's word switched the sandbox on or its"
            " network off.",
            risk="with `enabled` on `off`, and with each thing that is left open, a command that goes wrong reaches"
            " that much more; with `autoAllow`, commands in the sandbox run without you seeing them first.",
            expected="an object that says which sandbox commands run in and what it leaves open",
            reach=Reach.WINDOW,
            powers=frozenset({Power.SENDS, Power.LOOSENS}),
        ),
    ] = Field(default_factory=lambda: cast("SandboxEntries", SandboxEntries().model_dump(by_alias=True)))
    mcp_servers: Annotated[
        dict[str, McpServerEntry],
        About(
            "MCP servers by name: their tools are nodes that agents can run. A program that is started when it is first"
            ' needed: `"files": {"command": "npx", "args": ["-y", "…"], "env": {}}`; an address:'
            f' `"remote": {{"url": "https://example.org/mcp"}}`. {_AGREED}',
            risk="a `command` is a program that runs with your rights, outside the sandbox, whatever its tools are"
            " called; with `trusted` its tools that call themselves read-only run without asking.",
            expected="an object that maps a name to a server",
            item="an object that defines a server",
            reach=Reach.WINDOW,
            powers=frozenset(Power),
        ),
    ] = Field(default_factory=dict)
    images: Annotated[
        ImageEntries,
        About(
            "Who makes the pictures that agents ask for. Without it, the model of the chat draws them:"
            ' `{"provider": "automatic1111", "baseUrl": "http://127.0.0.1:7860"}`. A key belongs to the address in your'
            f" user settings. {_AGREED}",
            risk="whoever is named here reads what agents want to have drawn.",
            expected="an object that says who makes pictures",
            reach=Reach.WINDOW,
            powers=frozenset({Power.SENDS, Power.LOOSENS}),
        ),
    ] = Field(default_factory=lambda: cast("ImageEntries", {}))
    speech: Annotated[
        SpeechEntries,
        About(
            "Who speaks the texts that agents want to have spoken. Without it, a program of this machine:"
            ' `{"provider": "openai-compatible", "baseUrl": "http://127.0.0.1:8000/v1", "model": "…"}`. A key belongs'
            f" to the address in your user settings. {_AGREED}",
            risk="whoever is named here reads what agents want to have spoken.",
            expected="an object that says who speaks",
            reach=Reach.WINDOW,
            powers=frozenset({Power.SENDS, Power.LOOSENS}),
        ),
    ] = Field(default_factory=lambda: cast("SpeechEntries", {}))
    hooks: Annotated[
        HookEntries,
        About(
            "Programs of yours around tool calls:"
            ' `{"PreToolUse": [{"matcher": "bash|write_file", "command": "~/bin/check-call"}]}`. Each reads what it is'
            f" about as JSON on its input. {_AGREED} So does a change of a workspace's file that its command names.",
            risk="each runs as you, without asking, and can let a call run that you would have been asked about.",
            expected="an object that maps an event to a list of hooks",
            reach=Reach.WINDOW,
            powers=frozenset({Power.STARTS, Power.SENDS, Power.LOOSENS}),
        ),
    ] = Field(default_factory=lambda: cast("HookEntries", {}))
    web_search: Annotated[
        SearchEntries,
        About(
            "Who searches the web for agents. Without it, nobody does:"
            ' `{"provider": "searxng", "baseUrl": "http://127.0.0.1:8888"}`. A key belongs to the address in your user'
            f" settings. {_AGREED}",
            risk="whoever is named here reads what agents look for, in every mode in which they may read.",
            expected="an object that says who searches",
            reach=Reach.WINDOW,
            powers=frozenset({Power.SENDS, Power.LOOSENS}),
        ),
    ] = Field(default_factory=lambda: cast("SearchEntries", {}))
    collections: Annotated[
        dict[str, CollectionEntry],
        About(
            "Documents that agents can search, by name:"
            ' `{"handbook": {"path": "docs", "include": ["**/*.md"]}}`. The documents of the open folders are the'
            " collection `workspace` by themselves. What git ignores and what looks like a secret is never part of one."
            f" {_AGREED} That is about folders outside the workspace; inside it, nothing needs an agreement.",
            risk="agents read there without asking, also in `plan`, and with a remote model what they find leaves this"
            " machine.",
            expected="an object that maps a name to a collection",
            item='an object with a "path" and, where needed, "include", "exclude" and "description"',
            reach=Reach.WINDOW,
            powers=LOOSENS,
        ),
    ] = Field(default_factory=dict)
    streaming: Annotated[
        bool,
        About(
            "Whether models are asked for their answers piece by piece. When off, each answer comes whole, for servers"
            " whose streams do not work. A workspace can switch it off, and cannot switch it on again.",
            risk_of="switching it off",
            risk="none for what may run, which is decided the same way; you see an answer only when all of it is"
            " there.",
            expected=_SWITCH,
            reach=Reach.WINDOW,
            powers=HARMLESS,
        ),
    ] = True
    notify_after_seconds: Annotated[
        Annotated[float, Field(ge=0, le=3600)],
        About(
            "After how many seconds a notification tells of a call that waits while the chat cannot be seen. A single"
            " one can be denied there, and allowed once where the notification shows all that would happen.",
            risk="none for what may run; what waits longer than you look elsewhere is told of later.",
            expected="a number of seconds from 0 to 3600",
            reach=Reach.APPLICATION,
            powers=HARMLESS,
        ),
    ] = 5
    secrets: Secrets = Secrets()
    keys: Keys = Keys()
    server: Server = Server()
    trace: Trace = Trace()


@dataclass(frozen=True, slots=True)
class Declared:
    """One setting, by its name without the prefix."""

    name: str
    type: Any
    default: Json
    about: About


@cache
def declared() -> Mapping[str, Declared]:
    """Every setting by its name without the prefix, in the order in which people are shown them."""
    return {setting.name: setting for setting in _leaves(Settings, "")}


def _leaves(model: type[BaseModel], prefix: str) -> Iterator[Declared]:
    hints = get_type_hints(model, include_extras=True)
    for attribute, field in model.model_fields.items():
        name = f"{prefix}{field.alias or attribute}"
        hint = hints[attribute]
        about = next((part for part in get_args(hint)[1:] if isinstance(part, About)), None)
        if about is not None:
            yield Declared(name, hint, cast("Json", field.get_default(call_default_factory=True)), about)
        else:
            yield from _leaves(hint, f"{name}.")
