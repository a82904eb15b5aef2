"""What stands in single settings: words, rules, agents."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from assent.model.hooks import (
    EVERY_TOOL,
    LONGEST_PATIENCE,
    LONGEST_TIME,
    SHORTEST_TIME,
    USUAL_PATIENCE,
    USUAL_TIME,
    HookEvent,
)
from assent.model.limits import LIMITS, SHELL_LIMITS, Limits, ShellLimits
from assent.model.sandbox import SandboxChoice

ModeWord: TypeAlias = Literal[
    "plan", "ask", "default", "auto", "ask_every_time", "auto_accept_read_only", "auto_accept_all"
]
ChangeableMode: TypeAlias = Literal[
    "ask", "default", "auto", "ask_every_time", "auto_accept_read_only", "auto_accept_all"
]
ActingCategory: TypeAlias = Literal["read", "write", "execute", "external"]
Text: TypeAlias = Annotated[str, Field(min_length=1)]
Texts: TypeAlias = list[str]


class Declaration(BaseModel):
    """Names are written as settings are."""

    model_config = ConfigDict(strict=True, extra="forbid", alias_generator=to_camel, populate_by_name=False)


class RuleEntry(Declaration):
    """A rule that says more than its pattern."""

    pattern: Annotated[Text, Field(description="What the rule matches.")]
    agents: Annotated[Texts, Field(description="The agents that the rule is for. Without it, all of them.")] = []
    match: Annotated[
        Texts, Field(description="Examples that the pattern must match: you are told when one does not.")
    ] = []
    not_match: Annotated[
        Texts, Field(description="Examples that the pattern must not match: you are told when one does.")
    ] = []


class AgentEntry(Declaration):
    """An agent: a model behind an address, or one that is part of the server."""

    model_config = ConfigDict(extra="allow")

    provider: Annotated[
        Literal["", "demo", "scripted", "ollama", "anthropic", "openai-compatible", "openai-responses", "gemini"],
        Field(description="The kind of server behind this agent. `openai-compatible` is what most others speak."),
    ] = ""
    model: Annotated[str, Field(description="The model, by the name that its server gives it.")] = ""
    base_url: Annotated[
        str,
        Field(
            description="The address of the model's server. Risk: it is sent everything that you write and that the"
            " agent reads. When empty, the provider's own address; for `ollama` this machine."
        ),
    ] = ""
    api_key_env: Annotated[
        str,
        Field(
            description="The environment variable that holds the key. Without it, the key that was stored with"
            " “Assent: Set API Key”. The key itself never belongs into settings."
        ),
    ] = ""
    temperature: Annotated[float | None, Field(description="How much the model varies, from 0 to 2.")] = None
    max_tokens: Annotated[int | None, Field(description="The most tokens that one answer may have.")] = None
    context_window: Annotated[
        int | None,
        Field(
            description="The tokens that the model can take in at once. A chat that grows beyond it is shortened for"
            " the model, and says so."
        ),
    ] = None
    thinking: Annotated[
        bool | None, Field(description="Whether the model is to reason first, where its server lets that be chosen.")
    ] = None
    pictures: Annotated[
        bool | None,
        Field(
            description="Whether the model sees pictures. When false, it is told of them in words only; without it, the"
            " model's server says so, or refuses the first one."
        ),
    ] = None
    headers: Annotated[
        dict[str, str] | None, Field(description="Further HTTP headers. Risk: they are sent with every request.")
    ] = None
    script: Annotated[str, Field(description='For the provider "scripted": the file with the turns to play.')] = ""
    bypass_permissions: Annotated[
        bool, Field(description="Risk: when true, this agent's calls run without asking. Protected files still ask.")
    ] = False


class McpServerEntry(Declaration):
    """An MCP server: a program that is started, or an address that is reached."""

    command: Annotated[str, Field(description="The program that is the server. Risk: it runs with your rights.")] = ""
    args: Annotated[Texts, Field(description="Its arguments.")] = []
    env: Annotated[
        dict[str, str],
        Field(description="Added to its environment. Risk: whoever reads these settings reads the keys in it."),
    ] = {}
    cwd: Annotated[str, Field(description="The folder it works in; when empty, the workspace's.")] = ""
    url: Annotated[
        str,
        Field(
            description="The address of a server that is reached by HTTP. Risk: it is sent what its tools are given."
        ),
    ] = ""
    headers: Annotated[
        dict[str, str], Field(description="Further HTTP headers. Risk: they are sent with every request.")
    ] = {}
    trusted: Annotated[
        bool,
        Field(
            description="Whether it is believed what it says of its tools. Risk: a tool that calls itself read-only"
            " runs without asking, whatever it really does."
        ),
    ] = False


class CollectionEntry(Declaration):
    """Documents that agents can search."""

    path: Annotated[
        Text,
        Field(
            description="The folder: absolute, from `~/`, or relative to the workspace folder. Risk: what lies there is"
            " given to whichever model asks."
        ),
    ]
    include: Annotated[
        Texts,
        Field(
            max_length=50,
            description="Which files belong to it, as globs from the folder on, such as `**/*.md`. Without it, texts as"
            " people write them: Markdown, reStructuredText, AsciiDoc, Org and plain text.",
        ),
    ] = []
    exclude: Annotated[
        Texts, Field(max_length=50, description="Which of these do not, as globs from the folder on.")
    ] = []
    description: Annotated[
        str, Field(max_length=500, description="What is in it. Agents choose a collection by its name and by this.")
    ] = ""


_USUAL = Limits()


def _limit(field: str, does: str) -> Any:
    """What is said of one limit; its numbers are those of the model."""
    words = LIMITS[field]
    return Field(ge=words.least, le=words.most, description=does)


class LimitEntries(Declaration):
    """How far a run may go."""

    iterations: Annotated[
        int, _limit("iterations", "Turns of the model: of the chat's agent, and of each sub-agent by itself.")
    ] = _USUAL.iterations
    tool_calls: Annotated[int, _limit("tool_calls", "Tool calls of the run and all its sub-agents.")] = (
        _USUAL.tool_calls
    )
    model_calls: Annotated[int, _limit("model_calls", "Requests to the model, of the run and all its sub-agents.")] = (
        _USUAL.model_calls
    )
    wall_clock_seconds: Annotated[
        int,
        _limit("wall_clock_seconds", "Seconds of work. The time in which the run only waits for you does not count."),
    ] = _USUAL.wall_clock_seconds
    writes: Annotated[int, _limit("writes", "Calls that change files.")] = _USUAL.writes
    result_bytes: Annotated[
        int,
        _limit(
            "result_bytes",
            "Bytes of one result that the model gets. Of a longer one it gets the beginning and the end.",
        ),
    ] = _USUAL.result_bytes
    parallel_calls: Annotated[int, _limit("parallel_calls", "Calls that are carried out at the same time.")] = (
        _USUAL.parallel_calls
    )
    subtasks: Annotated[int, _limit("subtasks", "Sub-agents that a run may start.")] = _USUAL.subtasks
    depth: Annotated[int, _limit("depth", "How many sub-agents may stand below each other.")] = _USUAL.depth


_USUAL_SHELL = ShellLimits()
_USUAL_SANDBOX = SandboxChoice()


def _shell_limit(field: str, does: str) -> Any:
    words = SHELL_LIMITS[field]
    return Field(ge=words.least, le=words.most, description=does)


class EnvironmentEntries(Declaration):
    """What of your environment commands get, beside what is harmless."""

    pass_: Annotated[
        Texts,
        Field(
            alias="pass",
            description="Names of variables that commands get though they look secret or change what programs do; a"
            " star at the end stands for any ending. Risk: whatever their values open or change.",
        ),
    ] = []
    withhold: Annotated[
        Texts,
        Field(description="Names of variables that commands do not get; a star at the end stands for any ending."),
    ] = []


class ShellEntries(Declaration):
    """What runs shell commands, and how much they may take."""

    path: Annotated[
        str | None,
        Field(
            description="The absolute path of the shell; null for the one that this machine has. One inside an open"
            " folder never counts. Risk: this program is given every command, and can do something else with it."
        ),
    ] = _USUAL_SHELL.path
    max_background: Annotated[
        int,
        _shell_limit("max_background", "Commands of a chat that may run in the background at the same time."),
    ] = _USUAL_SHELL.max_background
    max_output_bytes: Annotated[
        int,
        _shell_limit(
            "max_output_bytes", "Bytes of what a command prints that are kept: of more, the beginning and the end."
        ),
    ] = _USUAL_SHELL.max_output_bytes
    max_processes: Annotated[
        int, _shell_limit("max_processes", "Processes that one command may have at the same time.")
    ] = _USUAL_SHELL.max_processes
    max_memory_mb: Annotated[
        int | None,
        _shell_limit(
            "max_memory_mb", "MiB of memory that the programs of one command may use together; null for no limit."
        ),
    ] = _USUAL_SHELL.max_memory_mb
    environment: Annotated[
        EnvironmentEntries,
        Field(
            description="Commands get your environment without what looks secret and without what makes programs load"
            " or do something else; `pass` adds such variables, `withhold` takes others away. The address of a proxy"
            " comes with its login, which is masked for models unless `assent.secrets.reading` shows them all."
        ),
    ] = EnvironmentEntries()


class SandboxEntries(Declaration):
    """The sandbox that commands run in."""

    enabled: Annotated[
        Literal["auto", "bubblewrap", "landlock", "seatbelt", "off"],
        Field(
            description="What holds commands: `auto` is the strongest that this machine has. Risk of `off`: they can"
            " reach whatever you can reach."
        ),
    ] = _USUAL_SANDBOX.enabled.value
    auto_allow: Annotated[
        bool,
        Field(
            description="Whether a command that the sandbox holds runs without asking. It has no effect while the"
            " sandbox is off, or lets the network or anything outside the workspace be reached. Risk: a mistake in the"
            " workspace itself is only seen when it has happened."
        ),
    ] = _USUAL_SANDBOX.auto_allow
    network: Annotated[
        bool,
        Field(
            description="Whether commands in the sandbox reach the network. Risk: they can send away whatever they can"
            " read."
        ),
    ] = _USUAL_SANDBOX.network
    writable: Annotated[
        Texts,
        Field(
            description="Directories that commands in the sandbox may change, beside the workspace: absolute, from"
            " `~/`, or relative to the workspace folder. Risk: whatever stands there."
        ),
    ] = []


class ImageEntries(Declaration):
    """Who makes pictures."""

    provider: Annotated[
        Literal["svg", "openai-compatible", "automatic1111"],
        Field(
            description="Who makes pictures: `svg` is the model of the chat, which draws with lines and shapes; the"
            " others are servers at `baseUrl`."
        ),
    ] = "svg"
    base_url: Annotated[
        str,
        Field(
            description="The address of the server, such as `http://127.0.0.1:7860` for `automatic1111` or"
            " `http://127.0.0.1:8000/v1`. Risk: it is sent what an agent wants to have drawn."
        ),
    ] = ""
    model: Annotated[str, Field(description="The model, by the name that its server gives it.")] = ""
    api_key_env: Annotated[
        str,
        Field(
            description="The environment variable that holds the key. Without it, the key that was stored with"
            " “Assent: Set API Key”. The key itself never belongs into settings."
        ),
    ] = ""


class SpeechEntries(Declaration):
    """Who speaks."""

    provider: Annotated[
        Literal["system", "openai-compatible"],
        Field(
            description="Who speaks: `system` is a program of this machine (espeak-ng, say, or the voices of Windows);"
            " the other is a server at `baseUrl`."
        ),
    ] = "system"
    base_url: Annotated[
        str,
        Field(
            description="The address of the server, such as `http://127.0.0.1:8000/v1`. Risk: it is sent what an agent"
            " wants to have spoken."
        ),
    ] = ""
    model: Annotated[str, Field(description="The model, by the name that its server gives it.")] = ""
    voice: Annotated[str, Field(description="The voice, where a call names none.")] = ""
    api_key_env: Annotated[
        str,
        Field(
            description="The environment variable that holds the key. Without it, the key that was stored with"
            " “Assent: Set API Key”. The key itself never belongs into settings."
        ),
    ] = ""


class SearchEntries(Declaration):
    """Who searches the web."""

    provider: Annotated[
        Literal["searxng", "brave", "tavily", "custom"],
        Field(
            description="Who searches: a SearXNG at `baseUrl` whose owner lets it answer with JSON, Brave, Tavily, or"
            " any server that answers `GET <baseUrl>?q=…&count=…` with a JSON list of objects with `title`, `url` and"
            " `snippet`, or with one under `results`."
        ),
    ] = "searxng"
    base_url: Annotated[
        str,
        Field(
            description="The address of the server, such as `http://127.0.0.1:8888`. Brave and Tavily have their own."
            " Risk: it is sent what an agent looks for."
        ),
    ] = ""
    api_key_env: Annotated[
        str,
        Field(
            description="The environment variable that holds the key. Without it, the key that was stored with"
            " “Assent: Set API Key”. The key itself never belongs into settings."
        ),
    ] = ""


_MATCHER = (
    "The tools that it is for: names, with `*` for any part of a name and `|` between several. Without it, every tool."
)
_COMMAND = (
    "The command line, run by the system's own shell in the workspace's first folder. Risk: it runs as you, without"
    " asking, with the arguments of calls on its input."
)
_SECONDS = "Seconds after which it is ended."


class HookBeforeEntry(Declaration):
    """A program that is asked before a call."""

    matcher: Annotated[str, Field(description=_MATCHER)] = EVERY_TOOL
    command: Annotated[Text, Field(description=_COMMAND)]
    timeout_seconds: Annotated[float, Field(ge=SHORTEST_TIME, le=LONGEST_TIME, description=_SECONDS)] = USUAL_TIME
    fail_closed: Annotated[
        bool,
        Field(
            description="Whether you are asked when it gives no answer that can be read. Risk of false: a call that it"
            " would have kept from running runs as if it had said nothing."
        ),
    ] = True


class HookAfterEntry(Declaration):
    """A program that is told of a call that ran."""

    matcher: Annotated[str, Field(description=_MATCHER)] = EVERY_TOOL
    command: Annotated[Text, Field(description=_COMMAND)]
    timeout_seconds: Annotated[float, Field(ge=SHORTEST_TIME, le=LONGEST_TIME, description=_SECONDS)] = USUAL_TIME


class HookNoticeEntry(Declaration):
    """A program that is told what happens."""

    matcher: Annotated[
        str,
        Field(
            description="What it is told of: `approval_waiting`, `run_finished`, `error` and `limit`, with `|` between"
            " several. Without it, all of them."
        ),
    ] = EVERY_TOOL
    command: Annotated[Text, Field(description=_COMMAND)]
    timeout_seconds: Annotated[float, Field(ge=SHORTEST_TIME, le=LONGEST_TIME, description=_SECONDS)] = USUAL_TIME
    after_seconds: Annotated[
        float, Field(ge=0, le=LONGEST_PATIENCE, description="Seconds for which a call waits until it is told of that.")
    ] = USUAL_PATIENCE


class HookEntries(Declaration):
    """Programs that are started around calls."""

    pre_tool_use: Annotated[
        list[HookBeforeEntry],
        Field(
            alias=HookEvent.PRE_TOOL_USE.value,
            description="Asked before a call is shown or runs: each can deny it, have it asked for, let it run where"
            " nothing else stands against it, or change its arguments.",
        ),
    ] = []
    post_tool_use: Annotated[
        list[HookAfterEntry],
        Field(
            alias=HookEvent.POST_TOOL_USE.value,
            description="Told of a call that has run, with its result: each can add a note for the model.",
        ),
    ] = []
    notification: Annotated[
        list[HookNoticeEntry],
        Field(
            alias=HookEvent.NOTIFICATION.value,
            description="Told that a call waits for you, or that a run has ended, failed or reached a limit.",
        ),
    ] = []


Rules: TypeAlias = dict[str, list[Text | RuleEntry]]
