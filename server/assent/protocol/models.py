"""Which models there are, and where their keys are looked for. No key ever travels but as the answer to secrets/get."""

from attrs import frozen


@frozen
class KeysListParams:
    """Nothing to say."""


@frozen
class KeyInfo:
    """Where the key of an agent is looked for."""

    agent: str
    name: str
    """Under which it is stored: agent and address. Under another address the key is not found."""
    origin: str
    source: str
    """Where it comes from now: environment, stored or none."""
    variable: str | None = None


@frozen
class KeysList:
    """The agents of the user's own settings whose models are reached by an address."""

    keys: tuple[KeyInfo, ...]


@frozen
class ModelsListParams:
    """A model's server as the user is about to define it. Without an address, the provider's own."""

    agent: str
    provider: str
    base_url: str | None = None
    api_key_env: str | None = None


@frozen
class ModelInfo:
    """A model that the server has."""

    name: str
    context_window: int | None = None
    tools: bool | None = None


@frozen
class ModelsList:
    """Its models, or why there are none."""

    models: tuple[ModelInfo, ...]
    key_name: str
    """Under which a key for it is stored."""
    base_url: str
    problem: str | None = None
    needs_key: bool | None = None
    """The server refused because no key, or a wrong one, was shown. Not where a key only may not list models."""


@frozen
class SuggestedAgentsParams:
    """Nothing to say."""


@frozen
class SuggestedVariable:
    """A variable that an agent may need in its environment."""

    name: str
    about: str


@frozen
class SuggestedAgent:
    """A well-known agent of others. Nothing of it is run or installed by Assent."""

    key: str
    name: str
    about: str
    command: str
    args: tuple[str, ...]
    install: str
    """The command that installs it, for the user to run."""
    needs: str
    """What must be there before."""
    asks: bool
    """It asks before it acts. Of one that does not, Assent sees nothing before it is done."""
    env: tuple[SuggestedVariable, ...]
    advice: str | None = None


@frozen
class SuggestedAgents:
    """Those that are known here."""

    agents: tuple[SuggestedAgent, ...]
