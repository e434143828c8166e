"""The terminal at a game server: tables by post and live ones, invitations, holidays, refusals."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.helpers import called, refused
from tests.cli.test_play import Script
from tests.server.receivers import Mailbox, mailbox
from tests.server.rig import Person, Server, held_port, running

from cartagena.cli.shared_options import Setup
from cartagena.cli.terminal.connection import PROTOCOL, Connection, HeldSeat, SeatBook, ServerError
from cartagena.cli.terminal.my_tables import MyTables
from cartagena.cli.terminal.play import Leave
from cartagena.cli.terminal.server_table import ServerTable, time_left
from cartagena.cli.terminal.words import LANGUAGES, Words
from cartagena.cli.verbs.play import AtServer
from cartagena.server.protocol import requests

BY_POST = AtServer(name="Ann", days=3).new_table("tortuga-en", Setup(), [])


@pytest.fixture(scope="module")
def post_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Mailbox]]:
    database = f"sqlite:///{tmp_path_factory.mktemp('terminal') / 'tables.db'}"
    with (
        mailbox() as (box, smtp),
        running(database, smtp=smtp, public_url="https://play.example", webhooks=True) as found,
    ):
        yield found, box


@pytest.fixture
def server(post_office: tuple[Server, Mailbox]) -> Server:
    return post_office[0]


@pytest.fixture(autouse=True)
def own_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")


def visit(server: Server, *typed: str, link: str = "", table: Any = None, language: str = "en") -> str:
    """What a person is told who types this, until they leave or have no more to type."""
    script = Script(*typed)
    with pytest.raises((EOFError, Leave)):
        MyTables(Connection(server.url, Words(language)), script, table or BY_POST, "Ann").run(link)
    return "\n".join(script.told)


def ben_at(server: Server, told: str) -> Person:
    """Another person, who takes the seat of the invitation that was shown."""
    link = next(line for line in told.splitlines() if line.startswith("Invitation: ")).partition("/#/join/")[2]
    table, _, invite = link.partition("/")
    answer = server.post(f"/api/tables/{table}/join", {"invite": invite, "name": "Ben"})
    return Person(server, table, answer.json()["token"])


def test_a_table_by_post_is_set_up_listed_and_played(server: Server, tmp_path: Path) -> None:
    told = visit(server, "new", "")
    assert "You have no tables" in told
    assert "waiting for players: tortuga-en, Ann - ?" in told
    kept = tmp_path / "cartagena" / "seats.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    ben = ben_at(server, told)
    while (seen := ben.look(detail="text", legal=True))["legal"]:  # until it is Ann's turn
        ben.move("end" if "end" in seen["legal"] else seen["legal"][0])
    told = visit(server, "1", "1", "undo", "9999", "xx", "save x", "1", "end", "quit")
    assert "1) your turn, 3 days left: tortuga-en, Ann - ?" in told
    for said in ("action 1 of 3", "action 2 of 3", "The moves are numbered", "The server keeps the game"):
        assert said in told, said
    assert "It is Ben" in told
    assert "another's turn, 3 days left: tortuga-en" in told
    assert len([event for event in ben.look()["events"] if event["type"] == "move"]) >= 2


def test_time_left_is_told_to_the_nearest_whole_day_or_hour() -> None:
    hours = {71.9: "3 days", 59.9: "2 days", 47.9: "2 days", 47.4: "47 hours", 23.9: "24 hours", 1.6: "2 hours"}
    for each, said in {**hours, 0.5: "30 minutes", -1: "0 minutes"}.items():
        assert time_left(int((time.time() + each * 3600) * 1000), Words()) == f"{said} left"


def test_a_person_without_a_name_is_not_called_like_the_computer_that_plays_on(server: Server) -> None:
    told = visit(server, "new", "", table={**BY_POST, "lots": False})
    link = told.split("/#/join/")[1].split()[0].split("/")
    nameless = server.post(f"/api/tables/{link[0]}/join", {"invite": link[1], "name": ""}).json()["token"]
    assert Person(server, link[0], nameless).do("leave").status_code == 200
    assert "your turn, 3 days left: tortuga-en, Ann - ?" in visit(server, "1", "tables")


def test_who_ran_out_of_time_is_told_so(server: Server) -> None:
    script, seat = Script(), HeldSeat(server.url, "abcd", "token")
    table = ServerTable(Connection(server.url, Words()), script, SeatBook(), seat)
    events = [
        {"seq": 5, "type": "resigned", "seat": 1, "why": "time"},
        {"seq": 6, "type": "left", "seat": 2, "why": "time"},
        {"seq": 7, "type": "resigned", "seat": 2},
    ]
    table.now = {"seq": 7, "events": events, "you": {"seats": [1]}, "seats": [{"name": "Ann"}, {"name": "Ben"}]}
    table.tell_news(heading=False)
    assert script.told[0].splitlines() == [
        "  Ann (blue): time is up, has resigned",
        "  Ben (red): time is up, the computer plays on",
        "  Ben (red): has resigned",
    ]


def test_holidays_are_announced_while_another_is_to_move(server: Server) -> None:
    told = visit(server, "new", "", table={**BY_POST, "lots": False})
    ben = ben_at(server, told)
    told = visit(server, "1", "holiday", "holiday 4", "holiday 9", "resign", "board", "tables")
    assert "Say how many days" in told
    assert "On holiday until" in told
    assert "You have 6 days of holiday left in this game." in told
    assert [event["type"] for event in ben.look()["events"]].count("holiday") == 1
    assert "7 days left" in told  # three days, and four of holiday
    told = visit(server, "1", "resign", "resign", "")
    assert "Type resign once more" in told
    assert ben.look()["stage"] == "over"
    assert "the game is over: tortuga-en, Ann - Ben" in told


def test_a_live_table_is_joined_by_its_link_and_played_with_a_computer(server: Server) -> None:
    host = server.table("tortuga-en+actions1", [{"kind": "link"}, {"kind": "computer", "level": "7"}], lots=False)
    link = f"{server.url}/#/join/{host.table}/{host.invites[0]}"
    told = visit(server, "1", "end", "1", "quit", link=link)
    assert "Since you last looked" not in told
    assert "7" in told
    assert told.count("action 1 of 1") >= 2
    assert "This is not an invitation" in visit(server, "join https://elsewhere.example/#/join/abcd/efgh")


def test_the_list_begins_with_due_turns_and_enter_opens_the_first(server: Server) -> None:
    visit(server, "new", "")
    mine = {**BY_POST, "seats": [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Cas"}]}
    told = visit(server, "new", "tables", "", "tables", table=mine)
    assert re.search(r" 1\) your turn, 3 days left: tortuga-en, (Ann - Cas|Cas - Ann)\n  2\) waiting for players", told)
    assert told.count("action 1 of 3") >= 2


def test_a_finished_game_is_talked_over_and_played_again(server: Server) -> None:
    told = visit(server, "new", "", table={**BY_POST, "lots": False})
    ben = ben_at(server, told)
    told = visit(server, "1", "talk", "talk Well Played!", "resign", "resign", "talk Again?", "", "1", "rematch", "")
    assert "Say something, for example" in told
    talk = [event["text"] for event in ben.look()["events"] if event["type"] == "talk"]
    assert talk == ["Well Played!", "Again?"]
    assert re.search(r"1\) waiting for players: tortuga-en.*\n  2\) the game is over: tortuga-en", told)
    again = ben.look()["next"]
    assert server.post(f"/api/tables/{again}/join", {"name": "Ben"}, ben.token).status_code == 200
    first = {**BY_POST, "rules": "jamaica-en", "seats": [{"kind": "here", "name": "Ann"}, {"kind": "link"}]}
    assert "were asked to another table already" in visit(server, "invite 9", "invite 2", table=first)
    visit(server, "1", "resign", "resign", "")
    told = visit(server, "invite 2", "", table=first)
    assert "The players of that game are invited." in told
    assert "waiting for players: jamaica-en" in told
    assert len(SeatBook().read()) == 3


def test_an_invitation_stands_in_the_list_and_is_joined_by_rematch(server: Server) -> None:
    eve = server.table("tortuga-en", [{"kind": "here", "name": "Eve"}, {"kind": "link"}], lots=False)
    assert (
        server.post(f"/api/tables/{eve.table}/join", {"invite": eve.invites[0], "token": "t" * 43}).status_code == 200
    )
    assert eve.do("resign").status_code == 200
    SeatBook().keep(HeldSeat(server.url, eve.table, "t" * 43))
    clock = {"kind": "post", "days": 3, "late": "resign"}
    new = server.table("jamaica-en", [{"kind": "here", "name": "Eve"}, {"kind": "link"}], clock=clock)
    assert new.do("ask", {"table": eve.table, "token": eve.token}).status_code == 200
    told = visit(server, "1", "rematch", "tables")
    assert "1) the game is over, you are invited to another game" in told
    assert "jamaica-en" in told
    assert new.look()["stage"] == "playing"


def test_a_person_at_a_terminal_is_told_by_mail_or_webhook(
    post_office: tuple[Server, Mailbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, box = post_office
    monkeypatch.setenv("TZ", "Europe/Berlin")
    mine = {**BY_POST, "seats": [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Cas"}]}
    told = visit(
        server, "new", "notify", "notify Ann@Example.org", "notify https://10.0.0.1/", table=mine, language="sv"
    )
    words = Words("sv")
    for said in ("notify_none", "notify_by_mail", "notify_by_hook", "notify_push"):
        assert words(said) in told, said
    assert words("notify_sent", address="Ann@Example.org") in told
    assert "public" in told
    mail = box.wait_for(1)
    assert "Bekräfta" in mail["subject"]
    [link] = re.findall(r"https://play\.example(/mail/\S+)", mail.get_content())
    assert "not confirmed yet" in visit(server, "1", "notify", table=mine)
    assert server.http.post(link).status_code == 200
    told = visit(server, "1", "notify quiet 22:00 07:30", "notify talk", "notify mute", "notify soon", table=mine)
    assert "A…@Example.org: turn late over rematch talk, quiet 22:00 07:30 (Europe/Berlin), muted" in told
    assert "Type notify alone" in told
    told = visit(server, "new", "notify", "notify quiet off", "notify mute", "notify off", table=mine)
    assert "A…@Example.org: turn late over rematch talk\n" in told, "a new table is told about as the last one is"
    assert "Nothing is sent" in told


def test_two_terminals_keep_each_others_seats(tmp_path: Path) -> None:
    """Each adds its seats as fast as it can; the file has all of them."""
    code = (
        "import sys; from pathlib import Path; from cartagena.cli.terminal.connection import HeldSeat, SeatBook\n"
        "for n in range(100): SeatBook(Path(sys.argv[1])).keep(HeldSeat('s', f't{n}', sys.argv[2]))"
    )
    file = tmp_path / "seats.json"
    terminals = [subprocess.Popen([sys.executable, "-c", code, str(file), name]) for name in "ab"]
    assert [each.wait() for each in terminals] == [0, 0]
    assert len(SeatBook(file).read()) == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_list_and_the_same_words_to_type(server: Server, language: str) -> None:
    words, english = Words(language), Words()
    told = visit(server, "new", "help", "", "help", "7", language=language)
    assert words("table_waiting") in told
    assert words("server_help") in told
    typed = [line.split()[0] for line in words("server_help").splitlines() if line.startswith("  ")]
    assert typed == [line.split()[0] for line in english("server_help").splitlines() if line.startswith("  ")]
    assert words.amount("days", 1) != words.amount("days", 2)


def test_a_dead_server_and_a_wrong_address_get_one_sentence() -> None:
    with held_port() as free:
        dead = f"http://127.0.0.1:{free.getsockname()[1]}"
        assert refused(called("play", "--server", dead)) == f"{dead} does not answer."
        assert refused(called("play", "--server", dead, "--language", "de")) == f"{dead} antwortet nicht."
    assert "is not the address of a server" in refused(called("play", "--server", "file:///etc/passwd"))
    assert "--seed cannot be chosen" in refused(called("play", "--server", dead, "--seed", "3"))
    with pytest.raises(ServerError, match="not the address"):
        Connection("http://me@host", Words())


def test_a_table_that_is_gone_is_told_once(server: Server, tmp_path: Path) -> None:
    visit(server, "new", "")
    kept = tmp_path / "cartagena" / "seats.json"
    kept.write_text(kept.read_text().replace(json.loads(kept.read_text())[0]["token"], "x" * 43))
    told = visit(server, "tables")
    assert told.count("does not have this table any more") == 1
    assert SeatBook().read() == []
    assert PROTOCOL == requests.PROTOCOL
    kept.write_text("{")
    with pytest.raises(Exception, match="is not a list of seats"):
        SeatBook().read()
