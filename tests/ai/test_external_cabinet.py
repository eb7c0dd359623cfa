"""The cabinet's page of external operators: made, moved, and their tokens (design: external-operators, 1 and 8)."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import ApiToken, Widget
from apps.ai.models import ExternalOperator, OperatorMove
from tests.ai.external_desk import ExternalDesk

URL = "https://localhost:8443/turns"


def page(operator: ExternalOperator) -> str:
    return reverse("admin:ai_externaloperator_change", args=[operator.pk])


def button(operator: ExternalOperator, name: str) -> str:
    return f"{page(operator).removesuffix('change/')}{name}/"


def test_one_is_made_and_its_secret_shown_once(cabinet: Client, shop: Widget, settings: Any) -> None:
    settings.EGRESS_ALLOW = ["localhost:8443"]
    form = {
        "widget": shop.pk,
        "name": "Robin",
        "url": URL,
        "bearer": "let-me-in",
        "reply_timeout_sec": 60,
        "fallback": "model",
        "answers_by_person": "on",
    }
    answer = cabinet.post(reverse("admin:ai_externaloperator_add"), form, follow=True)
    assert answer.status_code == 200
    operator = ExternalOperator.objects.get()
    assert operator.answers_by_person
    shown = answer.content.decode()
    assert operator.secret is not None
    assert operator.secret in shown
    assert (operator.standing, operator.bearer, operator.reply_timeout_sec, operator.fallback) == (
        "draft",
        "let-me-in",
        60,
        "model",
    )
    again = cabinet.get(page(operator)).content.decode()
    assert operator.secret not in again
    assert "let-me-in" not in again
    assert OperatorMove.objects.get().actor["kind"] == "staff"


@pytest.mark.parametrize("url", ["http://bot.example.com", "https://127.0.0.1/", "https://user@localhost:8443/"])
def test_a_bad_address_is_refused_at_its_field(cabinet: Client, shop: Widget, url: str) -> None:
    form = {"widget": shop.pk, "name": "Robin", "url": url, "reply_timeout_sec": 60, "fallback": "model"}
    answer = cabinet.post(reverse("admin:ai_externaloperator_add"), form, follow=True)
    assert answer.status_code == 200
    assert not ExternalOperator.objects.exists()


def test_the_page_says_what_a_clerk_needs(cabinet: Client, robin: ExternalDesk) -> None:
    robin.asks()
    robin.delivers()
    shown = cabinet.get(page(robin.operator)).content.decode()
    for said in ("address proved", "1 turns, the oldest for", "delivered", "activate"):
        assert said in shown, said
    assert "Сколько стоят розы?" not in shown
    assert "Robin" in cabinet.get(reverse("admin:ai_externaloperator_changelist")).content.decode()


def test_a_kill_says_how_many_turns_it_closes(cabinet: Client, robin: ExternalDesk) -> None:
    robin.asks()
    asked = cabinet.get(button(robin.operator, "kill")).content.decode()
    assert "1 turn is open." in asked
    assert cabinet.post(button(robin.operator, "kill")).status_code == 302
    assert robin.turn.ending == "operator_stopped"
    assert OperatorMove.objects.filter(action="kill", actor__kind="staff").exists()


def test_a_token_and_another_secret_are_shown_once(cabinet: Client, robin: ExternalDesk) -> None:
    found = re.search(r"pt_\w{46}", cabinet.post(button(robin.operator, "token"), follow=True).content.decode())
    assert found is not None
    assert ApiToken.objects.filter(hint=found[0][:8]).exists()
    shown = cabinet.post(button(robin.operator, "rotate"), follow=True).content.decode()
    robin.operator.refresh_from_db()
    assert (robin.operator.secret or "-") in shown
    assert cabinet.post(button(robin.operator, "drain")).status_code == 302


def test_another_server_is_told_no_bearer_unless_it_is_typed_again(
    cabinet: Client, robin: ExternalDesk, settings: Any
) -> None:
    settings.EGRESS_ALLOW = [*settings.EGRESS_ALLOW, "localhost:8443", "localhost:8444"]
    ExternalOperator.objects.filter(pk=robin.operator.pk).update(bearer="let-me-in")
    form = {"name": "Robin", "url": URL, "bearer": "", "reply_timeout_sec": 30, "fallback": "handoff"}
    assert cabinet.post(page(robin.operator), form).status_code == 302
    robin.operator.refresh_from_db()
    assert (robin.operator.url, robin.operator.bearer) == (URL, None)
    again = {**form, "url": URL.replace("8443", "8444"), "bearer": "of-the-new-one"}
    assert cabinet.post(page(robin.operator), again).status_code == 302
    robin.operator.refresh_from_db()
    assert robin.operator.bearer == "of-the-new-one"


def test_it_is_changed_and_another_address_pauses_it(cabinet: Client, robin: ExternalDesk, settings: Any) -> None:
    settings.EGRESS_ALLOW = [*settings.EGRESS_ALLOW, "localhost:8443"]
    form = {"name": "Rita", "url": URL, "bearer": "", "reply_timeout_sec": 30, "fallback": "handoff"}
    assert cabinet.post(page(robin.operator), form).status_code == 302
    robin.operator.refresh_from_db()
    operator = robin.operator
    assert (operator.url, operator.standing, operator.reply_timeout_sec) == (URL, "paused", 30)
    assert operator.verified_at is None
    operator.agent.refresh_from_db()
    assert operator.agent.name == "Rita"
