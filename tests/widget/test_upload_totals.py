"""How much visitors may upload in a day, and what becomes of an upload that no message carries."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.chats import actions
from apps.chats.actions import files, posting
from apps.chats.models import Chat, Contact, File, Message
from apps.core import plugins
from apps.core.files import storage
from apps.core.models import OrphanedObject
from apps.widget import querysets
from config.storage import LOCAL
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import ContactFactory, FileFactory
from tests.rows import snapshot
from tests.uploads import FORM, form, part
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

KB, MB = 1024, 1024 * 1024
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """The storage's folder: this test's alone."""
    settings.STORAGES = project.STORAGES | {"default": {"BACKEND": LOCAL, "OPTIONS": {"location": str(tmp_path)}}}
    return tmp_path


def upload(browser: VisitorClient, size: int = 1) -> Any:
    return browser.post("files", form(part(bytes(size))), content_type=FORM)


def uploaded(contact: Contact, size: int, **fields: Any) -> File:
    """A file that is there already, said to be of that size."""
    file = FileFactory.create(widget=contact.widget, contact=contact)
    File.objects.filter(pk=file.pk).update(size=size, **fields)
    return file


def send(browser: VisitorClient, file_id: int, **fields: Any) -> Any:
    return browser.post("messages", {"client_id": str(uuid.uuid4()), "type": "file", "file_id": file_id, **fields})


def days_pass(days: float) -> None:
    File.objects.update(created_at=F("created_at") - timedelta(days=days))


def sweep() -> int:
    return actions.sweep_unsent_files(as_of=timezone.now())


class TestTotals:
    def test_by_default_a_visitor_has_100_mb_and_a_widget_2000(self, settings: Settings) -> None:
        assert (settings.VISITOR_UPLOADS_MB, settings.WIDGET_UPLOADS_MB) == (100, 2000)

    def test_a_visitor_may_upload_up_to_the_total_and_no_byte_more(
        self, ivans_browser: VisitorClient, ivan: Contact
    ) -> None:
        uploaded(ivan, 100 * MB - 200 * KB)
        before = snapshot()
        problem = assert_problem(upload(ivans_browser, 200 * KB + 1), 429, "uploads_exhausted")
        assert problem["detail"] == "This visitor has uploaded 100 MB within 24 hours, which is the most."
        assert snapshot() == before
        assert upload(ivans_browser, 200 * KB).status_code == 201
        refused = upload(ivans_browser)
        assert_problem(refused, 429, "uploads_exhausted")
        assert refused.headers["Retry-After"] == "3600"

    def test_the_visitors_of_a_widget_have_one_together(
        self, ivans_browser: VisitorClient, ivan: Contact, settings: Settings
    ) -> None:
        settings.WIDGET_UPLOADS_MB = 50
        uploaded(ContactFactory.create(widget=ivan.widget), 50 * MB - 64 * KB)
        assert upload(ivans_browser).status_code == 201
        before = snapshot()
        problem = assert_problem(upload(ivans_browser), 429, "uploads_exhausted")
        assert (
            problem["detail"] == "The visitors of this widget have uploaded 50 MB within 24 hours, which is the most."
        )
        assert snapshot() == before

    def test_a_new_session_gets_round_one_and_not_round_the_other(self, shop: Widget, settings: Settings) -> None:
        settings.VISITOR_UPLOADS_MB = settings.WIDGET_UPLOADS_MB = 10
        statuses = []
        for _ in range(3):
            stranger = VisitorClient(shop)
            stranger.come()
            statuses.append(upload(stranger, 4 * MB).status_code)
        assert statuses == [201, 201, 429]

    def test_a_small_file_counts_as_64_kb(
        self, ivans_browser: VisitorClient, ivan: Contact, settings: Settings
    ) -> None:
        settings.VISITOR_UPLOADS_MB = 10
        uploaded(ivan, 10 * MB - 2 * 64 * KB)
        assert [upload(ivans_browser).status_code for _ in range(3)] == [201, 201, 429]

    def test_what_others_upload_does_not_count(
        self, ivans_browser: VisitorClient, ivan: Contact, rival: Rival, settings: Settings
    ) -> None:
        """Another widget's visitors, operators, and API clients."""
        settings.WIDGET_UPLOADS_MB = 10
        uploaded(rival.contact, 100 * MB)
        for file in (FileFactory.create(widget=ivan.widget), FileFactory.create(widget=rival.widget)):
            File.objects.filter(pk=file.pk).update(size=100 * MB)
        assert upload(ivans_browser).status_code == 201

    def test_a_day_later_it_counts_no_more_sent_or_not(self, ivans_browser: VisitorClient, ivan: Contact) -> None:
        uploaded(ivan, 50 * MB, is_sent=True)
        uploaded(ivan, 50 * MB)
        days_pass(0.99)
        assert upload(ivans_browser).status_code == 429
        days_pass(0.02)
        assert upload(ivans_browser).status_code == 201

    def test_it_is_one_statement_however_many_files_there_are(self, ivan: Contact) -> None:
        for number in range(3):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                found = querysets.uploaded_since(ivan, timezone.now() - DAY)
            assert len(queries) == 1
            assert (found.by_contact, found.by_all) == (number * MB, 2 * number * MB)
            uploaded(ivan, MB)
            uploaded(ContactFactory.create(widget=ivan.widget), MB)

    @pytest.mark.django_db(transaction=True)
    def test_uploads_at_once_do_not_count_each_other_and_the_next_one_counts_them_all(
        self, ivans_browser: VisitorClient, ivan: Contact, settings: Settings
    ) -> None:
        settings.VISITOR_UPLOADS_MB = 10
        uploaded(ivan, 9 * MB)

        def at_once(_: int) -> int:
            try:
                return int(upload(ivans_browser, MB // 2).status_code)
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as senders:
            statuses = list(senders.map(at_once, range(8)))
        assert set(statuses) <= {201, 429}
        assert 2 <= statuses.count(201) <= 2 + 3, "as many too many as are on their way beside the one that still fits"
        assert upload(ivans_browser).status_code == 429


class TestUnsent:
    def test_an_upload_that_no_message_carries_is_gone_after_a_day_with_its_bytes(
        self, ivans_browser: VisitorClient, folder: Path
    ) -> None:
        file_id = upload(ivans_browser).json()["data"]["id"]
        days_pass(0.99)
        assert (sweep(), storage.sweep()) == (0, 0)
        days_pass(0.02)
        assert (sweep(), storage.sweep()) == (1, 1)
        assert not File.objects.exists()
        assert not OrphanedObject.objects.exists()
        assert [path for path in folder.rglob("*") if path.is_file()] == []
        assert_problem(send(ivans_browser, file_id), 404, "not_found")

    def test_one_that_was_sent_stays(self, ivans_browser: VisitorClient) -> None:
        file_id = upload(ivans_browser).json()["data"]["id"]
        assert send(ivans_browser, file_id).status_code == 201
        days_pass(1000)
        assert sweep() == 0
        assert File.objects.get().pk == file_id

    def test_one_that_an_operator_or_an_api_client_sends_stays(
        self, api: ApiClient, ivan: Contact, chat: Chat, alice: Any
    ) -> None:
        shown, noted = uploaded(ivan, MB), uploaded(ivan, MB)
        body = {"type": "file", "file": {"id": shown.pk}, "agent_id": alice.pk}
        assert api.post(f"/chats/{chat.pk}/messages", json=body).status_code == 202
        content = {"type": "file", "file_id": noted.pk}
        actions.post_note(widget_id=chat.widget_id, chat_id=chat.pk, content=content, agent_id=alice.pk)
        days_pass(2)
        assert sweep() == 0

    def test_files_of_others_stay(self, shop: Widget) -> None:
        FileFactory.create(widget=shop)
        days_pass(2)
        assert sweep() == 0

    def test_a_message_that_is_not_stored_sends_nothing(self, ivans_browser: VisitorClient, ivan: Contact) -> None:
        """The same `client_id` again gives the message that is there; what came with it this time was not sent."""
        first, other = uploaded(ivan, MB), uploaded(ivan, MB)
        client_id = str(uuid.uuid4())
        statuses = [send(ivans_browser, file.pk, client_id=client_id).status_code for file in (first, other)]
        assert statuses == [201, 200]
        assert_problem(send(ivans_browser, other.pk, type="image"), 422, "invalid_input")
        assert set(File.objects.filter(is_sent=True)) == {first}

    def test_it_goes_on_in_batches(self, ivan: Contact, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(files, "SWEEP_BATCH", 2)
        for _ in range(5):
            uploaded(ivan, MB)
        days_pass(2)
        assert sweep() == 5
        assert not File.objects.exists()

    def test_a_batch_takes_as_many_statements_whatever_its_size(self, ivan: Contact) -> None:
        counts = []
        for size in (1, 10):
            for _ in range(size):
                uploaded(ivan, MB)
            days_pass(2)
            with CaptureQueriesContext(connection) as queries:
                assert sweep() == size
            counts.append(len(queries))
        assert counts[0] == counts[1]

    @pytest.mark.django_db(transaction=True)
    def test_one_that_is_being_sent_is_left_alone(self, ivans_browser: VisitorClient, ivan: Contact) -> None:
        file = uploaded(ivan, MB)
        days_pass(2)
        with ThreadPoolExecutor(1) as other, transaction.atomic():
            assert send(ivans_browser, file.pk).status_code == 201
            assert other.submit(apart).result(timeout=30) == 0
        assert sweep() == 0
        assert Message.objects.get().details["file"]["id"] == file.pk

    @pytest.mark.django_db(transaction=True)
    def test_one_that_is_swept_while_it_is_sent_is_404(
        self, ivans_browser: VisitorClient, ivan: Contact, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = uploaded(ivan, MB)
        days_pass(2)
        mark = files.mark_sent

        def swept_before(**which: Any) -> None:
            with ThreadPoolExecutor(1) as other:
                assert other.submit(apart).result(timeout=30) == 1
            mark(**which)

        monkeypatch.setattr(posting, "mark_sent", swept_before)
        assert_problem(send(ivans_browser, file.pk), 404, "not_found")
        assert not Message.objects.exists()

    def test_beat_runs_it_every_hour(self) -> None:
        (job,) = [job for job in plugins.jobs() if job.task == "apps.chats.tasks.sweep_unsent_files"]
        assert job.every == timedelta(hours=1)


def apart() -> int:
    """A sweep on a connection of its own."""
    try:
        return sweep()
    finally:
        connection.close()


class TestIndexes:
    """Two widgets whose visitors have uploaded for a month; the planner as it comes."""

    @pytest.fixture
    def busy(self, ivan: Contact, rival: Rival) -> Contact:
        with connection.cursor() as cursor:
            for contact in (ivan, rival.contact):
                cursor.execute(
                    "INSERT INTO chats_file (widget_id, contact_id, name, size, content_type, storage_key, sha256,"
                    " is_sent, created_at) SELECT %s, %s, 'a', 1000, 'text/plain', gen_random_uuid()::text, '',"
                    " n %% 100 > 0, now() - n * interval '1 minute' FROM generate_series(1, 43200) n",
                    [contact.widget_id, contact.pk],
                )
            cursor.execute("ANALYZE chats_file")
        return ivan

    def test_a_day_of_the_widget_is_counted_by_its_index(self, busy: Contact) -> None:
        with CaptureQueriesContext(connection) as queries:
            found = querysets.uploaded_since(busy, timezone.now() - DAY)
        assert found.by_contact == found.by_all == 1439 * 64 * KB
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN " + queries[0]["sql"])
            plan = "\n".join(line for (line,) in cursor.fetchall())
        assert "chats_file_of_visitors" in plan, plan
        assert "Seq Scan" not in plan, plan

    def test_unsent_uploads_are_found_by_theirs(self, busy: Contact) -> None:
        plan = File.objects.unsent(timezone.now() - DAY)[:100].explain()
        assert "chats_file_unsent" in plan, plan
        assert "Sort" not in plan, plan
