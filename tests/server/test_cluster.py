"""Several servers on one database: any of them serves any table, and nothing is lost or doubled when one fails."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from . import trials
from .cluster import Cluster, faults, start_cluster, until
from .conftest import new_postgres_database
from .rig import Person, Server, receive
from .secrecy import compare_all, store_new_pairs

LISTED = 7


@pytest.fixture(scope="module")
def cluster(postgres: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder: Path = tmp_path_factory.mktemp("cluster")
    database = new_postgres_database(postgres)
    with start_cluster(postgres, database, folder, absent_seconds=0, lobby_tables=LISTED) as found:
        yield found
    logs = "".join(path.read_text() for path in folder.glob("server*.log"))
    assert "Traceback" not in logs, logs[-3000:]


def at(server: Server, person: Person) -> Person:
    """The same person at another server."""
    return Person(server, person.table, person.token)


def test_the_same_move_at_two_servers_is_played_once_and_seen_everywhere(cluster: Cluster) -> None:
    one, two, three = cluster.servers
    ann = one.table("tortuga-en")
    with ThreadPoolExecutor(2) as pool, three.socket(ann.table, {"token": ann.token}) as viewer:
        for number in range(100):
            if number >= 12 and is_contested(cluster):
                break
            seen = ann.look()
            legal = [item["move"] for item in seen["options"]["legal"]]
            moves = [legal[0], legal[0] if number % 2 == 0 else legal[-1]]
            same = moves[0] == moves[1]
            bodies = [
                {"id": f"n{number}" if same else f"n{number}-{turn}", "version": seen["version"], "move": move}
                for turn, move in enumerate(moves)
            ]
            people = [at(one, ann), at(two, ann)]
            answers = list(pool.map(lambda person, body: person.do("moves", body), people, bodies))
            statuses = sorted(answer.status_code for answer in answers)
            assert statuses == ([200, 200] if same else [200, 409]), [answer.text for answer in answers]
            if same:
                assert len({answer.json()["seq"] for answer in answers}) == 1
                assert sorted(answer.json()["repeated"] for answer in answers) == [False, True]
            while receive(viewer)["seq"] <= seen["seq"]:
                pass
            assert at(two, ann).look()["seq"] == seen["seq"] + 1, "a request sees what was acknowledged elsewhere"
    assert is_contested(cluster), "no two servers ever met"


def test_servers_that_are_asked_at_once_list_no_more_tables_of_an_address_than_one(cluster: Cluster) -> None:
    setup = {"rules": "tortuga-en", "seats": [{"kind": "here"}, {"kind": "link"}], "lobby": True}

    def list_all(server: Server) -> int:
        return [server.post("/api/tables", setup).status_code for _ in range(LISTED)].count(201)

    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(list_all, cluster.servers)) == LISTED


def is_contested(cluster: Cluster) -> bool:
    """Whether a change was contested at any server."""
    figures = [line for server in cluster.servers for line in server.figures().splitlines()]
    name = "cartagena_changes_contested_total"
    return any(float(line.split()[-1]) > 0 for line in figures if line.startswith(name))


def test_the_cases_of_one_server_hold_behind_the_balancer(cluster: Cluster) -> None:
    """Duplicates, secrets, who is online, tokens and limits."""
    found = asyncio.run(trials.duplicates(cluster.front.port, sends=200, tables=3))
    assert found["sends"] >= 200
    assert found["tables_wrong"] == 0
    made, tokens, _ = store_new_pairs(cluster.database, 4)
    assert compare_all(cluster.front, made, tokens, several=True, acting=False)["different"] == 0

    one, two, _ = cluster.servers
    ann = one.table("jamaica-en", [{"kind": "here"}, {"kind": "link"}], lots=False)
    ben = ann.join()
    with one.socket(ann.table, {"token": ann.token}):
        until(lambda: at(two, ben).look()["seats"][0]["online"], "the other server does not know who is online")
    until(lambda: not at(two, ben).look()["seats"][0]["online"], "a person who left is still online elsewhere")
    with two.socket(ann.table, {"token": ben.token}) as live:
        receive(live)
        new = at(one, ben).do("token").json()["token"]
        assert receive(live, "rejected")["code"] == "not-seated"
    assert two.get(ann.path, ben.token).status_code == 401, "the old token works nowhere"
    assert two.get(ann.path, new).status_code == 200
    assert ann.do("talk", {"text": "my own words"}).status_code == 200
    with two.socket(ann.table, {"token": new}) as live:
        assert "my own words" in str(receive(live))
        assert ann.do("forget").status_code == 200
        while not any(event["type"] == "forgotten" for event in receive(live)["events"]):
            pass
    assert "my own words" not in two.get(ann.path, new).text, "what was deleted at one server is deleted at all"
    assert two.get(ann.path, ann.token).status_code == 401


def test_nothing_is_lost_when_servers_redis_and_postgresql_fail(cluster: Cluster) -> None:
    one, two, three = cluster.servers
    seats = [{"kind": "here"}, {"kind": "computer", "level": "7"}]
    timed = one.table("tortuga-en", seats, lots=False, clock={"kind": "turn", "seconds": 5})
    kinds = ["kill", "redis", "postgres", "drain"]
    trial, wrong = asyncio.run(faults(cluster, kinds, tables=4))
    assert trial.acked() > 4 * len(kinds)
    assert wrong == {"lost": 0, "doubled": 0}
    cluster.hear_each_other()

    def left() -> list[int]:
        return [event["seq"] for event in at(two, timed).look()["events"] if event["type"] == "left"]

    until(lambda: bool(left()), "no server noticed that the time was up")
    ann = two.table("tortuga-en")
    with three.socket(ann.table, {"token": ann.token}) as viewer:
        receive(viewer)
        cluster.redis.stop()
        until(
            lambda: all("Redis does not answer" in s.get("/readyz").text for s in (one, two, three)), "it is not said"
        )
        assert two.get("/readyz").status_code == 200
        seen = ann.play(2)
        while receive(viewer)["seq"] < seen["seq"]:
            pass
        cluster.redis.start()
    cluster.hear_each_other()
    assert len(left()) == 1, "a deadline fired more than once"
