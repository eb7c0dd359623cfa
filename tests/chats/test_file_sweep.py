"""Bytes without a row: after a failure or a crash between storage and commit, and after a file's deletion."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from threading import Barrier, Event, Lock
from typing import Any

import pytest
from django.conf import settings as project
from django.core.files.storage import FileSystemStorage
from django.db import OperationalError, connection, connections, transaction
from django.db.models import F
from pytest_django import Settings

from apps.accounts.actions import delete_account
from apps.accounts.models import Widget
from apps.chats import actions
from apps.chats.errors import STORAGE_FAILED
from apps.chats.models import File
from apps.core import plugins
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.files import storage
from apps.core.models import OrphanedObject
from apps.core.problems import Problem
from tests.factories import FileFactory, WidgetFactory


class SlowStorage(FileSystemStorage):
    """Deletes when it is told to, and remembers what."""

    deleting, go_on = Event(), Event()
    deleted: list[str] = []
    lock = Lock()

    def delete(self, name: str) -> None:
        self.deleting.set()
        assert self.go_on.wait(30)
        with self.lock:
            self.deleted.append(name)
        super().delete(name)


class StuckStorage(FileSystemStorage):
    """Deletes nothing."""

    asked: list[str] = []

    def delete(self, name: str) -> None:
        self.asked.append(name)
        raise OSError("read-only")


def use(settings: Settings, folder: Path, kind: type[FileSystemStorage] = FileSystemStorage) -> None:
    backend = f"{kind.__module__}.{kind.__qualname__}"
    settings.STORAGES = project.STORAGES | {"default": {"BACKEND": backend, "OPTIONS": {"location": str(folder)}}}


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """The storage's folder: this test's alone."""
    use(settings, tmp_path)
    return tmp_path


def stored(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def send(widget: Widget, content: bytes = b"hello") -> File:
    with ReceivedFile("note.txt") as upload:
        upload.write(content)
        return actions.store_file(widget_id=widget.pk, upload=upload)


def write_row(widget: Widget, key: str) -> None:
    File.objects.create(widget=widget, name="a", size=5, content_type="text/plain", storage_key=key, sha256=b"")


def a_day_passes() -> None:
    OrphanedObject.objects.update(sweep_at=F("sweep_at") - timedelta(days=1))


def leave_orphans(count: int = 1) -> list[str]:
    """Objects whose rows never came, due to be swept."""
    keys = []
    for _ in range(count):
        with suppress(KeyError), storage.stored(BytesIO(b"orphaned")) as key:
            keys.append(key)
            raise KeyError
    a_day_passes()
    return keys


class TestKeeping:
    @pytest.mark.django_db(transaction=True)
    def test_a_process_killed_between_storage_and_commit_leaves_nothing_after_a_day(self, folder: Path) -> None:
        widget = WidgetFactory.create()
        connections.close_all()
        child = os.fork()
        if child == 0:
            try:
                with storage.stored(BytesIO(b"hello")):
                    os.kill(os.getpid(), signal.SIGKILL)
            finally:
                os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        kept = stored(folder)
        assert len(kept) == 1
        in_use = send(widget)

        assert storage.sweep() == 0, "it may yet be committed"
        assert kept < stored(folder)
        a_day_passes()
        assert storage.sweep() == 1
        assert stored(folder) == {in_use.storage_key}
        assert not OrphanedObject.objects.exists()

    @pytest.mark.django_db(transaction=True)
    def test_a_connection_lost_before_the_commit_keeps_no_file_and_its_bytes_are_swept(self, folder: Path) -> None:
        widget = WidgetFactory.create()

        def lose_the_connection() -> None:
            with storage.stored(BytesIO(b"hello")) as key:
                write_row(widget, key)
                connection.connection.pgconn.finish()

        with pytest.raises(OperationalError):
            lose_the_connection()
        connection.close()
        assert not File.objects.exists()
        assert len(stored(folder)) == 1
        a_day_passes()
        assert storage.sweep() == 1
        assert stored(folder) == set()

    @pytest.mark.django_db(transaction=True)
    def test_a_connection_lost_after_the_commit_went_through_loses_no_bytes(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        widget = WidgetFactory.create()
        commit = connection._commit

        def commit_unheard() -> None:
            commit()
            if File.objects.exists():
                raise OperationalError("the connection was lost")

        monkeypatch.setattr(connection, "_commit", commit_unheard)
        with pytest.raises(OperationalError):
            send(widget)
        monkeypatch.undo()
        a_day_passes()
        assert storage.sweep() == 0
        assert stored(folder) == {File.objects.get().storage_key}

    def test_a_file_in_use_is_never_swept(self, folder: Path, shop: Widget) -> None:
        file = send(shop)
        a_day_passes()
        assert storage.sweep() == 0
        assert stored(folder) == {file.storage_key}
        assert not OrphanedObject.objects.exists()

    def test_a_storage_that_fails_half_way_is_swept_too(
        self, folder: Path, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write = FileSystemStorage.save

        def save(self: Any, name: str, content: Any, **options: Any) -> str:
            write(self, name, content, **options)
            raise OSError("no answer")

        with monkeypatch.context() as patch:
            patch.setattr(FileSystemStorage, "save", save)
            with pytest.raises(Problem) as refused:
                send(shop)
        assert refused.value.type is STORAGE_FAILED
        assert not File.objects.exists()
        assert len(stored(folder)) == 1
        a_day_passes()
        assert storage.sweep() == 1
        assert stored(folder) == set()

    def test_a_file_that_takes_longer_than_a_day_is_refused(
        self, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write = FileSystemStorage.save

        def save(self: Any, name: str, content: Any, **options: Any) -> str:
            kept: str = write(self, name, content, **options)
            a_day_passes()
            assert storage.sweep() == 1
            return kept

        monkeypatch.setattr(FileSystemStorage, "save", save)
        with pytest.raises(Problem) as refused:
            send(shop)
        assert refused.value.type is STORAGE_FAILED
        assert not File.objects.exists(), "a row without bytes"


class TestSweep:
    def test_the_bytes_of_deleted_files_are_swept_after_a_day(self, folder: Path, shop: Widget, rival: Any) -> None:
        kept = FileFactory.create(widget=rival.widget)
        for _ in range(2):
            FileFactory.create(widget=shop)
        delete_account(account=shop.account)
        assert not File.objects.for_widget(shop.pk).exists()
        assert storage.sweep() == 0
        a_day_passes()
        assert storage.sweep() == 2
        assert stored(folder) == {kept.storage_key}

    def test_it_goes_on_in_chunks(self, folder: Path, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(storage, "SWEEP_BATCH", 2)
        leave_orphans(5)
        assert storage.sweep() == 5
        assert stored(folder) == set()
        assert not OrphanedObject.objects.exists()

    def test_what_is_gone_already_is_no_obstacle(self, folder: Path, db: None) -> None:
        (key,) = leave_orphans()
        (folder / key).unlink()
        assert storage.sweep() == 1
        assert not OrphanedObject.objects.exists()

    def test_a_storage_that_deletes_nothing_is_asked_again_in_an_hour(
        self, folder: Path, settings: Settings, db: None
    ) -> None:
        StuckStorage.asked.clear()
        leave_orphans(5)
        use(settings, folder, StuckStorage)
        assert storage.sweep() == 0
        assert len(StuckStorage.asked) == storage.MAX_FAILURES
        assert storage.sweep() == 0
        assert len(set(StuckStorage.asked)) == 5, "those that failed stand behind the others"
        use(settings, folder)
        assert storage.sweep() == 0
        a_day_passes()
        assert storage.sweep() == 5
        assert stored(folder) == set()

    @pytest.fixture
    def slow(self, settings: Settings, folder: Path) -> Iterator[type[SlowStorage]]:
        SlowStorage.deleting.clear()
        SlowStorage.go_on.clear()
        SlowStorage.deleted.clear()
        use(settings, folder, SlowStorage)
        yield SlowStorage
        SlowStorage.go_on.set()

    @pytest.mark.django_db(transaction=True)
    def test_sweeps_at_once_delete_each_object_once(self, folder: Path, slow: type[SlowStorage]) -> None:
        keys = leave_orphans(20)
        slow.go_on.set()
        barrier = Barrier(4)

        def sweep(_: int) -> int:
            barrier.wait(timeout=30)
            return apart()

        with ThreadPoolExecutor(4) as sweepers:
            assert sum(sweepers.map(sweep, range(4))) == len(keys)
        assert sorted(slow.deleted) == sorted(keys)
        assert stored(folder) == set()

    @pytest.mark.django_db(transaction=True)
    def test_an_object_that_another_sweep_has_is_left_to_it(self, folder: Path, slow: type[SlowStorage]) -> None:
        leave_orphans()
        with ThreadPoolExecutor(1) as other:
            first = other.submit(apart)
            assert slow.deleting.wait(30)
            assert storage.sweep() == 0
            slow.go_on.set()
            assert first.result(timeout=30) == 1
        assert len(slow.deleted) == 1

    @pytest.mark.django_db(transaction=True)
    def test_a_file_on_its_way_into_its_row_is_not_swept(self, folder: Path) -> None:
        widget = WidgetFactory.create()
        with ThreadPoolExecutor(1) as other, transaction.atomic(), storage.stored(BytesIO(b"hello")) as key:
            assert other.submit(apart).result(timeout=30) == 0
            write_row(widget, key)
        assert stored(folder) == {File.objects.get().storage_key}

    def test_beat_runs_it_every_hour(self) -> None:
        (job,) = [job for job in plugins.jobs() if job.task == "apps.core.tasks.sweep_storage"]
        assert job.every == timedelta(hours=1)


def apart() -> int:
    """A sweep on a connection of its own."""
    try:
        return storage.sweep()
    finally:
        connection.close()
