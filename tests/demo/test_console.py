"""The demo's operators: whoever reads its document can sign in to the console as one of them, and finds replies."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from apps.agents.models import Agent
from apps.console.models import CannedReply
from tests.client import client
from tests.console.browser import Console

pytestmark = pytest.mark.django_db


def test_two_operators_and_more_sign_in_and_find_canned_replies(settings: Settings, tmp_path: Path) -> None:
    settings.PARLEY_HOME = tmp_path / "home"
    out = StringIO()
    call_command("seed_demo", "--json", stdout=out)
    widget = json.loads(out.getvalue())["accounts"][0]["widgets"][0]
    people = [agent for agent in widget["agents"] if agent["type"] == "human" and agent["role"] == "operator"]
    assert len(people) >= 2
    for person in people[:2]:
        login = {"username": person["email"], "password": person["password"]}
        answer = client().post("/console/login/", login)
        assert (answer.status_code, answer["Location"]) == (302, "/console/")
    replies = Console(Agent.objects.get(pk=people[0]["id"])).data("GET", "/replies")
    assert {reply["is_mine"] for reply in replies} == {True, False}
    assert {reply["shortcut"] for reply in replies} >= {"привет", "hello"}
    reply = CannedReply.objects.get(pk=widget["beside"]["reply_id"])
    assert "{visitor.first_name|друг}" in reply.body
    first, other = widget["beside"]["joined"]
    joined = Console(Agent.objects.get(pk=people[0]["id"])).data("GET", f"/contacts/{first}")["joined"]
    assert [contact["id"] for contact in joined] == [other]
    count = CannedReply.objects.count()
    call_command("seed_demo", "--json", stdout=StringIO())
    assert CannedReply.objects.count() == count
