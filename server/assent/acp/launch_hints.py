"""Programs that are started in a way in which they do not speak the protocol, and what to write instead. No I/O."""

import json
import re
from collections.abc import Sequence

from assent.acp.known_agents import KNOWN_AGENTS
from assent.acp.recognising import packages_in, program_in, program_word, programs_of
from assent.acp.well_known import KnownAgent

_OPTION = re.compile(r"(?<![\w./@-])(?:--(?:[a-z]+-)*acp|acp)(?![\w./-])")
"""A word about the protocol in what a program prints of its own options."""
_LIKE_HELP = re.compile(
    r"(?m:^\s*usage\b)|\busage:|--help|\b(?:unknown|unrecognized|invalid|unexpected) (?:option|command|argument)",
    re.IGNORECASE,
)


def why_silent(words: Sequence[str]) -> str | None:
    """Why this well-known program would take messages for something else as these words start it; None: it may not.

    Such a one is not started: some take what they read for a prompt, and act on it without asking anybody here.
    """
    at = program_word(words)
    if at is None or _names_protocol(words[at:]):
        return None
    program, packages = program_in(words[at]), set(packages_in(words[at]))
    for agent in KNOWN_AGENTS:
        if program in agent.plain_programs or packages.intersection(agent.plain_programs):
            return (
                f"{program} itself does not speak the Agent Client Protocol, its adapter does. Install that with "
                f"“{agent.install}” and write into its definition: {_definition((agent.command, *agent.args))}"
            )
    for agent in KNOWN_AGENTS:
        if agent.args and (program in programs_of(agent) or agent.package in packages):
            return (
                f"{program} speaks the Agent Client Protocol only with {_option_of(agent)}. "
                f"Write into its definition: {_definition((*words, *agent.args))}"
            )
    return None


def hint(words: Sequence[str], printed: str) -> str:
    """What to do about a program that printed this where it should have answered; empty where nothing tells."""
    if _names_protocol(words) or not printed:
        return ""
    option = next((found[0] for found in _OPTION.finditer(printed)), None)
    if option is not None:
        return f"It speaks the Agent Client Protocol perhaps with {option}: add that to the args of its definition."
    return (
        "It may need an option to speak the Agent Client Protocol, often “--acp” or “acp”, or an adapter: its "
        "documentation says so."
    )


def is_help(printed: str) -> bool:
    """Whether a program explains how it is to be started."""
    return _LIKE_HELP.search(printed) is not None


def _names_protocol(words: Sequence[str]) -> bool:
    return any("acp" in word.casefold() for word in words)


def _option_of(agent: KnownAgent) -> str:
    return next(word for word in agent.args if "acp" in word)


def _definition(words: Sequence[str]) -> str:
    args = f', "args": {json.dumps(words[1:])}' if len(words) > 1 else ""
    return f'"command": {json.dumps(words[0])}{args}'
