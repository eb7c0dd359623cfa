"""An operator who is helped by a model: asks, lets the worker work, and looks."""

from typing import Any
from uuid import uuid4

from apps.agents.models import Agent
from apps.assists.models import Assist
from apps.assists.tasks import QUEUE
from apps.demo.servers.language_models import chat
from apps.leases import Lease, claims
from tests.ai.desk import Desk
from tests.console.browser import Console


class Help:
    """Alice's console beside a desk."""

    def __init__(self, desk: Desk, operator: Agent) -> None:
        self.desk, self.operator, self.console = desk, operator, Console(operator)
        self.chat_id = desk.chat.pk

    def model_says(self, *texts: str) -> None:
        self.desk.vendor.will_say(*(chat(text) for text in texts))

    def request(self, kind: str = "draft", **body: Any) -> Any:
        """The answer to what is asked for."""
        wish = {"client_id": str(uuid4()), "kind": kind, **body}
        return self.console.request("POST", f"/chats/{self.chat_id}/assists", json=wish)

    def begins(self, kind: str = "draft", **body: Any) -> dict[str, Any]:
        answer = self.request(kind, **body)
        assert answer.status_code == 202, answer.content
        begun: dict[str, Any] = answer.json()["data"]
        return begun

    def take(self) -> Lease[Assist]:
        (lease,) = claims.claim(QUEUE, wanted=1)
        return lease

    def works(self) -> None:
        for lease in claims.claim(QUEUE, wanted=9):
            lease.run()

    def asks(self, kind: str = "draft", **body: Any) -> dict[str, Any]:
        """What came of what is asked for."""
        begun = self.begins(kind, **body)
        self.works()
        return self.sees(begun["id"])

    def sees(self, assist_id: int) -> dict[str, Any]:
        found: dict[str, Any] = self.console.data("GET", f"/assists/{assist_id}")
        return found

    @property
    def prompt(self) -> list[tuple[str, str]]:
        """The messages that the model was sent last."""
        return [(line["role"], line["content"]) for line in self.desk.prompt()["messages"]]
