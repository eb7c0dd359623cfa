"""An AI that stops says so: a letter to the owners, one for one cause, and no promise to visitors meanwhile."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps as django_apps
from django.db import connection
from django.db.models import F
from django.utils import timezone, translation

from apps.accounts.models import User
from apps.ai.actions import advice
from apps.ai.actions.alerts import acknowledge, report
from apps.ai.models import AiSettings, Alert, Usage
from apps.ai.rules.configuration import AlertCode
from apps.ai.rules.phrases import PHRASES
from apps.cabinet.coded_values import display_value
from apps.core.models import Mail
from apps.demo.servers.language_models import chat
from apps.demo.servers.played import Says
from tests.ai.desk import Desk
from tests.factories.ai import AssistantFactory

INVITES = PHRASES["handover_offline"]["ru"]


@pytest.fixture
def owner(desk: Desk) -> User:
    return User.objects.create_user(
        email="owner@example.com",
        password="a long sentence",
        account=desk.widget.account,
        role="owner",
        is_staff=True,
    )


def spends(desk: Desk, tokens: int) -> None:
    Usage.objects.create(
        widget=desk.widget, purpose="reply", model="m-1", outcome="ok", latency_ms=1, prompt_tokens=tokens
    )


def letters() -> list[str]:
    return list(Mail.objects.order_by("pk").values_list("text", flat=True))


def a_day_passes() -> None:
    day = timedelta(days=1)
    Alert.objects.update(first_at=F("first_at") - day, last_at=F("last_at") - day)
    Usage.objects.update(at=timezone.now() - day)


class TestLetters:
    @pytest.mark.parametrize(
        ("status", "said", "code"),
        [
            (401, "Incorrect API key provided", "credential_rejected"),
            (404, 'model "x" not found, try pulling it first', "model_gone"),
        ],
    )
    def test_a_refused_key_and_a_model_that_is_gone_are_one_letter_with_the_page_that_mends_it(
        self, desk: Desk, owner: User, status: int, said: str, code: str
    ) -> None:
        desk.vendor.will_say(Says({"error": {"message": said}}, status=status))
        desk.answers()
        desk.answers("Ещё вопрос")
        assert Alert.objects.get(code=code).severity == "critical"
        letter = Mail.objects.get(to=owner.email)
        assert f"/admin/ai/credential/{desk.credential.pk}/change/" in letter.text
        assert f"/admin/ai/credential/{desk.credential.pk}/change/" in letter.html
        assert desk.widget.name in letter.subject

    def test_one_key_that_two_assistants_meet_is_one_letter(self, desk: Desk, owner: User) -> None:
        for assistant in AssistantFactory.create_batch(2, widget=desk.widget):
            report(
                desk.widget.pk,
                "credential_rejected",
                "wrong_key",
                assistant_id=assistant.pk,
                credential_id=desk.credential.pk,
            )
        assert Alert.objects.count() == 2
        assert len(letters()) == 1

    def test_what_passes_by_itself_is_no_letter(self, desk: Desk, owner: User) -> None:
        report(desk.widget.pk, "provider_failure", "overloaded", credential_id=desk.credential.pk)
        report(desk.widget.pk, "backup_used", "backup_answered")
        assert letters() == []

    def test_it_is_in_the_owners_language(self, desk: Desk, owner: User) -> None:
        User.objects.filter(pk=owner.pk).update(language="ru")
        spends(desk, 900)
        AiSettings.objects.update(daily_token_budget=500)
        desk.answers()
        (letter,) = letters()
        assert "Здравствуйте" in letter
        assert "The day's tokens" not in letter


class TestTheDaysState:
    def test_a_limit_that_was_made_lower_is_told_once_a_day(self, desk: Desk, owner: User) -> None:
        spends(desk, 900)
        AiSettings.objects.update(daily_token_budget=500)
        desk.answers()
        assert desk.vendor.asked == []
        assert Alert.objects.get().code == "budget_exhausted"
        (letter,) = letters()
        assert f"/admin/ai/aisettings/{desk.widget.pk}/change/" in letter
        acknowledge(widget_id=desk.widget.pk)
        desk.answers("А тюльпаны?")
        assert len(letters()) == 1, "the owner knows"
        a_day_passes()
        spends(desk, 900)
        desk.answers("А сегодня?")
        assert len(letters()) == 2, "another day, another cause"

    def test_a_call_that_costs_more_than_its_estimate_is_told(self, desk: Desk, owner: User) -> None:
        usage = {"prompt_tokens": 8_500, "completion_tokens": 0, "total_tokens": 8_500}
        desk.vendor.will_say({**chat("По 90 рублей."), "usage": usage})
        AiSettings.objects.update(daily_token_budget=10_000)
        assert desk.answers() == ["По 90 рублей."]
        assert Alert.objects.get().code == "budget_low"
        assert len(letters()) == 1


class TestVisitors:
    def test_a_stopped_ai_does_not_invite_to_ask_it(self, desk: Desk) -> None:
        assert desk.answers("Позовите оператора") == [INVITES], "it works, and nobody is there"
        spends(desk, 900)
        AiSettings.objects.update(daily_token_budget=500)
        said = desk.answers("Сколько стоят розы?")
        assert INVITES not in said

    def test_of_a_budget_at_its_end_it_is_said_that_people_will_answer(self, desk: Desk) -> None:
        spends(desk, 900)
        AiSettings.objects.update(daily_token_budget=500)
        assert desk.answers() == [PHRASES["handover_unknown"]["ru"]]

    def test_of_a_refused_key_too(self, desk: Desk) -> None:
        desk.vendor.will_say(Says({"error": {"message": "Incorrect API key provided"}}, status=401))
        assert desk.answers() == [PHRASES["handover_unknown"]["ru"]]


OF_OTHERS = ("kb_embedding_failed", "kb_embeddings_unsupported", "learning_rolled_back", "learning_refused")
FORMER = import_module("apps.ai.migrations.0016_alert_sentences_of_before")


# What the sentences name.
VALUES = {"reason": "failed", "lost": 2, "of": 40}
# Sentences that no release told as a text.
SINCE = {"cases_lost"}


class TestLanguages:
    def test_an_alert_keeps_its_sentence_as_a_code_and_each_reader_has_it_in_their_language(self, desk: Desk) -> None:
        report(desk.widget.pk, "reply_failed", advice.GIVEN_UP, values={"reason": "crashed"})
        alert = Alert.objects.get()
        assert (alert.sentence, alert.values) == ("given_up", {"reason": "crashed"})
        assert advice.told(alert) == "A reply was given up: it crashed. The chat was handed to people."
        with translation.override("ru"):
            told = advice.told(alert)
        assert is_russian(told)
        assert "прервался" in told

    def test_a_repetition_keeps_the_newest_sentence(self, desk: Desk) -> None:
        report(desk.widget.pk, "not_configured", advice.NO_CREDENTIAL)
        report(desk.widget.pk, "not_configured", advice.NO_MODEL)
        alert = Alert.objects.get()
        assert (alert.sentence, alert.occurrences) == ("no_model", 2)
        assert alert.message == advice.sentences()["no_model"]

    def test_a_sentence_that_no_app_has_is_no_alert(self, desk: Desk) -> None:
        with pytest.raises(KeyError):
            report(desk.widget.pk, "reply_failed", "The server is on fire.")
        assert not Alert.objects.exists()

    @pytest.mark.parametrize("sentence", sorted(advice.sentences()))
    def test_every_sentence_is_russian_for_who_reads_russian(self, sentence: str) -> None:
        with translation.override("ru"):
            told = advice.sentence_in_words(sentence, VALUES | {"cause": "wrong_key"})
        assert all(is_russian(line) for line in told.split("\n"))

    @pytest.mark.parametrize("code", [*OF_OTHERS, *AlertCode])
    def test_every_code_is_named_in_russian(self, code: str) -> None:
        with translation.override("ru"):
            assert is_russian(display_value(code))

    @pytest.mark.parametrize(
        ("stored", "sentence", "values"),
        [
            ("A backup credential answered.", "backup_answered", {}),
            ("The vendor refused the key.", "wrong_key", {}),
            (
                (
                    "The provider makes no embeddings now: the knowledge for answers is found by its text alone.\n"
                    "No answer came in time. For a slow server, set a longer time limit in the credential."
                ),
                "answers_without_vectors",
                {"cause": "timeout"},
            ),
            (
                "The server of the credential makes no embeddings: knowledge is found by its text alone.\nbge-m3",
                "no_embeddings",
                {"model": "bge-m3"},
            ),
            (
                "A reply was given up: it crashed. The chat was handed to people.",
                "given_up",
                {"reason": "crashed"},
            ),
            ("A tuning cycle proposed what a guard rail refuses: new_link.", "rail_refused", {"reason": "new_link"}),
        ],
    )
    def test_an_alert_of_a_former_release_is_read_in_russian(
        self, desk: Desk, stored: str, sentence: str, values: dict[str, str]
    ) -> None:
        Alert.objects.create(widget=desk.widget, code="reply_failed", severity="warning", message=stored)
        FORMER.name_sentences(django_apps, connection.schema_editor())
        alert = Alert.objects.get()
        assert (alert.sentence, alert.values) == (sentence, values)
        with translation.override("ru"):
            assert is_russian(advice.told(alert))

    def test_what_no_release_said_stays_as_it_is(self, desk: Desk) -> None:
        Alert.objects.create(widget=desk.widget, code="reply_failed", severity="warning", message="It burns.")
        FORMER.name_sentences(django_apps, connection.schema_editor())
        assert advice.told(Alert.objects.get()) == "It burns."

    def test_every_sentence_of_today_is_known_of_before(self) -> None:
        told = {code: advice.sentence_in_words(code, VALUES) for code in advice.sentences() if code not in SINCE}
        assert {code: FORMER.as_code(words)[0] for code, words in told.items()} == {code: code for code in told}


def is_russian(text: str) -> bool:
    return any("а" <= letter <= "я" for letter in text) and "%(" not in text
