"""Which wheel fits which machine."""

import sys
from pathlib import Path

import pytest

THIS = f"cp{sys.version_info.major}{sys.version_info.minor}"
NEXT = f"cp{sys.version_info.major}{sys.version_info.minor + 1}"


@pytest.fixture(autouse=True)
def _bootstrap(bootstrap_on_path: None) -> None:
    pass


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A 64-bit Linux with glibc 2.31, whatever this one is."""
    import packed

    monkeypatch.setattr(packed, "_glibc", lambda: (2, 31))
    monkeypatch.setattr(packed.os, "uname", lambda: type("Uname", (), {"machine": "x86_64"}))


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("py3-none-any", True),
        ("py2-none-any", False),
        (f"{THIS}-{THIS}-manylinux_2_17_x86_64", True),
        (f"{THIS}-{THIS}-manylinux2014_x86_64", True),
        (f"{THIS}-{THIS}-manylinux_2_31_x86_64", True),
        (f"{THIS}-{THIS}-manylinux_2_35_x86_64", False),
        (f"{THIS}-{THIS}-manylinux2014_aarch64", False),
        (f"{THIS}-{THIS}-musllinux_1_2_x86_64", False),
        (f"{THIS}-{THIS}-macosx_11_0_arm64", False),
        (f"{THIS}-{THIS}-win_amd64", False),
        (f"{THIS}-{THIS}t-manylinux2014_x86_64", False),
        (f"{NEXT}-{NEXT}-manylinux2014_x86_64", False),
        ("cp39-abi3-manylinux2014_x86_64", True),
        (f"{NEXT}-abi3-manylinux2014_x86_64", False),
        ("pp311-pypy311_pp73-manylinux2014_x86_64", False),
        (f"{THIS}-none-any", True),
    ],
)
def test_a_tag_fits_or_not(tag: str, expected: bool):
    from packed import fits

    assert fits(tag) is expected


def test_the_free_threaded_build_takes_no_ordinary_compiled_wheel(monkeypatch: pytest.MonkeyPatch, machine: None):
    import packed

    monkeypatch.setattr(packed.sysconfig, "get_config_var", lambda _: 1)
    assert packed.fits("py3-none-any")
    assert not packed.fits(f"{THIS}-{THIS}-manylinux2014_x86_64")


def test_of_several_wheels_the_fitting_one_is_taken(tmp_path: Path, machine: None):
    from packed import Manifest, Package, Wheel, choose

    wheels = tuple(
        Wheel(tmp_path / python, "", "native", "1.0", (f"{python}-{python}-manylinux2014_x86_64",))
        for python in (NEXT, THIS)
    )
    chosen, missing = choose(Manifest("", "", (Package("native", "1.0", ("0" * 64,)),), wheels))
    assert [wheel.file.name for wheel in chosen] == [THIS]
    assert missing == []


def test_a_wheel_of_another_version_does_not_stand_in(tmp_path: Path):
    from packed import Manifest, Package, Wheel, choose

    wheel = Wheel(tmp_path / "old", "", "plain", "0.9", ("py3-none-any",))
    wanted = Package("plain", "1.0", ("0" * 64,))
    chosen, missing = choose(Manifest("", "", (wanted,), (wheel,)))
    assert chosen == []
    assert missing == [wanted]
