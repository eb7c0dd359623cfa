"""Apple Messages for Business, as a messaging service provider sees it: its gateway takes a message only with the right
ids, https://register.apple.com/resources/messages/msp-rest-api/ (Sending messages; Downloading attachments).
"""

import base64
import json
import re
from typing import Any
from uuid import UUID

from apps.demo.servers.vendors import Answer, PlayedCall, PlayedMessengers, bearer

_BUSINESS = re.compile(r"urn:biz:[A-Za-z0-9-]+")
_CUSTOMER = re.compile(r"urn:mbid:[A-Za-z0-9_=-]+")


def _claims(call: PlayedCall) -> dict[str, Any]:
    """The claims in a call's token; its signature is the gateway's to check, with a secret that is not known here."""
    try:
        head, body, _ = bearer(call).split(".")
        read = [json.loads(base64.urlsafe_b64decode(part + "==")) for part in (head, body)]
    except ValueError:
        return {}
    return read[1] if read[0].get("alg") == "HS256" else {}


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


class PlayedApple(PlayedMessengers):
    """The vendor's side. `files` has what an attachment's address leads to, encrypted."""

    def _apple(self, call: PlayedCall) -> Answer:
        headers, claims = call.headers, _claims(call)
        if call.path.startswith("/files/"):
            return 200, self.files.get(call.path.rpartition("/")[2], b"")
        if "/rejects/" in call.path or not claims.get("iss") or not isinstance(claims.get("iat"), int):
            return 401, {}
        business = headers.get("source-id", "")
        if not _BUSINESS.fullmatch(business) or business == claims["iss"]:
            return 400, {"message": "Source-Id is not the id of a business"}
        if call.method == "GET" and call.path == "/preDownload":
            if not all(headers.get(name) for name in ("url", "signature", "owner")):
                return 400, {"message": "url, signature and owner are required"}
            return 200, {"download-url": f"{self.base('apple')}/files/{headers['url'].rpartition('/')[2]}"}
        if call.method != "POST" or call.path != "/message":
            return 404, {}
        body, person = call.body, headers.get("destination-id", "")
        ids = (body.get("id"), body.get("sourceId"), body.get("destinationId"))
        if ids != (headers.get("id"), business, person) or not _is_uuid(str(body.get("id"))):
            return 400, {"message": "the ids of the headers and of the body differ"}
        is_good = _CUSTOMER.fullmatch(person) and body.get("v") == 1 and body.get("type") == "text" and body.get("body")
        return (200, {}) if is_good else (400, {"message": "this is no message"})
