"""Messages by mail: addresses that are confirmed, one mail an hour, and one click to leave."""

import re
from collections.abc import Iterator
from typing import get_args

import pytest

from cartagena.server.notify.mail import WORDS, subject_of
from cartagena.server.protocol.contacts import Wishes
from tests.catalogues import messages

from .receivers import Mailbox, mailbox
from .rig import Server
from .test_notify import end_turn, links_in, telling, two


def test_a_mail_address_is_confirmed_told_once_an_hour_and_unsubscribed_by_one_click(sqlite: str) -> None:
    with mailbox() as (box, smtp), telling(sqlite, smtp=smtp, public_url="https://play.example") as server:
        ann, ben = two(server)
        asked = ben.do("notify", {"mail": "ben@example.org", "wishes": {"language": "de"}})
        assert [each["confirmed"] for each in asked.json()["contacts"]] == [False]
        assert "ben@" not in asked.text
        end_turn(ann)  # not confirmed: nothing is sent
        mail = box.wait_for(1)
        assert mail["to"] == "ben@example.org"
        assert "Bestätige" in mail["subject"]
        [confirm] = links_in(mail)
        for wrong in ("0", "%C3%A9", "%00"):
            assert server.http.get(confirm.replace("key=", f"key={wrong}")).status_code == 404
            assert server.http.get(confirm.replace("contact=", f"contact={wrong}")).status_code == 404
        assert "<form" in server.http.get(confirm).text  # a program that follows the link confirms nothing
        assert not ben.do("notify", {"like": {"table": ben.table, "token": ben.token}}).json()["contacts"][0][
            "confirmed"
        ]
        assert "bestätigt" in server.http.post(confirm).text
        end_turn(ben)
        cause = end_turn(ann)
        told = box.wait_for(2)
        assert told["message-id"].startswith(f"<{cause}.")
        assert f"https://play.example/#/table/{ann.table}" in told.get_content()
        assert told["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
        plain = dict(told.raw_items())["List-Unsubscribe"]
        assert re.fullmatch(r"<https://play\.example/mail/stop\?\S+>", plain), "not as encoded words (RFC 2047)"
        end_turn(ben)
        end_turn(ann)
        stop = told["list-unsubscribe"].strip("<>").removeprefix("https://play.example")
        assert "<form" in server.http.get(stop).text
        assert server.http.post(stop, content="List-Unsubscribe=One-Click").status_code == 200
        assert server.get(f"{ben.path}/notify", ben.token).json()["contacts"] == []
    assert len(box.mails) == 2


def test_a_stranger_who_gives_an_address_neither_sets_nor_sees_its_wishes(mail_server: tuple[Server, Mailbox]) -> None:
    server, box = mail_server
    eve, ann, later = server.table(), server.table(), server.table()
    eve.do("notify", {"mail": "ann@example.org", "wishes": {"muted": True, "language": "sv"}})
    quiet = {"from": "22:00", "to": "07:00", "zone": "Asia/Tokyo"}
    ann.do("notify", {"mail": "ann@example.org", "wishes": {"quiet": quiet}})
    mail = box.wait_for(len(box.mails))
    assert (mail["to"], mail["subject"]) == ("ann@example.org", WORDS["en"]["confirm.subject"])
    assert server.http.post(links_in(mail)[0]).status_code == 200
    [known] = server.get(f"{ann.path}/notify", ann.token).json()["contacts"]
    assert (known["confirmed"], known["wishes"]["muted"], known["wishes"]["quiet"]) == (True, False, quiet)
    seen = later.do("notify", {"mail": "ann@example.org", "wishes": {"muted": True}}).json()["contacts"]
    assert [(each["confirmed"], each["wishes"]["quiet"]) for each in seen] == [(False, None)]
    [known] = server.get(f"{ann.path}/notify", ann.token).json()["contacts"]
    assert known["wishes"]["quiet"] == quiet


@pytest.mark.parametrize(
    "address",
    [
        "ben", "ben@", "@x.org", "a b@x.org", "ben@x.org\nBcc: y@z.org", "Ben <ben@x.org>", '"ben"@x.org',
        "ben@10.0.0.1", "ben@[10.0.0.1]", "ben@x.org.", "ben@localhost", "ben@-x.org", ".ben@x.org", "b@x.org,y@z.org",
        "bén@x.org", "a@b@x.org",
    ],
)  # fmt: skip
def test_what_is_no_mail_address_is_refused(mail_server: tuple[Server, Mailbox], address: str) -> None:
    server, box = mail_server
    assert server.table().do("notify", {"mail": address}).status_code == 422
    assert all(mail["to"] != address for mail in box.mails)


def test_one_address_is_asked_to_confirm_a_few_times_only(mail_server: tuple[Server, Mailbox]) -> None:
    server, box = mail_server
    spellings = ["eve@example.org"] * 4 + ["Eve@Example.org", "eve+once.more@example.org"]
    asked = [server.table().do("notify", {"mail": spelling}).status_code for spelling in spellings]
    assert asked == [200] * 5 + [429]
    assert [mail["to"].lower() for mail in box.mails].count("eve@example.org") == 5
    assert "=3D" not in str(box.mails[-1].get_payload()), "the link is whole in the source of the mail"


@pytest.fixture(scope="module")
def mail_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Mailbox]]:
    base = f"sqlite:///{tmp_path_factory.mktemp('mail') / 'tables.db'}"
    with mailbox() as (box, smtp), telling(base, smtp=smtp, public_url="https://play.example") as server:
        yield server, box


def test_mails_speak_every_language_and_name_a_message_as_the_table_does() -> None:
    assert WORDS.keys() == set(get_args(Wishes.model_fields["language"].annotation))
    for language, words in WORDS.items():
        assert words.keys() == WORDS["en"].keys(), language
        page = messages(language)
        for key in ("turn", "over", "rematch", "talk"):
            assert words[key].rstrip(":\u00a0") == page[f"push.{key}"].replace("It’s", "It is"), (language, key)
        assert not re.search(r" [:?]|posta", " ".join(words.values())), language
        for kind in ("turn", "late", "over", "rematch", "talk"):
            assert subject_of([kind], words) not in (words["news.subject"], words.get(kind)), (language, kind)
        assert subject_of(["turn", "over"], words) == words["news.subject"]
