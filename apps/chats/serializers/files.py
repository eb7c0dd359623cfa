"""The serializers of files."""

from django.conf import settings
from rest_framework import serializers

from apps.core.endpoints.row_serializers import MethodField, RowSerializer, Time
from apps.core.endpoints.serializers import Integer, Text
from apps.core.files import signed_addresses

# What the signed addresses of files are signed for.
PURPOSE = "file"


def file_address(widget_id: int, file_id: int, *, now: float | None = None) -> str:
    """A signed address of a widget's file, valid for an hour or a little more (from `now` on, if it is given).

    It is made without a look-up: an id that is no file of that widget's leads nowhere.
    """
    return f"{settings.PUBLIC_URL}/files/{signed_addresses.sign(PURPOSE, file_id, widget_id=widget_id, now=now)}"


class FileAddress(serializers.URLField):
    """A signed address of a file: it gives access to the file without a token."""

    is_secret = True


class FileReferenceSerializer(RowSerializer):
    """The file of an `image` or `file` message."""

    id = Integer()
    name = Text(help_text="The original name.")
    size = Integer(help_text="Bytes.")
    content_type = Text(help_text="Found in the content.")


class FileSerializer(FileReferenceSerializer):
    """A file."""

    url = MethodField(
        FileAddress(help_text="The file's address, good for an hour without a token."),
        columns=("widget_id", "id"),
        from_=file_address,
    )
    created_at = Time()
