"""The examples of deploy/ agree with the settings. ``test_proxies.py`` tries them with the real programs."""

import configparser
import json
import re
from pathlib import Path

from cartagena.server.metrics import REGISTRY
from cartagena.server.settings import PREFIX, Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
DEFAULTS = Settings.model_fields


def number(text: str, pattern: str) -> int:
    found = re.search(pattern, text)
    assert found, pattern
    return int(found[1])


def test_the_proxies_forward_to_the_server_and_have_its_limits() -> None:
    nginx, caddy = (DEPLOY / "nginx.conf").read_text(), (DEPLOY / "Caddyfile").read_text()
    address = f"127.0.0.1:{DEFAULTS['port'].default}"
    assert f"server {address};" in nginx
    assert f"reverse_proxy {address}" in caddy
    body = DEFAULTS["body_bytes"].default
    assert number(nginx, r"client_max_body_size (\d+);") == number(caddy, r"max_size (\d+)") == body
    assert number(nginx, r"limit_conn cartagena_connections (\d+);") == DEFAULTS["connections_per_address"].default
    rate = DEFAULTS["requests"].default / DEFAULTS["window_seconds"].default
    assert number(nginx, r"rate=(\d+)r/s") == rate
    assert number(nginx, r"proxy_read_timeout (\d+)s") > 3 * DEFAULTS["heartbeat_seconds"].default


def test_the_proxies_hide_the_figures_and_tell_the_visitors_address() -> None:
    nginx, caddy = (DEPLOY / "nginx.conf").read_text(), (DEPLOY / "Caddyfile").read_text()
    assert re.search(r"location = /metrics \{\s+return 404;", nginx)
    assert re.search(r"@figures path /metrics\s+respond @figures 404", caddy)
    assert nginx.count("proxy_pass ") == nginx.count("proxy_set_header X-Forwarded-For $remote_addr;") == 2
    assert "$proxy_add_x_forwarded_for" not in nginx  # it would keep what the visitor sent


def service_of(text: str) -> configparser.SectionProxy:
    """The section of a unit that says how the program runs."""
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(text)
    return unit["Service"]


def test_the_unit_of_a_worker_starts_the_verb_and_has_the_limits_of_the_servers_unit() -> None:
    server, worker = (service_of((DEPLOY / f"{name}.service").read_text()) for name in ("cartagena", "cartagena-bots"))
    assert worker["ExecStart"] == server["ExecStart"].replace("serve", "bots")
    own = {"ExecStart", "EnvironmentFile", "Environment", "CacheDirectory", "Nice", "Restart"}
    assert {key: value for key, value in worker.items() if key not in own}.items() <= server.items()
    assert server.keys() - worker.keys() == {"StateDirectory", "StateDirectoryMode", "LimitNOFILE"}


def test_the_unit_names_settings_that_exist_and_gives_no_privileges() -> None:
    text = (DEPLOY / "cartagena.service").read_text()
    named = re.findall(rf"^Environment={PREFIX}(\w+)=(.*)$", text, re.MULTILINE)
    given = {name.lower(): value for name, value in named if name != "CACHE"}
    assert set(given) == {"database", "forwarded", "hosts"}
    Settings(**given)
    service = service_of(text)
    assert service["ExecStart"].endswith("cartagena serve")
    assert (service["DynamicUser"], service["NoNewPrivileges"], service["UMask"]) == ("yes", "yes", "0077")
    assert int(service["LimitNOFILE"]) > DEFAULTS["connections"].default


def test_the_units_restrict_system_calls_and_namespaces() -> None:
    for name in ("cartagena", "cartagena-bots"):
        service = service_of((DEPLOY / f"{name}.service").read_text())
        assert (service["RestrictNamespaces"], service["SystemCallArchitectures"]) == ("yes", "native")
        assert "SystemCallFilter=@system-service" in (DEPLOY / f"{name}.service").read_text()


def test_the_dashboard_shows_figures_that_exist() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text())
    named = {
        name for panel in board["panels"] for target in panel["targets"]
        for name in re.findall(r"cartagena_\w+", target["expr"])
    }  # fmt: skip
    told = {sample.name for family in REGISTRY.collect() for sample in family.samples}
    families = {family.name for family in REGISTRY.collect()}
    bare = {re.sub(r"_(total|bucket)$", "", name) for name in named}
    assert bare <= families | told
    assert {"cartagena_connections_most", "cartagena_computer_moves_waiting", "cartagena_study_waiting"} <= named
