"""Programs that the settings define, as they are started; and what in their environment is a secret."""

from collections.abc import Mapping
from pathlib import Path

from assent.masking import kind_of_name
from assent.model.json import JsonObject
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.launching import Launch
from assent.settings.launch_folder import launch_folder

SHORTEST_SECRET = 8
"""A value of a variable that is shorter is no key, and masking it would hide ordinary words."""


def launch_of(definition: JsonObject, roots: tuple[str, ...]) -> Launch:
    """The program of a definition; relative folders start from the workspace's."""
    args, env = definition.get("args"), definition.get("env")
    home = Path.home()
    folder = launch_folder(definition, Path(roots[0]) if roots else home, home)
    words = tuple(str(one) for one in args) if isinstance(args, list | tuple) else ()
    variables = {str(name): str(value) for name, value in env.items()} if isinstance(env, Mapping) else {}
    return Launch((str(definition["command"]), *words), str(folder), variables)


def know_secrets(launch: Launch, known: KnownSecrets) -> None:
    """From now on the keys that its settings give it are masked."""
    for name, value in launch.environment.items():
        if len(value) >= SHORTEST_SECRET and kind_of_name(name) is not None:
            known.add(value)
