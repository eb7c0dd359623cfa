"""What customers wrote for the other platform: a bot, and a channel's own side."""

from dataclasses import dataclass, field
from typing import Any

from tests.client import ApiClient


@dataclass
class LegacyBot:
    """Posts to the bot's address; `ask` takes the body's members."""

    token: str
    client: ApiClient = field(default_factory=ApiClient)

    def ask(self, message_type: str, chat_id: Any, **members: Any) -> Any:
        return self.send({"message_type": message_type, "chat_id": chat_id, **members})

    def say(self, chat_id: Any, **message: Any) -> Any:
        return self.ask("BOT_MESSAGE", chat_id, message={"type": "TEXT", **message})

    def send(self, body: Any) -> Any:
        return self.client.post(f"/compat/legacy/bot/{self.token}", json=body, idempotency_key=None)


@dataclass
class LegacyChannel:
    """Posts what its clients write to the channel's address."""

    secret: str
    client: ApiClient = field(default_factory=ApiClient)

    def say(self, client_id: Any, text: Any, **members: Any) -> Any:
        return self.send({"sender": {"id": client_id}, "message": {"type": "text", "text": text}, **members})

    def send(self, body: Any) -> Any:
        return self.client.post(f"/compat/legacy/chat/{self.secret}", json=body, idempotency_key=None)

    def status(self) -> Any:
        return self.client.get(f"/compat/legacy/chat/{self.secret}/status")
