"""Apple Messages for Business through a messaging service provider's gateway,
https://register.apple.com/resources/messages/msp-rest-api/. Both sides prove themselves by a JWT (HS256)."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID, uuid5

from django.utils import timezone
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from apps.messengers.adapters.adapter import Adapter, Registration, WebhookRequest
from apps.messengers.adapters.client import Credentials, File, ProviderClient
from apps.messengers.rules.delivery import MessagePart
from apps.messengers.rules.inbound import Attachment, InboundContent, InboundMessage, identifier, objects, plain
from apps.messengers.rules.providers import apple_secret

_IDS = UUID("6c1f0a8e-4a55-4b62-8a1e-0a4b8a1d8f11")


class AppleMessages(Adapter):
    code, name = "apple", "Apple Messages"
    fields = ("url", "token", "sid")
    registration: ClassVar[Registration] = "manual"

    def proves(self, hook: WebhookRequest) -> bool:
        scheme, _, token = hook.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hook.line.sid:
            return False
        try:
            key = OctKey.import_key(apple_secret(hook.line.token))
            claims = jwt.decode(token, key, algorithms=["HS256"]).claims
            jwt.JWTClaimsRegistry(aud={"essential": True, "value": hook.line.sid}).validate(claims)
        except (JoseError, ValueError):
            return False
        return True

    def arrivals(self, document: Mapping[str, Any], line: Credentials) -> Sequence[InboundMessage]:
        writer, number = identifier(document.get("sourceId")), identifier(document.get("id"))
        is_message = document.get("type") in ("text", "interactive", "richLink")
        return (InboundMessage(writer, number, document),) if writer and number and is_message else ()

    def said(self, part: Mapping[str, Any]) -> InboundContent:
        text = plain(part.get("body")).replace("\ufffc", "").strip() if part.get("type") == "text" else ""
        # Encrypted, so they can't be had: a line says that there was one.
        files = [Attachment(plain(one.get("name")) or "file", "") for one in objects(part.get("attachments"))]
        return InboundContent(text=text, attachments=files, user_id=identifier(part.get("sourceId")))

    def send(self, wire: ProviderClient, to: str, part: MessagePart, key: int, file: File | None) -> str:
        line, number = wire.line, str(uuid5(_IDS, f"{to}:{key}"))
        claims = {"iss": line.sid, "iat": int(timezone.now().timestamp())}
        bearer = jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(apple_secret(line.token)))
        headers = {"Authorization": f"Bearer {bearer}", "id": number, "Source-Id": line.sid, "Destination-Id": to}
        about = {"id": number, "sourceId": line.sid, "destinationId": to, "type": "text", "body": part.text, "v": 1}
        wire.ask("POST", "/message", json=about, headers=headers)
        return number
