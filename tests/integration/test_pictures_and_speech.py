"""Pictures and speech over the wire with the real process: a card first, then a file, or nothing at all."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.media_files import png, wav
from tests.support.media_server import MediaServer
from tests.support.room import Room
from tests.support.scale import limit, wait_until
from tests.support.server import STALE, Chat, Json, Server, Turn, call, refusal, say
from tests.support.told_settings import tell

Start = Callable[..., Server]
DRAWING = '<svg viewBox="0 0 10 10"><script>alert(1)</script><circle cx="5" cy="5" r="4" onclick="x()"/></svg>'
CLEAN = '<circle cx="5" cy="5" r="4"/></svg>\n'
ASKED = 'The picture has viewBox="0 0 512 512". What it shows:\n\na dot'


@pytest.fixture
def painter(room: Room) -> Iterator[MediaServer]:
    with MediaServer() as made:
        made.makes(png())
        tell(room.server, images={"provider": "openai-compatible", "baseUrl": f"{made.origin}/v1", "model": "painter"})
        yield made
        tell(room.server)


def picture(path: str, **more: Json) -> Json:
    return call("generate_image", prompt="a dot", path=path, **more)


def draws(room: Room, *answer: Json, calls: int = 1, mode: str | None = None) -> Chat:
    """A chat whose model wants a picture and, when it is asked to draw it, answers so."""
    wanted = [picture(room.path(f"{number}.svg")) for number in range(calls)]
    room.server.script(wanted, [say("Done.")], conversations={ASKED: [list(answer)]})
    return room.server.chat(mode=mode)


def running(chat: Chat) -> bool:
    return any(event["data"]["phase"] == "running" for event in chat.events("ToolUpdate"))


def paints(room: Room, *turns: Turn, mode: str | None = None) -> Chat:
    return room.chat(*(turns or ([picture(room.path("a.png"))], [say("Done.")])), mode=mode)


def test_a_card_then_a_file_that_the_chats_model_drew(room: Room) -> None:
    chat = draws(room, say(f"Here it is:\n```svg\n{DRAWING}\n```"))
    run = chat.send()
    card = chat.card()
    assert (card["tool"], card["category"]) == ("generate_image", "write")
    assert card["headline"] == f"Make the picture {room.path('0.svg')}"
    assert "a dot" in card["preview"]["text"]
    assert "The model of this chat draws it" in card["risk"]["notes"][0]
    assert not room.file("0.svg").exists()
    chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"
    assert room.file("0.svg").read_text().endswith(CLEAN)
    (result,) = chat.results()
    assert (result["success"], result["path"]) == (True, room.path("0.svg"))
    assert "Left out of it, because a picture only shows: <script>, onclick" in result["output"]
    # What it was before, which is nothing, is kept, so that the run can be rolled back.
    (run_kept,) = chat.client.request("checkpoint/list", {"sessionId": chat.id})["checkpoints"]
    assert run_kept["files"] == [room.path("0.svg")]
    # Nothing that was said beside the conversation is a part of it.
    assert [event["data"]["text"] for event in chat.events("Chunk")] == ["Done."]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ([say("I cannot draw.")], "no_drawing"),
        ([say('<svg viewBox="0 0 1 1"><script/></svg>')], "bad_drawing"),
        ([say("<svg><circle"), {"cut": True}], "stream_cut"),
        ([say(DRAWING), {"end": "length"}], "length_limit"),
        ([{"fail": "the model is away"}], "scripted"),
    ],
)
def test_a_model_that_does_not_draw_leaves_no_file(room: Room, answer: list[Json], code: str) -> None:
    chat = draws(room, *answer)
    run = chat.send()
    chat.answer(chat.card(), decision="accept")
    assert run.result()["done_reason"] == "stop"
    assert [result["code"] for result in chat.results()] == [code]
    assert list(room.folder.iterdir()) == []


def test_what_the_model_is_asked_beside_counts_in_the_limits(room: Room) -> None:
    tell(room.server, limits={"modelCalls": 2})
    chat = draws(room, say(DRAWING), calls=2, mode="auto")
    assert chat.run()["done_reason"] == "limit"
    assert sorted(str(result.get("code")) for result in chat.results()) == ["None", "limit_reached"]
    assert len(list(room.folder.iterdir())) == 1
    tell(room.server)


def test_stop_ends_what_the_model_is_asked_beside(room: Room) -> None:
    chat = draws(room, say("<svg>"), {"wait": 3600})
    run = chat.send()
    chat.answer(chat.card(), decision="accept")
    wait_until(lambda: running(chat), within=10, what="the drawing")
    assert chat.stop()
    assert run.result()["done_reason"] == "cancelled"
    assert [result["code"] for result in chat.results()] == ["cancelled"]
    # Which of the two depends on whether the stop or the question to the model was quicker.
    assert any(words in chat.results()[0]["output"] for words in ("nothing was written", "the model was not asked"))
    assert list(room.folder.iterdir()) == []


def test_a_sub_agent_has_its_pictures_drawn_by_the_same_gate(room: Room) -> None:
    talks = {"Draw it": [[picture(room.path("0.svg"))], [say("Drawn.")]], ASKED: [[say(DRAWING)]]}
    turns = [[call("run_subtask", title="Draw", instructions="Draw it")], [say("Done.")]]
    room.server.script(*turns, conversations=talks)
    chat = room.server.chat()
    run = chat.send()
    card = chat.card()
    assert (card["tool"], card["path"]) == ("generate_image", ["Draw"])
    chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"
    assert room.file("0.svg").read_text().endswith(CLEAN)


def test_a_server_of_the_users_paints(room: Room, painter: MediaServer) -> None:
    chat = paints(room)
    run = chat.send()
    card = chat.card()
    assert painter.origin in card["risk"]["notes"][0]
    assert painter.asked == []
    chat.answer(card, decision="accept")
    assert run.result()["done_reason"] == "stop"
    assert room.file("a.png").read_bytes() == png()
    assert len(painter.asked) == 1


def test_nothing_is_asked_for_and_nothing_is_sent_in_plan(room: Room, painter: MediaServer) -> None:
    chat = paints(room, mode="plan")
    assert chat.run()["done_reason"] == "stop"
    assert refusal(chat.results()[0])["error"] == "blocked_in_plan_mode"
    assert chat.cards() == []
    assert painter.asked == []
    assert not room.file("a.png").exists()


def test_a_no_sends_nothing_and_leaves_nothing(room: Room, painter: MediaServer) -> None:
    chat = paints(room)
    run = chat.send()
    chat.answer(chat.card(), decision="deny")
    run.result()
    assert refusal(chat.results()[0])["error"] == "permission_denied"
    assert painter.asked == []
    assert not room.file("a.png").exists()


def test_a_file_that_appears_before_the_click_is_shown_before_it_is_replaced(room: Room, painter: MediaServer) -> None:
    chat = paints(room)
    run = chat.send()
    card = chat.card()
    room.file("a.png").write_bytes(b"mine")
    # A click on the card as it was does not count: the same call is shown anew, with what would be lost.
    assert chat.refused(card, decision="accept").code == STALE
    again = chat.card()
    assert "a file of 4 bytes" in again["risk"]["notes"][1]
    assert painter.asked == []
    chat.select(again, "deny")
    run.result()
    assert room.file("a.png").read_bytes() == b"mine"


def test_stop_ends_the_request_and_leaves_no_file(room: Room, painter: MediaServer) -> None:
    painter.waits()
    chat = paints(room)
    run = chat.send()
    chat.answer(chat.card(), decision="accept")
    assert painter.reached.wait(limit(10))
    assert chat.stop()
    assert run.result()["done_reason"] == "cancelled"
    assert painter.gone.wait(limit(10))
    assert [result["code"] for result in chat.results()] == ["cancelled"]
    assert list(room.folder.iterdir()) == []


def test_pictures_count_as_writes(room: Room, painter: MediaServer) -> None:
    images = {"provider": "openai-compatible", "baseUrl": f"{painter.origin}/v1", "model": "painter"}
    tell(room.server, images=images, limits={"writes": 1})
    turns = [[picture(room.path("a.png"))], [picture(room.path("b.png"))], [say("Done.")]]
    chat = paints(room, *turns, mode="auto")
    chat.run()
    assert [result.get("code") for result in chat.results()] == [None, "limit_reached"]
    assert [path.name for path in room.folder.iterdir()] == ["a.png"]


def test_protected_and_outside_paths_are_asked_for_also_in_auto(
    room: Room, painter: MediaServer, tmp_path: Path
) -> None:
    chat = paints(room, [picture(str(tmp_path / "a.png"))], [say("Done.")], mode="auto")
    run = chat.send()
    card = chat.card()
    assert card["reason"]["code"] == "outside_workspace"
    chat.answer(card, decision="deny")
    run.result()
    assert painter.asked == []


def test_a_workspace_names_no_server_by_itself(start: Start, tmp_path: Path) -> None:
    with MediaServer() as elsewhere:
        server = start()
        images = {"provider": "automatic1111", "baseUrl": elsewhere.origin, "apiKeyEnv": "PATH"}
        blocks = {**server.settings(), "workspace": {"images": images}}
        server.meet(settings=blocks)
        question = server.client.wait_for("settings/consentRequest", lambda _: True)
        assert [entry["key"] for entry in question["entries"]] == ["assent.images"]
        assert elsewhere.origin in question["entries"][0]["words"]
        server.script([picture("a.png")], [say("Done.")])
        chat = server.chat(mode="auto")
        chat.run()
        # Still the chat's own model, which draws no PNG.
        assert chat.results()[0]["code"] == "wrong_kind"
        assert elsewhere.asked == []


def test_a_program_of_this_machine_speaks(start: Start, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    engine = programs / "espeak-ng"
    source = tmp_path / "spoken.wav"
    source.write_bytes(wav())
    engine.write_text(
        f"#!{sys.executable}\nimport shutil, sys\nsys.stdin.read()\nshutil.copy({str(source)!r}, sys.argv[-1])\n"
    )
    engine.chmod(0o755)
    server = start(env={"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"})
    server.meet()
    server.script([call("text_to_speech", text="Hello", path="a/hello.wav")], [say("Done.")])
    chat = server.chat()
    run = chat.send()
    card = chat.card()
    assert str(engine) in card["risk"]["notes"][0]
    chat.answer(card, decision="accept")
    run.result()
    assert (server.workspace / "a/hello.wav").read_bytes() == wav()


def test_without_any_program_that_speaks_the_reason_is_told_without_a_card(start: Start, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    server = start(env={"PATH": str(nothing)})
    server.meet()
    server.script([call("text_to_speech", text="Hello", path="hello.wav")], [say("Done.")])
    chat = server.chat()
    chat.run()
    told = refusal(chat.results()[0])
    assert told["error"] == "no_engine"
    assert "espeak-ng" in told["message"]
    assert "assent.speech" in told["message"]
    assert chat.cards() == []
