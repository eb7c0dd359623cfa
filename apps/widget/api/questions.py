"""The questions before a chat over REST."""

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.viewsets import ApiViewSet
from apps.widget.actions.questions import set_questions
from apps.widget.querysets.questions import question_set_of
from apps.widget.serializers.questions import QuestionSetBody, QuestionSetSerializer

ORDER_AND_CONSENT = {
    "is_on": True,
    "intro": {"en": "Two questions, then we are all yours."},
    "questions": [
        {
            "key": "topic",
            "kind": "choice",
            "label": {"en": "What is it about?"},
            "required": True,
            "options": [
                {"value": "order", "label": {"en": "An order"}},
                {"value": "other", "label": {"en": "Something else"}},
            ],
        },
        {"key": "order", "kind": "text", "label": {"en": "Number of the order"}, "when": {"topic": ["order"]}},
        {
            "key": "privacy",
            "kind": "consent",
            "label": {"en": "I agree to the [terms](https://shop.example/terms)."},
            "required": True,
            "ask_again_days": 365,
        },
    ],
}


class QuestionViewSet(ApiViewSet):
    reads = ("widget:read",)
    writes = ("widget:write",)

    @operation(summary="Read the questions before a chat", answers=QuestionSetSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """All of them, in the order in which visitors are asked; none of a widget that never had any."""
        return question_set_of(context.widget_id)

    @operation(
        summary="Set the questions before a chat",
        takes=QuestionSetBody,
        answers=QuestionSetSerializer,
        example=ORDER_AND_CONSENT,
    )
    def update(self, context: RequestContext) -> Answer:
        """Replaces all of them, at most 12. Each refusal is named by its path, such as `questions.1.when.topic`.

        Answers that were given stay. While `is_on`, an answer's attribute that has no declared kind gets the question's
        in the console.
        """
        return set_questions(widget_id=context.widget_id, members=context.body)
