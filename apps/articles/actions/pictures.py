"""The pictures of articles: decoded whole, and encoded again without metadata."""

from io import BytesIO
from typing import IO, Any

from PIL import Image

from apps.articles.errors import ARTICLE_PICTURE_STORAGE_FAILED
from apps.articles.models import ArticlePicture
from apps.articles.rules.limits import MAX_PICTURE_BYTES, MAX_PICTURE_SIDE
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.endpoints.uploads import ReceivedFile, UploadForm
from apps.core.errors import INVALID_INPUT
from apps.core.files import storage
from apps.core.parsing.pictures import CONTENT_TYPE, NotAPicture, remade

PICTURE_FORM = UploadForm(max_bytes=MAX_PICTURE_BYTES)


def store_picture(*, upload: ReceivedFile, outbound: ExternalCall) -> ArticlePicture:
    """Keeps an uploaded PNG, JPEG, GIF or WebP for the widget's articles, as WebP; of an animation the first frame.

    Raises INVALID_INPUT (422) on `file` for anything else, and beyond 4,096 pixels a side; IDEMPOTENCY_KEY_REUSED
    (409), ARTICLE_PICTURE_STORAGE_FAILED (502), TRY_AGAIN (503): then nothing is kept, and the key is free.
    """
    upload.rewind()
    try:
        made = redrawn(upload.content)
    except NotAPicture as error:
        raise INVALID_INPUT(errors={PICTURE_FORM.part: [str(error)]}) from None
    try:
        with storage.stored(BytesIO(made)) as key:
            if outbound.lock is not None:
                outbound.lock.take()
            picture = add_picture(outbound.widget_id, made, key)
            outbound.made(picture.pk)
            return picture
    except storage.StorageFailed:
        raise ARTICLE_PICTURE_STORAGE_FAILED() from None


def redrawn(content: IO[bytes]) -> bytes:
    """The picture as WebP, upright, without anything but its pixels. Raises NotAPicture, whose text is for people."""
    return remade(content, side=MAX_PICTURE_SIDE, longest=MAX_PICTURE_SIDE)


def add_picture(widget_id: int, made: bytes, key: str, **columns: Any) -> ArticlePicture:
    """Adds the row of a redrawn picture, whose bytes are stored under that name (`storage.stored`)."""
    with Image.open(BytesIO(made)) as picture:
        width, height = picture.size
    row: ArticlePicture = ArticlePicture.objects.create(
        widget_id=widget_id, key=key, content_type=CONTENT_TYPE, width=width, height=height, size=len(made), **columns
    )
    row.refresh_from_db(fields=["created_at"])
    return row
