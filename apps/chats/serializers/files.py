"""The serializers of files."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from apps.core.endpoints.row_serializers import RowSerializer, Time
from apps.core.endpoints.serializers import Integer, Text
from apps.core.files import signed_addresses

# What the signed addresses of files are signed for.
PURPOSE = "file"


def file_address(file_id: int) -> str:
    """A signed address of the file, valid for an hour or a little more. It is made of the id alone: no look-up."""
    return f"{settings.PUBLIC_URL}/files/{signed_addresses.sign(PURPOSE, file_id)}"


class FileAddress(serializers.URLField):
    """The signed address of the file whose id is kept: it gives access to the file without a token."""

    is_secret = True

    def to_representation(self, value: Any) -> str:
        return file_address(value)


class FileReferenceSerializer(RowSerializer):
    """The file of an `image` or `file` message."""

    id = Integer()
    name = Text(help_text="The original name.")
    size = Integer(help_text="Bytes.")
    content_type = Text(help_text="Found in the content.")


class FileSerializer(FileReferenceSerializer):
    """A file."""

    url = FileAddress(source="id", help_text="The file's address, good for an hour without a token.")
    created_at = Time()
