"""How an agent is started so that it asks: some do it for nothing unless a variable tells them to. No I/O."""

from collections.abc import Mapping
from dataclasses import replace

from assent.acp.recognising import known_agent
from assent.runtime.launching import Launch


def made_to_ask(launch: Launch, own: Mapping[str, str]) -> Launch:
    """The same with what makes it ask, where nobody has set that. `own`: the environment of the server, which the agent
    gets as well.
    """
    known = known_agent(None, launch.argv)
    if known is None:
        return launch
    more = {name: value for name, value in known.made_to_ask if name not in launch.environment and name not in own}
    return replace(launch, environment={**launch.environment, **more}) if more else launch
