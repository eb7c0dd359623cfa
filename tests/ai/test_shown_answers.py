"""From a model's answer to what is shown: each line of the design's table."""

from typing import Any

import pytest

from apps.ai.rules.shown_answers import (
    asks_classifier,
    at_floor,
    classified,
    decide,
    in_peoples_stead,
    phrase_of,
    recovered,
    while_away,
)


def decided(**case: Any) -> Any:
    usual = {
        "marked": False,
        "has_text": True,
        "social": False,
        "classifier": "not_needed",
        "answer_only": False,
        "operators": "online",
    }
    return decide(**{**usual, **case})


@pytest.mark.parametrize(
    ("case", "shown", "transformation", "reason"),
    [
        ({}, "text", "answer", None),
        ({"social": True}, "text", "answer", None),
        ({"has_text": False, "social": True}, "social_reply", "social_reply", None),
        ({"has_text": False}, "handover", "empty_response", "empty_response"),
        ({"marked": True, "social": True}, "social_reply", "social_reply", None),
        ({"marked": True, "has_text": False, "social": True}, "social_reply", "social_reply", None),
        ({"marked": True, "classifier": "escalate"}, "handover", "escalation_outcome", "model_request"),
        (
            {"marked": True, "classifier": "escalate", "has_text": False},
            "handover",
            "escalation_outcome",
            "model_request",
        ),
        ({"marked": True, "classifier": "unavailable"}, "handover", "escalation_outcome", "classifier_unavailable"),
        ({"marked": True, "classifier": "no_escalation"}, "text", "answer_only_recovery", None),
    ],
)
def test_each_line_of_the_table(case: dict[str, Any], shown: str, transformation: str, reason: str | None) -> None:
    assert decided(**case) == (shown, transformation, reason, False)


def test_a_marker_alone_that_nobody_meant_asks_for_a_recovery() -> None:
    assert decided(marked=True, has_text=False, classifier="no_escalation") is None
    assert recovered(has_text=True, marked=False) == ("text", "answer_only_recovery", None, False)
    for case in ({"has_text": True, "marked": True}, {"has_text": False, "marked": False}):
        assert recovered(**case) == ("handover", "untrusted_handoff_fallback", "untrusted_handoff", False)


@pytest.mark.parametrize("reason", ["safety_floor", "human_request", "trigger"])
def test_a_floor_hands_over(reason: str) -> None:
    assert at_floor(reason) == ("handover", "escalation_outcome", reason, False)


def test_answer_only_shows_the_text_while_operators_are_offline() -> None:
    case = {"marked": True, "classifier": "escalate", "answer_only": True}
    assert decided(**case, operators="offline") == ("text", "answer_only_recovery", None, True)
    for operators in ("online", "unknown"):
        assert decided(**case, operators=operators).shown == "handover"
    assert decided(**case, operators="offline", has_text=False).shown == "handover"


@pytest.mark.parametrize(
    ("marked", "social", "asks"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_only_a_marker_that_answers_no_courtesy_is_judged(marked: bool, social: bool, asks: bool) -> None:
    assert asks_classifier(marked=marked, social=social) is asks


@pytest.mark.parametrize(
    ("answer", "classifier"),
    [
        ('{"escalate": true}', "escalate"),
        ('{"escalate": false}', "no_escalation"),
        ('Sure: ```json\n{"escalate": true}\n```', "escalate"),
        ('{"reason": "x"} {"escalate": false} {"escalate": true}', "no_escalation"),
        ('{"escalate": "true"}', "unavailable"),
        ('{"escalate": 1}', "unavailable"),
        ("yes", "unavailable"),
        ("", "unavailable"),
        ("{not json}", "unavailable"),
    ],
)
def test_the_first_object_with_that_boolean_counts(answer: str, classifier: str) -> None:
    assert classified(answer) == classifier


@pytest.mark.parametrize(
    ("operators", "presence_context", "phrase", "outcome"),
    [
        ("online", True, "handover_notice", "handover_notice"),
        ("offline", True, "handover_offline", "handover_offline"),
        ("unknown", True, "handover_unknown", "handover_unknown"),
        ("online", False, "handoff_to_human", None),
        ("offline", False, "handoff_to_human", None),
    ],
)
def test_a_handover_says_who_is_there(operators: Any, presence_context: bool, phrase: str, outcome: str | None) -> None:
    assert phrase_of(operators, presence_context=presence_context) == (phrase, outcome)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ({"marked": True, "has_text": True, "social": False}, ("text", "answer_only_recovery")),
        ({"marked": False, "has_text": True, "social": False}, ("text", "answer")),
        ({"marked": True, "has_text": False, "social": False}, ("excuse", "empty_response")),
        ({"marked": False, "has_text": False, "social": False}, ("excuse", "empty_response")),
        ({"marked": True, "has_text": False, "social": True}, ("social_reply", "social_reply")),
    ],
)
def test_an_answer_in_peoples_stead_hands_nothing_back(case: dict[str, bool], expected: tuple[str, str]) -> None:
    assert in_peoples_stead(**case) == (*expected, None, False)


def test_while_people_are_away_a_marker_beside_a_text_is_cut_off() -> None:
    assert while_away(marked=True, has_text=True, social=False) == ("text", "answer_only_recovery", None, False)
    for case in ((True, False, False), (False, True, False), (True, True, True)):
        assert while_away(**dict(zip(("marked", "has_text", "social"), case, strict=True))) is None
