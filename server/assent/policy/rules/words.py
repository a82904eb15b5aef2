"""What a rule speaks of, in words: the same on a card that offers it and beside the settings that hold it."""

from assent.model.nodes import FLOW_TOOL, MCP_TOOL, NODE_TOOL, without_identity
from assent.policy.rules.address_pattern import AddressPattern, parse_address
from assent.policy.rules.commands.pattern import parse_command, without_identities
from assent.policy.rules.pattern import Base, Pattern, Step, UnusablePattern, readings
from assent.policy.rules.rule import SHELL_TOOL, WEB_TOOL, WHOLE_TOOL, Effect, Rule
from assent.policy.rules.segment import Letter, Wild

_HAPPENS = {Effect.DENY: "is refused", Effect.ASK: "is asked for", Effect.ALLOW: "runs without asking"}
_COVERS_BELOW = "and everything in it"


def exact_command(text: str) -> str:
    return f"Only {quoted(text)}, in exactly these words."


def command_beginning(words: str) -> str:
    shown = without_identities(words)
    still = AS_IT_IS if shown != words else ""
    return (
        f"Every command that starts with {quoted(shown)}, with any further words, alone or beside other allowed"
        f" commands.{still}"
    )


AS_IT_IS = " If the file that it starts changes, you are asked again."


def command_running(words: str, effect: Effect = Effect.DENY) -> str:
    return f"Every command in which {quoted(words)} is run {_HAPPENS[effect]}."


def exactly_restricted(text: str, effect: Effect = Effect.DENY) -> str:
    return f"{quoted(text)} {_HAPPENS[effect]}, in exactly these words."


def any_command(effect: Effect = Effect.DENY) -> str:
    return f"Every shell command {_HAPPENS[effect]}, whatever it does."


def any_call(tool: str, effect: Effect = Effect.DENY) -> str:
    return f"Every {tool} call {_HAPPENS[effect]}, whatever it is about."


def call_on(tool: str, what: str, effect: Effect = Effect.DENY) -> str:
    return f"Every {tool} call on {what} {_HAPPENS[effect]}."


def only(place: str) -> str:
    return f"Only {place}."


def with_all_in_it(place: str) -> str:
    return f"{place} {_COVERS_BELOW}"


def everything_in(folder: str) -> str:
    return f"Everything in {folder} and in all folders below it."


def files_ending_in(folder: str, ending: str, *, deep: bool) -> str:
    where = f"{folder} and in all folders below it" if deep else folder
    said = f"whose name ends in “{ending}”"
    return f"Every file in {where} {said}." if deep else f"Every file in {where} {said}, but none in folders below it."


def pages_of(host: str, port: int | None) -> str:
    which = "" if port is None else f" on port {port}"
    return f"Every page of “{host}”{which}, by http or https, and none of a host below it."


def host_reached(host: str, effect: Effect = Effect.DENY) -> str:
    return f"Every {WEB_TOOL} call that reaches {host} {_HAPPENS[effect]}, on whatever port."


def only_node(name: str) -> str:
    return f"Only “{name}”, whatever it is given. Once what it is or how it is described changes, it asks again."


def node_called(name: str, effect: Effect = Effect.DENY) -> str:
    return f"Every call of “{name}” {_HAPPENS[effect]}, whatever it is and becomes."


def quoted(text: str) -> str:
    return f"`{text}`"


def meaning(rule: Rule) -> str | None:
    """What the rule speaks of; None where its pattern cannot be used."""
    effect, tool, pattern = rule.effect, rule.tool, rule.pattern
    if pattern == WHOLE_TOOL:
        return any_command(effect) if tool == SHELL_TOOL else any_call(tool, effect)
    try:
        if tool == SHELL_TOOL:
            return _of_command(effect, pattern)
        if tool == WEB_TOOL:
            return _of_address(effect, parse_address(pattern), pattern)
        if tool in (NODE_TOOL, MCP_TOOL, FLOW_TOOL):
            return _of_node(effect, pattern)
        return _of_path(effect, tool, readings(pattern, generous=False)[0], pattern)
    except UnusablePattern:
        return None


def _of_command(effect: Effect, pattern: str) -> str:
    read = parse_command(pattern, generous=effect.restricts)
    if not read.prefix:
        return exactly_restricted(pattern, effect) if effect.restricts else exact_command(pattern)
    words = pattern.strip().removesuffix(":*").removesuffix(" *")
    return command_running(words, effect) if effect.restricts else command_beginning(words)


def _of_address(effect: Effect, read: AddressPattern, pattern: str) -> str:
    plain = not (read.below or read.scheme or read.any_port or read.path)
    if plain and not effect.restricts:
        return pages_of(read.host, read.port)
    if plain and read.port is None:
        return host_reached(read.host, effect)
    what = f"hosts below “{read.host}”, and not itself" if read.below else f"“{read.host}”"
    below = f", with a path like “{read.path}” (`*` is any signs) or below it" if read.path else ""
    return f"Every {WEB_TOOL} call for addresses of {what}{below}, as “{pattern}” says, {_HAPPENS[effect]}."


def _of_node(effect: Effect, pattern: str) -> str:
    name, identity = without_identity(pattern)
    if effect.restricts:
        return node_called(name, effect)
    if identity is not None:
        return only_node(name)
    stars = " (`*` is any signs)" if "*" in name else ""
    return f"Every call of “{name}”{stars} that your own settings define, whatever it is given."


def _of_path(effect: Effect, tool: str, read: Pattern, pattern: str) -> str:
    folders = read.steps[:-1]
    plain = all(step.plain is not None and not step.deep for step in folders)
    words = _by_last_name(read, effect) if plain else None
    if words is None:
        signs = "`*` is any part of a name, `?` one sign, `**` any folders"
        return f"Every {tool} call on a path like “{pattern}” ({signs}) {_HAPPENS[effect]}."
    if not effect.restricts:
        return words
    what = words.removesuffix(".").removeprefix("Only ")
    return call_on(tool, what[0].lower() + what[1:], effect)


def _by_last_name(read: Pattern, effect: Effect) -> str | None:
    place = _shown(read, read.steps)
    if not read.steps or (read.folder_only and read.steps[-1].plain is not None and not read.steps[-1].deep):
        return only(with_all_in_it(place)) if effect.restricts else everything_in(place)
    last, where = read.steps[-1], _shown(read, read.steps[:-1])
    if last.plain is not None and not last.deep:
        return only(place)
    if last.plain is not None and len(read.steps) == 1:
        return only(f"what is named “{last.plain}”, at any depth of the workspace folder, {_COVERS_BELOW}")
    if last.tokens == (Wild.MANY,) and last.deep:
        return everything_in(where)
    ending = _ending(last)
    return files_ending_in(where, ending, deep=last.deep) if ending is not None else None


def _ending(step: Step) -> str | None:
    """What all names end in, where nothing else is said of them."""
    first, *letters = step.tokens
    if first is not Wild.MANY or not letters or not all(isinstance(one, Letter) for one in letters):
        return None
    return "".join(one.text for one in letters if isinstance(one, Letter))


def _shown(read: Pattern, steps: tuple[Step, ...]) -> str:
    names = [step.plain or "" for step in steps]
    if Base.HOME in read.bases:
        return f"“{'/'.join(['~', *names])}”"
    if Base.ROOTS not in read.bases:
        return f"“/{'/'.join(names)}”"
    return f"“{'/'.join(names)}”" if names else "the workspace folder"
