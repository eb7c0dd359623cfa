"""The rules of invitations: patterns, conditions, the computed holdout, and the effect."""

import hashlib
from typing import Any

import pytest

from apps.widget.rules.effects import effect, newcombe, rate
from apps.widget.rules.invitation_rules import events_of, read_rule, rule_refusals, server_refusal
from apps.widget.rules.invitations import goal_refusals, is_held
from apps.widget.rules.patterns import pattern_refusal


class TestPatterns:
    @pytest.mark.parametrize(
        "pattern",
        [
            *("/", "/sale*", "/*checkout*", "/a?utm=*", "/a#/cart", "shop.example/sale*", "https://shop.example/a"),
            *("HTTP://shop.example", "*.shop.example/*", "localhost:8000/", "магазин.рф/цены", "/цены для вас", "*"),
            "/" + "*" * 499,
        ],
    )
    def test_an_address_that_browsers_match(self, pattern: str) -> None:
        assert pattern_refusal(pattern) is None

    @pytest.mark.parametrize(
        "pattern",
        [
            *("", " /sale", "/sale ", "//shop.example/", "javascript:alert(1)", "ftp://shop.example/", "?a=1", "#cart"),
            *("shop example/", "<script>", "/a\nb", "shop.example:99999999/", 7, None, ["/a"]),
            *("/" + "a" * 500, "*" * 10_000),
        ],
    )
    def test_an_address_that_is_none(self, pattern: object) -> None:
        assert pattern_refusal(pattern) is not None


class TestRules:
    @pytest.mark.parametrize(
        "rule",
        [
            {},
            {"page": ["/sale*"], "not_page": ["/sale/old"], "seconds": 0, "seconds_visit": 7200, "scroll": 100},
            {"leave": True, "visits": {"min": 2}, "pages": {"min": 3, "max": 3}, "referrer": ["*.google.com", ""]},
            {"param": {"utm_source": "news*"}, "attribute": {"plan": ["pro", 3, True], "city": None}},
            {"event": {"name": "cart.changed", "times": 3, "within_s": 600}, "language": ["ru", "pt-BR"]},
            {"device": "mobile", "visitor": "identified", "answering": "anyone", "hours": "open"},
            {"any": [{"page": ["/a"]}, {"scroll": 50}]},
        ],
    )
    def test_a_rule_that_is_one(self, rule: dict[str, Any]) -> None:
        assert rule_refusals(rule) == {}

    @pytest.mark.parametrize(
        ("rule", "path"),
        [
            ([], "rule"),
            ({"page": ["/a", "javascript:x"]}, "rule.page.1"),
            ({"page": []}, "rule.page"),
            ({"not_page": ["/a"] * 21}, "rule.not_page"),
            ({"seconds": 3601}, "rule.seconds"),
            ({"seconds": True}, "rule.seconds"),
            ({"seconds_visit": -1}, "rule.seconds_visit"),
            ({"scroll": 0}, "rule.scroll"),
            ({"leave": False}, "rule.leave"),
            ({"visits": {}}, "rule.visits"),
            ({"visits": {"min": 0}}, "rule.visits.min"),
            ({"pages": {"min": 3, "max": 2}}, "rule.pages.max"),
            ({"pages": {"most": 2}}, "rule.pages.most"),
            ({"referrer": ["a b"]}, "rule.referrer.0"),
            ({"param": {}}, "rule.param"),
            ({"param": {f"p{n}": "*" for n in range(11)}}, "rule.param"),
            ({"param": {"utm": 1}}, "rule.param.utm"),
            ({"attribute": {"plan": {"a": 1}}}, "rule.attribute.plan"),
            ({"attribute": {"plan": []}}, "rule.attribute.plan"),
            ({"event": {"name": "Ordered"}}, "rule.event.name"),
            ({"event": {"name": "a", "times": 101}}, "rule.event.times"),
            ({"event": {"name": "a", "within_s": 86_401}}, "rule.event.within_s"),
            ({"event": {"name": "a", "often": 1}}, "rule.event.often"),
            ({"language": ["русский"]}, "rule.language.0"),
            ({"device": "tv"}, "rule.device"),
            ({"visitor": "old"}, "rule.visitor"),
            ({"answering": "robots"}, "rule.answering"),
            ({"hours": "late"}, "rule.hours"),
            ({"weather": "rain"}, "rule.weather"),
            ({"any": []}, "rule.any"),
            ({"any": [{}] * 6}, "rule.any"),
            ({"any": [{"scroll": 101}]}, "rule.any.0.scroll"),
            ({"any": [7]}, "rule.any.0"),
            ({"any": [{"any": [{"any": [{"any": [{"any": []}]}]}]}]}, "rule.any.0.any"),
        ],
    )
    def test_a_refusal_is_named_by_its_path(self, rule: Any, path: str) -> None:
        assert list(rule_refusals(rule)) == [path]

    def test_an_event_is_kept_with_its_defaults(self) -> None:
        rule = {"any": [{"event": {"name": "seen"}}], "event": {"name": "paid", "times": 2}}
        kept = read_rule(rule)
        assert kept["event"] == {"name": "paid", "times": 2, "within_s": None}
        assert kept["any"] == [{"event": {"name": "seen", "times": 1, "within_s": None}}]
        assert events_of(kept) == {"paid", "seen"}

    def test_the_server_says_who_answers_and_whether_it_is_open(self) -> None:
        def nothing(name: str, wanted: str) -> bool:
            return False

        assert server_refusal({}, nothing, None) is None
        assert server_refusal({"hours": "open"}, nothing, None) == "hours"
        assert server_refusal({"hours": "open", "answering": "people"}, nothing, None) == "answering"

    def test_of_any_one_branch_is_enough_among_those_that_hold_in_the_browser(self) -> None:
        def is_open(name: str, wanted: str) -> bool:
            return name == "hours"

        rule = {"any": [{"answering": "people"}, {"page": ["/a"]}, {"hours": "open"}]}
        assert server_refusal(rule, is_open, None) is None
        assert server_refusal(rule, is_open, [0]) == "answering"
        assert server_refusal(rule, is_open, [0, 2]) is None
        assert server_refusal(rule, is_open, [1]) is None

    @pytest.mark.parametrize(
        ("goal", "path"),
        [
            ({}, "goal"),
            ({"event": "a", "page": ["/a"]}, "goal"),
            ({"event": "A"}, "goal.event"),
            ({"page": ["x y"]}, "goal.page.0"),
            ({"page": ["/done"], "hours": 721}, "goal.hours"),
            ({"event": "a", "days": 1}, "goal.days"),
            ("ordered", "goal"),
        ],
    )
    def test_a_goal_is_refused_by_its_path(self, goal: Any, path: str) -> None:
        assert list(goal_refusals(goal)) == [path]


class TestHoldout:
    def test_it_is_computed_of_the_key_the_invitation_and_its_round(self) -> None:
        key = "0123456789abcdef0123456789abcdef"
        number = int.from_bytes(hashlib.sha256(f"{key}:7:3".encode()).digest()[:4], "big") % 100
        assert [is_held(key, 7, 3, share) for share in (number, number + 1)] == [False, True]
        assert not is_held(key, 7, 3, 0)

    def test_a_share_of_many_keys_is_held(self) -> None:
        held = sum(is_held(f"{number:032x}", 1, 1, 10) for number in range(10_000))
        assert 900 < held < 1100


class TestEffect:
    def test_the_share_of_none_is_none(self) -> None:
        assert (rate(0, 0), rate(1, 4)) == (None, 0.25)

    def test_newcombes_example(self) -> None:
        """Newcombe (1998), table II, (a): 56/70 and 48/80, by method 10: 0.0524 to 0.3339."""
        found = newcombe((56, 70), (48, 80))
        assert [round(each, 4) for each in found] == [0.2, 0.0524, 0.3339]

    def test_nothing_reached_by_anybody_has_an_interval_around_nothing(self) -> None:
        found = newcombe((0, 100), (0, 100))
        assert (found.difference, round(found.low, 4), round(found.high, 4)) == (0.0, -0.037, 0.037)

    @pytest.mark.parametrize(("shown", "held", "is_said"), [(100, 99, False), (99, 100, False), (100, 100, True)])
    def test_nothing_is_said_until_both_have_100(self, shown: int, held: int, is_said: bool) -> None:
        assert (effect((5, shown), (5, held)) is not None) is is_said

    def test_nobody_and_everybody_stay_within_one(self) -> None:
        found = effect((100, 100), (0, 100))
        assert found is not None
        assert (found.difference, found.high) == (1.0, 1.0)
        assert found.low > 0.94
