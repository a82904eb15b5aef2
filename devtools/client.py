"""Building the extension's TypeScript, when it changed."""

from devtools import node_packages
from devtools.console import step
from devtools.places import CLIENT
from devtools.stamps import Stamp

_NOT_SOURCES = {"node_modules", "dist", "coverage", "wheels", "server"}


def build() -> None:
    """Makes client-ts/dist as its sources say; does nothing when it is."""
    node_packages.ensure()
    sources = [path for path in CLIENT.iterdir() if path.name not in _NOT_SOURCES]
    stamp = Stamp(CLIENT / "dist" / ".built-from", sources)
    if stamp.fresh:
        return
    with step("Building the extension and its page"):
        node_packages.npm("run", "build", cwd=CLIENT, node=node_packages.node_folder())
    stamp.set()
