"""Files, with their bytes in the storage."""

from __future__ import annotations

import hashlib
from io import BytesIO
from typing import Any

import factory
from factory.django import DjangoModelFactory

from apps.chats.models import File
from apps.core.files import storage
from apps.core.parsing.file_types import content_type_of
from tests.factories.accounts import WidgetFactory


class FileFactory(DjangoModelFactory[File]):
    """A file of a widget; `content` are its bytes, by which it gets its type."""

    class Meta:
        model = File

    widget = factory.SubFactory(WidgetFactory)
    name = factory.Sequence(lambda n: f"note-{n}.txt")
    content = b"Tulips, 25 of them."

    @classmethod
    def _create(cls, model_class: type[File], *args: Any, **fields: Any) -> File:
        content = fields.pop("content")
        fields.setdefault("content_type", content_type_of(content))
        with storage.stored(BytesIO(content)) as key:
            return super()._create(
                model_class,
                *args,
                size=len(content),
                sha256=hashlib.sha256(content).digest(),
                storage_key=key,
                **fields,
            )
