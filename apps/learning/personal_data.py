"""The personal data that learning holds of a contact: questions without an answer, and the pairs that a cycle under way
rests on.
"""

from collections.abc import Iterator

from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.chats.models import Chat
from apps.learning.models import Cycle, DemandSignal, DemandTopic, Wish
from apps.learning.rules.demand import folded


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """A topic is named after a visitor's question: it gets another's, or goes with its last one."""
    signals = DemandSignal.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    yield PersonalRows(name="demand", rows=signals, fields=("chat_id", "category", "question", "at"))
    yield PersonalRows(name="topics", rows=DemandTopic.objects.none(), erase=lambda: _rename(widget_id, contact_id))
    # A cycle under way reads its pairs anew.
    under_way = Cycle.objects.for_widget(widget_id).exclude(progress={})
    yield PersonalRows(name="cycles", rows=under_way, becomes={"progress": {}})
    chats = list(Chat.objects.for_widget(widget_id).filter(contact_id=contact_id).values_list("pk", flat=True))
    yield PersonalRows(
        name="wishes", rows=Wish.objects.for_widget(widget_id).filter(chat_id__in=chats), becomes={"chat_id": None}
    )


def _rename(widget_id: int, contact_id: int) -> None:
    topics = DemandTopic.objects.for_widget(widget_id).filter(signals__chat__contact_id=contact_id).distinct()
    for topic in list(topics):
        others = DemandSignal.objects.for_widget(widget_id).filter(topic=topic).exclude(chat__contact_id=contact_id)
        question = others.order_by("-at", "-pk").values_list("question", flat=True).first()
        if question is None:
            topic.delete()
            continue
        topic.topic, topic.folded = question, folded(question)
        topic.save(update_fields=["topic", "folded"])


PERSONAL_DATA = PersonalData(held_of_contact)
