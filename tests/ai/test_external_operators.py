"""External operators over REST: the object, its changes, its lifecycle and rotation, its tests.

Design: external-operators, sections 1 to 4.
"""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from apps.accounts.models import ApiToken, Widget
from apps.agents.models import Agent, AgentEvent
from apps.ai.actions.external import create_external_operator, issue_reply_token
from apps.ai.models import AiSettings, ExternalOperator, OperatorMove
from apps.ai.rules.actors import SYSTEM
from apps.ai.rules.lifecycle import STATES, TABLE, Action, Refusal, move
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import DepartmentFactory
from tests.factories.ai import ExternalOperatorFactory, ProbeTestFactory
from tests.rows import snapshot

URL = "https://bot.example.com/turns"


@pytest.fixture
def robin(shop: Widget) -> ExternalOperator:
    return create_external_operator(widget=shop, name="Robin", url=URL, target=URL, actor=SYSTEM)


def proved(operator: ExternalOperator, standing: str = "active") -> ExternalOperator:
    """The operator, its address proved, in that state."""
    operator.verified_at, operator.standing = timezone.now(), standing
    operator.save()
    Agent.objects.filter(pk=operator.agent_id).update(status="active" if standing == "active" else "relaxation")
    return operator


def path(operator: ExternalOperator, more: str = "") -> str:
    return f"/external-operators/{operator.public_id}{more}"


class TestObject:
    def test_a_new_one_is_a_draft_and_shows_no_secret(self, api: ApiClient, robin: ExternalOperator) -> None:
        shown = api.get(path(robin)).json()["data"]
        times = {name: shown.pop(name) for name in ("created_at", "updated_at", "state_changed_at")}
        assert all(times.values())
        assert shown == {
            "public_id": str(robin.public_id),
            "agent_id": robin.agent_id,
            "name": "Robin",
            "endpoint_url": URL,
            "state": "draft",
            "verified": False,
            "verified_at": None,
            "has_secret": True,
            "has_bearer": False,
            "requires_signed_replies": False,
            "answers_by_person": False,
            "reply_timeout_sec": 120,
            "fallback": "handoff",
            "department_ids": [],
            "rotation": None,
            "queue": {"undelivered": 0, "awaiting_reply": 0},
            "health": {
                "state": "ok",
                "consecutive_failures": 0,
                "degraded_until": None,
                "last_delivered_at": None,
                "last_failed_at": None,
                "last_error": None,
            },
            "last_test": None,
        }

    def test_it_is_an_agent_that_takes_no_seat(self, api: ApiClient, robin: ExternalOperator) -> None:
        agent = api.get(f"/agents/{robin.agent_id}").json()["data"]
        expected = {"type": "webhook", "role": "operator", "status": "relaxation", "online": False}
        assert expected.items() <= agent.items()
        nothing = {"user_id": None, "email": None, "ai_assistant_id": None, "show_in_header": False}
        assert nothing.items() <= agent.items()

    def test_the_list_is_newest_first_and_whole(self, api: ApiClient, shop: Widget, robin: ExternalOperator) -> None:
        rita = create_external_operator(widget=shop, name="Rita", url=URL, target=URL, actor=SYSTEM)
        department = DepartmentFactory.create(widget=shop, agents=[robin.agent])
        test = ProbeTestFactory.create(operator=robin)
        ExternalOperator.objects.filter(pk=robin.pk).update(last_test=test)
        first, second = api.get("/external-operators").json()["data"]
        assert (first["name"], second["name"]) == ("Rita", "Robin")
        assert second["department_ids"] == [department.pk]
        assert second["last_test"]["public_id"] == str(test.public_id)
        assert second["last_test"]["operator_public_id"] == str(robin.public_id)
        assert rita.secret

    def test_the_switch_of_the_cabinet_turns_all_of_it_off(
        self, api: ApiClient, shop: Widget, robin: ExternalOperator
    ) -> None:
        AiSettings.objects.create(widget=shop, external_operators_enabled=False)
        assert_problem(api.get("/external-operators"), 404, "not_found")
        assert_problem(api.get(path(robin)), 404, "not_found")
        assert_problem(api.post(path(robin, "/lifecycle"), json={"action": "kill"}), 404, "not_found")

    def test_an_external_operator_of_another_account_is_404(self, api: ApiClient, rival: Rival) -> None:
        foreign = ExternalOperatorFactory.create(widget=rival.widget)
        for answer in (
            api.get(path(foreign)),
            api.patch(path(foreign), json={"name": "Mine"}),
            api.delete(path(foreign)),
            api.post(path(foreign, "/tests")),
            api.post(path(foreign, "/force-drain")),
            api.post(path(foreign, "/lifecycle"), json={"action": "kill"}),
        ):
            assert_problem(answer, 404, "not_found")

    def test_a_test_of_another_operator_is_404(self, api: ApiClient, shop: Widget, robin: ExternalOperator) -> None:
        other = ProbeTestFactory.create(operator=ExternalOperatorFactory.create(widget=shop))
        assert_problem(api.get(path(robin, f"/tests/{other.public_id}")), 404, "not_found")


class TestChanges:
    def test_a_name_is_its_agents(self, api: ApiClient, robin: ExternalOperator) -> None:
        assert api.patch(path(robin), json={"name": "Rita"}).json()["data"]["name"] == "Rita"
        assert api.get(f"/agents/{robin.agent_id}").json()["data"]["name"] == "Rita"
        assert OperatorMove.objects.filter(action="change").exists()

    @pytest.mark.parametrize(
        ("member", "value"),
        [
            ("name", ""),
            ("name", " "),
            ("name", "a\nb"),
            ("name", 65 * "n"),
            ("name", None),
            ("state", "active"),
            ("reply_timeout_sec", 5),
            ("nothing_known", 1),
            ("endpoint_url", "http://bot.example.com"),
            ("endpoint_url", "https://user@bot.example.com"),
            ("endpoint_url", "https://127.0.0.1/"),
            ("endpoint_url", "https://[::ffff:10.0.0.1]/"),
            ("endpoint_url", "https://169.254.169.254/latest"),
            ("endpoint_url", "https://" + 2048 * "a"),
        ],
    )
    def test_what_is_wrong_is_422_by_name(
        self, api: ApiClient, robin: ExternalOperator, member: str, value: Any
    ) -> None:
        before = snapshot()
        refused = api.patch(path(robin), json={member: value})
        assert_problem(refused, 422, "invalid_input")
        assert list(refused.json()["errors"]) == [member]
        assert snapshot() == before

    def test_another_address_is_to_be_proved_and_pauses(
        self, api: ApiClient, robin: ExternalOperator, settings: Any
    ) -> None:
        settings.EGRESS_ALLOW = ["localhost:8443"]
        proved(robin)
        shown = api.patch(path(robin), json={"endpoint_url": "https://localhost:8443/b"}).json()["data"]
        assert (shown["state"], shown["verified"]) == ("paused", False)
        again = api.post(path(robin, "/lifecycle"), json={"action": "activate"})
        assert_problem(again, 409, "operator_not_verified")

    def test_a_patch_without_members_changes_nothing(self, api: ApiClient, robin: ExternalOperator) -> None:
        before = api.get(path(robin)).json()
        assert api.patch(path(robin), json={}).json() == before

    def test_while_rotating_the_address_stays(self, api: ApiClient, robin: ExternalOperator, settings: Any) -> None:
        settings.EGRESS_ALLOW = ["localhost:8443"]
        proved(robin)
        assert api.post(path(robin, "/lifecycle"), json={"action": "rotate"}).status_code == 200
        refused = api.patch(path(robin), json={"endpoint_url": "https://localhost:8443/b"})
        assert_problem(refused, 409, "rotation_under_way")
        assert api.patch(path(robin), json={"name": "Rita"}).status_code == 200

    def test_only_a_revoked_one_is_deleted(self, api: ApiClient, robin: ExternalOperator) -> None:
        assert_problem(api.delete(path(robin)), 409, "operator_not_revoked")
        api.post(path(robin, "/lifecycle"), json={"action": "revoke"})
        assert_problem(api.patch(path(robin), json={"name": "Rita"}), 409, "operator_revoked")
        assert_problem(api.post(path(robin, "/tests")), 409, "operator_revoked")
        assert api.delete(path(robin)).status_code == 204
        assert_problem(api.get(path(robin)), 404, "not_found")
        assert api.get("/external-operators").json()["data"] == []
        assert api.get(f"/agents/{robin.agent_id}").json()["data"]["status"] == "banned"


class TestLifecycle:
    @pytest.mark.parametrize("action", list(Action))
    @pytest.mark.parametrize("state", STATES)
    def test_the_table_has_every_state_and_action(self, state: str, action: Action) -> None:
        to = TABLE[state][action]
        found = move(state, action, verified=True, overlap_s=3600, undelivered=0)
        if isinstance(to, Refusal):
            assert found is to
        elif to == state and action is not Action.ROTATE:
            assert found is None
        else:
            assert found is not None
            assert not isinstance(found, Refusal)
            assert found.standing is to

    @pytest.mark.parametrize("state", ["draft", "paused", "killed"])
    def test_only_a_proved_address_is_activated(self, state: str) -> None:
        refused = move(state, Action.ACTIVATE, verified=False, overlap_s=0, undelivered=0)
        assert refused is Refusal.NOT_VERIFIED

    def test_moves_are_kept_and_shown_as_the_agents_status(self, api: ApiClient, robin: ExternalOperator) -> None:
        proved(robin, "draft")
        for action, state, status in (
            ("activate", "active", "active"),
            ("pause", "paused", "relaxation"),
            ("activate", "active", "active"),
            ("kill", "killed", "banned"),
            ("activate", "active", "active"),
            ("revoke", "revoked", "banned"),
        ):
            body = {"action": action, "reason": "why"}
            assert api.post(path(robin, "/lifecycle"), json=body).json()["data"]["state"] == state
            assert api.get(f"/agents/{robin.agent_id}").json()["data"]["status"] == status
        moves = OperatorMove.objects.filter(reason="why").order_by("id")
        assert [(one.from_state, one.to_state) for one in moves][-1] == ("active", "revoked")
        assert {one.actor["kind"] for one in moves} == {"token"}
        assert moves.count() == 6

    def test_a_move_to_its_own_state_changes_nothing(self, api: ApiClient, robin: ExternalOperator) -> None:
        proved(robin)
        before = api.get(path(robin)).json()
        assert api.post(path(robin, "/lifecycle"), json={"action": "activate"}).json() == before

    def test_a_move_that_is_none_names_state_and_action(self, api: ApiClient, robin: ExternalOperator) -> None:
        refused = api.post(path(robin, "/lifecycle"), json={"action": "pause"})
        assert_problem(refused, 409, "invalid_transition")
        assert (refused.json()["state"], refused.json()["action"]) == ("draft", "pause")

    @pytest.mark.parametrize(
        ("body", "member"),
        [
            ({}, "action"),
            ({"action": "explode"}, "action"),
            ({"action": "kill", "reason": ""}, "reason"),
            ({"action": "kill", "reason": 501 * "r"}, "reason"),
            ({"action": "kill", "overlap_sec": 0}, "overlap_sec"),
            ({"action": "rotate", "overlap_sec": -1}, "overlap_sec"),
            ({"action": "rotate", "overlap_sec": 86_401}, "overlap_sec"),
            ({"action": "rotate", "overlap_sec": "60"}, "overlap_sec"),
            ({"action": "rotate", "overlap_sec": 1.5}, "overlap_sec"),
        ],
    )
    def test_what_is_wrong_is_422(self, api: ApiClient, robin: ExternalOperator, body: Any, member: str) -> None:
        before = snapshot()
        refused = api.post(path(robin, "/lifecycle"), json=body)
        assert_problem(refused, 422, "invalid_input")
        assert list(refused.json()["errors"]) == [member]
        assert snapshot() == before

    def test_revoking_erases_secrets_and_ends_tokens(self, api: ApiClient, robin: ExternalOperator) -> None:
        token = issue_reply_token(operator=robin, actor=SYSTEM).token
        shown = api.post(path(robin, "/lifecycle"), json={"action": "revoke"}).json()["data"]
        assert (shown["state"], shown["has_secret"]) == ("revoked", False)
        assert ApiToken.objects.get(pk=token.pk).revoked_at is not None

    def test_suspending_its_agent_kills_it_and_restoring_activates(
        self, api: ApiClient, robin: ExternalOperator
    ) -> None:
        proved(robin)
        assert api.post(f"/agents/{robin.agent_id}/suspend").status_code == 200
        assert api.get(path(robin)).json()["data"]["state"] == "killed"
        assert api.post(f"/agents/{robin.agent_id}/restore").status_code == 200
        assert api.get(path(robin)).json()["data"]["state"] == "active"
        assert OperatorMove.objects.filter(action="kill", actor__kind="token").exists()

    def test_removing_its_agent_kills_it(self, api: ApiClient, robin: ExternalOperator) -> None:
        assert api.delete(f"/agents/{robin.agent_id}").status_code == 204
        assert api.get(path(robin)).json()["data"]["state"] == "killed"
        assert_problem(api.post(f"/agents/{robin.agent_id}/restore"), 409, "operator_not_verified")
        assert api.get(f"/agents/{robin.agent_id}").json()["data"]["status"] == "banned"

    def test_the_agent_of_a_revoked_one_is_not_restored(self, api: ApiClient, robin: ExternalOperator) -> None:
        api.post(path(robin, "/lifecycle"), json={"action": "revoke"})
        assert_problem(api.post(f"/agents/{robin.agent_id}/restore"), 409, "operator_revoked")
        assert AgentEvent.objects.filter(agent=robin.agent).count() == 1


class TestRotation:
    def test_both_secrets_count_until_the_overlap_ends(self, api: ApiClient, robin: ExternalOperator) -> None:
        proved(robin)
        answer = api.post(path(robin, "/lifecycle"), json={"action": "rotate", "overlap_sec": 60})
        shown, old = answer.json()["data"], robin.secret
        assert answer.headers["Cache-Control"] == "no-store"
        assert shown["state"] == "rotating"
        assert shown["rotation"]["phase"] == "overlap"
        assert (shown["rotation"]["undelivered"], shown["rotation"]["resumes_to"]) == (0, "active")
        assert shown["signing_secret"].startswith("eosec_")
        assert len(shown["signing_secret"]) == len("eosec_") + 43
        robin.refresh_from_db()
        assert (robin.old_secret, robin.secret) == (old, shown["signing_secret"])
        assert "signing_secret" not in api.get(path(robin)).json()["data"]
        assert api.get(f"/agents/{robin.agent_id}").json()["data"]["status"] == "active"
        for action, code in (("rotate", "rotation_under_way"), ("pause", "invalid_transition")):
            assert_problem(api.post(path(robin, "/lifecycle"), json={"action": action}), 409, code)

    def test_reading_never_shows_a_rotation_that_is_over(self, api: ApiClient, robin: ExternalOperator) -> None:
        proved(robin, "paused")
        api.post(path(robin, "/lifecycle"), json={"action": "rotate"})
        ExternalOperator.objects.update(overlap_ends_at=timezone.now() - timedelta(seconds=1))
        shown = api.get(path(robin)).json()["data"]
        assert (shown["state"], shown["rotation"]) == ("paused", None)
        assert_problem(api.post(path(robin, "/force-drain")), 409, "not_rotating")
        assert api.post(path(robin, "/lifecycle"), json={"action": "activate"}).json()["data"]["state"] == "active"
        robin.refresh_from_db()
        assert robin.old_secret is None

    @pytest.mark.parametrize("state", ["draft", "active"])
    def test_without_an_overlap_the_new_secret_counts_at_once(
        self, api: ApiClient, robin: ExternalOperator, state: str
    ) -> None:
        proved(robin, state)
        shown = api.post(path(robin, "/lifecycle"), json={"action": "rotate", "overlap_sec": 0}).json()["data"]
        assert (shown["state"], shown["rotation"]) == (state, None)
        robin.refresh_from_db()
        assert (robin.secret, robin.old_secret) == (shown["signing_secret"], None)

    def test_force_drain_ends_it_now(self, api: ApiClient, robin: ExternalOperator) -> None:
        proved(robin)
        assert_problem(api.post(path(robin, "/force-drain")), 409, "not_rotating")
        api.post(path(robin, "/lifecycle"), json={"action": "rotate"})
        shown = api.post(path(robin, "/force-drain"), json={}).json()["data"]
        assert (shown["state"], shown["rotation"], shown["abandoned"]) == ("active", None, 0)
        robin.refresh_from_db()
        assert robin.old_secret is None

    def test_the_kill_switch_ends_a_rotation(self, api: ApiClient, robin: ExternalOperator) -> None:
        proved(robin)
        api.post(path(robin, "/lifecycle"), json={"action": "rotate"})
        shown = api.post(path(robin, "/lifecycle"), json={"action": "kill"}).json()["data"]
        assert (shown["state"], shown["rotation"]) == ("killed", None)
        robin.refresh_from_db()
        assert robin.old_secret is None


class TestCommands:
    def test_it_makes_an_operator_and_shows_its_secret_once(self, shop: Widget, capsys: Any, settings: Any) -> None:
        settings.EGRESS_ALLOW = ["127.0.0.1:8090"]
        options = {"widget": shop.guid, "name": "Robin", "url": "http://127.0.0.1:8090/", "json": True}
        call_command("create_external_operator", **options)
        made = json.loads(capsys.readouterr().out)
        operator = ExternalOperator.objects.get(public_id=made["public_id"])
        assert (operator.agent_id, operator.secret) == (made["agent_id"], made["signing_secret"])
        token = ApiToken.objects.get(pk=made["token_id"])
        assert token.scopes == ["responder:inject", "responder:escalate"]
        call_command("issue_reply_token", made["public_id"], "--no-escalate", "--json")
        issued = json.loads(capsys.readouterr().out)
        assert ApiToken.objects.get(pk=issued["id"]).scopes == ["responder:inject"]
