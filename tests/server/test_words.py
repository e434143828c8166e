"""What is sent, to the byte: frames, and JSON that stays harmless wherever it is pasted."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from cartagena import Move
from cartagena.server.protocol.encoding import clean_talk, dumps, move_fields, spliced, text_frame
from cartagena.server.protocol.errors import malformed
from cartagena.server.protocol.requests import COMMAND, CreateTable, JoinTable, MoveJson, move_notation, stored_setup

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 200_000])
def test_a_frame_is_read_as_what_was_written(size: int) -> None:
    reader = StreamReader()
    reader.feed_data(text_frame(b"x" * size))
    reader.feed_eof()
    parsing = Frame.parse(reader.read_exact, mask=False)
    with pytest.raises(StopIteration) as found:
        next(parsing)
    frame: Frame = found.value.value
    assert (frame.opcode, frame.fin, bytes(frame.data)) == (Opcode.TEXT, True, b"x" * size)


@given(VALUES)
def test_json_comes_back_as_it_was_and_holds_nothing_a_page_would_run(value: object) -> None:
    text = dumps(value)
    assert json.loads(text) == value
    assert not set(b"<>&") & set(text)


def test_parts_that_are_json_already_are_put_behind_what_is_known() -> None:
    told = json.loads(spliced({"a": 1}, b=dumps([1, 2]), c=b"null"))
    assert told == {"a": 1, "b": [1, 2], "c": None}


@pytest.mark.parametrize("text", ["17:B", "s:C!", "18<", "3@14", "sail", "drop:D", "end"])
def test_a_move_as_fields_comes_back_as_it_was(text: str) -> None:
    assert move_notation(MoveJson.model_validate(move_fields(Move(text)))) == text
    assert move_notation(text) == text


@pytest.mark.parametrize("name", ["\u200b", "\u3164\u3164", "\u2800", "\u202e\u2066", "\u0301", "\ufe0f"])
def test_a_name_of_invisible_characters_is_refused_but_a_stored_one_is_read(name: str) -> None:
    setup = {"seats": [{"kind": "here", "name": name}, {"kind": "here"}]}
    with pytest.raises(ValidationError, match="can be seen"):
        CreateTable.model_validate(setup)
    with pytest.raises(ValidationError, match="can be seen") as refused:
        JoinTable.model_validate({"name": name})
    assert malformed(refused.value).wire.reason == "bad-name"
    assert stored_setup(json.dumps(setup)).seats[0].name == name
    assert JoinTable(name="  ").name == ""
    assert JoinTable(name="Zo\u0308e").name == "Zöe"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a" + "\u0302" * 150, "â" + "\u0302" * 4),
        ("T" + "\u0489\u0334" * 60 + "o", "T\u0489\u0334\u0489\u0334o"),
        ("Đặng Thị Ngọc Hân", "Đặng Thị Ngọc Hân"),
        ("שָׁלוֹם", "שָׁלוֹם"),
        ("น้ำผึ้ง", "น้ำผึ้ง"),
        ("क्षत्रिय", "क्षत्रिय"),
    ],
)
def test_marks_that_would_cover_other_lines_are_left_out(text: str, line: str) -> None:
    assert clean_talk(text) == unicodedata.normalize("NFC", line)


@given(st.text(st.sampled_from("aA\u0301\u0302\u0338\u200b\u202e\u2028 <=\u1100\u1161\u3000"), max_size=20))
def test_what_is_cleaned_is_in_normal_form_and_stays_as_it_is(text: str) -> None:
    try:
        line = clean_talk(text)
    except ValueError:
        return
    assert unicodedata.is_normalized("NFC", line)
    assert clean_talk(line) == line


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '{"type":"<b>hello</b>"}',
            "message: 'type' should be one of 'move', 'undo', 'talk', 'resign', 'leave', 'back', 'look', 'ping'.",
        ),
        ('{"type":"talk","text":"%s"}' % ("x" * 300), "talk.text: at most 200 characters."),
        ('{"type":"ping","n":"one"}', "ping.n: Input should be a valid integer, unable to parse string as an integer."),
    ],
)
def test_a_refusal_is_one_whole_sentence_that_quotes_nothing(text: str, sentence: str) -> None:
    with pytest.raises(ValidationError) as refused:
        COMMAND.validate_json(text)
    assert malformed(refused.value).wire.message == sentence
