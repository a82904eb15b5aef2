"""What all else of a server stands on: time, the disk, programs, the folders, the settings, the editor."""

import os
from collections.abc import Callable
from pathlib import Path

from assent.app.editor import Editor
from assent.app.keys import Keys
from assent.app.model_servers import ModelServers
from assent.app.records import Records
from assent.app.trust import Trust
from assent.app.workspace import Workspace
from assent.masking.proxies import proxy_logins
from assent.runtime.clock import Clock
from assent.runtime.places import own_folders
from assent.runtime.processes import Processes


class Grounds:
    """Built before everything that has to do with chats, and knows nothing of them."""

    def __init__(
        self,
        clock: Clock,
        state_directory: Path,
        own_places: tuple[Path, ...],
        records: Records,
        busy: Callable[[], bool],
    ) -> None:
        self.clock = clock
        self.state_directory = state_directory
        self.records = records
        self.secrets = records.secrets
        # The process too: its environment and its open files are nobody's business.
        own = (state_directory, *own_places, Path("/proc/self"))
        self.own_places = tuple(str(place.resolve()) for place in own)
        self.home = str(Path.home())
        for login in proxy_logins(os.environ):
            self.secrets.add(login)
        self.processes = Processes()
        self.keys = Keys(os.environ, self.secrets)
        self.models = ModelServers(self.keys, clock)
        self.trust = Trust(state_directory, busy=busy)
        self.workspace = Workspace(self.trust.additional_directories, own_folders(state_directory))
        self.editor = Editor()
