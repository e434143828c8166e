"""The compose file names only what exists, and the same parts play together without containers."""

import json
import os
import re
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import yaml  # type: ignore[import-untyped]
from tests.cli.helpers import called
from tests.deploy.test_proxies import program
from tests.postgres import start_postgres
from tests.server.cluster import start_redis
from tests.server.rig import BOT, PATIENCE, Process, bearer, held_port, process
from websockets.sync.client import connect

from cartagena.server.settings import PREFIX, Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
DEFAULTS = Settings.model_fields
FILLED = {"SITE": "cartagena.example", "DATABASE_PASSWORD": "one", "REDIS_PASSWORD": "two", "METRICS_TOKEN": ""}


def compose() -> Any:
    """The compose file with its places filled in."""
    return filled(yaml.safe_load((DEPLOY / "compose.yaml").read_text()))


def filled(value: Any) -> Any:
    """A value with the places of its texts filled in, as compose does after parsing."""
    if isinstance(value, dict):
        return {key: filled(item) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item) for item in value]
    if isinstance(value, str):
        return re.sub(r"\$\{(\w+)(?::[?-][^}]*)?\}", lambda found: FILLED[found[1]], value)
    return value


def test_the_example_of_the_environment_names_every_place() -> None:
    named = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    given = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "compose.env").read_text(), re.MULTILINE))
    assert set(given) == named == set(FILLED)
    assert given["DATABASE_PASSWORD"] == given["REDIS_PASSWORD"] == "", "no password is the same everywhere"
    for name in (".gitignore", ".dockerignore"):  # passwords come neither into git nor into a layer of an image
        assert "/deploy/.env" in (DEPLOY.parent / name).read_text().splitlines()


def test_the_services_agree_with_settings_scripts_and_each_other() -> None:
    found = compose()
    services = found["services"]
    assert set(services) == {"database", "redis", "server1", "server2", "bots", "proxy"}
    ours = [services[name] for name in ("server1", "server2", "bots")]
    for service in ours:
        given = {name.removeprefix(PREFIX).lower(): value for name, value in service["environment"].items()}
        settings = Settings(**given)
        assert set(given) <= set(DEFAULTS)
        assert settings.forwarded == found["networks"]["default"]["ipam"]["config"][0]["subnet"]
        assert service["read_only"]
        assert set(service["depends_on"]) == {"database", "redis"}
        assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    [script] = services["bots"]["entrypoint"]
    image = (DEPLOY / "Containerfile").read_text()
    checks = [["CMD", *json.loads(step)] for step in re.findall(r"^HEALTHCHECK .* CMD (.*)$", image, re.MULTILINE)]
    assert checks == [service["healthcheck"]["test"] for service in ours[:1]]
    installed = re.search(r"^for name in (.*); do$", (DEPLOY / "container/install").read_text(), re.MULTILINE)
    assert installed
    assert Path(script).name.removeprefix("cartagena-") in installed[1].split()
    volumes = [volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", ())]
    assert {volume for volume in volumes if not volume.startswith(".")} == set(found["volumes"])
    assert all((DEPLOY / volume).is_file() for volume in volumes if volume.startswith("."))


def test_nothing_but_the_proxy_can_be_reached_from_outside() -> None:
    services = compose()["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    caddy = (DEPLOY / "compose.Caddyfile").read_text()
    upstreams = re.search(r"reverse_proxy (.*) \{", caddy)
    assert upstreams
    servers = [f"{name}:{DEFAULTS['port'].default}" for name in services if name.startswith("server")]
    assert upstreams[1].split() == servers
    hosts = services["server1"]["environment"]["CARTAGENA_HOSTS"].split(",")
    assert {place.partition(":")[0] for place in servers} < set(hosts), "health checks use these names"
    assert f"max_size {DEFAULTS['body_bytes'].default}" in caddy
    assert re.search(r"@figures path /metrics\s+respond @figures 404", caddy)


# --- the same parts, started for real


@contextmanager
def caddy(servers: list[Process], folder: Path) -> Iterator[httpx.Client]:
    """The proxy of the compose file with a certificate of its own authority, and a client that checks it."""
    text = (DEPLOY / "compose.Caddyfile").read_text()
    for number, server in enumerate(servers, 1):
        text = text.replace(f"server{number}:8017", f"127.0.0.1:{server.port}")
    text = text.replace(
        "{\n\tservers", "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tservers", 1
    )
    (folder / "config").write_text(text)
    with held_port() as held, (folder / "caddy.log").open("wb") as log:
        site = f"localhost:{held.getsockname()[1]}"
        environment = {**os.environ, "SITE": site, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "config")]
        proxy = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            authority = folder / "caddy/pki/authorities/local/root.crt"
            wait_until(authority.exists, folder / "caddy.log")
            with httpx.Client(base_url=f"https://{site}", timeout=PATIENCE, verify=trusting(authority)) as client:
                wait_until(lambda: answers(client), folder / "caddy.log")
                yield client
        finally:
            proxy.terminate()
            proxy.wait(PATIENCE)


def trusting(authority: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(authority))


def answers(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def wait_until(fact: Any, log: Path | None = None) -> None:
    deadline = time.monotonic() + PATIENCE
    while not fact():
        assert time.monotonic() < deadline, log.read_text()[-2000:] if log else "in vain"
        time.sleep(0.05)


@contextmanager
def worker(redis: str, folder: Path) -> Iterator[None]:
    """A bot worker as its script starts it."""
    environment = {**os.environ, "CARTAGENA_ENGINE": BOT, "CARTAGENA_LEVELS": "7", "CARTAGENA_REDIS": redis}
    with (folder / "worker.log").open("wb") as log:
        command = [sys.executable, "-m", "cartagena", "bots", "--engines", "1"]
        found = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        yield
    finally:
        found.terminate()
        assert found.wait(PATIENCE) == 0


def test_two_servers_a_worker_and_the_proxy_play_with_tls_and_survive_the_end_of_a_server(tmp_path: Path) -> None:
    with ExitStack() as stack:
        postgres, redis = stack.enter_context(start_postgres()), stack.enter_context(start_redis(tmp_path, "two"))
        postgres.psql("CREATE DATABASE whole;")
        url = redis.url
        given = {"redis": url, "engine": "false {level}", "levels": "7", "forwarded": "127.0.0.1", "salt_seconds": 0}
        servers = []
        for name in ("server1", "server2"):
            (tmp_path / name).mkdir()
            servers.append(stack.enter_context(process(postgres.get_uri(database="whole"), tmp_path / name, **given)))
        stack.enter_context(worker(url, tmp_path))
        for server in servers:
            wait_until(lambda at=server: "bot workers: 1, engines: 1\n" in at.get("/readyz").text)
            assert "cartagena_bot_workers 1.0" in server.figures()
        client = stack.enter_context(caddy(servers, tmp_path))
        assert client.get("/metrics", headers=bearer("figures")).status_code == 404
        seats = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "7"}]
        made = client.post("/api/tables", json={"rules": "tortuga-en", "seats": seats, "lots": False}).json()
        table, token = made["table"], made["token"]
        seen = turns(client, table, token, 1)
        address = f"wss://localhost:{client.base_url.port}/api/tables/{table}/live"
        trusted = trusting(tmp_path / "caddy/pki/authorities/local/root.crt")
        with connect(address, ssl=trusted, open_timeout=PATIENCE) as live:
            live.send(json.dumps({"type": "hello", "token": token}))
            assert json.loads(live.recv(timeout=PATIENCE))["type"] == "setup"
        keep_and_restore(postgres, tmp_path / "backup.db")
        servers[0].end()
        last = turns(client, table, token, 2)
        assert last["seq"] > seen["seq"]
        assert not [event for event in last["events"] if event["type"] == "standin"], "the worker has played"


def keep_and_restore(postgres: Any, file: Path) -> None:
    """Back up the database while both servers and the worker use it, restore it into an empty one, and check that."""
    postgres.psql("CREATE DATABASE restored;")
    whole, restored = (postgres.get_uri(database=name) for name in ("whole", "restored"))
    for words in (("backup", str(file), "--database", whole), ("restore", str(file), "--database", restored)):
        done = called("db", *words)
        assert (done.returncode, done.stdout[:2]) == (0, "1 "), done.stderr
    done = called("db", "check", "--database", restored)
    assert done.stdout == "1 table, 0 with problems.\n"


def turns(client: httpx.Client, table: str, token: str, number: int) -> Any:
    """Play so many turns of the person, with every request repeated until it is answered, and look."""
    deadline, played = time.monotonic() + PATIENCE, 0
    while True:
        assert time.monotonic() < deadline
        seen = client.get(f"/api/tables/{table}", headers=bearer(token))
        if seen.status_code != 200 or not seen.json()["options"]:
            time.sleep(0.05)
            continue
        found = seen.json()
        if played == number:
            return found
        move = found["options"]["legal"][-1]["move"]
        body = {"id": f"{table}-{found['version']}", "version": found["version"], "move": move}
        answer = client.post(f"/api/tables/{table}/moves", json=body, headers=bearer(token))
        played += answer.status_code == 200 and move["kind"] == "end"
