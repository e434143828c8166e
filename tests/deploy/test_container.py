"""The steps of the image are scripts of ours; they work for a user without privileges whose home is empty."""

import json
import os
import re
import signal
import stat
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests import image
from tests.image import Image, command
from tests.wheel import ROOT

CONTAINERFILE = (ROOT / "deploy/Containerfile").read_text("utf-8")
ENVIRONMENT = dict(re.findall(r"(\w+)=(\S+)", "".join(re.findall(r"^ENV .*$", CONTAINERFILE, re.MULTILINE))))
COMPOSE = (ROOT / "deploy/compose.yaml").read_text("utf-8")
PATIENCE = 300


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Image:
    return image.installed(tmp_path_factory)


def test_every_step_is_one_of_our_scripts() -> None:
    steps = re.findall(r"^(?:RUN|ENTRYPOINT|HEALTHCHECK .* CMD) (.*)$", CONTAINERFILE, re.MULTILINE)
    named = [Path(json.loads(step)[0]).name.removeprefix("cartagena-") for step in steps]
    named += re.findall(r"entrypoint: \[/opt/cartagena/bin/cartagena-(\w+)\]", COMPOSE)
    scripts = {path.name: path for path in (ROOT / "deploy/container").iterdir()}
    assert sorted(named) == sorted(scripts)
    assert all(path.stat().st_mode & stat.S_IXUSR for path in scripts.values())
    assert f"USER {image.USER}:{image.USER}\n" in CONTAINERFILE
    assert "VOLUME /data\n" in CONTAINERFILE
    assert ENVIRONMENT == {"HOME": "/data", "CARTAGENA_FOLDER": "/data", "CARTAGENA_HOST": "0.0.0.0"}


@contextmanager
def serving(installed: Image, data: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """A running server, started by the script of the image. Gives its process and its environment."""
    own = {name: value.replace("/data", str(data)) for name, value in ENVIRONMENT.items()}
    given = installed.environment(**own, CARTAGENA_PORT="0", WARMUP="no", CARTAGENA_LEVELS="sailor")
    script = installed.prefix / "bin/cartagena-serve"
    with subprocess.Popen(command(script), env=given, cwd="/", stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            for line in process.stdout:
                if found := re.search(r"served at http://127\.0\.0\.1:(\d+)/", line):
                    given["CARTAGENA_PORT"] = found[1]
                    break
            else:
                raise AssertionError("the server did not start")
            os.set_blocking(process.stdout.fileno(), False)
            yield process, given
        finally:
            process.kill()


def health(installed: Image, given: dict[str, str]) -> int:
    script = installed.prefix / "bin/cartagena-health"
    done = subprocess.run(command(script), env=given, cwd="/", capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode


def ask(given: dict[str, str], path: str, body: object = None, token: str = "") -> Any:
    address = f"http://127.0.0.1:{given['CARTAGENA_PORT']}{path}"
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(address, data, headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return answer.read()


def test_the_image_plays_and_writes_only_to_its_volume(installed: Image) -> None:
    before = written(installed.prefix)
    data = installed.prefix / "data"
    with serving(installed, data) as (process, given):
        assert health(installed, given) == 0
        assert b"<!doctype html>" in ask(given, "/").lower()
        seats = [{"kind": "here"}, {"kind": "computer", "level": "sailor"}]
        created = json.loads(ask(given, "/api/tables", {"rules": "tortuga-en", "seats": seats}))
        assert Path(f"/proc/{process.pid}").stat().st_uid != 0
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        assert health(installed, given) == 1
    with serving(installed, data) as (_, given):
        kept = json.loads(ask(given, f"/api/tables/{created['table']}", token=created["token"]))
        assert kept["setup"]["rules"] == "tortuga-en"
    assert {path.name for path in data.iterdir()} >= {"tables.db"}
    assert (data / "tables.db").stat().st_mode & 0o077 == 0
    assert written(installed.prefix) == before
    assert list(installed.home.iterdir()) == []


def written(prefix: Path) -> dict[str, int]:
    """Every file of the image outside the volume, with the time of its last change."""
    files = (path for path in prefix.rglob("*") if path.is_file() and prefix / "data" not in path.parents)
    return {str(path): path.stat().st_mtime_ns for path in files}


def said(installed: Image, name: str, **settings: str) -> str:
    """What a script says that cannot start its program."""
    script, given = installed.prefix / f"bin/cartagena-{name}", installed.environment(**settings)
    done = subprocess.run(command(script), env=given, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stderr


def test_a_folder_that_is_not_named_is_one_sentence(installed: Image) -> None:
    assert "CARTAGENA_FOLDER must name the folder of the database." in said(installed, "serve")
    assert "CARTAGENA_FOLDER must name the folder of the compiled code." in said(installed, "bots")


def test_a_worker_of_the_image_needs_redis_and_nothing_else(installed: Image) -> None:
    given = {"CARTAGENA_FOLDER": str(installed.prefix / "data"), "WARMUP": "no"}
    assert said(installed, "bots", **given) == "Name the Redis of the servers: cartagena bots --redis redis://HOST.\n"
    away = said(installed, "bots", **given, CARTAGENA_REDIS="redis://127.0.0.1:1/0")
    assert away == "Redis redis://127.0.0.1:1/0 does not answer; is it running?\n"
