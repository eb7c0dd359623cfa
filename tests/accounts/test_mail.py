"""The letter that tells somebody that their password was changed."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from apps.accounts.mail import password_changed_mail
from apps.agents.models import Agent
from apps.core.models import Mail
from tests.factories.accounts import PASSWORD

LANGUAGES = ("ru", "en", "el", "de", "es", "ar", "zh-hans")
CHANGED = {"old_password": PASSWORD, "new_password1": "a-much-better-one", "new_password2": "a-much-better-one"}


def html_of(mail: Any) -> str:
    return str(mail.alternatives[0][0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_texts_of_its_own(settings: Settings, language: str) -> None:
    settings.PUBLIC_URL = "https://chat.shop.test"
    made = {code: password_changed_mail(email="n@mail.test", language=code) for code in LANGUAGES}
    own = made.pop(language)
    for text in (own.body, html_of(own)):
        assert "n@mail.test" in text
        assert "chat.shop.test" in text
        assert "%(" not in text
    own_lines = {line for line in str(own.body).splitlines() if line and not line.startswith("https://")}
    for other in made.values():
        assert own.subject != other.subject
        assert not own_lines & set(str(other.body).splitlines())


@pytest.mark.parametrize("page", ["/admin/password_change/", "/console/password/"])
def test_it_is_queued_with_the_change_in_the_persons_language(cabinet: Client, olga: Agent, page: str) -> None:
    user = olga.user
    assert user is not None
    user.language = "ru"
    user.save()
    assert cabinet.post(page, {**CHANGED, "old_password": "wrong"}).status_code == 200
    assert not Mail.objects.exists()
    assert cabinet.post(page, CHANGED).status_code == 302
    mail = Mail.objects.get()
    assert (mail.to, mail.subject) == (user.email, "Ваш пароль изменён")
