"""A workspace and a state directory that outlive their servers, and what is known of all of them in the end."""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.faults import cookie
from tests.faults.checker import Evidence, violations
from tests.faults.client import FaultClient, Said
from tests.faults.effects import FREE, FREE_RULES, marks_in
from tests.faults.shown import contradictions
from tests.faults.written import head_in, written_in
from tests.support.scale import limit, wait_until
from tests.support.server import Server, Turn


class Place:
    """Where the servers of one case live, one after the other or beside each other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace = folder / "workspace"
        self.state = folder / "state"
        self.cookie = str(uuid.uuid4())
        self.lives: list[Life] = []
        self.survivors: list[str] = []
        self.agents: dict[str, dict[str, Any]] = {}
        """Agents of the user beside those that play a script."""
        self.settings: dict[str, Any] = {"alwaysAllowRules": FREE_RULES}
        """Of the user, beside the agents."""
        self.workspace.mkdir(parents=True)

    def life(self, client: Callable[..., FaultClient] = FaultClient, **options: Any) -> "Life":
        """A server that has met its client."""
        life = Life(self, client, **options)
        self.lives.append(life)
        life.meet(user=self.settings)
        return life

    def look_for_survivors(self) -> None:
        """Notes what is still there, though no server is. What is about to die gets a moment for it."""
        try:
            wait_until(lambda: not cookie.bearers(self.cookie, self.workspace), within=5)
        except AssertionError:
            self.survivors += cookie.bearers(self.cookie, self.workspace)

    def evidence(self, *, recovered: bool = True, every_write_worked: bool = True) -> Evidence:
        """All that is known, for the checker."""
        logs: list[list[Said]] = [life.client.log for life in self.lives]
        lines = written_in(self.state)
        return Evidence(
            lines=lines,
            head=head_in(self.state),
            effects=marks_in(self.workspace),
            lives=logs,
            free=lambda mark: mark.startswith(FREE),
            survivors=self.survivors,
            recovered=recovered,
            every_write_worked=every_write_worked,
        )

    def violations(self, **what: bool) -> list[str]:
        """What contradicts the invariants, after the end of all servers."""
        self.look_for_survivors()
        evidence = self.evidence(**what)
        evidence.shown_otherwise = contradictions(self.state, evidence.lines)
        return violations(evidence)

    @property
    def effects(self) -> int:
        """How many calls had their effect."""
        return marks_in(self.workspace).total()


class Life(Server):
    """One server process at a place. Its agent is its own, so that chats of earlier lives go on with theirs."""

    client: FaultClient

    def __init__(self, place: Place, client: Callable[..., FaultClient], **options: Any) -> None:
        self.place = place
        self.number = len(place.lives)
        self.agent = f"Life{self.number}"
        env = {cookie.NAME: place.cookie, **options.pop("env", {})}
        super().__init__(place.folder, env=env, client=client, **options)
        for number in range(self.number + 1):
            self._scripts[f"Life{number}"] = place.folder / f"Life{number}.json"
        self.plays()

    def settings(self, **user: Any) -> dict[str, Any]:
        """Those of every server, with the agents of the place."""
        settings = super().settings(**user)
        settings["user"]["agents"] |= self.place.agents
        return settings

    def plays(self, *turns: Turn) -> None:
        """What the agent of this life does."""
        self.script(*turns, [{"text": "That is all."}], agent=self.agent)

    def kill(self) -> None:
        """kill -9, and the end of the client."""
        self.client.process.kill()
        self.client.wait_exit()
        self.client.close()

    def end(self) -> int:
        """An orderly end; the exit code."""
        code = self.client.shutdown(within=limit(10))
        self.client.close()
        return code
