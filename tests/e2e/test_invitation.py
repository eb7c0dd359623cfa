"""From an invitation over REST to an operator, with a real browser and the mail that `make run` writes."""

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Response, expect

from tests.e2e.http import call
from tests.run.service import Service

pytestmark = pytest.mark.e2e

LINK = re.compile(r"http://\S+/invitations/inv_\w{40}")


@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without-scripts"])
def test_an_invited_person_becomes_an_operator(running_service: Service, new_context: Any, scripts: bool) -> None:
    widget = running_service.demo["accounts"][0]["widgets"][0]
    api, bearer = f"{running_service.url}/api/v1/agents/invitations", f"Bearer {widget['tokens']['all']}"
    folder = running_service.home / "mail"
    before = set(folder.glob("*.eml"))
    email = f"nina.{'a' if scripts else 'b'}@mail.test"
    invitation = call("POST", api, bearer, {"email": email})["data"]
    (mail,) = set(folder.glob("*.eml")) - before
    link = LINK.findall(mail.read_text())[0]
    assert link.startswith(running_service.url)

    context: BrowserContext = new_context(java_script_enabled=scripts, locale="de-DE")
    page = context.new_page()
    complaints: list[str] = []
    answers: list[Response] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("response", lambda answer: answers.append(answer))
    page.goto(link)
    expect(page.get_by_role("heading", name="Einladung")).to_be_visible()
    expect(page.get_by_label("E-Mail-Adresse")).to_have_value(email)
    page.get_by_label("Vorname").fill("Нина 🌷")
    page.get_by_label("Passwort").fill("nina.mail")
    page.get_by_role("button", name="Einladung annehmen").click()
    expect(page.get_by_role("alert")).to_have_text("Bitte berichtigen Sie, was unten markiert ist.")
    password = page.get_by_label("Passwort")
    expect(password).to_have_attribute("aria-invalid", "true")
    expect(password).to_have_accessible_description(re.compile("zu kurz"))
    password.fill("glühwein-und-tulpen")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{running_service.url}/console/")

    referrers = {answer.request.headers.get("referer", "") for answer in answers}
    assert not [each for each in referrers if link.rpartition("/")[2] in each]
    assert all(answer.url.startswith(running_service.url) for answer in answers)
    assert [text for text in complaints if "Failed to load resource" not in text] == []  # 422, and no icon
    assert link.rpartition("/")[2] not in running_service.output
    page.goto(link)
    expect(page.get_by_text("Diese Einladung wurde bereits angenommen.")).to_be_visible()

    (row,) = [each for each in call("GET", api, bearer)["data"] if each["id"] == invitation["id"]]
    assert row["status"] == "accepted"
