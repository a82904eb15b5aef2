"""What is shipped holds the licence of Assent and the notices about what is in it of others."""

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from devtools import extension, notices, wheelhouse
from devtools.console import Trouble
from devtools.places import DIST, ROOT, VENV_PYTHON
from tests.unit.bootstrap.wheelhouse import make

LICENCE = (ROOT / "LICENSE").read_text()
NOTICES = notices.NOTICES.read_text()
HEADINGS = {line[4:].replace("_", "-") for line in NOTICES.splitlines() if line.startswith("### ")}


@pytest.fixture(scope="module")
def vsix() -> zipfile.ZipFile:
    return zipfile.ZipFile(extension.package_for_linux())


def test_the_extension_has_both(vsix: zipfile.ZipFile) -> None:
    names = {Path(name).name.lower(): name for name in vsix.namelist() if name.count("/") == 1}
    assert vsix.read(names["license.txt"]).decode() == LICENCE
    assert vsix.read(names[notices.NOTICES.name.lower()]).decode() == NOTICES


def test_the_notices_name_every_wheel_that_is_in_it(vsix: zipfile.ZipFile) -> None:
    wheels = [name for name in vsix.namelist() if name.endswith(".whl") and "/assent-" not in name]
    assert len(wheels) > 10
    for wheel in wheels:
        name, version, *_ = Path(wheel).stem.split("-")
        assert f"{name.replace('_', '-')} {version}" in HEADINGS
        with zipfile.ZipFile(BytesIO(vsix.read(wheel))) as opened:
            texts = [opened.read(one).decode() for one in opened.namelist() if one.lower().endswith("license")]
        assert all(text.strip().splitlines()[0].strip() in NOTICES for text in texts)


def test_the_wheel_and_the_source_have_both(tmp_path: Path) -> None:
    build = [VENV_PYTHON, "-m", "build", "--sdist", "--no-isolation", "--outdir", tmp_path, ROOT]
    subprocess.run(build, check=True, capture_output=True)
    with zipfile.ZipFile(wheelhouse.build_own_wheel()) as wheel, tarfile.open(next(tmp_path.glob("*.gz"))) as source:
        for name, text in (("LICENSE", LICENCE), (notices.NOTICES.name, NOTICES)):
            (within,) = (one for one in wheel.namelist() if one.endswith(f".dist-info/licenses/{name}"))
            assert wheel.read(within).decode() == text
            (member,) = (one for one in source.getnames() if one.count("/") == 1 and one.endswith(f"/{name}"))
            packed = source.extractfile(member)
            assert packed is not None and packed.read().decode() == text


def test_nothing_is_packed_with_notices_that_say_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = tmp_path / notices.NOTICES.name
    stale.write_text(NOTICES.replace("### anyio", "### others"))
    monkeypatch.setattr(notices, "NOTICES", stale)
    with pytest.raises(Trouble, match="is not about what is packed now"):
        extension.package_for_linux()
    assert notices.main() == 1


@pytest.fixture(scope="module")
def universal() -> zipfile.ZipFile:
    """As the command makes it."""
    command = [sys.executable, ROOT / "dev.py", "package", "--universal"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    (packed,) = re.findall(r"^dist/(assent-\S+-universal\.vsix): ", said, re.MULTILINE)
    (wheel,) = re.findall(r"^dist/(assent-\S+\.whl)$", said, re.MULTILINE)
    assert (DIST / wheel).exists()
    return zipfile.ZipFile(DIST / packed)


def test_the_one_for_every_machine_has_nothing_that_only_some_can_run(universal: zipfile.ZipFile) -> None:
    assert "TargetPlatform" not in universal.read("extension.vsixmanifest").decode()
    wheels = [Path(name).name for name in universal.namelist() if name.endswith(".whl")]
    assert len(wheels) > 10 and all(wheel.endswith("-none-any.whl") for wheel in wheels)
    manifest = json.loads(universal.read("extension/server/wheels/manifest.json"))
    assert sorted(wheel["file"] for wheel in manifest["wheels"]) == sorted(wheels)
    left_to_pip = {one["name"]: one for one in manifest["packages"]}.keys() - {
        one["name"] for one in manifest["wheels"]
    }
    assert "pydantic-core" in left_to_pip
    assert all(one["hashes"] for one in manifest["packages"] if one["name"] in left_to_pip)


@pytest.mark.long(
    "it fetches packages; tests/unit/bootstrap/test_make_environment.py proves how an environment is made"
)
def test_a_server_starts_in_the_environment_made_of_it(universal: zipfile.ZipFile, tmp_path: Path) -> None:
    universal.extractall(tmp_path)
    said = make(tmp_path / "extension" / "server" / "wheels", tmp_path / "made")
    assert "download" in said.steps
    done = subprocess.run([said.python, "-I", "-m", "assent", "--help"], check=True, capture_output=True, text=True)
    assert "serve" in done.stdout
