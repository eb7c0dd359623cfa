"""The content of a message of Telegram: https://core.telegram.org/bots/api#message.

Only fields that hold content count. Service messages are nobody's words; a field that is not known here is content of
an unknown kind.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.rules.inbound import Attachment, card, forwarded, member, objects, plain, quoted, vcard_phones

_FILES = ("document", "voice", "video", "audio", "animation", "video_note")
_ENDINGS = {"voice": "ogg", "video": "mp4", "audio": "mp3", "animation": "mp4", "video_note": "mp4"}
_WORDS = ("text", "caption", "contact", "venue", "poll", "dice", "game", "checklist", "invoice", "web_app_data")
_KNOWN = frozenset({*_FILES, *_WORDS, "photo", "live_photo", "location", "sticker"})
# What describes a message, and is no content by itself.
# fmt: off
_ABOUT = frozenset(
    {
        "message_id", "message_thread_id", "direct_messages_topic", "from", "sender_chat", "sender_boost_count",
        "sender_business_bot", "sender_tag", "date", "guest_query_id", "business_connection_id", "chat",
        "forward_origin", "forward_from", "forward_from_chat", "forward_date", "forward_sender_name",
        "forward_from_message_id", "forward_signature", "is_topic_message", "is_automatic_forward",
        "reply_to_message", "external_reply", "quote", "reply_to_story", "reply_to_checklist_task_id",
        "reply_to_poll_option_id", "via_bot", "guest_bot_caller_user", "guest_bot_caller_chat", "edit_date",
        "has_protected_content", "is_from_offline", "is_paid_post", "media_group_id", "author_signature",
        "paid_star_count", "entities", "link_preview_options", "suggested_post_info", "effect_id", "caption_entities",
        "show_caption_above_media", "has_media_spoiler", "reply_markup", "receiver_user", "ephemeral_message_id",
    }
)
# What Telegram notes by itself, and what is bought: no word of the customer's.
SERVICE = frozenset(
    {
        "new_chat_members", "left_chat_member", "chat_owner_left", "chat_owner_changed", "new_chat_title",
        "new_chat_photo", "delete_chat_photo", "group_chat_created", "supergroup_chat_created",
        "channel_chat_created", "message_auto_delete_timer_changed", "migrate_to_chat_id", "migrate_from_chat_id",
        "pinned_message", "successful_payment", "refunded_payment", "users_shared", "user_shared", "chat_shared",
        "gift", "unique_gift", "gift_upgrade_sent", "connected_website", "write_access_allowed", "passport_data",
        "proximity_alert_triggered", "boost_added", "chat_background_set", "checklist_tasks_done",
        "checklist_tasks_added", "direct_message_price_changed", "forum_topic_created", "forum_topic_edited",
        "forum_topic_closed", "forum_topic_reopened", "general_forum_topic_hidden", "general_forum_topic_unhidden",
        "giveaway_created", "giveaway_completed", "managed_bot_created", "paid_message_price_changed",
        "poll_option_added", "poll_option_deleted", "suggested_post_approved", "suggested_post_approval_failed",
        "suggested_post_declined", "suggested_post_paid", "suggested_post_refunded", "video_chat_scheduled",
        "video_chat_started", "video_chat_ended", "video_chat_participants_invited", "community_chat_added",
        "community_chat_removed", "community_chat_joined",
    }
)
# fmt: on


def is_service(message: Mapping[str, Any]) -> bool:
    """Whether Telegram itself notes something, and the person said nothing."""
    return bool(message.keys() & SERVICE) and not message.keys() & _KNOWN


def unknown_kind(message: Mapping[str, Any]) -> str:
    """The field of content that is not known here; empty for a message without one."""
    strange = sorted(message.keys() - _KNOWN - _ABOUT - SERVICE)
    return "" if message.keys() & _KNOWN or not strange else plain(strange[0])


def words_of(message: Mapping[str, Any]) -> str:
    """The text of a message: what it says, with the quote that it answers, or the name of whose words it passes on."""
    text = _with_links(message, "text", "entities") or _with_links(message, "caption", "caption_entities")
    text = "\n".join(filter(None, (text, *_told(message))))
    if isinstance(message.get("forward_origin"), Mapping):
        return forwarded(text, _origin_of(message["forward_origin"]))
    of = message.get("reply_to_message")
    quote = plain(member(message, "quote", "text")) or plain(member(of, "text")) or plain(member(of, "caption"))
    return quoted(text, quote) if quote else text


def _told(message: Mapping[str, Any]) -> Sequence[str]:
    """The lines that stand for what is no plain text."""
    lines = []
    if isinstance(contact := message.get("contact"), Mapping):
        named = " ".join(filter(None, (plain(contact.get("first_name")), plain(contact.get("last_name")))))
        lines.append(card(named, [plain(contact.get("phone_number")), *vcard_phones(plain(contact.get("vcard")))]))
    if isinstance(venue := message.get("venue"), Mapping):
        lines += [plain(venue.get("title")), plain(venue.get("address"))]
    if isinstance(poll := message.get("poll"), Mapping):
        lines += [plain(poll.get("question")), *(f"• {plain(one.get('text'))}" for one in objects(poll.get("options")))]
    if isinstance(checklist := message.get("checklist"), Mapping):
        lines += [plain(checklist.get("title"))]
        lines += [f"• {plain(task.get('text'))}" for task in objects(checklist.get("tasks"))]
    if isinstance(dice := message.get("dice"), Mapping):
        lines.append(f"{plain(dice.get('emoji'))} {dice.get('value', '')}")
    for name, path in (("game", "title"), ("invoice", "title"), ("web_app_data", "button_text")):
        lines.append(plain(member(message.get(name), path)))
    lines.append(plain(member(message.get("web_app_data"), "data")))
    lines.append(plain(member(message.get("sticker"), "emoji")))
    return [line for line in lines if line]


def _with_links(message: Mapping[str, Any], name: str, entities: str) -> str:
    """A text with the addresses of its links behind their words. Entities count units of UTF-16."""
    text = plain(message.get(name))
    links = [one for one in objects(message.get(entities)) if one.get("type") == "text_link"]
    if not links:
        return text
    units = text.encode("utf-16-le")
    for link in sorted(links, key=_end_of, reverse=True):
        end, url = _end_of(link) * 2, plain(link.get("url"))
        if 0 < end <= len(units) and url:
            units = units[:end] + f" ({url})".encode("utf-16-le") + units[end:]
    return units.decode("utf-16-le", "ignore")


def _end_of(entity: Mapping[str, Any]) -> int:
    offset, length = entity.get("offset"), entity.get("length")
    return offset + length if isinstance(offset, int) and isinstance(length, int) else 0


def _origin_of(origin: Mapping[str, Any]) -> str:
    """The name of who wrote a forwarded message first."""
    user, chat = origin.get("sender_user"), origin.get("sender_chat") or origin.get("chat")
    names = (plain(member(user, "first_name")), plain(member(user, "last_name")))
    return " ".join(filter(None, names)) or plain(origin.get("sender_user_name")) or plain(member(chat, "title"))


def attachments_of(message: Mapping[str, Any]) -> list[Attachment]:
    """The file of a message, the largest of a picture's sizes."""
    for photos in (objects(message.get("photo")), objects(member(message, "live_photo", "photo"))):
        if photos:
            largest = photos[-1]
            return [Attachment("photo.jpg", plain(largest.get("file_id")), is_image=True, size=_size(largest))]
    for kind in _FILES:
        file = message.get(kind)
        if isinstance(file, Mapping):
            name = plain(file.get("file_name")) or f"{kind}.{_ENDINGS.get(kind, 'bin')}"
            return [Attachment(name, plain(file.get("file_id")), size=_size(file))]
    return []


def place_of(message: Mapping[str, Any]) -> tuple[float, float] | None:
    """The place of a message, also of a venue."""
    place = message.get("location") or member(message, "venue", "location")
    lat, lng = member(place, "latitude"), member(place, "longitude")
    is_place = isinstance(lat, int | float) and isinstance(lng, int | float) and abs(lat) <= 90 and abs(lng) <= 180
    return (float(lat), float(lng)) if is_place else None


def _size(file: Mapping[str, Any]) -> int | None:
    size = file.get("file_size")
    return size if isinstance(size, int) else None
