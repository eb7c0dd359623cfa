"""An examined assistant: its vendor, a worker, and the run of its test questions."""

import json
from collections.abc import Callable
from typing import Any

from apps.accounts.models import Widget
from apps.ai.actions.evaluations import start_evaluation
from apps.ai.models import Assistant, EvaluationRun
from apps.ai.tasks import EVALUATION_QUEUE
from apps.demo.servers.language_models import Vendor, last_words, spoken
from apps.demo.servers.played import PlayedRequest
from apps.leases import claims
from tests.factories.ai import AssistantFactory, CredentialFactory


def works() -> None:
    """A worker takes what is due, until nothing is."""
    for _ in range(9):
        leases = claims.claim(EVALUATION_QUEUE, wanted=4)
        for lease in leases:
            lease.run()
        if not leases:
            return


def run(assistant: Assistant, **more: Any) -> EvaluationRun:
    """A run that has come to its end."""
    started = start_evaluation(assistant=assistant, **more)
    works()
    started.refresh_from_db()
    return started


def answering(*, says: Callable[[str], str], judges: str = '{"ok": true, "reason": "So it is."}') -> Any:
    """A vendor's answers: `says` to a visitor's words, `judges` as a judge, and no handover as a classifier."""

    def answer(request: PlayedRequest) -> dict[str, Any]:
        purpose = request.headers.get("x-service-purpose")
        if purpose == "classifier":
            return spoken(request, '{"escalate": false}')
        return spoken(request, judges if purpose == "judge" else says(last_words(request)))

    return answer


def knows_roses(words: str) -> str:
    """The answer of one who knows the price of roses and no more."""
    return "По 90 рублей." if "роз" in words else "Я не знаю."


def flora(shop: Widget, vendor: Vendor) -> Assistant:
    """Flora, whose vendor knows the price of roses and no more."""
    vendor.answer = answering(says=knows_roses)
    url = f"{vendor.url}/v1"
    CredentialFactory.create(widget=shop, provider="openai_compatible", base_url=url, target=url, model="m-1")
    assistant: Assistant = AssistantFactory.create(widget=shop, persona="Ты Флора. Роза: 90 рублей.")
    return assistant


def judged_tasks(vendor: Vendor) -> list[dict[str, Any]]:
    """What the judge was sent, in order."""
    asked = [request for request in vendor.asked if request.headers.get("x-service-purpose") == "judge"]
    return [json.loads(request.json["messages"][-1]["content"]) for request in asked]
