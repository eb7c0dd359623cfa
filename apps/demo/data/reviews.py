"""The demo's reviews: of a conversation of the shop's, a person's part is settled, and AI's part is to be scored.

They are written as they would be found some days later; nothing is published, and no model is asked.
"""

from datetime import timedelta
from typing import Any

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.chats.querysets.episodes import histories_of
from apps.chats.rules.episodes import episodes_of
from apps.demo.document import Demo
from apps.reviews.models import Review
from apps.reviews.querysets.scorecards import scorecard_of
from apps.reviews.rules.scorecards import applying, read_criteria
from apps.reviews.rules.scores import Origin, ReviewState, score_of
from apps.reviews.rules.subjects import ReviewSubject, last_subject

WHOLE = "shop"
STATES = (ReviewState.SETTLED, ReviewState.OPEN)
COMMENT, REPLY = "Всё верно, но ответ пришлось ждать.", "В тот час было много вопросов."


def seed(demo: Demo) -> None:
    """Adds the shop's reviews, if there are none yet; the document has the ids."""
    for name, widget in demo.rows(Widget).items():
        reviews = Review.objects.for_widget(widget.pk).order_by("pk")
        if name == WHOLE and not reviews.exists():
            _review(demo, widget)
        demo.part(widget).setdefault("proof", {"case_ids": []})["review_ids"] = list(
            reviews.values_list("pk", flat=True)
        )


def _review(demo: Demo, widget: Widget) -> None:
    owner = Agent.objects.for_widget(widget.pk).get(role="owner")
    card = scorecard_of(widget.pk)
    subjects = (found for found in _ended(demo, widget) if found[2].agent_id != owner.pk)
    for state, (chat_id, episode_id, subject) in zip(STATES, subjects, strict=False):
        criteria = applying(read_criteria(card.criteria), subject.kind)
        scores = [{"key": key, "value": each.values[-1], "note": ""} for key, each in criteria.items()]
        settled: dict[str, Any] = {
            "version": 4,
            "scores": scores,
            "score": score_of(scores, criteria),
            "comment": COMMENT,
            "reviewer": owner,
            "done_at": demo.now - timedelta(days=2),
            "reply": REPLY,
            "replied_at": demo.now - timedelta(days=1),
        }
        Review.objects.create(
            widget=widget,
            chat_id=chat_id,
            episode_id=episode_id,
            **subject._asdict(),
            origin=Origin.SAMPLE,
            state=state,
            scorecard_version=card.version,
            **(settled if state is ReviewState.SETTLED else {}),
        )


def _ended(demo: Demo, widget: Widget) -> list[tuple[int, int, ReviewSubject]]:
    """Chat, episode and each writer of answers, of the conversations that have ended; people first."""
    chats = list(Chat.objects.for_widget(widget.pk).order_by("pk").values_list("pk", flat=True))
    found = [
        (chat_id, episode.id, subject)
        for chat_id, history in histories_of(widget.pk, chats).items()
        for episode in episodes_of(history)
        if episode.is_ended(demo.now)
        for agent_id in episode.agents
        if (subject := last_subject(episode, agent_id=agent_id)) is not None
    ]
    return sorted(found, key=lambda each: each[2].kind, reverse=True)
