"""`/metrics` tells which layers hold around the readers of documents, as processes tried them when they started."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from apps.extraction import active_layers
from config.environment import PROJECT_ROOT

WEB = "import config.web"
WORKER_AND_CHILD = """
import os, config.celery
from celery.signals import celeryd_after_setup, worker_process_init
import django; django.setup()
from apps.core.observability.metrics import LEASES
LEASES.labels("core.mail", "done").inc()
celeryd_after_setup.send(sender=None)
if (child := os.fork()) == 0:
    LEASES.labels("core.mail", "done").inc()
    worker_process_init.send(sender=None)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""
WITHOUT_LANDLOCK = "from tests.extraction.poor_kernel import take_away; take_away('landlock'); import config.web"


def start(program: str, folder: Path) -> str:
    """What the process logged."""
    ran = subprocess.run(
        [sys.executable, "-Wignore", "-c", program],
        cwd=PROJECT_ROOT,
        env=os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stderr


def shown(settings: Settings, folder: Path) -> dict[str, str]:
    settings.PROMETHEUS_MULTIPROC_DIR = str(folder)
    lines = Client().get("/metrics").content.decode().splitlines()
    assert "# TYPE parley_sandbox_active gauge" in lines
    return dict(line.rsplit(" ", 1) for line in lines if line.startswith("parley_sandbox_active"))


def expected(**others: bool) -> dict[str, str]:
    layers = active_layers()._asdict() | others
    return {f'parley_sandbox_active{{layer="{layer}"}}': f"{float(holds)}" for layer, holds in layers.items()}


@pytest.mark.slow
@pytest.mark.parametrize("program", [WEB, WORKER_AND_CHILD], ids=["web", "worker"])
def test_a_process_that_reads_documents_tells_which_layers_hold(
    settings: Settings, tmp_path: Path, program: str
) -> None:
    logged = start(program, tmp_path)
    assert shown(settings, tmp_path) == expected()
    if active_layers() == (True, True, os.geteuid() == 0):
        assert "sandbox" not in logged


@pytest.mark.slow
def test_where_one_process_lacks_a_layer_it_does_not_count_as_active(settings: Settings, tmp_path: Path) -> None:
    """And the log of that process says which."""
    start(WEB, tmp_path)
    logged = [json.loads(line) for line in start(WITHOUT_LANDLOCK, tmp_path).splitlines() if line.startswith("{")]
    assert [(line["level"], line["event"]) for line in logged if "sandbox" in line["event"]] == [
        ("warning", "the sandbox of document readers lacks landlock on this machine; see docs/guides/sandbox.md")
    ]
    assert shown(settings, tmp_path) == expected(landlock=False)
