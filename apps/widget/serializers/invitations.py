"""Invitations to chat over REST, and in browsers."""

from typing import Any

from rest_framework import serializers

from apps.chats.serializers.texts import TextsByLanguage
from apps.core.endpoints.paging import PageQuery
from apps.core.endpoints.row_serializers import Json, RowSerializer, TextList, Time, Url
from apps.core.endpoints.serializers import (
    Body,
    Boolean,
    Choice,
    Integer,
    Items,
    Number,
    PatchBody,
    Query,
    QueryInteger,
    Text,
)
from apps.core.endpoints.windows import Moment
from apps.core.parsing.names import name_refusal
from apps.widget.rules.invitations import (
    GOAL_HOURS,
    KEY,
    LARGEST_OFFER,
    MAX_BUTTON,
    MAX_BUTTONS,
    MAX_DAYS,
    MAX_HOLDOUT,
    MAX_NAME,
    MAX_PER_DAY,
    MAX_PRIORITY,
    MAX_TEXT,
    MAX_TIMES,
    InvitationSpeaker,
    InvitationState,
    OfferRefusal,
)
from apps.widget.rules.patterns import MAX_NEVER_ON

MAX_ID = 2**63 - 1
MAX_SIGNALS = 20
RULE = "Conditions that must all hold, and in `any` 1 to 5 objects of which one must; `{}` holds everywhere."
GOAL = f"`{{event, hours}}` or `{{page, hours}}`, {GOAL_HOURS} hours if not said; null: none."


class AnyJson(serializers.JSONField):
    """Any JSON; the rules refuse it, by its path, where it is none of theirs."""

    def to_internal_value(self, data: Any) -> Any:
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class SpeakerSerializer(RowSerializer):
    """In whose name it speaks; who is not here is not shown, and the widget speaks."""

    kind = Choice(source="speaker", choices=list(InvitationSpeaker))
    agent_id = Integer(allow_null=True)


class PerVisitorSerializer(RowSerializer):
    """How often a visitor meets it, in how many days."""

    times = Integer()
    days = Integer()


class ChatInvitationSerializer(RowSerializer):
    """An invitation to chat."""

    json_columns = ("texts", "rule", "goal")

    id = Integer()
    name = Text(help_text="Visitors never see it.")
    state = Choice(choices=list(InvitationState))
    texts = Json(help_text="By language; plain text.")
    buttons = serializers.ListField(child=Json(), help_text="Texts by language, sent as the visitor's words.")
    locals()["from"] = SpeakerSerializer(source="*")
    rule = Json(help_text=RULE)
    priority = Integer(help_text="The higher first, then the older.")
    holdout = Integer(help_text="Percent who would have been invited, and are not.")
    per_visitor = PerVisitorSerializer(source="*")
    per_day = Integer(allow_null=True, help_text="Shown a day (UTC) at most, exactly.")
    goal = AnyJson(allow_null=True, help_text=GOAL)
    starts_at = Time(allow_null=True)
    ends_at = Time(allow_null=True)
    department_id = Integer(allow_null=True, help_text="The department of a chat that begins with it.")
    round = Integer(help_text="Rises when texts, buttons, `from`, rule, goal or holdout change.")
    created_at = Time()
    updated_at = Time()


class SpeakerBody(Body):
    """In whose name an invitation speaks."""

    kind = Choice(choices=list(InvitationSpeaker))
    agent_id = Integer(required=False, default=None, allow_null=True, min_value=1, max_value=MAX_ID)


class PerVisitorBody(Body):
    """How often a visitor meets an invitation, in how many days."""

    times = Integer(min_value=1, max_value=MAX_TIMES)
    days = Integer(min_value=1, max_value=MAX_DAYS)


def check_name(name: str) -> None:
    """Refuses a name of spaces, or with control characters."""
    if refusal := name_refusal(name):
        raise serializers.ValidationError(refusal)


class ChatInvitationBody(Body):
    """A new invitation to chat. It begins as a draft, if not said otherwise."""

    name = Text(min_length=1, max_length=MAX_NAME, validators=[check_name])
    state = Choice(required=False, default=InvitationState.DRAFT, choices=list(InvitationState))
    texts = TextsByLanguage(max_length=MAX_TEXT, multiline=True)
    buttons = Items(child=TextsByLanguage(max_length=MAX_BUTTON), required=False, default=list, max_length=MAX_BUTTONS)
    locals()["from"] = SpeakerBody(required=False, default=lambda: {"kind": InvitationSpeaker.WIDGET, "agent_id": None})
    rule = AnyJson(required=False, default=dict, help_text=RULE)
    priority = Integer(required=False, default=50, min_value=0, max_value=MAX_PRIORITY)
    holdout = Integer(required=False, default=10, min_value=0, max_value=MAX_HOLDOUT)
    per_visitor = PerVisitorBody(required=False, default=lambda: {"times": 1, "days": 30})
    per_day = Integer(required=False, default=None, allow_null=True, min_value=1, max_value=MAX_PER_DAY)
    goal = AnyJson(required=False, default=None, allow_null=True, help_text=GOAL)
    starts_at = Moment(required=False, default=None, allow_null=True)
    ends_at = Moment(required=False, default=None, allow_null=True)
    department_id = Integer(required=False, default=None, allow_null=True, min_value=1, max_value=MAX_ID)


class ChatInvitationChanges(PatchBody):
    """The changes of an invitation to chat."""

    of = ChatInvitationBody


class ChatInvitationQuery(PageQuery):
    """The filters of the list."""

    state = Choice(required=False, choices=list(InvitationState))


class ResultsQuery(Query):
    """The round of the results."""

    round = QueryInteger(required=False, min_value=1, max_value=2**31 - 1, help_text="The present one if not said.")


class ArmsSerializer(RowSerializer):
    """A number of the visitors who were shown an invitation, and of those it was held back from."""

    shown = Integer()
    held = Integer()


class RatesSerializer(RowSerializer):
    """The shares of visitors who reached the goal; null of none."""

    shown = Number(allow_null=True)
    held = Number(allow_null=True)


class EffectSerializer(RowSerializer):
    """The difference of the shares, and its 95 % interval (Newcombe)."""

    difference = Number()
    low = Number()
    high = Number()


class InvitationDaySerializer(RowSerializer):
    """The offers of a day (UTC), with their ends."""

    day = Text(help_text="In UTC, such as `2026-11-29`.")
    shown = Integer()
    held = Integer()
    dismissed = Integer()
    opened = Integer()
    answered = Integer()
    converted = ArmsSerializer()


class InvitationResultsSerializer(RowSerializer):
    """The figures of a round, of the last 90 days."""

    round = Integer()
    since = Time(allow_null=True, help_text="Since when the round runs.")
    shown = Integer(help_text="Offers that were shown.")
    held = Integer(help_text="Offers that were held back.")
    dismissed = Integer()
    opened = Integer()
    answered = Integer()
    converted = ArmsSerializer(help_text="Visitors who reached the goal in its hours.")
    rate = RatesSerializer(help_text="Converted of the visitors who were enrolled, each once.")
    effect = EffectSerializer(allow_null=True, help_text="Null until both groups have 100 visitors.")
    is_enough = Boolean(help_text="Whether both groups have 100 visitors.")
    days = InvitationDaySerializer(many=True)


class InvitationSettingsSerializer(RowSerializer):
    """The widget's settings of invitations."""

    is_on = Boolean()
    never_on = TextList(help_text="Pages on which no visitor is invited.")
    per_visit = Integer()
    gap_s = Integer()


class InvitationSettingsBody(PatchBody):
    """The changes of the widget's settings of invitations."""

    is_on = Boolean(required=False)
    never_on = AnyJson(required=False, help_text=f"At most {MAX_NEVER_ON} patterns of pages.")
    per_visit = Integer(required=False, min_value=1, max_value=10, help_text="Shown in a visit at most.")
    gap_s = Integer(required=False, min_value=0, max_value=3600, help_text="Seconds between two.")


# The browser's side.


class ServedInvitationSerializer(RowSerializer):
    """An invitation as browsers judge it: no names, no texts."""

    id = Integer()
    rule = Json(help_text=RULE)
    priority = Integer()
    per_visitor = PerVisitorSerializer()
    goal = AnyJson(allow_null=True, help_text=GOAL)
    name = Text(required=False, help_text="With a preview's token alone.")
    state = Choice(choices=list(InvitationState), required=False, help_text="With a preview's token alone.")
    sentences = Json(required=False, help_text="With a preview's token alone: a sentence by condition, `any.0.page`.")


class ServedInvitationsSerializer(InvitationSettingsSerializer):
    """The live invitations of a widget, the first first, with the settings of all."""

    invitations = ServedInvitationSerializer(many=True)
    is_on = None  # type: ignore[assignment]


class ServedInvitationsQuery(Query):
    """The visitor's language, and a preview's token."""

    lang = Text(required=False, allow_blank=True, max_length=35, default="")
    preview = Text(required=False, max_length=200, help_text="The token of a look at one's own page: drafts, too.")


class OfferedFromSerializer(RowSerializer):
    """In whose name an invitation is shown."""

    name = Text()
    avatar_url = Url(allow_null=True)
    ai = Boolean()


class InvitationOfferSerializer(RowSerializer):
    """Whether to show an invitation; its words, or the reason."""

    offer_id = Integer(allow_null=True)
    show = Boolean()  # type: ignore[assignment]
    reason = Choice(choices=list(OfferRefusal), allow_null=True)
    text = Text(allow_null=True)
    buttons = TextList(allow_null=True)
    locals()["from"] = OfferedFromSerializer(allow_null=True)


class BrowserKey(Text):
    """A browser's own random key, in 32 hexadecimal digits."""

    default_error_messages = {"not_a_key": "A browser's key has 32 hexadecimal digits."}

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=32, max_length=32, **options)

    def to_internal_value(self, data: Any) -> str:
        key = super().to_internal_value(data)
        if not KEY.fullmatch(key):
            self.fail("not_a_key")
        return key


class OfferBody(Body):
    """A browser whose rule holds asks whether to show an invitation."""

    key = BrowserKey()
    page_url = Text(required=False, allow_blank=True, max_length=2000, default="", help_text="It is not kept.")
    lang = Text(required=False, allow_blank=True, max_length=35, default="")
    preview = Text(required=False, max_length=200)
    any = Items(
        child=Integer(min_value=0, max_value=4),
        required=False,
        max_length=5,
        help_text="The places in the rule's `any` whose conditions hold in the page.",
    )
    now = Boolean(required=False, default=False, help_text="The page asks for it: its rule and caps do not count.")


class SignalBody(Body):
    """A browser's deed with an offer, or a goal that its visitor reached."""

    kind = Choice(choices=["opened", "dismissed", "goal"])
    offer_id = Integer(required=False, min_value=1, max_value=LARGEST_OFFER)
    invitation_id = Integer(required=False, min_value=1, max_value=MAX_ID)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        wanted = "invitation_id" if attrs["kind"] == "goal" else "offer_id"
        if wanted not in attrs:
            raise serializers.ValidationError({wanted: ["This field is required."]})
        return attrs


class SignalsBody(Body):
    """The signals of a browser."""

    key = BrowserKey()
    signals = Items(child=SignalBody(), min_length=1, max_length=MAX_SIGNALS)
