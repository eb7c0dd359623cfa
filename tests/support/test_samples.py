"""The samples of docs/samples/application sign as the product does, each in its language; so does `sign_call`."""

import io
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest
from django.core.management import call_command

from apps.support.rules.envelope import signature_of
from config.environment import PROJECT_ROOT
from tests.support.application import Application

SAMPLES = PROJECT_ROOT / "docs/samples/application"
GUIDE = (PROJECT_ROOT / "docs/guides/application.md").read_text()
RUN = {
    "sign.py": [sys.executable],
    "sign.mjs": ["node"],
    "sign.php": ["php"],
    "sign.go": ["go", "run"],
}
TARGET, BODY = "/api/v1/ai/assistant/turn?a=%2f", '{"text": "Привет"}'.encode()


@pytest.mark.parametrize("name", RUN)
def test_a_sample_signs_as_the_product_does(name: str) -> None:
    command = RUN[name]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not here")
    env = {"PARLEY_SECRET": "k" * 48, "PARLEY_TIMESTAMP": "1800000000", "PARLEY_NONCE": "n" * 24, "PARLEY_DRY_RUN": "1"}
    ran = subprocess.run(
        [*command, SAMPLES / name, TARGET], input=BODY, capture_output=True, env={**os.environ, **env}, check=True
    )
    right = signature_of("k" * 48, timestamp="1800000000", nonce="n" * 24, method="POST", target=TARGET, body=BODY)
    headers = dict(line.split(": ") for line in ran.stdout.decode().splitlines())
    assert headers == {
        "X-Service-Timestamp": "1800000000",
        "X-Service-Nonce": "n" * 24,
        "X-Service-Signature": right,
    }


def test_the_guide_names_each_sample_and_its_example_is_right() -> None:
    for name in RUN:
        assert f"(../samples/application/{name})" in GUIDE
    made = signature_of(
        "k" * 48,
        timestamp="1800000000",
        nonce="0123456789abcdef",
        method="POST",
        target="/api/v1/ai/assistant/turn",
        body=b"{}",
    )
    assert made in GUIDE


def test_sign_call_prints_a_call_that_is_right(application: Application, tmp_path: Any) -> None:
    body, out = tmp_path / "body.json", io.StringIO()
    body.write_bytes(b"{}")
    call_command("sign_call", "--widget", application.widget.guid, "--body", str(body), stdout=out)
    line = out.getvalue()
    timestamp, nonce = (line.split(f"X-Service-{name}: ")[1].split('"')[0] for name in ("Timestamp", "Nonce"))
    right = signature_of(
        application.secret,
        timestamp=timestamp,
        nonce=nonce,
        method="POST",
        target="/api/v1/ai/assistant/turn",
        body=b"{}",
    )
    assert right in line
    assert application.token not in line
