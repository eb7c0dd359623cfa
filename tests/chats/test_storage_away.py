"""A bucket that is away, refuses, or was set up wrong: what uploads, pictures, sweeps, pages and the check say then."""

import logging
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from io import BytesIO
from urllib.parse import urlsplit

import pytest
import requests
from django.db.models.functions import Now
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.core.checks import the_bucket_keeps_files
from apps.core.files import remote, storage
from apps.core.models import OrphanedObject
from apps.egress.bulkhead import outbound_waits
from tests.bucket import (
    KEY_ID,
    SECRET,
    Bucket,
    Oddity,
    breaks_off,
    drips,
    is_silent,
    refuses,
    resets,
    talks_html,
)
from tests.chats.in_bucket import upload, use, where
from tests.client import ApiClient, assert_problem, client
from tests.egress.receivers import closed_port
from tests.rows import snapshot
from tests.uploads import FORM, form, part, png
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import wait_until
from tests.widget.visitor import VisitorClient

WhileOdd = Callable[[Oddity], AbstractContextManager[None]]

AWAY: dict[str, Oddity] = {
    "500": refuses(500, "InternalError"),
    "503": refuses(503, "SlowDown"),
    "silent": is_silent,
    "drips": drips,
    "resets": resets,
    "something else answers": talks_html,
}
REFUSING: dict[str, Oddity] = {
    "403": refuses(403, "AccessDenied"),
    "no bucket": refuses(404, "NoSuchBucket"),
    "another region": refuses(400, "AuthorizationHeaderMalformed"),
}


def assert_logged(caplog: pytest.LogCaptureFixture, times: int) -> None:
    """Each failure left a line, at any level of the log, without the secret and what was signed with it."""
    lines = [record.getMessage() for record in caplog.records]
    assert sum(line.startswith("the storage failed to keep a file") for line in lines) == times
    for secret in (SECRET, "X-Amz-Signature", "Signature="):
        assert secret not in caplog.text


class TestNotWell:
    @pytest.mark.parametrize("state", AWAY)
    def test_while_the_bucket_is_away_uploads_are_503_and_leave_nothing(
        self,
        api: ApiClient,
        visitor: VisitorClient,
        alice: Agent,
        while_odd: WhileOdd,
        caplog: pytest.LogCaptureFixture,
        state: str,
    ) -> None:
        caplog.set_level(logging.DEBUG)
        before = snapshot()
        avatar = form(part(png()))
        with while_odd(AWAY[state]):
            answers = [
                upload(api, b"a", key="one"),
                visitor.post("files", form(part(b"a")), content_type=FORM),
                api.post(f"/agents/{alice.pk}/avatar", data=avatar, content_type=FORM, idempotency_key="two"),
            ]
        for refused in answers:
            assert_problem(refused, 503, "try_again")
            assert refused.headers["Retry-After"] == "5"
        assert snapshot() | {"core.OrphanedObject": []} == before
        assert outbound_waits.held == 0
        assert_logged(caplog, 3)
        assert upload(api, b"a", key="one").status_code == 201, "the key is free, and nothing has to be started again"

    @pytest.mark.parametrize("state", REFUSING)
    def test_a_bucket_that_refuses_is_500_and_leaves_nothing(
        self, api: ApiClient, alice: Agent, bucket: Bucket, caplog: pytest.LogCaptureFixture, state: str
    ) -> None:
        """It does not heal by itself; the specification's codes for that are 500, and 502 of avatars."""
        caplog.set_level(logging.DEBUG)
        before = snapshot()
        bucket.odd = REFUSING[state]
        assert_problem(upload(api, b"a", key="one"), 500, "storage_failed")
        avatar = api.post(f"/agents/{alice.pk}/avatar", data=form(part(png())), content_type=FORM)
        assert_problem(avatar, 502, "avatar_storage_failed")
        assert_logged(caplog, 2)
        assert snapshot() | {"core.OrphanedObject": []} == before
        bucket.heal()
        assert upload(api, b"a", key="one").status_code == 201

    @pytest.mark.parametrize(
        ("odd", "status", "code"),
        [
            (refuses(404, "NoSuchKey"), 404, "not_found"),
            (refuses(403, "AccessDenied"), 502, "avatar_storage_failed"),
            (refuses(503, "SlowDown"), 503, "try_again"),
            (breaks_off, 503, "try_again"),
            (drips, 503, "try_again"),
        ],
    )
    def test_an_avatar_that_is_not_given_is_refused_and_not_kept(
        self,
        api: ApiClient,
        alice: Agent,
        while_odd: WhileOdd,
        odd: Oddity,
        status: int,
        code: str,
    ) -> None:
        body = form(part(png()))
        agent = api.post(f"/agents/{alice.pk}/avatar", data=body, content_type=FORM).json()["data"]
        address = urlsplit(agent["avatar_url"]).path
        with while_odd(odd):
            refused = client().get(address)
        assert_problem(refused, status, code)
        assert refused.headers["Cache-Control"] == "no-store"
        wait_until(lambda: Client().get(address).status_code == 200, seconds=AT_MOST_S)

    def test_a_file_whose_object_is_gone_is_the_buckets_404(self, api: ApiClient, bucket: Bucket) -> None:
        file = upload(api, b"a").json()["data"]
        bucket.objects.clear()
        assert requests.get(where(file["url"]), timeout=AT_MOST_S).status_code == 404

    def test_while_every_place_is_held_uploads_are_503_and_ask_for_nothing(
        self, api: ApiClient, bucket: Bucket, shop: Widget
    ) -> None:
        before = snapshot()
        with ExitStack() as held:
            for _ in range(outbound_waits.slots):
                held.enter_context(outbound_waits.slot(None))
            refused = upload(api, b"a")
        assert_problem(refused, 503, "try_again")
        assert refused.headers["Retry-After"] == "1"
        assert (snapshot(), bucket.asked) == (before, [])
        assert upload(api, b"a").status_code == 201

    def test_what_hangs_is_bounded_and_then_refused_at_once(
        self, api: ApiClient, bucket: Bucket, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        use(bucket.url, settings, monkeypatch)  # its patience with silence is long: a call is one attempt
        storage.origins()  # makes the client, which takes a while
        monkeypatch.setattr(remote, "_free", threading.BoundedSemaphore(2))
        monkeypatch.setattr(remote, "TOTAL_SECONDS", 0.5)
        bucket.odd = drips
        for _ in range(2):
            assert_problem(upload(api, b"a"), 503, "try_again")
        wait_until(lambda: len(bucket.asked) == 2, seconds=AT_MOST_S)
        assert_problem(upload(api, b"a"), 503, "try_again")
        assert len(bucket.asked) == 2
        bucket.heal()
        monkeypatch.setattr(remote, "TOTAL_SECONDS", 10)
        wait_until(lambda: upload(api, b"a").status_code == 201, seconds=AT_MOST_S)

    @pytest.mark.parametrize("state", ["503", "drips", "403", "no bucket"])
    def test_the_sweep_leaves_what_it_could_not_delete_to_the_next_one(
        self, bucket: Bucket, while_odd: WhileOdd, db: None, state: str
    ) -> None:
        with suppress(KeyError), storage.stored(BytesIO(b"orphaned")):
            raise KeyError
        OrphanedObject.objects.update(sweep_at=Now())
        with while_odd({**AWAY, **REFUSING}[state]):
            assert storage.sweep() == 0
        assert (len(bucket.objects), storage.sweep()) == (1, 0), "it is tried again in an hour"
        OrphanedObject.objects.update(sweep_at=Now())
        assert (storage.sweep(), bucket.objects) == (1, {})


class TestSetUpWrong:
    @pytest.mark.parametrize(
        ("key_id", "secret", "said"),
        [("AKIANOBODY", SECRET, "InvalidAccessKeyId"), (KEY_ID, "wrong", "SignatureDoesNotMatch")],
    )
    def test_wrong_credentials_are_found_by_the_check_before_a_deployment(
        self,
        bucket: Bucket,
        settings: Settings,
        monkeypatch: pytest.MonkeyPatch,
        key_id: str,
        secret: str,
        said: str,
    ) -> None:
        use(bucket.url, settings, monkeypatch, key_id, secret)
        (error,) = the_bucket_keeps_files(None)
        assert (error.id, said in error.msg, secret in error.msg) == ("core.E004", True, False)
        assert "\n" not in error.msg

    def test_so_are_a_bucket_that_is_not_there_no_answer_and_no_credentials(
        self, bucket: Bucket, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        use(bucket.url.replace("//files/", "//filse/"), settings, monkeypatch)
        (error,) = the_bucket_keeps_files(None)
        assert "NoSuchBucket" in error.msg
        use(f"s3://files?endpoint=http://127.0.0.1:{closed_port()}&region=x", settings, monkeypatch)
        (error,) = the_bucket_keeps_files(None)
        assert "Could not connect to the endpoint URL" in error.msg
        use(bucket.url, settings, monkeypatch, "", "")
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        (error,) = the_bucket_keeps_files(None)
        assert "Unable to locate credentials" in error.msg

    def test_the_check_leaves_nothing_in_a_bucket_that_is_well(self, bucket: Bucket) -> None:
        assert (the_bucket_keeps_files(None), bucket.objects) == ([], {})
        assert [line.split()[0] for line in bucket.asked] == ["PUT", "GET", "DELETE"]

    def test_files_of_this_machine_are_not_tried(self) -> None:
        assert the_bucket_keeps_files(None) == []

    def test_without_credentials_pages_are_shown_and_files_are_500(
        self, api: ApiClient, bucket: Bucket, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = upload(api, b"a").json()["data"]
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        use(bucket.url, settings, monkeypatch, "", "")
        assert_problem(Client().get(urlsplit(file["url"]).path), 500, "storage_failed")
        assert_problem(upload(api, b"a"), 500, "storage_failed")
        assert Client().get("/console/login/").status_code == 200
        assert storage.origins() == [settings.PUBLIC_URL]
