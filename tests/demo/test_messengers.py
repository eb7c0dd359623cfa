"""The demo's custom channels."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from apps.messengers.models import Channel
from apps.messengers.rules import is_secret
from tests.client import ApiClient


@pytest.mark.django_db
def test_the_demo_has_a_channel_on_the_first_widget_and_one_of_the_other_account(
    settings: Settings, tmp_path: Path
) -> None:
    settings.PARLEY_HOME = tmp_path / "home"
    out = StringIO()
    call_command("seed_demo", "--json", stdout=out)
    own, other = json.loads(out.getvalue())["accounts"]
    first, rival = own["widgets"][0], other["widgets"][0]
    for widget in (first, rival):
        (channel,) = widget["channels"]
        assert widget["path_ids"]["channel"] == channel["id"]
        assert is_secret(channel["secret"])
        assert Channel.objects.with_secret(channel["secret"]) == Channel.objects.for_widget(widget["id"]).get()
        status = ApiClient().get(f"/compat/legacy/chat/{channel['secret']}/status")
        assert (status.status_code, status.content) == (200, b"0")
    api = ApiClient(first["tokens"]["all"])
    assert api.get(f"/channels/{first['path_ids']['channel']}").status_code == 200
    assert api.get(f"/channels/{rival['path_ids']['channel']}").status_code == 404
