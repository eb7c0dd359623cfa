"""An external operator's address proves itself by the secret, and its bearer credential follows no move.

Design: external-operators, section 3.
"""

from typing import Any

import pytest

from apps.accounts.models import AuditEntry
from apps.ai.models import ExternalOperator
from apps.ai.rules.lifecycle import proof_of, proof_refusal
from tests.ai.bot import Bot
from tests.ai.external_desk import ExternalDesk
from tests.client import ApiClient, assert_problem
from tests.factories.accounts import ApiTokenFactory, plain_text

BEARER = "of-the-bots-gateway"


@pytest.fixture
def thief(robin: ExternalDesk) -> ApiClient:
    """A token of the widget that may write agents, and nothing else."""
    return token_with(robin, "agents:read", "agents:write")


def token_with(robin: ExternalDesk, *scopes: str) -> ApiClient:
    return ApiClient(plain_text(ApiTokenFactory.create(widget=robin.desk.widget, scopes=list(scopes))))


def path(robin: ExternalDesk, more: str = "") -> str:
    return f"/external-operators/{robin.operator.public_id}{more}"


def with_bearer(robin: ExternalDesk) -> ExternalDesk:
    ExternalOperator.objects.filter(pk=robin.operator.pk).update(bearer=BEARER)
    return robin


def probed(robin: ExternalDesk, by: ApiClient) -> dict[str, Any]:
    """A test, made and delivered."""
    begun = by.post(path(robin, "/tests"))
    assert begun.status_code == 202, begun.json()
    assert robin.delivers() == 1
    shown: dict[str, Any] = by.get(path(robin, f"/tests/{begun.json()['data']['public_id']}")).json()["data"]
    return shown


class TestProof:
    def test_the_hmac_of_the_challenge_proves_the_address(self, robin: ExternalDesk, thief: ApiClient) -> None:
        ExternalOperator.objects.update(verified_at=None)
        shown = probed(robin, thief)
        assert (shown["status"], shown["challenge_ok"], shown["error"]) == ("delivered", True, None)
        assert thief.get(path(robin)).json()["data"]["verified"] is True

    @pytest.mark.parametrize("secret", ["", "eosec_another"])
    def test_an_echo_proves_nothing(self, robin: ExternalDesk, thief: ApiClient, secret: str) -> None:
        ExternalOperator.objects.update(verified_at=None)
        robin.bot.secret = secret
        shown = probed(robin, thief)
        assert (shown["status"], shown["challenge_ok"], shown["error"]) == ("delivered", False, "no_proof")
        found = thief.get(path(robin)).json()["data"]
        assert (found["verified"], found["health"]["last_error"]) == (False, "no_proof")

    def test_either_secret_of_a_rotation_proves(self, robin: ExternalDesk, thief: ApiClient) -> None:
        old = robin.operator.secret or ""
        new = robin.moves("rotate", overlap_s=60).secret or ""
        for secret in (old, new):
            robin.bot.secret = secret
            assert probed(robin, thief)["challenge_ok"] is True

    @pytest.mark.parametrize(
        ("answer", "refusal"),
        [
            (None, "no_echo"),
            ([], "no_echo"),
            ({}, "no_echo"),
            ({"challenge": "another", "proof": proof_of("s", "abc")}, "no_echo"),
            ({"challenge": "abc"}, "no_proof"),
            ({"challenge": "abc", "proof": 7}, "no_proof"),
            ({"challenge": "abc", "proof": "да"}, "no_proof"),
            ({"challenge": "abc", "proof": proof_of("another", "abc")}, "no_proof"),
            ({"challenge": "abc", "proof": proof_of("s", "abc")}, None),
        ],
    )
    def test_what_an_answer_proves(self, answer: Any, refusal: str | None) -> None:
        assert proof_refusal(answer, "abc", ["old", "s"]) == refusal

    def test_without_a_secret_nothing_is_proved(self) -> None:
        assert proof_refusal({"challenge": "abc", "proof": proof_of("", "abc")}, "abc", []) == "no_proof"

    def test_a_test_names_the_address_that_it_tests(self, robin: ExternalDesk, thief: ApiClient) -> None:
        probed(robin, thief)
        (heard,) = robin.bot.heard
        assert heard.json["data"]["endpoint_url"] == robin.operator.url


class TestBearer:
    def test_it_goes_to_the_proved_address_alone(self, robin: ExternalDesk, thief: ApiClient) -> None:
        with_bearer(robin)
        ExternalOperator.objects.update(verified_at=None)
        probed(robin, thief)
        probed(robin, thief)
        first, second = robin.bot.heard
        assert "authorization" not in first.headers
        assert second.headers["authorization"] == f"Bearer {BEARER}"

    def test_a_lesser_right_that_moves_the_address_gets_neither_it_nor_a_word(
        self, robin: ExternalDesk, thief: ApiClient, settings: Any
    ) -> None:
        with_bearer(robin)
        with Bot() as echoing:
            settings.EGRESS_ALLOW = [*settings.EGRESS_ALLOW, echoing.host]
            moved = thief.patch(path(robin), json={"endpoint_url": echoing.url}).json()["data"]
            assert (moved["state"], moved["verified"], moved["has_bearer"]) == ("paused", False, False)
            assert probed(robin, thief)["error"] == "no_proof"
            refused = thief.post(path(robin, "/lifecycle"), json={"action": "activate"})
            assert_problem(refused, 409, "operator_not_verified")
            robin.desk.writes("Сколько стоят розы?")
            robin.desk.quiet()
            robin.desk.works()
            robin.delivers()
            (test,) = echoing.heard
            assert BEARER not in str(test)
        assert AuditEntry.objects.filter(changes__bearer__1="forgotten").exists()
        assert thief.patch(path(robin), json={"endpoint_url": robin.operator.url}).json()["data"]["has_bearer"] is False

    def test_it_stays_at_its_origin_and_waits_for_the_proof(self, robin: ExternalDesk, thief: ApiClient) -> None:
        with_bearer(robin)
        moved = thief.patch(path(robin), json={"endpoint_url": f"{robin.operator.url}/v2"}).json()["data"]
        assert (moved["verified"], moved["has_bearer"]) == (False, True)
        probed(robin, thief)
        (test,) = robin.bot.heard
        assert "authorization" not in test.headers
