"""The content of a message of Telegram, as of Bot API 10.3: https://core.telegram.org/bots/api#message.

Only fields that hold content count. Service messages are nobody's words; a field that is not known here is content of
an unknown kind.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.messengers.adapters.tg.rich import rich_media, rich_words
from apps.messengers.rules.inbound import Attachment, card, forwarded, member, objects, plain, quoted, vcard_phones

_FILES = ("document", "voice", "video", "audio", "animation", "video_note")
_ENDINGS = {"voice": "ogg", "video": "mp4", "audio": "mp3", "animation": "mp4", "video_note": "mp4"}
_WORDS = ("text", "caption", "contact", "venue", "poll", "dice", "game", "checklist", "invoice", "web_app_data")
# Telegram's notes about a checklist: the words in them are the customer's.
_NOTED = ("checklist_tasks_done", "checklist_tasks_added")
_GIFTS = ("gift", "unique_gift", "gift_upgrade_sent")
# Content of which a bot is told, and which it is not shown: it is named, beside the words in it.
_UNSHOWN = ("story", "giveaway", "giveaway_winners", *_GIFTS)
_KNOWN = frozenset(
    {*_FILES, *_WORDS, *_UNSHOWN, "photo", "live_photo", "paid_media", "rich_message", "location", "sticker"}
)
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
        "connected_website", "write_access_allowed", "passport_data",
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
    return bool(message.keys() & SERVICE) and not message.keys() & _KNOWN and not any(_noted(message))


def unknown_kind(message: Mapping[str, Any]) -> str:
    """The field of content that is not known here, or that bots are not shown; empty for a message without one."""
    if unshown := next((name for name in _UNSHOWN if name in message), ""):
        return unshown
    for name, words in (("paid_media", ""), ("rich_message", rich_words(message))):
        if name in message and not words and not attachments_of(message):
            return name
    strange = sorted(message.keys() - _KNOWN - _ABOUT - SERVICE)
    return "" if message.keys() & _KNOWN or not strange else plain(strange[0])


def words_of(message: Mapping[str, Any]) -> str:
    """The text of a message: what it says, with the quote that it answers, or the name of whose words it passes on."""
    text = _with_links(message, "text", "entities") or _with_links(message, "caption", "caption_entities")
    text = "\n".join(filter(None, (text, rich_words(message), *_told(message), *_noted(message), *_unshown(message))))
    if isinstance(message.get("forward_origin"), Mapping):
        return forwarded(text, _origin_of(message["forward_origin"]))
    of = message.get("reply_to_message")
    quote = plain(member(message, "quote", "text")) or plain(member(of, "text")) or plain(member(of, "caption"))
    quote = quote or _address_of(message.get("reply_to_story"))
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


def _noted(message: Mapping[str, Any]) -> Sequence[str]:
    """The lines for the tasks of a checklist that the customer added, did, or did not do after all."""
    added, done = (message.get(name) for name in reversed(_NOTED))
    lines = [f"+ {plain(task.get('text'))}" for task in objects(member(added, "tasks"))]
    tasks = objects(member(done, "checklist_message", "checklist", "tasks"))
    for mark, name in (("☑", "marked_as_done_task_ids"), ("☐", "marked_as_not_done_task_ids")):
        ids = member(done, name)
        lines += [
            f"{mark} {plain(task.get('text'))}" for task in tasks if isinstance(ids, list) and task.get("id") in ids
        ]
    return lines


def _unshown(message: Mapping[str, Any]) -> Sequence[str]:
    """The words in content that bots are not shown: a gift's, a giveaway's prize; the address of a public story."""
    lines = [_address_of(message.get("story"))]
    for name in _GIFTS:
        given = message.get(name)
        lines += [plain(member(given, "gift", "base_name")), plain(member(given, "text"))]
    lines += [plain(member(message.get(name), "prize_description")) for name in ("giveaway", "giveaway_winners")]
    return [line for line in lines if line]


def _address_of(story: Any) -> str:
    """The address of a story, https://core.telegram.org/api/links#story-links; empty without a public name."""
    name, number = plain(member(story, "chat", "username")), member(story, "id")
    return f"https://t.me/{name}/s/{number}" if name and isinstance(number, int) else ""


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
    """The files of a message: one, or those of a rich message or of paid media; of a picture its largest size."""
    several = [*rich_media(message), *objects(member(message.get("paid_media"), "paid_media"))]
    return [file for one in (message, *several) for file in _own_files(one)]


def _own_files(message: Mapping[str, Any]) -> list[Attachment]:
    for photos in (objects(message.get("photo")), objects(member(message, "live_photo", "photo"))):
        if photos:
            largest = photos[-1]
            return [_photo(largest)]
    for kind in _FILES:
        file = message.get(kind)
        if isinstance(file, Mapping):
            name = plain(file.get("file_name")) or f"{kind}.{_ENDINGS.get(kind, 'bin')}"
            return [Attachment(name, plain(file.get("file_id")), size=_size(file), identity=_unique(file))]
    return []


def sticker_file_of(message: Mapping[str, Any]) -> str:
    """The id of a sticker's picture: of one that moves, its thumbnail, https://core.telegram.org/bots/api#sticker."""
    sticker = message.get("sticker")
    moves = member(sticker, "is_animated") is True or member(sticker, "is_video") is True
    return plain(member(sticker, "thumbnail", "file_id") if moves else member(sticker, "file_id"))


def _photo(photo: Mapping[str, Any]) -> Attachment:
    id_, size = plain(photo.get("file_id")), _size(photo)
    return Attachment("photo.jpg", id_, is_image=True, size=size, identity=_unique(photo))


def _unique(file: Mapping[str, Any]) -> str:
    """The id that a file keeps, while the one to ask with may change."""
    return plain(file.get("file_unique_id"))


def place_of(message: Mapping[str, Any]) -> tuple[float, float] | None:
    """The place of a message, also of a venue."""
    place = message.get("location") or member(message, "venue", "location")
    lat, lng = member(place, "latitude"), member(place, "longitude")
    is_place = isinstance(lat, int | float) and isinstance(lng, int | float) and abs(lat) <= 90 and abs(lng) <= 180
    return (float(lat), float(lng)) if is_place else None


def _size(file: Mapping[str, Any]) -> int | None:
    size = file.get("file_size")
    return size if isinstance(size, int) else None
