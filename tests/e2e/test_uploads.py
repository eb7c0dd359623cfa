"""Files through the real web server: what is too large is refused with an answer, not with a broken connection."""

import uuid

import pytest
import requests

from tests.run.service import Service
from tests.uploads import png

pytestmark = pytest.mark.e2e

MB = 1024 * 1024


def test_files_go_in_and_come_out_and_too_large_ones_are_answered(running_service: Service) -> None:
    demo = running_service.demo
    token = demo["accounts"][0]["widgets"][0]["tokens"]["all"]

    def upload(content: bytes) -> requests.Response:
        headers = {"Authorization": f"Bearer {token}", "X-Service-Idempotency-Key": uuid.uuid4().hex}
        url = f"{running_service.url}/api/v1/files"
        return requests.post(url, headers=headers, files={"file": ("роза.png", content)}, timeout=30)

    for content in (png(), png() + bytes(10 * MB - len(png()))):
        kept = upload(content)
        assert kept.status_code == 201, kept.text
        read = requests.get(kept.json()["data"]["url"], timeout=30)
        assert read.content == content
        assert read.headers["Content-Type"] == "image/png"
        assert read.headers["X-Content-Type-Options"] == "nosniff"
    for size in (10 * MB + 1, 12 * MB, 30 * MB):
        refused = upload(bytes(size))
        assert refused.status_code == 422
        assert refused.json()["errors"] == {"file": ["The file is larger than 10 MB."]}
