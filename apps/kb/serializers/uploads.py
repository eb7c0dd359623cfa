"""The serializer of an uploaded document."""

from typing import Any

from apps.core.endpoints.row_serializers import MethodField, RowSerializer, Time
from apps.core.endpoints.serializers import Choice, Integer, Text
from apps.extraction import KINDS, REASONS
from apps.kb.rules.uploads import UploadState, upload_ref


class ErrorSerializer(RowSerializer):
    """Why there is no text."""

    code = Text()
    detail = Text()


class NoteSerializer(RowSerializer):
    """A part of a document that was not read, and its place."""

    place = Text(help_text="`page 3`, `sheet Prices`, or empty for the whole document.")
    reason = Choice(
        choices=REASONS,
        help_text="`picture`: a scanned page; `unreadable`: a page whose fonts map to no text; `hidden`, "
        "`hidden_rows`, `hidden_columns`: a reader does not see it; `struck_out`; `deleted`: by a tracked change.",
    )
    count = Integer(help_text="How often at that place.")


def error_of(code: str, detail: str) -> dict[str, Any] | None:
    return {"code": code, "detail": detail} if code else None


class UploadSerializer(RowSerializer):
    """A document that was uploaded, and how far it is."""

    id = Integer()
    name = Text()
    size = Integer(help_text="Bytes.")
    content_type = Choice(choices=KINDS, help_text="Found in its content.")
    state = Choice(
        choices=[state.value for state in UploadState],
        help_text="From `embedding` on its text is found; `ready` says that nothing more is waited for.",
    )
    error = MethodField(
        ErrorSerializer(
            allow_null=True,
            help_text="Set in `failed`: `unreadable`, `encrypted`, `no_text` (a scan), `too_much_text` (over 1,000,000 "
            "characters), `limits_exceeded`, `kb_full` or `crashed`.",
        ),
        columns=("error_code", "error_detail"),
        from_=error_of,
    )
    chunks = Integer(help_text="Rules that are there of it now.")
    characters = Integer(help_text="The length of its text.")
    notes = NoteSerializer(many=True, help_text="The parts that were not read, and their places.")
    source_ref = MethodField(Text(), columns=("id",), from_=upload_ref)
    created_at = Time()
    updated_at = Time()
    finished_at = Time(allow_null=True)


class DeletedUploadSerializer(RowSerializer):
    """The deleted document, and the number of its rules."""

    id = Integer()
    deleted_rules = Integer()
