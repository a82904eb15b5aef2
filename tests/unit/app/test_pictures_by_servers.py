"""Pictures that servers paint: asked in their own formats, believed by their bytes alone, and nothing half done."""

import asyncio
import base64
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assent.agent.ports import Prepared, ToolAnswer
from assent.app.keys import Keys
from assent.app.media_makers import MediaMakers
from assent.media.kinds import PNG
from assent.media.orders import Order
from assent.model.approval import RiskLevel
from assent.model.errors import ToolFault
from assent.model.services import Maker, Makes, ServiceChoice, usual_service
from assent.providers.endpoint import Endpoint
from assent.providers.media_server import MediaServer as Client
from assent.providers.painting import OpenAiPainter
from assent.runtime.known_secrets import KnownSecrets
from assent.runtime.processes import Processes
from assent.settings.effective import Effective, before_settings
from assent.tools.disk import digest_of
from assent.tools.generate_image import GenerateImage
from assent.tools.made_file import FileTool
from assent.tools.writing import Writer
from tests.support.media_files import GIF_BYTES, JPEG_BYTES, png
from tests.support.media_server import MediaServer
from tests.support.scale import limit

OPENAI, A1111 = Maker.OPENAI, Maker.AUTOMATIC1111


@pytest.fixture
def server() -> Iterator[MediaServer]:
    with MediaServer() as made:
        yield made


class Desk:
    """The tool of one chat, with settings that can change under it."""

    def __init__(self, root: Path, server: MediaServer, environment: dict[str, str] | None = None) -> None:
        self.root = root
        self.server = server
        self.written: list[str] = []
        self.settings = before_settings()
        self.use(OPENAI)
        makers = MediaMakers(Keys(environment or {}, KnownSecrets()), Processes(), lambda: self.settings)
        self.tool = makers.image(lambda: (str(root),), Writer(writes=self.written.append))

    def use(self, maker: Maker, **more: Any) -> None:
        path = "/v1" if maker is OPENAI else ""
        choice = replace(ServiceChoice(maker, f"{self.server.origin}{path}", "painter"), **more)
        self.settings: Effective = replace(self.settings, images=choice)

    async def prepared(self, path: str = "a.png", **more: Any) -> Prepared:
        args = {"prompt": "a red dot", "path": path, **more}
        assert self.tool.fault(args) is None
        return await self.tool.prepare(args)

    async def answer(self, path: str = "a.png", **more: Any) -> ToolAnswer:
        return await (await self.prepared(path, **more)).perform()

    async def fault(self, path: str = "a.png", **more: Any) -> ToolFault:
        with pytest.raises(ToolFault) as raised:
            await self.answer(path, **more)
        return raised.value

    @property
    def files(self) -> list[str]:
        return sorted(path.name for path in self.root.rglob("*"))


@pytest.fixture
def desk(tmp_path: Path, server: MediaServer) -> Desk:
    return Desk(tmp_path, server)


async def test_the_endpoint_for_images_is_asked_in_its_format(desk: Desk, server: MediaServer) -> None:
    server.makes(png())
    answer = await desk.answer("out/a.png", size="256x128")
    (asked,) = server.asked
    assert asked.path == "/v1/images/generations"
    assert asked.body == {
        "model": "painter",
        "prompt": "a red dot",
        "n": 1,
        "size": "256x128",
        "response_format": "b64_json",
    }
    assert "authorization" not in asked.headers
    file = desk.root / "out/a.png"
    assert file.read_bytes() == png()
    assert answer.path == "out/a.png"
    assert answer.made is not None
    assert (answer.made.path, answer.made.mime) == (str(file), "image/png")
    assert (answer.made.digest, answer.made.size) == (digest_of(png()), len(png()))
    assert desk.written == [str(file)]


async def test_a_model_that_knows_its_own_format_is_told_it(desk: Desk, server: MediaServer) -> None:
    server.makes(JPEG_BYTES)
    desk.use(OPENAI, model="gpt-image-1")
    await desk.answer("a.jpg")
    assert server.asked[0].body["output_format"] == "jpeg"
    assert "response_format" not in server.asked[0].body


async def test_automatic1111_is_asked_in_its_format(desk: Desk, server: MediaServer) -> None:
    server.makes(png())
    desk.use(A1111)
    await desk.answer(size="64x32")
    (asked,) = server.asked
    assert asked.path == "/sdapi/v1/txt2img"
    assert (asked.body["prompt"], asked.body["width"], asked.body["height"]) == ("a red dot", 64, 32)
    assert asked.body["override_settings"] == {"sd_model_checkpoint": "painter"}
    assert desk.files == ["a.png"]


@pytest.mark.parametrize("address", ["{}/files/a.png", "/files/a.png", "data"])
async def test_a_picture_that_the_server_keeps_is_fetched_there(desk: Desk, server: MediaServer, address: str) -> None:
    inline = f"data:image/png;base64,{base64.b64encode(png()).decode()}"
    server.keeps(png(), inline if address == "data" else address.format(server.origin))
    await desk.answer()
    assert [asked.path for asked in server.asked[1:]] == ([] if address == "data" else ["/files/a.png"])
    assert (desk.root / "a.png").read_bytes() == png()


async def test_nothing_is_fetched_from_anywhere_else(desk: Desk, server: MediaServer) -> None:
    port = server.origin.rpartition(":")[2]
    elsewhere = ["http://localhost:{}/a", "http://127.0.0.1:1/a", "https://127.0.0.1:{}/a", "http://x@127.0.0.1:{}/a"]
    with MediaServer() as other:
        for address in (
            *elsewhere,
            f"{other.origin}/a",
            "file:///etc/passwd",
            "\\\\evil.example/a",
            "//evil.example/a",
            "http://[/a",
        ):
            server.keeps(png(), address.format(port))
            assert (await desk.fault()).code == "elsewhere"
        assert other.asked == []
    assert {asked.path for asked in server.asked} == {"/v1/images/generations"}
    assert desk.files == []


@pytest.mark.parametrize(
    ("made", "path", "code", "said"),
    [
        (JPEG_BYTES, "a.png", "wrong_format", "JPEG, not PNG"),
        (png(), "a.webp", "wrong_format", "PNG, not WebP"),
        (b"<svg onload='alert(1)'/>", "a.png", "wrong_format", "no PNG"),
        (b"<html>login</html>", "a.gif", "wrong_format", "no GIF"),
        (b"MZ" + b"\0" * 100, "a.png", "wrong_format", "no PNG"),
        (b"", "a.png", "wrong_format", "no PNG"),
        (png()[:-8], "a.png", "cut_off", "ends too early"),
        (GIF_BYTES[:-1], "a.gif", "cut_off", "ends too early"),
    ],
)
async def test_what_comes_back_is_believed_by_its_bytes_alone(
    desk: Desk, server: MediaServer, made: bytes, path: str, code: str, said: str
) -> None:
    server.makes(made, mime="image/png")
    fault = await desk.fault(path)
    assert (fault.code, said in str(fault)) == (code, True), fault
    assert desk.files == desk.written == []


@pytest.mark.parametrize(
    ("maker", "answer"),
    [
        *(
            (OPENAI, answer)
            for answer in ({}, [], {"data": []}, {"data": [{}]}, {"data": [{"b64_json": 5}]}, "x", None)
        ),
        *((A1111, answer) for answer in ({}, [], {"images": []}, {"images": [None]}, {"images": "x"}, 5)),
        (OPENAI, {"data": [{"b64_json": "no base64!"}]}),
        (A1111, {"images": ["å"]}),
    ],
)
async def test_an_answer_without_a_picture_is_none(
    desk: Desk, server: MediaServer, maker: Maker, answer: object
) -> None:
    desk.use(maker)
    server.says(answer)
    assert (await desk.fault()).code == "malformed_answer"
    assert desk.files == []


@pytest.mark.parametrize(
    ("status", "body", "code", "said"),
    [
        (500, b'{"error": {"message": "out of memory"}}', "rejected", "out of memory"),
        (422, b'{"detail": "no such size"}', "rejected", "no such size"),
        (401, b"", "rejected", "Set API Key"),
        (404, b"<html>not here</html>", "rejected", "assent.images"),
        (200, b"<html>login</html>", "malformed_answer", "JSON"),
        (200, b"\xff\xfe", "malformed_answer", "JSON"),
        (302, b"", "redirected", "not followed"),
    ],
)
async def test_a_server_that_fails_is_named_with_what_to_do(
    desk: Desk, server: MediaServer, status: int, body: bytes, code: str, said: str
) -> None:
    server.fails(status, body, location=f"{server.origin}/elsewhere")
    fault = await desk.fault()
    assert fault.code == code, fault
    assert said in str(fault)
    assert "Nothing was written" in str(fault)
    assert len(server.asked) == 1
    assert desk.files == []


async def test_nobody_there(desk: Desk) -> None:
    desk.use(OPENAI, base_url="http://127.0.0.1:1/v1")
    assert (await desk.fault()).code == "unreachable"


async def test_an_answer_that_breaks_off_is_none(desk: Desk, server: MediaServer) -> None:
    server.breaks_off(b'{"data": [{"b64_json": "')
    assert (await desk.fault()).code == "broken_off"
    assert desk.files == []


async def test_no_more_is_read_than_may_come(server: MediaServer) -> None:
    client = Client(Endpoint(server.origin, "x"), "assent.images", most_bytes=1_000)
    server.goes_on()
    with pytest.raises(ToolFault) as raised:
        await client.data("/v1/images/generations", {})
    assert raised.value.code == "too_large"
    server.let_go.set()
    server.makes(b"\0" * 2_000)
    painter = OpenAiPainter(replace(client, endpoint=Endpoint(f"{server.origin}/v1", "x")), "m", "")
    with pytest.raises(ToolFault) as raised:
        await painter.make(Order("x", PNG))
    assert raised.value.code == "too_large"


async def test_one_that_takes_too_long_is_given_up(desk: Desk, server: MediaServer) -> None:
    server.waits()
    tool = FileTool("generate_image", lambda: (str(desk.root),), Writer(writes=desk.written.append), seconds=limit(0.1))
    slow = GenerateImage(tool, lambda: desk.settings.images, desk.tool._maker_at)
    call = await slow.prepare({"prompt": "x", "path": "a.png"})
    with pytest.raises(ToolFault) as raised:
        await call.perform()
    assert raised.value.code == "timeout"
    assert await asyncio.to_thread(server.gone.wait, limit(10))
    assert desk.files == []


async def test_a_stop_ends_the_request_and_leaves_nothing(desk: Desk, server: MediaServer) -> None:
    server.waits()
    work = asyncio.ensure_future((await desk.prepared()).perform())
    assert await asyncio.to_thread(server.reached.wait, limit(10))
    work.cancel()
    with pytest.raises(ToolFault) as raised:
        await work
    assert raised.value.code == "cancelled"
    assert await asyncio.to_thread(server.gone.wait, limit(10))
    assert desk.files == desk.written == []


async def test_the_card_says_who_is_sent_what_and_what_would_be_lost(desk: Desk, server: MediaServer) -> None:
    new = await desk.prepared()
    assert new.risk is not None
    assert new.risk.level is RiskLevel.LOW
    assert server.origin in new.risk.notes[0]
    assert "painter" in new.risk.notes[0]
    assert "a red dot" in str(new.preview)
    (desk.root / "a.png").write_bytes(png(1))
    old = await desk.prepared()
    assert old.risk is not None
    assert old.risk.level is RiskLevel.MEDIUM
    assert f"a PNG file of {len(png())} bytes" in old.risk.notes[1]
    assert new.state != old.state


async def test_what_appears_at_the_path_is_not_replaced_and_nobody_is_asked(desk: Desk, server: MediaServer) -> None:
    server.makes(png())
    call = await desk.prepared()
    (desk.root / "a.png").write_bytes(b"mine")
    with pytest.raises(ToolFault) as raised:
        await call.perform()
    assert raised.value.code == "changed_since"
    assert (desk.root / "a.png").read_bytes() == b"mine"
    assert server.asked == []


async def test_what_appears_while_it_is_painted_is_not_replaced(desk: Desk, server: MediaServer) -> None:
    server.makes(png())
    call = await desk.prepared()
    paint = server._answer

    def meanwhile(handler: Any, asked: Any) -> None:
        (desk.root / "a.png").write_bytes(b"mine")
        paint(handler, asked)

    server._answer = meanwhile
    with pytest.raises(ToolFault) as raised:
        await call.perform()
    assert raised.value.code == "changed_since"
    assert (desk.root / "a.png").read_bytes() == b"mine"
    assert desk.files == ["a.png"]


@pytest.mark.parametrize("change", [{"base_url": "http://127.0.0.1:1/v1"}, {"model": "other"}, {"of_user": False}])
async def test_an_answer_to_a_card_is_for_the_maker_that_it_named(
    desk: Desk, server: MediaServer, change: dict[str, Any]
) -> None:
    server.makes(png())
    call = await desk.prepared()
    desk.use(OPENAI, **change)
    assert (await desk.prepared()).state != call.state
    with pytest.raises(ToolFault) as raised:
        await call.perform()
    assert raised.value.code == "changed_since"
    assert server.asked == []


async def test_a_key_of_the_user_goes_to_its_address_and_stays_out_of_words(
    tmp_path: Path, server: MediaServer
) -> None:
    desk = Desk(tmp_path, server, {"KEY": "sk-very-secret", "LOGIN": "me:word"})
    server.makes(png())
    desk.use(OPENAI, key_variable="KEY")
    await desk.answer()
    assert server.asked[0].headers["authorization"] == "Bearer sk-very-secret"
    desk.use(A1111, key_variable="LOGIN")
    await desk.answer("b.png")
    assert server.asked[1].headers["authorization"] == f"Basic {base64.b64encode(b'me:word').decode()}"
    server.fails(400, b'{"error": {"message": "the key sk-very-secret is bad"}}')
    desk.use(OPENAI, key_variable="KEY")
    assert "sk-very-secret" not in str(await desk.fault("c.png"))


async def test_a_workspace_gets_no_key(tmp_path: Path, server: MediaServer) -> None:
    desk = Desk(tmp_path, server, {"KEY": "sk-very-secret"})
    server.makes(png())
    desk.use(OPENAI, key_variable="KEY", of_user=False)
    assert (await desk.fault()).code == "key_withheld"
    assert server.asked == []
    desk.use(OPENAI, of_user=False)
    await desk.answer()
    assert "authorization" not in server.asked[0].headers


async def test_a_key_is_not_sent_where_anybody_could_read_it(tmp_path: Path, server: MediaServer) -> None:
    desk = Desk(tmp_path, server, {"KEY": "sk-very-secret"})
    desk.use(OPENAI, key_variable="KEY", base_url="http://painter.invalid/v1")
    assert (await desk.fault()).code == "key_in_clear"


@pytest.mark.parametrize(
    "args",
    [
        {"prompt": "x", "path": "a.wav"},
        {"prompt": "x", "path": "a.txt"},
        {"prompt": "x", "path": "a"},
        {"prompt": " ", "path": "a.png"},
        {"prompt": "", "path": "a.png"},
        {"prompt": "x" * 8_001, "path": "a.png"},
        {"prompt": "x", "path": "a.png", "size": "9x9"},
        {"prompt": "x", "path": "a.png", "size": "15x512"},
        {"prompt": "x", "path": "a.png", "size": "512x9999"},
        {"prompt": "x", "path": "a.png", "size": "512"},
        {"prompt": "x"},
        {"path": "a.png"},
        {"prompt": "x", "path": "a.png", "n": 5},
    ],
)
async def test_arguments_that_make_no_sense_are_refused(desk: Desk, args: dict[str, Any]) -> None:
    assert desk.tool.fault(args) is not None


async def test_what_nobody_here_can_make_is_said_before_anybody_is_asked(desk: Desk, server: MediaServer) -> None:
    call = await desk.prepared("a.svg")
    assert call.impossible is not None
    assert (call.impossible.code, ".png" in str(call.impossible)) == ("wrong_kind", True)
    assert (await desk.fault("a.svg")).code == "wrong_kind"
    assert server.asked == []


async def test_a_slip_in_the_settings_stops_before_anybody_is_asked(desk: Desk) -> None:
    desk.settings = replace(desk.settings, images=replace(usual_service(Makes.IMAGES), fault="assent.images is wrong."))
    call = await desk.prepared()
    assert call.impossible is not None
    assert call.impossible.code == "not_configured"
    assert (await desk.fault()).code == "not_configured"


async def test_a_folder_or_a_link_to_elsewhere_is_treated_as_by_any_write(desk: Desk, tmp_path: Path) -> None:
    (desk.root / "a.png").mkdir()
    call = await desk.prepared()
    assert call.impossible is not None
    assert call.impossible.code == "is_a_directory"
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (desk.root / "out").symlink_to(outside)
    (use,) = (await desk.prepared("out/b.png")).paths
    assert (use.real, use.inside) == (str(outside / "b.png"), False)
