"""Invitations as a visitor's page meets them: rules, manners, look, what leaves the browser (guide `invitations`)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.widget.frontend.chat import bodies, until, write
from tests.widget.frontend.server import CORS, StandIn
from tests.widget.frontend.test_features import heard, violations

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
PATTERNS = json.loads((Path(__file__).parents[1] / "patterns.json").read_text())


def invitation(page: Page) -> Locator:
    return page.get_by_role("region", name="Invitation")


def offers(server: StandIn) -> list[dict[str, Any]]:
    return [data for call, data in server.calls if call == "offers"]


def why(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("Parley.whyNot()")
    return found


def test_patterns_mean_what_the_guide_says(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.evaluate(
        "import(`${document.scripts[0].src.split('/widget/')[0]}/static/widget/patterns.js`).then((m) => window.m = m)"
    )
    page.wait_for_function("window.m")
    found = page.evaluate("(cases) => cases.map(([pattern, address]) => m.matches(pattern, address))", PATTERNS)
    assert [case for case, holds in zip(PATTERNS, found, strict=True) if case[2] != holds] == []


def test_ten_thousand_stars_take_no_time(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.evaluate(
        "import(`${document.scripts[0].src.split('/widget/')[0]}/static/widget/patterns.js`).then((m) => window.m = m)"
    )
    page.wait_for_function("window.m")
    assert page.evaluate("m.matches('/' + '*a'.repeat(1e4), 'https://shop.example/' + 'a'.repeat(1e6) + 'b')") is False


def test_without_a_live_invitation_nothing_is_asked_for_or_kept(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.evaluate("for (let i = 0; i < 5000; i++) Parley.track('loop')")
    assert why(page) == []
    page.wait_for_timeout(2500)
    assert not [call for call, _ in server.calls if call in ("invitations", "offers")]
    assert page.evaluate("Object.keys(localStorage)") == []


def test_it_says_who_and_what_takes_no_focus_and_is_accessible(visit: Visit, server: StandIn) -> None:
    server.invite(buttons=["Delivery", "Sizes"])
    page = visit()
    heard(page, "invitation", "open")
    said = invitation(page)
    expect(said.get_by_role("status")).to_have_text("Teapot & CoCan we help you choose?")
    expect(said.get_by_role("button")).to_have_text(
        ["Teapot & CoCan we help you choose?", "Delivery", "Sizes", "Dismiss"]
    )
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    assert violations(page) == []
    (offer,) = offers(server)
    assert len(bytes.fromhex(offer["key"])) == 16
    assert (offer["page_url"], offer["lang"], offer["token"]) == (server.page, "en", None)
    assert not [call for call, _ in server.calls if call == "sessions"], "who has not written is nobody"


def test_a_click_opens_the_chat_with_it_in_the_greetings_place_and_the_answer_carries_it(
    visit: Visit, server: StandIn
) -> None:
    id_ = server.invite()
    page = visit()
    heard(page, "invitation")
    invitation(page).get_by_role("status").get_by_role("button").click()
    log = page.get_by_role("log")
    expect(log.locator(".bubble")).to_have_text(["Can we help you choose?"])
    expect(page.locator(".composer textarea")).to_be_focused()
    expect(invitation(page)).to_have_count(0)
    write(page, "Yes, please")
    until(page, lambda: bodies(server) == ["Yes, please"])
    expect(log.locator(".bubble")).to_have_text(["Can we help you choose?", "Yes, please"])
    write(page, "A pot")
    until(page, lambda: len(bodies(server)) == 2)
    expect(log.locator(".bubble")).to_have_text(["Can we help you choose?", "Yes, please", "A pot"])
    (offer,) = offers(server)
    assert {each["body"]: each.get("offer_id") for each in server.sent} == {"Yes, please": "offer-2", "A pot": None}
    assert [(s["kind"], s["offer_id"], s["key"], s["type"]) for s in server.signals] == [
        ("opened", "offer-2", offer["key"], "text/plain")
    ]
    page.wait_for_function("heard.length === 3")
    assert page.evaluate("heard") == [
        ["invitation", {"id": id_, "state": state}] for state in ("shown", "opened", "answered")
    ]
    assert next(data["key"] for call, data in server.calls if call == "sessions") == offer["key"]


def test_a_button_opens_the_chat_and_sends_its_words(visit: Visit, server: StandIn) -> None:
    server.invite(buttons=["Delivery"])
    page = visit()
    invitation(page).get_by_role("button", name="Delivery").click()
    until(page, lambda: bodies(server) == ["Delivery"])
    expect(page.get_by_role("log").locator(".bubble")).to_have_text(["Can we help you choose?", "Delivery"])
    assert {each["offer_id"] for each in server.sent} == {"offer-2"}


def test_it_never_comes_in_the_way(visit: Visit, server: StandIn) -> None:
    server.host = "<dialog open>Cookies?</dialog><div role=dialog hidden>Menu</div><input id=q>"
    server.never_on = ["/*checkout*"]
    server.invite()
    page = visit()

    def waits() -> Any:
        return why(page)[0]["waits_for"]

    until(page, lambda: waits() == "dialog")
    page.evaluate("document.querySelector('dialog').close(); q.focus()")
    assert waits() == "typing"
    page.evaluate("history.pushState({}, '', '/de/checkout'); q.blur()")
    assert waits() == "never_on"
    page.keyboard.press("a")
    assert waits() == "typing"
    page.get_by_role("button", name="Open chat").click()
    assert waits() == "chat_open"
    page.keyboard.press("Escape")
    assert offers(server) == []
    page.evaluate("history.replaceState({}, '', '/')")
    expect(invitation(page)).to_be_visible()
    page.evaluate("document.querySelector('dialog').showModal()")
    expect(invitation(page)).to_be_hidden()
    page.evaluate("document.querySelector('dialog').close()")
    expect(invitation(page)).to_be_visible()
    assert len(offers(server)) == 1


def test_an_unread_answer_comes_first(visit: Visit, server: StandIn) -> None:
    server.invite(rule={"event": {"name": "basket", "times": 1, "within_s": None}})
    page = visit()
    page.get_by_role("button", name="Open chat").click()
    write(page, "hello")
    until(page, lambda: bodies(server) == ["hello"])
    page.keyboard.press("Escape")
    server.says("Hi!")
    expect(page.locator("parley-widget .preview")).to_be_visible()
    page.evaluate("Parley.track('basket')")
    until(page, lambda: why(page)[0]["holds"])
    assert why(page)[0]["waits_for"] == "preview"
    assert offers(server) == []


def test_closed_is_closed_in_all_tabs_and_after_a_reload(visit: Visit, server: StandIn) -> None:
    server.per_visit = 5
    server.invite()
    page = visit()
    expect(invitation(page)).to_be_visible()
    other = page.context.new_page()
    other.goto(server.page)
    expect(invitation(other)).to_be_visible()
    heard(other, "invitation")
    invitation(other).get_by_role("button", name="Dismiss").click()
    expect(invitation(other)).to_have_count(0)
    expect(invitation(page)).to_have_count(0)
    asked = len(offers(server))
    until(other, lambda: [signal["kind"] for signal in server.signals] == ["dismissed"])
    other.wait_for_function("heard[0]?.[1].state === 'dismissed'")
    other.reload()
    until(other, lambda: why(other)[0]["refused"] == "seen")
    other.wait_for_timeout(1200)
    assert len(offers(server)) == asked


def test_a_refused_one_is_not_asked_for_at_once_again(visit: Visit, server: StandIn) -> None:
    held = server.invite(priority=90)
    away = server.invite()
    server.refusals = {held: "holdout", away: "hours"}
    page = visit()
    until(page, lambda: [each["id"] for each in offers(server)] == [held])
    page.wait_for_timeout(1200)
    assert {each["id"]: each["refused"] for each in why(page)} == {held: "holdout", away: None}
    assert [each["id"] for each in offers(server)] == [held], (
        "one who is held back was invited as much as one who is not"
    )


def test_a_single_page_application_is_followed_without_its_functions(visit: Visit, server: StandIn) -> None:
    shop = server.invite(rule={"page": ["/shop*"], "seconds": 1})
    cart = server.invite(rule={"page": ["/#/cart", "/#!/cart"], "pages": {"min": 4}})
    server.per_visit = 9
    page = visit()
    until(page, lambda: len(why(page)) == 2)
    rows = {row["id"]: row["missing"] for row in why(page)}
    assert [each["condition"] for each in rows[shop]] == ["page"]
    assert rows[shop][0] == {"condition": "page", "wants": ["/shop*"], "is": server.page}
    page.evaluate("history.pushState({}, '', '/shop/tea')")
    expect(invitation(page)).to_be_visible()
    invitation(page).get_by_role("button", name="Dismiss").click()
    page.evaluate("location.hash = 'reviews'")
    page.evaluate("history.replaceState({}, '', '/')")
    page.wait_for_timeout(700)
    assert page.evaluate("history.pushState.toString()") == "function pushState() { [native code] }"
    page.evaluate("location.hash = '#/cart'")
    expect(invitation(page)).to_be_visible()
    assert [each["id"] for each in offers(server)] == [shop, cart]


def test_each_condition_is_judged_by_what_is(visit: Visit, server: StandIn) -> None:
    rule = {
        "not_page": ["/basket"],
        "visits": {"min": 2},
        "pages": {"max": 3},
        "referrer": ["", "*.search.example"],
        "param": {"utm_source": "mail*"},
        "attribute": {"plan": ["pro", "team"], "debt": None},
        "event": {"name": "basket", "times": 2, "within_s": 60},
        "language": ["en", "de"],
        "device": "desktop",
        "visitor": "identified",
        "answering": "people",
        "any": [{"scroll": 101, "leave": True}, {"seconds_visit": 7000}],
    }
    server.invite(rule=rule)
    page = visit()
    until(page, lambda: len(why(page)) == 1)
    assert why(page)[0] | {"id": 0} == {
        "id": 0,
        "holds": False,
        "missing": [
            {"condition": "visits", "wants": {"min": 2}, "is": 1},
            {"condition": "param", "wants": {"utm_source": "mail*"}, "is": {"utm_source": []}},
            {"condition": "attribute", "wants": rule["attribute"], "is": {"plan": None, "debt": None}},
            {"condition": "event", "wants": rule["event"], "is": 0},
            {"condition": "visitor", "wants": "identified", "is": "new"},
            {"condition": "any.0.scroll", "wants": 101, "is": 100},
            {"condition": "any.0.leave", "wants": True, "is": False},
            {"condition": "any.1.seconds_visit", "wants": 7000, "is": why(page)[0]["missing"][-1]["is"]},
        ],
        "waits_for": None,
        "refused": None,
    }
    page.evaluate("Parley.identify({name: 'Ada', attributes: {plan: 'pro'}})")
    page.evaluate("Parley.track('basket'); Parley.track('basket', {n: 1})")
    page.evaluate("history.pushState({}, '', '/tea?utm_source=mailing')")
    until(page, lambda: len(why(page)[0]["missing"]) == 4)
    missing = [each["condition"] for each in why(page)[0]["missing"]]
    assert missing == ["visits", "any.0.scroll", "any.0.leave", "any.1.seconds_visit"]


def test_a_loop_of_the_page_is_bounded_and_only_a_goal_leaves(visit: Visit, server: StandIn) -> None:
    id_ = server.invite(rule={"page": ["/nowhere"]}, goal={"event": "order", "hours": 72})
    page = visit()
    until(page, lambda: len(why(page)) == 1)
    page.evaluate("for (let i = 0; i < 10000; i++) { Parley.track('loop', {i}); Parley.track('order'); }")
    page.wait_for_timeout(1500)
    assert [(signal["kind"], signal["invitation_id"]) for signal in server.signals] == [("goal", id_)]
    assert "loop" not in page.evaluate("JSON.stringify(localStorage)")


def test_a_page_is_a_goal(visit: Visit, server: StandIn) -> None:
    id_ = server.invite(rule={"page": ["/nowhere"]}, goal={"page": ["/thanks*"], "hours": 72})
    page = visit()
    until(page, lambda: len(why(page)) == 1)
    assert server.signals == []
    page.evaluate("history.pushState({}, '', '/thanks?order=4711')")
    until(page, lambda: len(server.signals) == 1)
    assert server.signals[0]["invitation_id"] == id_


def test_the_page_may_show_one_by_itself(visit: Visit, server: StandIn) -> None:
    id_ = server.invite(rule={"page": ["/nowhere"]})
    page = visit()
    page.evaluate(f"Parley.showInvitation({id_})")
    expect(invitation(page)).to_be_visible()
    assert [each["now"] for each in offers(server)] == [True]


def test_a_preview_shows_why_and_shows_now_and_counts_nothing(page: Page, server: StandIn) -> None:
    server.invite(name="Sale", rule={"page": ["/sale"], "language": ["en"]})
    del server.settings["invitations"]
    page.goto(f"{server.page}#parley-preview=tok")
    panel = page.get_by_role("complementary", name="Preview of invitations")
    expect(panel.get_by_role("region", name="Sale").get_by_role("listitem")).to_have_text(
        [f"✗ Page: /sale · {server.page}", "✓ Language: en · en"]
    )
    assert violations(page) == []
    panel.get_by_role("button", name="Show now").click()
    invitation(page).get_by_role("button", name="Dismiss").click()
    assert [each["preview"] for each in offers(server)] == ["tok"]
    assert [dict(data)["preview"] for call, data in server.calls if call == "invitations"] == ["tok"]
    assert server.signals == []
    assert page.evaluate("Object.keys(localStorage)") == []


def test_questions_come_before_a_buttons_words_and_a_strict_policy_is_not_broken(visit: Visit, server: StandIn) -> None:
    server.csp = (
        f"default-src 'none'; script-src {server.base}; connect-src {server.base} {server.base.replace('http', 'ws')};"
        f" img-src {server.base}; base-uri 'none'; require-trusted-types-for 'script'"
    )
    server.invite(buttons=["Delivery"])
    server.asks({"key": "topic", "help": "See [this](https://shop.example)"})
    page = visit()
    page.evaluate("window.broken = []; addEventListener('securitypolicyviolation', ({sample}) => broken.push(sample))")
    invitation(page).get_by_role("button", name="Delivery").click()
    page.get_by_label("Topic").fill("tea")
    expect(page.locator(".composer textarea")).to_have_value("Delivery")
    page.locator(".composer textarea").press("Enter")
    until(page, lambda: bodies(server) == ["Delivery"])
    assert [(each["offer_id"], each["answers"]) for each in server.sent[:1]] == [("offer-2", {"topic": "tea"})]
    assert page.evaluate("broken") == []


def test_a_clock_that_was_a_day_ahead_shuts_nobody_out(visit: Visit, server: StandIn) -> None:
    server.gap_s = 3600
    server.invite()
    page = visit()
    page.evaluate(
        f"""const at = Date.now() + 864e5;
        const visits = {{n: 3, pages: 2, seconds: 9, first: location.href, from: "", at}};
        for (const [name, value] of Object.entries({{shown: [at], visits}}))
          localStorage["parley:{server.guid}:" + name] = JSON.stringify(value);"""
    )
    page.reload()
    expect(invitation(page)).to_be_visible()


def test_what_is_away_leaves_the_page_as_it_is(visit: Visit, server: StandIn) -> None:
    server.settings["invitations"] = True
    page = visit()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/invitations?*", lambda route: route.fulfill(status=503, body="away", headers=CORS))
    page.reload()
    page.wait_for_timeout(3000)
    expect(invitation(page)).to_have_count(0)
    assert errors == []


def test_on_a_phone_it_takes_a_third_at_most(visit: Visit, server: StandIn) -> None:
    server.invite(text="Can we help you choose? " * 20, buttons=["A pot", "A tea", "A cup"])
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    said = invitation(page)
    expect(said).to_be_visible()
    box = said.bounding_box()
    assert box
    assert box["height"] <= 844 / 3
    assert box["x"] >= 0
    assert said.evaluate("(node) => getComputedStyle(node).animationName") == "none"


def test_a_preview_that_has_expired_says_so(page: Page, server: StandIn) -> None:
    page.route("**/invitations?*", lambda route: route.fulfill(status=404, body="{}", headers=CORS))
    page.goto(f"{server.page}#parley-preview=old")
    expect(page.get_by_role("complementary")).to_contain_text("This look has expired: open it again from the cabinet.")


def test_a_sign_out_forgets_the_visits_and_their_events(visit: Visit, server: StandIn) -> None:
    server.invite(rule={"event": {"name": "basket", "times": 1, "within_s": None}, "page": ["/nowhere"]})
    page = visit()
    until(page, lambda: len(why(page)) == 1)
    page.evaluate("Parley.track('basket')")
    until(page, lambda: [each["condition"] for each in why(page)[0]["missing"]] == ["page"])
    page.evaluate("Parley.reset()")
    until(page, lambda: [each["condition"] for each in why(page)[0]["missing"]] == ["event", "page"])
