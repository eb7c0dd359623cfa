"""A bucket that is silent holds the places of a web process alone: everybody who needs no file is answered."""

import time
import uuid
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
import requests
from django.conf import settings

from apps.chats.models import File
from apps.core.files.remote import TOTAL_SECONDS
from apps.core.models import IdempotencyKey
from apps.egress.bulkhead import Bulkhead
from tests.bucket import KEY_ID, SECRET, Bucket, is_silent
from tests.contract.web import WebProcess
from tests.factories import ApiTokenFactory, plain_text
from tests.faults.scale import SCALE
from tests.realtime.process import database_url
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import wait_until

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

CALLERS, ANSWERS = 8, 24
PLACES = Bulkhead(settings.WEB_THREADS).slots


def upload(web: WebProcess, token: str) -> tuple[int, str | None]:
    """The status, and after how many seconds to come again."""
    headers = {"Authorization": f"Bearer {token}", "X-Service-Idempotency-Key": uuid.uuid4().hex}
    url = f"{web.url}/api/v1/files"
    answer = requests.post(url, headers=headers, files={"file": ("note.txt", b"Hello")}, timeout=60)
    return answer.status_code, answer.headers.get("Retry-After")


@pytest.mark.slow
def test_others_are_answered_meanwhile_and_it_heals_by_itself(transactional_db: None) -> None:
    token, other = plain_text(ApiTokenFactory.create()), plain_text(ApiTokenFactory.create())
    with (
        Bucket() as bucket,
        WebProcess(
            DATABASE_URL=database_url(),
            REDIS_URL=settings.REDIS_URL,
            API_RATE_LIMIT="1000000",
            STORAGE_URL=bucket.url,
            AWS_ACCESS_KEY_ID=KEY_ID,
            AWS_SECRET_ACCESS_KEY=SECRET,
        ) as web,
        ThreadPoolExecutor(CALLERS) as callers,
    ):
        assert upload(web, token)[0] == 201
        bucket.odd, began = is_silent, time.monotonic()
        calls: list[Future[tuple[int, str | None]]] = [callers.submit(upload, web, token) for _ in range(CALLERS)]
        wait_until(lambda: sum(call.done() for call in calls) == CALLERS - PLACES, seconds=AT_MOST_S)
        headers = {"Authorization": f"Bearer {other}"}
        listed = [requests.get(f"{web.url}/api/v1/chats", headers=headers, timeout=10) for _ in range(ANSWERS)]
        assert [answer.status_code for answer in listed] == [200] * ANSWERS
        assert sum(call.done() for call in calls) == CALLERS - PLACES, "all this time the places were held"
        if not SCALE.is_long:
            bucket.heal()
        ended = Counter(call.result() for call in calls)
        assert ended[503, "1"] == CALLERS - PLACES
        assert sum(ended.values()) == CALLERS
        if SCALE.is_long:
            assert ended[503, "5"] == PLACES
            assert time.monotonic() - began < TOTAL_SECONDS + 5
            bucket.heal()
            assert IdempotencyKey.objects.count() == File.objects.count() == 1
        wait_until(lambda: upload(web, token)[0] == 201, seconds=AT_MOST_S)
        assert SECRET not in web.output
