"""Settings, phrases, operators and alerts over the API (specification, "AI configuration")."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.actions.alerts import report
from apps.ai.models import AiSettings, Alert, Assistant
from apps.ai.rules.phrases import PHRASES
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AiAgentFactory
from tests.factories.ai import AlertFactory, AssistantFactory
from tests.rows import snapshot

DEFAULTS = {
    "enabled": False,
    "rag_enabled": True,
    "shadow_mode": False,
    "autonomous_tuning_enabled": False,
    "presence_context_enabled": True,
    "link_hosts": [],
    "ai_disclosure": None,
    "ai_disclosure_i18n": {},
    "takeover_timeout_sec": 300,
    "offline_outcome_mode": "handover",
    "evaluation_gate": "ask",
    "effective_assistant": None,
    "legacy_persona": None,
    "learning_target": None,
}


class TestSettings:
    def test_a_new_widget_has_the_defaults(self, api: ApiClient) -> None:
        assert api.get("/ai/settings").json()["data"] == DEFAULTS
        assert not AiSettings.objects.exists()

    def test_what_is_sent_changes_and_nothing_else(self, api: ApiClient) -> None:
        changed = api.patch("/ai/settings", json={"enabled": True, "takeover_timeout_sec": 0}).json()["data"]
        assert changed == {**DEFAULTS, "enabled": True, "takeover_timeout_sec": 0}
        assert api.patch("/ai/settings", json={}).json()["data"] == changed

    def test_link_hosts_are_kept_in_small_letters(self, api: ApiClient) -> None:
        changed = api.patch("/ai/settings", json={"link_hosts": ["Shop.Example", "пример.рф"]}).json()["data"]
        assert changed["link_hosts"] == ["shop.example", "пример.рф"]

    @pytest.mark.parametrize(
        "host", ["https://shop.example", "shop.example/x", "*.shop.example", "shop", "192.0.2.1", ""]
    )
    def test_a_link_host_is_a_name(self, api: ApiClient, host: str) -> None:
        before = snapshot()
        refused = api.patch("/ai/settings", json={"link_hosts": ["shop.example", host]})
        assert_problem(refused, 422, "invalid_input", errors=["link_hosts.1"])
        assert snapshot() == before

    @pytest.mark.parametrize(
        ("member", "value"),
        [
            ("enabled", None),
            ("enabled", 1),
            ("shadow_mode", "true"),
            ("takeover_timeout_sec", 4),
            ("link_hosts", None),
            ("link_hosts", "shop.example"),
            ("takeover_timeout_sec", 86_401),
            ("takeover_timeout_sec", 5.5),
            ("takeover_timeout_sec", None),
            ("offline_outcome_mode", "answer_only"),
            ("legacy_persona", "x"),
            ("effective_assistant", None),
            ("learning_target", None),
            ("nothing_known", 1),
        ],
    )
    def test_what_is_wrong_is_422_by_name(self, api: ApiClient, member: str, value: Any) -> None:
        before = snapshot()
        assert_problem(api.patch("/ai/settings", json={member: value}), 422, "invalid_input", errors=[member])
        assert snapshot() == before

    def test_the_effective_assistant_is_the_one_asked_for_or_the_default(
        self, api: ApiClient, shop: Widget, rival: Rival
    ) -> None:
        default = AssistantFactory.create(widget=shop, is_default=True, name="Flora")
        other = AssistantFactory.create(widget=shop, name="Rosa", enabled=False)
        settings = api.get("/ai/settings").json()["data"]
        assert settings["effective_assistant"] == {
            "id": default.pk,
            "name": "Flora",
            "enabled": True,
            "is_default": True,
        }
        assert settings["learning_target"] == {"kind": "assistant", "assistant_id": default.pk}
        asked = api.get(f"/ai/settings?assistant_id={other.pk}").json()["data"]
        assert asked["effective_assistant"]["id"] == asked["learning_target"]["assistant_id"] == other.pk
        foreign = AssistantFactory.create(widget=rival.widget)
        for unknown in (foreign.pk, 10**12):
            assert_problem(api.get(f"/ai/settings?assistant_id={unknown}"), 404, "not_found")
        for malformed in ("x", "0", "-1", "1.5", ""):
            refused = api.get(f"/ai/settings?assistant_id={malformed}")
            assert_problem(refused, 422, "invalid_input", errors=["assistant_id"])

    def test_a_legacy_persona_becomes_an_assistant_once(self, api: ApiClient, shop: Widget) -> None:
        assert api.post("/ai/settings/migrate").json()["data"] == {"assistant": None, "created": False}
        AiSettings.objects.update_or_create(pk=shop.pk, defaults={"legacy_persona": "Be kind."})
        first = api.post("/ai/settings/migrate").json()["data"]
        assert first["created"]
        assert (first["assistant"]["persona"], first["assistant"]["enabled"]) == ("Be kind.", True)
        again = api.post("/ai/settings/migrate").json()["data"]
        assert again == {**first, "created": False}
        assert Assistant.objects.count() == 1


class TestPhrases:
    def test_all_defaults_are_read(self, api: ApiClient) -> None:
        phrases = api.get("/ai/messages").json()["data"]
        assert phrases == {
            key: {lang: {"text": text, "source": "default", "default": text} for lang, text in texts.items()}
            for key, texts in PHRASES.items()
        }

    def test_an_override_is_plain_text(self, api: ApiClient) -> None:
        sent = {"social_reply": {"en": " <b>Any</b>\n time!\x07 ", "ru": "Обращайтесь!"}}
        phrases = api.patch("/ai/messages", json=sent).json()["data"]
        assert phrases["social_reply"]["en"] == {
            "text": "Any time!",
            "source": "override",
            "default": PHRASES["social_reply"]["en"],
        }
        assert phrases["social_reply"]["ru"]["text"] == "Обращайтесь!"
        assert api.get("/ai/messages").json()["data"] == phrases

    def test_a_patch_merges_and_null_resets_one(self, api: ApiClient) -> None:
        api.patch("/ai/messages", json={"social_reply": {"en": "A", "ru": "Б"}, "handoff_to_ai": {"en": "C"}})
        phrases = api.patch("/ai/messages", json={"social_reply": {"en": None}}).json()["data"]
        assert phrases["social_reply"]["en"]["source"] == "default"
        assert phrases["social_reply"]["ru"]["text"] == "Б"
        assert phrases["handoff_to_ai"]["en"]["text"] == "C"

    def test_a_put_is_the_whole_set(self, api: ApiClient) -> None:
        api.patch("/ai/messages", json={"social_reply": {"en": "A", "ru": "Б"}})
        phrases = api.put("/ai/messages", json={"handoff_to_ai": {"en": "C", "de": None}}).json()["data"]
        sources = {
            (key, language)
            for key, texts in phrases.items()
            for language, text in texts.items()
            if text["source"] == "override"
        }
        assert sources == {("handoff_to_ai", "en")}
        reset = api.put("/ai/messages", json={}).json()["data"]
        assert {text["source"] for texts in reset.values() for text in texts.values()} == {"default"}

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"social_reply": {"en": "<p></p> \n"}}, "social_reply.en"),
            ({"social_reply": {"en": ""}}, "social_reply.en"),
            ({"social_reply": {"en": "x" * 501}}, "social_reply.en"),
            ({"social_reply": {"en": 1}}, "social_reply.en"),
            ({"social_reply": {"fr": "x"}}, "social_reply.fr"),
            ({"social_reply": None}, "social_reply"),
            ({"social_reply": "x"}, "social_reply"),
            ({"greeting": {"en": "x"}}, "greeting"),
        ],
    )
    def test_what_is_wrong_is_422_by_path(self, api: ApiClient, body: Any, path: str) -> None:
        before = snapshot()
        for send in (api.patch, api.put):
            assert_problem(send("/ai/messages", json=body), 422, "invalid_input", errors=[path])
        assert snapshot() == before


class TestOperators:
    def test_an_operator_has_its_assistants_name_by_default(self, api: ApiClient, shop: Widget) -> None:
        assistant = AssistantFactory.create(widget=shop, name="Flora")
        made = api.post("/ai/operators", json={"assistant_id": assistant.pk})
        assert made.status_code == 201
        operator = made.json()["data"]
        assert {name: operator[name] for name in operator.keys() - {"id", "created_at"}} == {
            "name": "Flora",
            "assistant_id": assistant.pk,
            "status": "active",
            "show_in_header": True,
            "avatar_url": None,
        }
        agent = Agent.objects.get(pk=operator["id"])
        assert (agent.type, agent.user_id) == ("ai", None)
        shown = api.get(f"/agents/{operator['id']}").json()["data"]
        assert (shown["type"], shown["ai_assistant_id"]) == ("ai", assistant.pk)

    def test_it_is_renamed_rebound_and_given_a_break(self, api: ApiClient, shop: Widget) -> None:
        first, second = AssistantFactory.create(widget=shop), AssistantFactory.create(widget=shop)
        operator = api.post("/ai/operators", json={"assistant_id": first.pk}).json()["data"]
        changes = {"assistant_id": second.pk, "name": "Rosa", "show_in_header": False, "status": "relaxation"}
        changed = api.patch(f"/ai/operators/{operator['id']}", json=changes).json()["data"]
        assert changed == {**operator, **changes}
        assert api.get("/ai/operators").json()["data"] == [changed]

    def test_retiring_is_reversible_while_it_has_an_assistant(self, api: ApiClient, shop: Widget) -> None:
        assistant = AssistantFactory.create(widget=shop)
        operator = api.post("/ai/operators", json={"assistant_id": assistant.pk}).json()["data"]
        path = f"/ai/operators/{operator['id']}"
        for _ in range(2):
            assert api.delete(path).status_code == 204
        assert api.get("/ai/operators").json()["data"][0]["status"] == "banned"
        assert api.patch(path, json={"status": "active"}).json()["data"]["status"] == "active"
        api.delete(path)
        api.delete(f"/ai/assistants/{assistant.pk}")
        assert_problem(api.patch(path, json={"status": "active"}), 422, "invalid_input", errors=["assistant_id"])
        other = AssistantFactory.create(widget=shop)
        back = api.patch(path, json={"status": "active", "assistant_id": other.pk}).json()["data"]
        assert (back["status"], back["assistant_id"]) == ("active", other.pk)

    @pytest.mark.parametrize(
        ("member", "value"),
        [("status", "banned"), ("assistant_id", None), ("assistant_id", "1"), ("name", " "), ("name", "x" * 121)],
    )
    def test_what_is_wrong_is_422_by_name(self, api: ApiClient, shop: Widget, member: str, value: Any) -> None:
        assistant = AssistantFactory.create(widget=shop)
        operator = api.post("/ai/operators", json={"assistant_id": assistant.pk}).json()["data"]
        before = snapshot()
        for response in (
            api.post("/ai/operators", json={"assistant_id": assistant.pk, member: value}),
            api.patch(f"/ai/operators/{operator['id']}", json={member: value}),
        ):
            assert_problem(response, 422, "invalid_input", errors=[member])
        assert snapshot() == before

    def test_an_unknown_and_a_foreign_assistant_are_refused_alike(self, api: ApiClient, rival: Rival) -> None:
        foreign = AssistantFactory.create(widget=rival.widget)
        refusals = [
            assert_problem(api.post("/ai/operators", json={"assistant_id": pk}), 422, "invalid_input")["errors"]
            for pk in (foreign.pk, 10**12)
        ]
        assert refusals[0] == refusals[1] == {"assistant_id": ["The widget has no such assistant."]}

    def test_people_are_no_ai_operators(self, api: ApiClient, alice: Agent) -> None:
        assert_problem(api.patch(f"/ai/operators/{alice.pk}", json={"name": "x"}), 404, "not_found")
        assert_problem(api.delete(f"/ai/operators/{alice.pk}"), 404, "not_found")


class TestAlerts:
    def test_what_happens_again_while_it_is_open_is_counted(self, api: ApiClient, shop: Widget) -> None:
        operator = AiAgentFactory.create(widget=shop)
        for chat_id in (7, 8):
            report(shop.pk, "prompt_leak", "leaked", operator_id=operator.pk, chat_id=chat_id)
        report(shop.pk, "provider_failure", "overloaded")
        alerts = api.get("/ai/alerts").json()["data"]
        assert [(one["code"], one["severity"], one["occurrences"]) for one in alerts] == [
            ("provider_failure", "warning", 1),
            ("prompt_leak", "critical", 2),
        ]
        leak = alerts[1]
        assert (leak["operator_id"], leak["chat_id"], leak["state"]) == (operator.pk, 8, "unacknowledged")
        assert leak["last_at"] >= leak["first_at"]

    def test_after_an_acknowledgement_a_new_one_begins(self, api: ApiClient, shop: Widget) -> None:
        report(shop.pk, "provider_failure", "overloaded")
        first = api.get("/ai/alerts").json()["data"][0]
        assert api.post("/ai/alerts/acknowledge", json={"ids": [first["id"]]}).json()["data"] == {"acknowledged": 1}
        assert api.get("/ai/alerts").json()["data"] == []
        report(shop.pk, "provider_failure", "overloaded")
        open_, known = api.get("/ai/alerts?state=all").json()["data"]
        assert (open_["state"], known["state"]) == ("unacknowledged", "acknowledged")
        assert known["acknowledged_at"] is not None
        assert [one["id"] for one in api.get("/ai/alerts?state=acknowledged").json()["data"]] == [known["id"]]

    def test_without_ids_all_that_are_open_are_acknowledged(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        foreign = AlertFactory.create(widget=rival.widget)
        for code in ("provider_failure", "reply_failed"):
            report(shop.pk, code, "overloaded")
        assert api.post("/ai/alerts/acknowledge").json()["data"] == {"acknowledged": 2}
        assert api.post("/ai/alerts/acknowledge", json={}).json()["data"] == {"acknowledged": 0}
        foreign.refresh_from_db()
        assert foreign.acknowledged_at is None

    def test_one_unknown_id_refuses_them_all(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        own, foreign = AlertFactory.create(widget=shop), AlertFactory.create(widget=rival.widget)
        before = snapshot()
        for ids in ([own.pk, foreign.pk], [own.pk, 10**12], [own.pk, own.pk], [], [0], ["1"], list(range(1, 102))):
            refused = assert_problem(api.post("/ai/alerts/acknowledge", json={"ids": ids}), 422, "invalid_input")
            assert {path.partition(".")[0] for path in refused["errors"]} == {"ids"}
        assert snapshot() == before
        assert Alert.objects.open().count() == 2

    def test_an_unknown_state_is_422(self, api: ApiClient) -> None:
        assert_problem(api.get("/ai/alerts?state=open"), 422, "invalid_input", errors=["state"])
