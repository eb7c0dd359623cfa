"""`make run` shows what AI does: its third widget answers with a source, helps operators, and is visited."""

import re
import urllib.request
import uuid
from typing import Any

import pytest

from tests.e2e.http import call
from tests.run.service import Service

pytestmark = pytest.mark.e2e


@pytest.mark.slow
def test_within_a_minute_a_question_is_answered_with_its_source(stopped_service: Service) -> None:
    service = stopped_service
    service.start(DEMO_MODEL_PORT="")
    assert f"AI, played  {service.url}/demo/model" in service.output
    service.until(lambda: "plays the model" in service.output, "the played model")
    (guid,) = set(re.findall(r"/widget/(\w{32})/embed\.js", page(service, "/demo/model")))
    base = f"{service.url}/widget/{guid}"
    begun = call("POST", f"{base}/sessions", body={"lang": "de", "page_url": f"{service.url}/demo/model"})["data"]
    visitor = f"Visitor {begun['visitor_token']}"
    question = {"client_id": str(uuid.uuid4()), "type": "text", "body": "Wie lange dauert die Lieferung?"}
    call("POST", f"{base}/messages", visitor, question)

    def answers() -> list[dict[str, Any]]:
        said: list[dict[str, Any]] = call("GET", f"{base}/messages", visitor)["data"]
        return [message for message in said if message["ai"]]

    service.until(lambda: bool(answers()), "the model's answer", 60)
    (answer,) = answers()
    assert "2 bis 3 Tage" in answer["body"]
    assert "Wie lange dauert die Lieferung?" in [source["title"] for source in answer["sources"]]
    service.until(lambda: "Jonas Krüger asks" in service.output, "a played visitor", 60)
    assert [len(account["widgets"]) for account in service.demo["accounts"]] == [2, 1]
    assert service.stop() == 0


@pytest.mark.slow
def test_visitors_stay_away_where_the_setting_says_so(stopped_service: Service) -> None:
    service = stopped_service
    service.start(DEMO_MODEL_PORT="", DEMO_VISITORS="off")
    service.until(lambda: "plays the model" in service.output, "the played model")
    (played,) = [child for child in service.processes() if "apps.demo.servers.trial" in " ".join(child.cmdline())]
    assert "--without-visitors" in played.cmdline()
    assert service.stop() == 0


def page(service: Service, path: str) -> str:
    with urllib.request.urlopen(f"{service.url}{path}", timeout=15) as answer:
        content: bytes = answer.read()
    return content.decode()
