"""Reviews in a real browser: by keyboard, beside the chat, with a quote that leads to its message, and the reply."""

import pytest
from playwright.sync_api import expect

from tests.e2e.console import ALICE, OLGA, Open, Shop
from tests.run.service import Service

pytestmark = pytest.mark.e2e

# The model's act: a suggestion whose quote stands in the chat. The number is none of a blind review.
SUGGESTED = """
from apps.reviews.models import Review
review = Review.objects.get(pk={id})
message = review.chat.messages.filter(sender_kind="agent").latest("pk")
review.suggestion = [{{"key": key, "value": value, "reason": "It says so.", "quotes": [
    {{"message_id": message.pk, "text": "until Friday"}}]}} for key, value in (("correct", 1), ("complete", 4))]
review.assist_id = 1
review.save(update_fields=["suggestion", "assist_id"])
"""


def test_a_manager_scores_by_keyboard_and_the_operator_replies(
    open_desk: Open, shop: Shop, running_service: Service
) -> None:
    visitor = shop.visitor(name="Rewarded").says("Is the oolong in stock?")
    shop.answers(visitor, "Yes, until Friday.")
    shop.post(f"/chats/{visitor.chat_id}/close")
    olga = open_desk(OLGA, viewport={"width": 1280, "height": 900})
    page = olga.page
    console = page.url.split("#")[0]
    page.goto(f"{console}#/chats/{visitor.chat_id}")
    page.get_by_role("button", name="More actions").first.click()
    page.locator("[role=menuitem][data-deed=review]").click()
    reviews = page.locator(".reviews")
    expect(reviews.locator("fieldset")).to_have_count(5)
    expect(reviews.locator(".review-chat li")).to_have_count(2)
    review_id = int(page.url.rpartition("/")[2])
    running_service.manage("shell", "-c", SUGGESTED.format(id=review_id))
    page.reload()
    expect(reviews.locator("fieldset")).to_have_count(5)
    if review_id % 5:  # else it is blind
        reviews.get_by_role("button", name="until Friday").first.click()
        expect(reviews.locator(".review-chat .is-quoted")).to_contain_text("Yes, until Friday.")
    olga.check("review-open-1280")
    for key in ("1", "4", "5", "n", "1"):
        page.keyboard.press(key)
    expect(reviews.locator("input:checked")).to_have_count(5)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".toasts")).to_contain_text("Saved")  # and the next review opens with it
    page.goto(f"{console}#/reviews/{review_id}")
    expect(reviews.locator(".scores")).to_contain_text("of 100")
    page.set_viewport_size({"width": 320, "height": 700})
    olga.check("review-done-320")
    alice = open_desk(ALICE, viewport={"width": 390, "height": 844}, locale="ru-RU")
    alice.page.goto(f"{console}#/reviews")
    alice.page.locator(f"[data-review='{review_id}']").click()
    alice.page.locator(".own-reply textarea").fill("The price was right on that day.")
    alice.page.locator(".own-reply .primary").click()
    expect(alice.page.locator(".reply").last).to_contain_text("The price was right")
    alice.check("review-answered-ru-390")
    page.reload()
    expect(reviews.locator(".reply")).to_contain_text("The price was right")
    reviews.get_by_role("button", name="Settle").click()
    expect(reviews.locator(".scores")).to_contain_text("Settled")
