"""The version of the interface: a client of another version gets one clear refusal."""

import socket

import pytest

from cartagena.server.openapi import api_schema
from cartagena.server.protocol.requests import PROTOCOL

from .rig import PATIENCE, Server, receive

OTHERS = ["1", str(PROTOCOL + 1), "two", ""]


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


def test_every_answer_of_the_interface_names_its_version(server: Server) -> None:
    for path in ("/api/about", "/api/tables/nosuchtable1"):
        assert server.get(path).headers["cartagena-protocol"] == str(PROTOCOL)
    assert server.get("/api/about").json()["protocol"] == PROTOCOL == api_schema()["x-protocol"]


@pytest.mark.parametrize("stated", OTHERS)
def test_a_request_of_another_version_is_refused(server: Server, stated: str) -> None:
    answer = server.http.get("/api/about", headers={"Cartagena-Protocol": stated})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "outdated")
    assert "reload" in answer.json()["error"]["message"]


PAGE = {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"}


@pytest.mark.parametrize("page", [PAGE, {"Origin": "http://127.0.0.1"}])
def test_a_page_must_name_its_version_and_a_program_need_not(server: Server, page: dict[str, str]) -> None:
    assert server.http.get("/api/about", headers=page).json()["error"]["code"] == "outdated"
    assert server.http.get("/api/about", headers=page | {"Cartagena-Protocol": str(PROTOCOL)}).status_code == 200
    assert server.http.get("/api/about").status_code == 200
    assert server.http.get("/healthz", headers=page).status_code == 200
    node = {"Sec-Fetch-Mode": "cors", "User-Agent": "node"}  # as the fetch of Node.js sends it
    assert server.http.get("/api/about", headers=node).status_code == 200


def test_a_socket_of_another_version_is_refused_and_closed(server: Server) -> None:
    ann = server.table()
    for version in (PROTOCOL - 1, PROTOCOL + 1):
        with server.socket(ann.table, {"token": ann.token, "protocol": version}) as live:
            assert receive(live, "rejected")["code"] == "outdated"
    origin = f"http://127.0.0.1:{server.port}"
    with server.socket(ann.table, {"token": ann.token}, origin=origin) as live:
        assert receive(live, "rejected")["code"] == "outdated", "a page that names no version is an old one"
    for stated in ({"protocol": PROTOCOL}, {}):
        with server.socket(ann.table, {"token": ann.token, **stated}) as live:
            assert receive(live)["seq"] == 1


def test_a_short_body_that_arrives_after_the_answer_does_not_end_the_connection(server: Server) -> None:
    ann = server.table()
    head = f"POST {ann.path}/start HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer wrong\r\n"
    unread = f"{head}content-type: application/json\r\ncontent-length: 2\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as client:
        for _ in range(2):
            client.sendall(unread.encode())
            answer = b""
            while not answer.endswith(b"}}"):
                part = client.recv(65536)
                assert part, "the connection was closed"
                answer += part
            assert answer.startswith(b"HTTP/1.1 401")
            client.sendall(b"{}")
