"""The same conversation with every kind of model server: the agent must not notice which one it speaks to."""

import json
from typing import Any

import pytest

from assent.model.conversation import StopReason, ToolOutcome, ToolResults, Usage, UserText
from tests.contract.talking import TOOLS, Heard, Talk, counted, of_all, request, streaming_or_not, talking
from tests.support.model_servers.formats import ALL, Format
from tests.support.model_servers.plays import Play, answer, bytewise
from tests.support.model_servers.wire import Said, SaidCall, SeenMessage, Wire

READ, WRITE, ODD, LONG, FOREIGN = range(len(TOOLS))
LARGE = {"path": "größe.txt", "content": "Zeile mit “Zeichen” \\ \n\t🙂\u2028" * 8_000}
NESTED = {"path": ["ä", 1, None, {"b": True}]}
DENIED = json.dumps({"error": "permission_denied", "message": "Nein.", "feedback": "später – bitte"})
USAGE = Usage(1234, 56)


def calls(*made: tuple[int, dict[str, Any]], **words: Any) -> Any:
    """A turn with these calls, named as the server was told the tools."""
    talk: Talk = words.pop("talk")

    def play(wire: Wire, streaming: bool) -> Play:
        named = talk.server.log.seen[-1].tools
        said = Said(calls=tuple(SaidCall(named[tool], args) for tool, args in made), usage=USAGE, **words)
        return answer(said)(wire, streaming)

    return play


def results(heard: Heard, first: int, *texts: str, denied: tuple[str, ...] = ()) -> ToolResults:
    uses = heard.turn(first).calls
    return ToolResults(
        tuple(ToolOutcome(one.call_id, one.tool, text, text in denied) for one, text in zip(uses, texts, strict=True))
    )


def seen_of(talk: Talk) -> tuple[SeenMessage, ...]:
    assert talk.server.log.rejected == []
    return talk.server.log.seen[-1].messages


@of_all
@streaming_or_not
async def test_a_conversation_is_the_same_with_every_server(form: Format, streaming: bool) -> None:
    async with talking(form, models=[form.model]) as talk:
        first_calls = (READ, {"path": "ü.txt"}), (WRITE, {"path": "b", "content": "a\u00a0“b”\\\n"})
        talk.server.add(
            calls(*first_calls, talk=talk, text="Ich schaue – 🙂.", thinking="Hm … ß?", between="Nun weiter."),
            calls((ODD, {}), (LONG, LARGE), (FOREIGN, NESTED), talk=talk, piece_length=400),
            Said("Fertig.", usage=USAGE),
        )
        told = [UserText("Räum auf")]

        first = await talk.ask(*told, streaming=streaming)
        assert first.calls == [(TOOLS[tool], args) for tool, args in first_calls]
        assert (first.text, first.thinking) == ("Ich schaue – 🙂.Nun weiter.", "Hm … ß?")
        if streaming:
            assert first.order == ["Ich schaue – 🙂.", TOOLS[READ], "Nun weiter.", TOOLS[WRITE]]
        assert (first.stop, first.usage) == (StopReason.TOOL_USE, counted(USAGE))
        assert (first.unfinished, first.fault, first.broken) == ([], None, None)

        told += [first.turn(), results(first, 0, "Inhalt: äöü", DENIED, denied=(DENIED,))]
        second = await talk.ask(*told, streaming=streaming)
        assert second.calls == [
            (TOOLS[ODD], {}),
            (TOOLS[LONG], LARGE),
            (TOOLS[FOREIGN], NESTED),
        ]
        user, spoken, got = seen_of(talk)
        assert (user.text, spoken.role, spoken.text) == ("Räum auf", "assistant", first.text)
        assert [args for _, args in spoken.calls] == [args for _, args in first_calls]
        assert (got.role, got.results, got.ids_match) == ("results", ("Inhalt: äöü", DENIED), True)

        told += [second.turn(2), results(second, 2, "", "ok", "ok"), UserText("Und jetzt?")]
        third = await talk.ask(*told, streaming=streaming)
        assert (third.text, third.calls, third.stop) == ("Fertig.", [], StopReason.END)
        assert third.broken is None
        roles = [message.role for message in seen_of(talk)]
        assert roles[:4] == ["user", "assistant", "results", "assistant"]
        sent = talk.server.log.seen[0].tools
        assert [name for name, _ in seen_of(talk)[3].calls] == [sent[ODD], sent[LONG], sent[FOREIGN]]
        assert seen_of(talk)[3].calls[1][1] == LARGE
        assert talk.server.log.seen[-1].system == "Be kind."
        assert {seen.streaming for seen in talk.server.log.seen} == {streaming}
        assert talk.server.log.connections == 1, "one connection serves them all"


@of_all
@streaming_or_not
async def test_why_a_turn_ended(form: Format, streaming: bool) -> None:
    turns = [Said("Ja.", stop=stop) for stop in (StopReason.END, StopReason.LENGTH, StopReason.REFUSED)]
    async with talking(form, *turns) as talk:
        ends = [await talk.ask(streaming=streaming) for _ in turns]
    refused = StopReason.REFUSED if form.words_for_refusing else StopReason.END
    assert [heard.stop for heard in ends] == [StopReason.END, StopReason.LENGTH, refused]
    assert [heard.text for heard in ends] == ["Ja."] * 3
    codes = [heard.broken.code if heard.broken else None for heard in ends]
    assert codes == [None, "length_limit", "refused" if form.words_for_refusing else None]


@of_all
@streaming_or_not
async def test_a_turn_that_was_cut_goes_back_without_what_was_not_finished(form: Format, streaming: bool) -> None:
    """Also a turn of which nothing was left, and one with thoughts alone: every server takes what follows."""
    turns = Said("Ich fange an", stop=StopReason.LENGTH), Said(thinking="Hm", stop=StopReason.LENGTH), Said("Gut.")
    async with talking(form, *turns) as talk:
        told = [UserText("Los")]
        for words in ("Weiter", "Noch einmal"):
            heard = await talk.ask(*told, streaming=streaming)
            told += [heard.turn(), UserText(words)]
        assert (await talk.ask(*told, streaming=streaming)).text == "Gut."
        assert seen_of(talk)[-1].role == "user"
        assert seen_of(talk)[-1].text.endswith("Noch einmal")


@pytest.mark.parametrize("form", [form for form in ALL if form.arguments_as_text], ids=lambda form: form.name)
async def test_arguments_that_are_no_json_go_back_in_a_form_that_is_taken(form: Format) -> None:
    broken = Said(calls=(SaidCall("read_file", '{"path": "a'),))
    async with talking(form, broken, Said("Ich versuche es anders.")) as talk:
        first = await talk.ask()
        assert len(first.calls) == 1
        told = (UserText("Los"), first.turn(), results(first, 0, "The arguments are not valid JSON."))
        assert (await talk.ask(*told)).text == "Ich versuche es anders."
        assert seen_of(talk)[-1].ids_match


@of_all
async def test_it_does_not_matter_in_which_pieces_an_answer_comes(form: Format) -> None:
    said = Said("Größe 🙂", (SaidCall("read_file", {"path": "ü"}),), thinking="ß")
    turns = (
        answer(said, pieces=bytewise),
        answer(said, packed=True),
        said,
    )
    async with talking(form, *turns) as talk:
        heard = [await talk.ask() for _ in turns]
    assert heard[0] == heard[1] == heard[2]
    assert heard[0].calls == [("read_file", {"path": "ü"})]


@of_all
async def test_a_server_without_tools_to_offer_is_asked_all_the_same(form: Format) -> None:
    async with talking(form, Said("Hallo")) as talk:
        assert (await talk.ask(tools=())).text == "Hallo"
        assert talk.server.log.seen[0].tools == ()


@of_all
async def test_the_models_of_a_server_are_listed(form: Format) -> None:
    async with talking(form, models=[form.model, "another"]) as talk:
        assert [model.name for model in await talk.provider.models()] == [form.model, "another"]


def test_the_names_of_the_tools_are_told_apart() -> None:
    assert len({tool.name for tool in request().tools}) == len(TOOLS)


IN_PIECES = [form for form in ALL if form.provider not in ("gemini", "ollama")]
"""Formats that send calls in pieces, so that a call can lack all of its arguments."""


@pytest.mark.parametrize("form", IN_PIECES, ids=lambda form: form.name)
@streaming_or_not
async def test_a_call_that_the_limit_ended_before_its_arguments_is_not_made(form: Format, streaming: bool) -> None:
    """No arguments at all would be read as an empty object, which many tools take."""
    begun = Said("Los.", (SaidCall("read_file", {"path": "a"}), SaidCall("list_files", "")), stop=StopReason.LENGTH)
    meant = Said(calls=(SaidCall("list_files", ""), SaidCall("list_files", "{}")))
    async with talking(form, begun, meant) as talk:
        heard = await talk.ask(streaming=streaming)
        assert "list_files" not in [tool for tool, _ in heard.calls]
        assert "list_files" in heard.unfinished
        assert heard.broken is not None
        assert heard.broken.code == "length_limit"
        if streaming:
            assert (await talk.ask()).calls == [("list_files", {})] * 2
