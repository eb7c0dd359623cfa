"""Replies of external operators over REST (specification, Endpoints, "AI replies")."""

from typing import Any

from apps.ai.actions.external import ESCALATE
from apps.ai.actions.external_replies import ExternalReply, take_reply
from apps.ai.errors import REPLY_ALREADY_CONSUMED, REPLY_BINDING_MALFORMED, REPLY_BINDING_MISMATCH, TURN_CLOSED
from apps.ai.rules.reply_checks import MARKER, MAX_CONTENT, content_refusal
from apps.ai.serializers.external_operators import AiReplySerializer
from apps.ai.serializers.requests import Id, VisibleAscii
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.serializers import Body, Boolean, Text, validator_of
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import MISSING_SCOPE, NOT_FOUND

OPERATOR_HEADER, SIGNATURE_HEADER = "HTTP_X_SERVICE_OPERATOR", "HTTP_X_SERVICE_SIGNATURE"


class AiReplyBody(Body):
    """A reply to a turn."""

    room_id = Id(help_text="The turn's `room_id`: the chat.")
    causation_id = VisibleAscii(max_length=128, help_text="The turn's, as it was sent. It takes one reply.")
    content = Text(
        required=False,
        allow_null=True,
        allow_blank=True,
        trim_whitespace=False,
        max_length=MAX_CONTENT,
        validators=[validator_of(content_refusal)],
        help_text=f"Plain text. `{MARKER}` in it hands the chat to people, as `escalate` does; so does an empty text.",
    )
    escalate = Boolean(required=False, help_text="Hand the chat to people; needs `responder:escalate`.")


class AiReplyViewSet(ApiViewSet):
    writes = ("responder:inject",)

    @operation(
        summary="Answer a turn",
        takes=AiReplyBody,
        answers=AiReplySerializer,
        status=202,
        idempotent=False,
        problems=(
            MISSING_SCOPE,
            NOT_FOUND,
            REPLY_BINDING_MALFORMED,
            REPLY_BINDING_MISMATCH,
            REPLY_ALREADY_CONSUMED,
            TURN_CLOSED,
        ),
        example={"room_id": 7, "causation_id": "5f0c8a1e-7a55-4a0c-9d0b-9f3f1a1c2b3d", "content": "Roses are 90 each."},
    )
    def create(self, context: RequestContext) -> Answer:
        """An external operator's reply to a visitor, in answer to the `turn.created` that it was sent.

        A turn takes one reply, from the moment it is made until it ends; what is answered 202 is stored. To hand over
        by `escalate`, or by the marker, takes the scope `responder:escalate`: without it nothing is looked up, and the
        same reply may come again. The reply may be signed: headers `X-Service-Operator` and `X-Service-Signature`.
        """
        body: dict[str, Any] = context.body
        content, escalate = body.get("content"), body.get("escalate", False)
        asks = escalate or (content is not None and MARKER in content)
        if asks and ESCALATE not in context.caller.scopes:
            raise MISSING_SCOPE(f"To hand a chat over needs the scope {ESCALATE}.")
        headers = context.request.META
        reply = ExternalReply(
            room_id=body["room_id"],
            causation_id=body["causation_id"],
            content=content,
            escalate=escalate,
            token_id=context.caller.token_id,
            operator_header=headers.get(OPERATOR_HEADER),
            signature_header=headers.get(SIGNATURE_HEADER),
            body=context.request.body,
        )
        return take_reply(widget_id=context.widget_id, reply=reply)
