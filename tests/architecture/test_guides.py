"""The guides name what there is, and nothing else: settings, processes, ports, metrics, statements; and what was not
run says so."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml
from django.conf import settings
from django.db import connection
from honcho.environ import parse_procfile

from apps.cabinet.probes import PROBES
from config.alive import LAST_WORDS_S, QUESTIONS, SILENT_SECONDS
from config.environment import PROJECT_ROOT
from tests.architecture.source import calls, source_files, tree_of

GUIDES = PROJECT_ROOT / "docs/guides"
PROCFILE: dict[str, str] = parse_procfile((PROJECT_ROOT / "Procfile").read_text()).processes
DOCKERFILE = (PROJECT_ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((PROJECT_ROOT / "compose.yaml").read_text())
# Variables that are no settings: of the shell, of Django's own start, of terminals.
NO_SETTINGS = {"PATH", "DJANGO_SETTINGS_MODULE", "MAKELEVEL", "NO_COLOR"}

_NAME = re.compile(r"[A-Z][A-Z0-9_]+")
# What is asked for a setting. Where requests are answered, `environ` is that of WSGI.
_LOOK_UP = re.compile(r"^(env|Environment\(.*\)|os\.environ|environ|self\._environ)$")
_WSGI = {"PATH_INFO", "CONTENT_LENGTH", "CONTENT_TYPE", "HTTP_HOST"}


def guide(name: str) -> str:
    return (GUIDES / name).read_text()


def in_code(text: str) -> set[str]:
    """The names in backticks."""
    return {name for code in re.findall(r"`([^`\n]+)`", text) for name in _NAME.findall(code)}


def settings_read(tree: ast.AST) -> set[str]:
    """The names that a module looks up in the environment."""
    asked = [call.args[0] for name, call in calls(tree) if call.args and _LOOK_UP.search(name.rpartition(".")[0])]
    asked += [
        node.slice
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and _LOOK_UP.search(ast.unparse(node.value))
    ]
    texts = [each.value for each in asked if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return {text for text in texts if _NAME.fullmatch(text)} - NO_SETTINGS - _WSGI


@cache
def all_settings() -> frozenset[str]:
    """Every setting that code or the Procfile reads."""
    of_code = {name for path in source_files("apps", "config", "launcher") for name in settings_read(tree_of(path))}
    return frozenset(of_code) | {name for line in PROCFILE.values() for name in re.findall(r"\${([A-Z_]+)", line)}


def test_every_setting_is_in_the_guide() -> None:
    assert len(all_settings()) > 30
    assert all_settings() - in_code(guide("configuration.md")) == set()


def test_every_setting_of_the_guides_table_is_read() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", guide("configuration.md"), re.MULTILINE)
    assert in_code("\n".join(rows)) - all_settings() == set()


def test_every_process_and_port_is_in_the_guide() -> None:
    text = guide("deployment.md")
    rows = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert set(PROCFILE) <= set(rows)
    ports = {port for line in PROCFILE.values() for port in re.findall(r"PORT:-(\d+)", line)}
    assert ports == {"8000", "8001"}
    for port in ports:
        assert re.search(rf"^\| `\w+` \|.*\b{port}\b", text, re.MULTILINE), port
    for probe in PROBES:
        assert f"| `{probe}` |" in text


def metrics_of(tree: ast.AST) -> set[str]:
    """The names under which Prometheus finds the metrics that a module makes."""
    made = [(name, *call.args[:1]) for name, call in calls(tree) if name in ("Counter", "Gauge", "Histogram")]
    return {
        f"{told.value}_total" if name == "Counter" else str(told.value)
        for name, *found in made
        for told in found
        if isinstance(told, ast.Constant) and str(told.value).startswith("parley_")
    }


def test_every_metric_is_in_the_guide_and_no_other() -> None:
    own = set().union(*(metrics_of(tree_of(path)) for path in source_files("apps")))
    assert {"parley_sla_total", "parley_queue_waiting", "parley_api_request_seconds"} <= own
    assert set(re.findall(r"^\| `(parley_\w+)` \|", guide("monitoring.md"), re.MULTILINE)) == own


@pytest.mark.django_db
def test_the_guides_statements_run() -> None:
    statements = re.findall(r"^```sql\n(.*?)^```", guide("monitoring.md"), re.DOTALL | re.MULTILINE)
    assert len(statements) == 2
    for statement in statements:
        with connection.cursor() as cursor:
            cursor.execute(statement)
            cursor.fetchall()


def runs_the_procfiles_line(command: list[str], name: str, folder: Path) -> bool:
    """Whether it does, with programs in the place of the real ones, which say how they were called."""
    for program in ("python", "uvicorn", "celery"):
        (folder / program).write_text('#!/bin/sh\necho "$0" "$@"\n')
        (folder / program).chmod(0o755)
    environ = {"PATH": f"{folder}:{os.defpath}", "BIND": "0.0.0.0"}
    done = subprocess.run(command, cwd=PROJECT_ROOT, env=environ, capture_output=True, text=True, check=True)
    line = PROCFILE[name]
    program = re.findall(r"exec (\w+)", line)[0]
    expanded = re.sub(r"\${(\w+):-(\w+)}", r"\2", line.replace("${BIND:-127.0.0.1}", "0.0.0.0"))
    return done.stdout.split() == [str(folder / program), *expanded.partition(f"exec {program} ")[2].split()]


class TestUnitsOfSystemd:
    """Those of the guide, as it has them."""

    UNITS: ClassVar[dict[str, str]] = {
        path: textwrap.dedent(unit)
        for path, unit in re.findall(
            r"^    # /etc/systemd/system/(\S+)\n((?:    .*\n)+)", guide("deployment.md"), re.MULTILINE
        )
    }

    def test_the_guide_has_three_systemd_units(self) -> None:
        assert list(self.UNITS) == ["parley@.service", "parley-alive@.service", "parley-alive@.timer"]

    @pytest.mark.parametrize("name", PROCFILE)
    def test_they_run_the_procfiles_line(self, name: str, tmp_path: Path) -> None:
        (line,) = re.findall(r"^ExecStart=(.*)$", self.UNITS["parley@.service"], re.MULTILINE)
        command = shlex.split(line.replace("%i", name).replace("$$", "$"))
        assert runs_the_procfiles_line(command, name, tmp_path)

    def test_what_looks_after_it_runs_where_it_runs(self) -> None:
        service, alive = (
            dict(re.findall(r"^(\w+)=(.*)$", self.UNITS[path], re.MULTILINE))
            for path in ("parley@.service", "parley-alive@.service")
        )
        for name in ("User", "WorkingDirectory", "EnvironmentFile"):
            assert alive[name] == service[name]
        assert alive["Environment"] in service["Environment"].split(" ")
        assert alive["Environment"] == f"PULSE_DIR=/run/{service['RuntimeDirectory']}"
        assert alive["ExecStart"].endswith("/python -m config.alive %i --replace")

    def test_systemd_can_read_them(self, tmp_path: Path) -> None:
        if shutil.which("systemd-analyze") is None:
            pytest.skip("needs systemd-analyze")
        for path, unit in self.UNITS.items():
            there = unit.replace("/srv/parley/.venv/bin/python", sys.executable).replace("/srv/parley", str(tmp_path))
            (tmp_path / path.replace("@", "@web")).write_text(there.replace("User=parley\n", ""))
        names = [str(tmp_path / path.replace("@", "@web")) for path in self.UNITS]
        read = subprocess.run(["systemd-analyze", "verify", *names], capture_output=True, text=True, check=False)
        assert not [line for line in read.stderr.splitlines() if str(tmp_path) in line or "parley" in line], read.stderr


class TestTheContainers:
    """compose.yaml and Dockerfile, which nothing here runs: what they name is there."""

    def test_they_and_the_guide_say_that_they_were_not_run(self) -> None:
        for text in (DOCKERFILE, (PROJECT_ROOT / "compose.yaml").read_text()):
            head = text.split("\n\n")[0]
            assert head.startswith("# ")
            assert "not been run" in head
        assert "They have not been run" in guide("deployment.md")

    def test_the_image_is_made_of_files_that_are_there(self) -> None:
        copied = re.findall(r"^COPY (\S+) ", DOCKERFILE, re.MULTILINE)
        assert copied == ["requirements/production.txt", "."]
        for name in (*copied, *re.findall(r"pip install -r (\S+)", DOCKERFILE), "manage.py"):
            assert (PROJECT_ROOT / name).exists(), name

    def test_its_python_is_one_that_the_project_is_for(self) -> None:
        (version,) = re.findall(r"^FROM python:(\d+\.\d+)", DOCKERFILE, re.MULTILINE)
        assert f"Python {version}" in (PROJECT_ROOT / "README.md").read_text()

    @pytest.mark.parametrize("name", [*PROCFILE, "default"])
    def test_its_entry_point_runs_the_procfiles_line(self, name: str, tmp_path: Path) -> None:
        entry, default = (
            json.loads(found) for found in re.findall(r"^(?:ENTRYPOINT|CMD) (.*)$", DOCKERFILE, re.MULTILINE)
        )
        command = [*entry, *(default if name == "default" else [name])]
        assert runs_the_procfiles_line(command, "web" if name == "default" else name, tmp_path)

    def test_its_variables_are_settings(self) -> None:
        (block,) = re.findall(r"^ENV (.*?)\n(?! )", DOCKERFILE, re.DOTALL | re.MULTILINE)
        names = set(re.findall(r"(\w+)=", block)) - {
            *("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONFAULTHANDLER", "PIP_NO_CACHE_DIR")
        }
        assert names <= all_settings()

    def test_its_user_may_write_where_the_service_does(self) -> None:
        (user,) = re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE)
        (folders,) = re.findall(rf"install -d -o {user} (.*)$", DOCKERFILE, re.MULTILINE)
        kept = {Path(settings.FILE_STORAGE["OPTIONS"]["location"]), settings.EMAIL_FOLDER}
        home = settings.PARLEY_HOME
        needed = {f"var/{folder.relative_to(home)}" for folder in kept} | {"var"}  # where `seed_demo` writes
        of_figures = set(re.findall(r"_DIR=(/\S+)", DOCKERFILE))
        assert set(folders.split()) == needed | of_figures

    def test_ports_are_the_procfiles(self) -> None:
        (exposed,) = re.findall(r"^EXPOSE (.*)$", DOCKERFILE, re.MULTILINE)
        of_procfile = {name: port for name, line in PROCFILE.items() for port in re.findall(r"PORT:-(\d+)", line)}
        assert set(exposed.split()) == set(of_procfile.values())
        for name, port in of_procfile.items():
            assert COMPOSE["services"][name]["ports"] == [f"127.0.0.1:{port}:{port}"]

    def test_every_process_runs_and_no_other(self) -> None:
        services = COMPOSE["services"]
        ours = {name: service for name, service in services.items() if service.get("image") == "parley"}
        assert set(ours) == {*PROCFILE, "migrate"}
        assert {name: service["command"] for name, service in ours.items() if name != "migrate"} == {
            name: [name] for name in PROCFILE
        }
        assert set(services) - set(ours) == {"postgres", "valkey"}

    def test_its_environment_is_made_of_settings(self) -> None:
        environment = COMPOSE["x-parley"]["environment"]
        assert set(environment) <= all_settings()
        from_outside = set(re.findall(r"\${([A-Z_]+)", yaml.safe_dump(COMPOSE)))
        assert from_outside - {"POSTGRES_PASSWORD"} <= all_settings()
        assert from_outside - {"TRUSTED_PROXIES"} <= in_code(guide("deployment.md")) | set(
            re.findall(r"([A-Z_]+)=", guide("deployment.md"))
        )

    def test_what_does_not_answer_is_replaced(self) -> None:
        for name in PROCFILE:
            service = COMPOSE["services"][name]
            check = service["healthcheck"]
            assert check["test"] == ["CMD", "python", "-m", "config.alive", name, "--replace"]
            assert int(check["timeout"].removesuffix("s")) > SILENT_SECONDS + SILENT_SECONDS / QUESTIONS + LAST_WORDS_S
            assert service["init"], "process 1 can't be killed"

    def test_all_stop_slowly_enough(self) -> None:
        """The worker lets calls end that it has begun."""
        from apps.egress.batch import TOTAL_SECONDS

        seconds = int(COMPOSE["x-parley"]["stop_grace_period"].removesuffix("s"))
        assert seconds > 1.5 * TOTAL_SECONDS


class TestSamples:
    def test_what_a_module_reads_of_the_environment(self) -> None:
        source = """
        env.text("ONE"); env.integer("TWO", 2); os.environ.get("THREE"); os.environ["FOUR"]
        Environment(environ).boolean("FIVE"); other.text("SIX"); env.text(name); self._environ.get("SEVEN")
        environ["PATH_INFO"]; environ.get("EIGHT")
        """
        found = settings_read(ast.parse("if True:\n" + source))
        assert found == {"ONE", "TWO", "THREE", "FOUR", "FIVE", "SEVEN", "EIGHT"}
