"""Pictures that come with the editor of an article."""

from __future__ import annotations

from typing import Any

from apps.articles.actions.pictures import PICTURE_FORM, store_picture
from apps.articles.models import ArticlePicture
from apps.cabinet.refusals import words_of
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.problems import Problem


def kept_picture(widget_id: int, sent: Any) -> ArticlePicture | str:
    """The picture that is kept, or why it is refused, in words."""
    with ReceivedFile(sent.name) as received:
        for chunk in sent.chunks():
            if received.size <= PICTURE_FORM.max_bytes:
                received.write(chunk)
        if received.size > PICTURE_FORM.max_bytes:
            return words_of(PICTURE_FORM.too_large)
        try:
            kept: ArticlePicture = store_picture(upload=received, outbound=ExternalCall(widget_id))
        except Problem as problem:
            return words_of(problem)
    return kept
