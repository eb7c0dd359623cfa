"""Files in a bucket: what its tests have in common."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as project
from django.test import Client
from pytest_django import Settings

from apps.core.files import storage
from config.storage import file_storage
from tests.bucket import KEY_ID, SECRET
from tests.client import ApiClient
from tests.uploads import FORM, form, part


def use(
    url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch, key_id: str = KEY_ID, secret: str = SECRET
) -> None:
    """What a process does that starts with these in its environment."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key_id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)
    settings.STORAGES = project.STORAGES | {"default": file_storage(url, Path("unused"))}
    settings.STORAGE_IS_REMOTE = True
    storage.direct_origin.cache_clear()


def upload(api: ApiClient, content: bytes, *, filename: str = "note.txt", key: str | None = None) -> Any:
    options = {} if key is None else {"idempotency_key": key}
    return api.post("/files", data=form(part(content, filename=filename)), content_type=FORM, **options)


def where(address: str, method: str = "get") -> str:
    """Where our address of a file leads to."""
    response = getattr(Client(), method)(urlsplit(address).path)
    assert response.status_code == 302
    assert response.headers["Cache-Control"] == "no-store"
    location: str = response.headers["Location"]
    return location
