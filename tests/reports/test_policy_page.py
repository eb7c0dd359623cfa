"""The cabinet's page of asking for ratings."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Widget
from apps.reports.models import RatingPolicy
from apps.reports.settings import POLICY, policy_of
from tests.cast import Rival

pytestmark = pytest.mark.django_db


def page_of(widget: Widget) -> str:
    return reverse("admin:reports_widgetratingpolicy_change", args=[widget.pk])


def filled(**changes: Any) -> dict[str, Any]:
    """The form as the defaults fill it, with changes."""
    values = POLICY.values(RatingPolicy())
    given = {**values, "channels": "", "question_i18n": "", "thanks_i18n": "", **changes}
    return {name: value for name, value in given.items() if value is not None}


def test_it_shows_what_holds(cabinet: Client, shop: Widget) -> None:
    page = cabinet.get(page_of(shop)).content.decode()
    for text in ("Who asks for ratings", "operators and the API alone", "Not again within days", "five stars"):
        assert text in page


def test_what_is_sent_is_kept_as_the_api_has_it(cabinet: Client, shop: Widget) -> None:
    form = filled(
        ask="after_end",
        outcomes=["person", "ai"],
        channels="widget\ntg",
        question_i18n="en: Was it tea?\nde: War es Tee?",
        low="1",
    )
    assert cabinet.post(page_of(shop), form).status_code == 302
    policy = policy_of(shop.pk)
    assert (policy.ask, policy.outcomes, policy.channels, policy.low) == ("after_end", ["person", "ai"], WANTED, 1)
    assert policy.question_i18n == {"en": "Was it tea?", "de": "War es Tee?"}
    assert policy.since is not None
    assert cabinet.post(page_of(shop), form | {"channels": ""}).status_code == 302
    assert policy_of(shop.pk).channels is None


WANTED = ["widget", "tg"]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("valid_days", "0", "Must be a number from 1 to 60."),
        ("channels", "Pigeon!", "Must be codes of channels"),
        ("channels", "ch99999", "There is no such channel."),
        ("question_i18n", "Was it tea?", "Must be texts by language"),
    ],
)
def test_a_refusal_stands_at_its_field(cabinet: Client, shop: Widget, name: str, value: str, told: str) -> None:
    answer = cabinet.post(page_of(shop), filled(**{name: value}))
    assert answer.status_code == 200
    assert told in answer.context["adminform"].form.errors[name][0]
    assert not RatingPolicy.objects.exists()


def test_anothers_is_not_there(cabinet: Client, rival: Rival) -> None:
    assert cabinet.get(page_of(rival.widget)).status_code in (302, 404)
