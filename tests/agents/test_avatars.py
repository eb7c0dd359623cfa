"""POST and DELETE /api/v1/agents/{id}/avatar, and the public addresses of avatars."""

import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as project
from django.db.models.functions import Now
from PIL import Image, ImageCms
from pytest_django import Settings

from apps.accounts.actions import delete_account
from apps.accounts.models import Widget
from apps.agents.events import AgentChanged
from apps.agents.models import Agent, AgentEvent
from apps.core.files import storage
from apps.core.models import IdempotencyKey, OrphanedObject
from tests.cast import Rival
from tests.client import ApiClient, assert_problem, client
from tests.handlers import also
from tests.rows import snapshot
from tests.uploads import FORM, form, part, png

MAX_BYTES = 2048 * 1024
RED, BLUE = (200, 30, 30), (30, 30, 200)


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    """The storage's folder: this test's alone."""
    folder = tmp_path / "media"
    local = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(folder)}}
    settings.STORAGES = project.STORAGES | {"default": local}
    return folder


@pytest.fixture
def broken_storage(settings: Settings, tmp_path: Path) -> None:
    """A storage that can keep nothing: where its folder should be is a file."""
    (tmp_path / "full").write_bytes(b"")
    local = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": str(tmp_path / "full" / "media")},
    }
    settings.STORAGES = project.STORAGES | {"default": local}


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was published of operators."""
    recorded: list[Any] = []
    also(monkeypatch, recorded.append, AgentChanged)
    return recorded


def picture(kind: str, size: tuple[int, int] = (40, 30), colour: tuple[int, int, int] = RED, **options: Any) -> bytes:
    made = BytesIO()
    Image.new("RGB", size, colour).save(made, kind, **options)
    return made.getvalue()


def upload(api: ApiClient, agent: Agent, content: bytes, filename: str = "alice.png", **options: Any) -> Any:
    body = form(part(content, filename=filename))
    return api.post(f"/agents/{agent.pk}/avatar", data=body, content_type=FORM, **options)


def uploaded(api: ApiClient, agent: Agent, content: bytes) -> str:
    """The address of an avatar that went in."""
    answer = upload(api, agent, content)
    assert answer.status_code == 201, answer.content
    address: str = answer.json()["data"]["avatar_url"]
    return address


def read(address: str, method: str = "GET") -> Any:
    parts = urlsplit(address)
    assert f"{parts.scheme}://{parts.netloc}" == project.PUBLIC_URL
    return client().generic(method, parts.path)


def shown(address: str) -> Image.Image:
    answer = read(address)
    assert answer.status_code == 200, answer.content
    return Image.open(BytesIO(answer.content))


def stored(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def is_about(colour: Any, wanted: tuple[int, int, int]) -> bool:
    return all(abs(one - other) < 25 for one, other in zip(colour[:3], wanted, strict=True))


class TestUpload:
    @pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP"])
    def test_it_is_made_anew_and_shown_to_everybody(
        self, api: ApiClient, alice: Agent, changed: list[Any], kind: str
    ) -> None:
        address = uploaded(api, alice, picture(kind))
        assert api.get(f"/agents/{alice.pk}").json()["data"]["avatar_url"] == address
        answer = read(address)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/webp")
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert answer["X-Content-Type-Options"] == "nosniff"
        image = shown(address)
        assert (image.format, image.size) == ("WEBP", (40, 30))
        assert is_about(image.convert("RGB").getpixel((20, 15)), RED)
        assert [(event.agent_id, event.is_banned) for event in changed] == [(alice.pk, False)]
        assert list(AgentEvent.objects.for_widget(alice.widget_id).values_list("type_code", flat=True)) == [13]

    def test_a_large_one_is_made_to_fit_and_a_small_one_keeps_its_size(self, api: ApiClient, alice: Agent) -> None:
        assert shown(uploaded(api, alice, picture("JPEG", (3000, 1500)))).size == (512, 256)
        assert shown(uploaded(api, alice, picture("PNG", (100, 1024)))).size == (50, 512)
        assert shown(uploaded(api, alice, png())).size == (1, 1)

    def test_an_avatar_keeps_its_transparency(self, api: ApiClient, alice: Agent) -> None:
        made = BytesIO()
        Image.new("RGBA", (8, 8), (*RED, 0)).save(made, "PNG")
        image = shown(uploaded(api, alice, made.getvalue()))
        assert image.convert("RGBA").getpixel((4, 4))[3] == 0  # type: ignore[index]

    @pytest.mark.parametrize("kind", ["GIF", "WEBP"])
    def test_of_an_animation_the_first_frame_is_kept(self, api: ApiClient, alice: Agent, kind: str) -> None:
        more = [Image.new("RGB", (40, 30), BLUE)]
        image = shown(uploaded(api, alice, picture(kind, save_all=True, append_images=more, duration=100)))
        assert getattr(image, "n_frames", 1) == 1
        assert is_about(image.convert("RGB").getpixel((20, 15)), RED)

    def test_a_photo_stands_upright_and_tells_nothing_else(self, api: ApiClient, alice: Agent, folder: Path) -> None:
        """Where it was taken, for one."""
        exif = Image.Exif()
        exif[0x0112] = 6  # a quarter turn
        exif[0x010E] = "SECRET PLACE"
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        content = picture("JPEG", (40, 30), exif=exif, icc_profile=profile, comment=b"SECRET COMMENT")
        image = shown(uploaded(api, alice, content + b"SECRET TRAILER <script>"))
        assert image.size == (30, 40)
        assert (dict(image.getexif()), image.info.get("icc_profile")) == ({}, None)
        (file,) = stored(folder)
        assert b"SECRET" not in file.read_bytes()

    def test_its_name_and_type_do_not_count(self, api: ApiClient, alice: Agent) -> None:
        assert upload(api, alice, picture("PNG"), filename="../../etc/passwd.svg").status_code == 201

    def test_ai_and_banned_operators_may_have_one(self, api: ApiClient, ada: Agent, alice: Agent) -> None:
        api.post(f"/agents/{alice.pk}/suspend")
        for agent in (ada, alice):
            assert shown(uploaded(api, agent, png())).size == (1, 1)

    def test_exactly_2048_kb_pass(self, api: ApiClient, alice: Agent) -> None:
        content = picture("PNG")
        assert upload(api, alice, content + b"\0" * (MAX_BYTES - len(content))).status_code == 201


class TestRefusal:
    def refused(self, api: ApiClient, agent: Agent, folder: Path, content: bytes, message: str) -> None:
        before = snapshot()
        answer = upload(api, agent, content, idempotency_key="one")
        assert_problem(answer, 422, "invalid_input", errors={"file": message})
        assert (snapshot(), stored(folder)) == (before, set())
        assert upload(api, agent, png(), idempotency_key="one").status_code == 201, "the key is free"

    def test_an_avatar_over_2_mb_is_refused(self, api: ApiClient, alice: Agent, folder: Path) -> None:
        content = picture("PNG")
        over = content + b"\0" * (MAX_BYTES + 1 - len(content))
        self.refused(api, alice, folder, over, "The file is larger than 2 MB.")

    @pytest.mark.parametrize(
        "content",
        [
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"GIF89a<script>alert(1)</script>",
            b"\x89PNG\r\n\x1a\n",
            picture("BMP"),
            picture("TIFF"),
            picture("PNG")[:60],
            picture("JPEG", (400, 300))[:300],
            b"RIFF\x00\x00\x00\x00WEBP",
            b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n",
        ],
        ids=["svg", "gif of script", "png without more", "bmp", "tiff", "cut png", "cut jpeg", "empty webp", "eps"],
    )
    def test_what_is_no_whole_picture_of_those_kinds(
        self, api: ApiClient, alice: Agent, folder: Path, content: bytes
    ) -> None:
        self.refused(api, alice, folder, content, "This is no whole JPEG, PNG, GIF or WebP picture.")

    @pytest.mark.parametrize("size", [(5001, 5000), (16_385, 1), (2**31 - 1, 2**31 - 1), (65_535, 65_535)])
    def test_more_pixels_than_may_be_decoded(
        self, api: ApiClient, alice: Agent, folder: Path, size: tuple[int, int]
    ) -> None:
        """By its header: nothing of the many gigabytes that it claims is decoded."""
        width, height = size
        vast = bytearray(png())
        vast[16:24] = struct.pack(">II", width, height)
        vast[29:33] = struct.pack(">I", zlib.crc32(vast[12:29]))
        message = "The picture has more than 25,000,000 pixels, or a side over 16,384."
        self.refused(api, alice, folder, bytes(vast), message)

    def test_a_failing_storage_is_502_and_leaves_nothing(
        self, api: ApiClient, alice: Agent, broken_storage: None, changed: list[Any]
    ) -> None:
        answer = upload(api, alice, png(), idempotency_key="one")
        assert_problem(answer, 502, "avatar_storage_failed")
        assert api.get(f"/agents/{alice.pk}").json()["data"]["avatar_url"] is None
        assert not IdempotencyKey.objects.exists()
        assert not AgentEvent.objects.for_widget(alice.widget_id).exists()
        assert changed == []

    def test_after_it_the_same_key_stores_it(
        self, api: ApiClient, alice: Agent, broken_storage: None, settings: Settings, folder: Path
    ) -> None:
        upload(api, alice, png(), idempotency_key="one")
        local = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(folder)}}
        settings.STORAGES = project.STORAGES | {"default": local}
        assert upload(api, alice, png(), idempotency_key="one").status_code == 201

    def test_a_used_key_is_409_and_stores_nothing(self, api: ApiClient, alice: Agent, folder: Path) -> None:
        upload(api, alice, png(), idempotency_key="one")
        before, kept = snapshot(), stored(folder)
        assert_problem(upload(api, alice, picture("PNG"), idempotency_key="one"), 409, "idempotency_key_reused")
        assert (snapshot(), stored(folder)) == (before, kept)

    def test_a_foreign_agent_is_404_and_nothing_is_stored(self, api: ApiClient, rival: Rival, folder: Path) -> None:
        before = snapshot()
        assert_problem(upload(api, rival.agent, png()), 404, "not_found")
        assert (snapshot(), stored(folder)) == (before, set())

    def test_an_avatar_sent_as_json_is_415(self, api: ApiClient, alice: Agent) -> None:
        answer = api.post(f"/agents/{alice.pk}/avatar", json={"url": "https://shop.test/alice.png"})
        assert_problem(answer, 415, "unsupported_media_type")


class TestReplacing:
    def test_another_one_has_another_address_and_the_old_bytes_are_swept(
        self, api: ApiClient, alice: Agent, folder: Path
    ) -> None:
        first = uploaded(api, alice, picture("PNG"))
        second = uploaded(api, alice, picture("PNG"))
        assert first != second
        assert_problem(read(first), 404, "not_found")
        assert read(second).status_code == 200
        assert storage.sweep() == 1
        assert len(stored(folder)) == 1
        assert read(second).status_code == 200

    def test_a_removed_one_is_gone(self, api: ApiClient, alice: Agent, folder: Path, changed: list[Any]) -> None:
        address = uploaded(api, alice, png())
        answer = api.delete(f"/agents/{alice.pk}/avatar", idempotency_key=None)
        assert (answer.status_code, answer.content) == (204, b"")
        assert api.get(f"/agents/{alice.pk}").json()["data"]["avatar_url"] is None
        assert_problem(read(address), 404, "not_found")
        assert len(changed) == 2
        storage.sweep()
        assert (stored(folder), OrphanedObject.objects.count()) == (set(), 0)

    def test_those_of_a_deleted_account_are_swept_as_files_are(
        self, api: ApiClient, shop: Widget, alice: Agent, boris: Agent, folder: Path
    ) -> None:
        uploaded(api, alice, png())
        assert not boris.avatar
        delete_account(account=shop.account)
        (orphan,) = OrphanedObject.objects.all()
        assert folder / orphan.key in stored(folder)
        OrphanedObject.objects.update(sweep_at=Now())
        assert (storage.sweep(), stored(folder)) == (1, set())

    def test_without_one_removing_is_404(self, api: ApiClient, alice: Agent) -> None:
        before = snapshot()
        assert_problem(api.delete(f"/agents/{alice.pk}/avatar"), 404, "not_found")
        assert snapshot() == before

    def test_bytes_that_got_no_row_are_swept(self, api: ApiClient, alice: Agent, folder: Path) -> None:
        uploaded(api, alice, png())
        with pytest.raises(RuntimeError), storage.stored(BytesIO(b"orphaned")):
            raise RuntimeError
        OrphanedObject.objects.update(sweep_at=Now())
        storage.sweep()
        assert len(stored(folder)) == 1


class TestAddress:
    def test_a_name_is_of_one_agent_and_of_avatars_alone(
        self, api: ApiClient, alice: Agent, boris: Agent, folder: Path
    ) -> None:
        """Another file of the storage can't be read here, even by who knows its name."""
        address = uploaded(api, alice, png())
        assert_problem(read(address.replace(f"/{alice.pk}/", f"/{boris.pk}/")), 404, "not_found")
        api.post("/files", data=form(part(b"Price list")), content_type=FORM)
        for path in stored(folder):
            if path.read_bytes() == b"Price list":
                assert_problem(read(f"{address[:-32]}{path.parent.name}{path.name}"), 404, "not_found")

    def test_other_methods_are_405(self, api: ApiClient, alice: Agent) -> None:
        address = uploaded(api, alice, png())
        assert read(address, "HEAD").status_code == 200
        answer = read(address, "POST")
        assert_problem(answer, 405, "method_not_allowed")
        assert answer["Allow"] == "GET, HEAD"

    def test_bytes_that_the_storage_lost_are_404_and_not_kept(self, api: ApiClient, alice: Agent, folder: Path) -> None:
        address = uploaded(api, alice, png())
        (file,) = stored(folder)
        file.unlink()
        answer = read(address)
        assert_problem(answer, 404, "not_found")
        assert answer["Cache-Control"] == "no-store"
