"""A company's own application, as the service sees it: it signs its calls."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.accounts.models import Widget
from apps.support.models import Binding
from tests.client import BASE, ApiClient
from tests.factories import ApiTokenFactory, plain_text
from tests.factories.support import SECRET, BindingFactory, signed_headers


@dataclass(frozen=True, slots=True)
class Application:
    """Calls with the bound token; each call is signed anew."""

    widget: Widget
    token: str
    secret: str = SECRET

    @property
    def binding(self) -> Binding:
        return Binding.objects.get(widget=self.widget)

    def post(
        self,
        path: str,
        body: Any,
        *,
        raw: bytes | None = None,
        signed: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> Any:
        """A signed call below `/ai/assistant`. `signed` are the parts that are signed otherwise than they are sent."""
        sent = json.dumps(body).encode() if raw is None else raw
        target = f"{BASE}/ai/assistant{path}"
        envelope = {"secret": self.secret, "method": "POST", "target": target, "body": sent, **(signed or {})}
        more = {**signed_headers(**envelope), **(headers or {})}
        more = {name: value for name, value in more.items() if value is not None}
        return ApiClient(self.token).post(
            f"/ai/assistant{path}", data=sent, content_type=content_type, headers=more, idempotency_key=None
        )


def application_of(widget: Widget, **fields: Any) -> Application:
    """An application that is bound to the widget."""
    token = ApiTokenFactory.create(widget=widget)
    BindingFactory.create(widget=widget, token=token, **fields)
    return Application(widget, plain_text(token))


def a_turn(**changes: Any) -> dict[str, Any]:
    """The body of a turn."""
    body = {
        "conversation_id": "c-1",
        "request_id": "r-1",
        "messages": [{"role": "user", "content": "Где мой заказ?"}],
        "context": {},
        "tools": [],
    }
    return body | changes
