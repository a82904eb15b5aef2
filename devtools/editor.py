"""A real VS Code in the browser with the packaged extension in it, to try things by hand."""

import signal
import webbrowser
from pathlib import Path

from devtools import extension, playground, workbench
from devtools.console import say, step
from devtools.places import CACHE

_SETTINGS: dict[str, object] = {
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "chat.disableAIFeatures": True,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
}


def run(folder: Path | None, port: int | None, release: workbench.Release, open_browser: bool) -> int:
    vsix = extension.package_for_linux()
    workbench.ensure(release)
    profile = workbench.Profile(CACHE / "editor" / release.vscode)
    if not (profile.user_data / "User" / "settings.json").exists():
        profile.write_user_settings(_SETTINGS)
    with step("Installing the extension in it"):
        workbench.install_extension(release, profile, vsix)
    server = workbench.start(release, profile, port=port)
    try:
        address = server.address(folder or playground.scratch_folder())
        say(f"\nVS Code {release.vscode} with Assent: {address}\nEnd it with Ctrl+C.")
        if open_browser:
            webbrowser.open(address)
        signal.pause()
    except KeyboardInterrupt:
        say("\nEnding VS Code.")
    finally:
        server.process.end()
    return 0
