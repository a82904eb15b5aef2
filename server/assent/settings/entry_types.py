"""What stands in single settings: words, rules, agents."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

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
    """An agent. What its provider needs beyond this stands beside it."""

    model_config = ConfigDict(extra="allow")

    provider: Annotated[
        str, Field(description='The kind of model behind this agent, for example "demo" or "scripted".')
    ] = ""
    script: Annotated[str, Field(description='For the provider "scripted": the file with the turns to play.')] = ""
    bypass_permissions: Annotated[
        bool, Field(description="Risk: when true, this agent's calls run without asking. Protected files still ask.")
    ] = False


Rules: TypeAlias = dict[str, list[Text | RuleEntry]]
