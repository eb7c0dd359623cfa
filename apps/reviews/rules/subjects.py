"""The subject of a review: the answerer in an episode. Pure."""

from typing import NamedTuple

from apps.chats.rules.episodes import ChatEpisode, EpisodeAnswer
from apps.chats.rules.histories import WordSide
from apps.reviews.rules.scores import SubjectKind


class ReviewSubject(NamedTuple):
    """A person, or AI: an operator's number, and of AI the assistant's, where there is one."""

    kind: SubjectKind
    agent_id: int | None
    assistant_id: int | None = None


def last_subject(
    episode: ChatEpisode, *, agent_id: int | None = None, kind: SubjectKind | None = None
) -> ReviewSubject | None:
    """The writer of an episode's last answer: of that operator's, or of that side's; None without one."""
    answers = (
        answer
        for answer in reversed(episode.answers)
        if (agent_id is None or answer.agent_id == agent_id) and (kind is None or _kind_of(answer) is kind)
    )
    answer = next(answers, None)
    return None if answer is None else ReviewSubject(_kind_of(answer), answer.agent_id, answer.assistant_id)


def _kind_of(answer: EpisodeAnswer) -> SubjectKind:
    return SubjectKind.PERSON if answer.kind is WordSide.PERSON else SubjectKind.AI
