"""The signed envelope: what is signed, in which order calls are refused, and that a nonce is used up."""

import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.models import Widget
from apps.support.actions.envelopes import forget_old_nonces
from apps.support.models import Nonce
from apps.support.rules.envelope import Envelope, EnvelopeFault, fault_of, signature_of
from tests.client import assert_problem
from tests.factories import ApiTokenFactory, plain_text
from tests.support.application import Application, a_turn

PATH = "/api/v1/ai/assistant/turn"
NOW = 1_800_000_000
GOOD = {"method": "POST", "target": PATH, "body": b"{}"}


def signed(secret: str = "s", timestamp: str = str(NOW), nonce: str = "n" * 16, **parts: Any) -> Envelope:
    made = signature_of(secret, timestamp=timestamp, nonce=nonce, **{**GOOD, **parts})
    return Envelope(timestamp, nonce, made)


def fault(envelope: Envelope, now: float = NOW) -> EnvelopeFault | None:
    return fault_of(envelope, secret="s", now=now, **GOOD)  # type: ignore[arg-type]


class TestRules:
    def test_the_signature_is_the_guides_example(self) -> None:
        """The example of docs/guides/application.md, which samples in other languages are held to as well."""
        made = signature_of("k" * 48, timestamp="1800000000", nonce="0123456789abcdef", **GOOD)  # type: ignore[arg-type]
        assert made == "sha256=v1:c885dc0c71e29fa65d83989ccab5856fcc384cbd208bcd670a3eef25be904af5"

    def test_a_valid_envelope_has_no_fault(self) -> None:
        assert fault(signed()) is None

    @pytest.mark.parametrize(
        "parts",
        [
            {"secret": "t"},
            {"target": PATH + "?a=1"},
            {"target": "/api/v1/ai/assistant/turn/"},
            {"method": "PUT"},
            {"body": b"{ }"},
            {"body": b""},
        ],
        ids=str,
    )
    def test_signed_over_something_else(self, parts: dict[str, Any]) -> None:
        assert fault(signed(**parts)) is EnvelopeFault.BAD_SIGNATURE

    def test_another_time_or_nonce_than_was_signed(self) -> None:
        assert fault(signed()._replace(timestamp=str(NOW + 1))) is EnvelopeFault.BAD_SIGNATURE
        assert fault(signed()._replace(nonce="m" * 16)) is EnvelopeFault.BAD_SIGNATURE

    def test_the_case_of_hex_and_the_prefix_count(self) -> None:
        right = signed()
        digest = right.signature.removeprefix("sha256=v1:")
        for signature in (f"sha256=v1:{digest.upper()}", digest, f"sha256={digest}", right.signature + " ", "ё"):
            assert fault(right._replace(signature=signature)) is EnvelopeFault.BAD_SIGNATURE, signature

    @pytest.mark.parametrize(("off", "is_stale"), [(300, False), (301, True), (-300, False), (-301, True)])
    def test_300_seconds_off_is_the_most(self, off: int, is_stale: bool) -> None:
        assert fault(signed(), now=NOW + off) is (EnvelopeFault.STALE if is_stale else None)

    @pytest.mark.parametrize("timestamp", ["now", "1e9", "-1", "1800000000.0", "٣", "1" * 13, " 1800000000"])
    def test_a_time_that_is_no_number(self, timestamp: str) -> None:
        assert fault(signed()._replace(timestamp=timestamp)) is EnvelopeFault.STALE

    @pytest.mark.parametrize(
        ("nonce", "found"),
        [
            ("n" * 15, EnvelopeFault.BAD_NONCE),
            ("n" * 16, None),
            ("n" * 128, None),
            ("n" * 129, EnvelopeFault.BAD_NONCE),
            ("A_z-0123456789ab", None),
            ("n" * 15 + " ", EnvelopeFault.BAD_NONCE),
            ("n" * 15 + ".", EnvelopeFault.BAD_NONCE),
            ("ё" * 16, EnvelopeFault.BAD_NONCE),
        ],
    )
    def test_the_form_of_a_nonce(self, nonce: str, found: EnvelopeFault | None) -> None:
        assert fault(signed(nonce=nonce)) is found

    def test_faults_of_an_envelope_come_in_one_order(self) -> None:
        everything = Envelope("never", "!", "")
        assert fault(everything) is EnvelopeFault.HEADER_MISSING
        assert fault(everything._replace(signature="x")) is EnvelopeFault.BAD_NONCE
        assert fault(Envelope("never", "n" * 16, "x")) is EnvelopeFault.STALE
        assert fault(Envelope(str(NOW), "n" * 16, "x")) is EnvelopeFault.BAD_SIGNATURE


class TestCalls:
    def test_one_that_is_not_signed(self, application: Application) -> None:
        for missing in ("X-Service-Timestamp", "X-Service-Nonce", "X-Service-Signature"):
            response = application.post("/turn", {}, headers={missing: None})  # type: ignore[dict-item]
            assert_problem(response, 401, "signature_required")
        assert not Nonce.objects.exists()

    def test_the_refusals_come_in_the_documented_order(self, application: Application, shop: Widget) -> None:
        wrong: dict[str, Any] = {"content_type": "text/plain", "raw": b"{" * (256 * 1024 + 1)}
        other = Application(shop, plain_text(ApiTokenFactory.create(widget=shop)))
        headers = {"X-Service-Timestamp": "never", "X-Service-Nonce": "!", "X-Service-Signature": "x"}
        assert_problem(other.post("/turn", {}, headers=headers, **wrong), 403, "token_not_bound")
        assert_problem(application.post("/turn", {}, headers=headers, **wrong), 413, "body_too_large")
        wrong["raw"] = b"{"
        assert_problem(application.post("/turn", {}, headers=headers, **wrong), 401, "invalid_nonce")
        del headers["X-Service-Nonce"]
        assert_problem(application.post("/turn", {}, headers=headers, **wrong), 401, "stale_timestamp")
        del headers["X-Service-Timestamp"]
        assert_problem(application.post("/turn", {}, headers=headers, **wrong), 401, "invalid_signature")
        nonce = {"nonce": "n" * 16}
        assert_problem(application.post("/turn", {}, signed=nonce, **wrong), 415, "unsupported_media_type")
        assert_problem(application.post("/turn", {}, signed=nonce, **wrong), 409, "nonce_reused")
        del wrong["content_type"]
        assert_problem(application.post("/turn", {}, **wrong), 400, "invalid_json")
        assert_problem(application.post("/turn", {}), 422, "invalid_input")

    def test_a_nonce_is_used_up_by_a_right_signature_alone(self, application: Application) -> None:
        nonce = {"nonce": "n" * 16}
        for _ in range(2):
            refused = application.post("/turn", {}, signed={**nonce, "secret": "another"})
            assert_problem(refused, 401, "invalid_signature")
        assert_problem(application.post("/turn", {}, signed=nonce), 422, "invalid_input")
        assert_problem(application.post("/turn", {}, signed=nonce), 409, "nonce_reused")

    def test_the_query_is_signed_as_it_was_sent(self, application: Application) -> None:
        assert_problem(application.post("/turn?a=%2f", {}), 422, "invalid_input")
        refused = application.post("/turn?a=%2f", {}, signed={"target": PATH + "?a=%2F"})
        assert_problem(refused, 401, "invalid_signature")

    def test_another_token_of_the_widget_is_not_bound(self, application: Application, shop: Widget) -> None:
        other = Application(shop, plain_text(ApiTokenFactory.create(widget=shop)))
        assert_problem(other.post("/turn", a_turn()), 403, "token_not_bound")

    def test_an_idempotency_key_does_not_count(self, answered: Application) -> None:
        for request_id in ("r-1", "r-2"):
            key = {"X-Service-Idempotency-Key": "the same"}
            assert answered.post("/turn", a_turn(request_id=request_id), headers=key).status_code == 200

    def test_nonces_are_forgotten_after_11_minutes(self, application: Application) -> None:
        application.post("/turn", {}, signed={"nonce": "n" * 16})
        Nonce.objects.update(used_at=timezone.now() - timedelta(minutes=10, seconds=59))
        assert forget_old_nonces() == 0
        Nonce.objects.update(used_at=timezone.now() - timedelta(minutes=11, seconds=1))
        assert forget_old_nonces() == 1

    def test_a_call_of_300_seconds_ago_passes(self, application: Application) -> None:
        assert_problem(application.post("/turn", {}, signed={"at": time.time() - 290}), 422, "invalid_input")

    def test_the_binding_that_went_while_its_body_was_read(self, application: Application, monkeypatch: Any) -> None:
        from apps.support import authentication

        accept = authentication.accept

        def late(binding: Any, *args: Any, **options: Any) -> None:
            with connection.cursor() as cursor:
                cursor.execute("DELETE FROM support_binding")
            accept(binding, *args, **options)

        monkeypatch.setattr(authentication, "accept", late)
        assert_problem(application.post("/turn", {}), 403, "token_not_bound")
