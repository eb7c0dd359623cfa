"""The chat of a letter, its author, and the consequences: proof, third persons, people instead of AI."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext

from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.actions import PostedMessage
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules import Status
from apps.core.problems import Problem
from apps.letters.actions.addresses import note_proof, note_sign_of_life
from apps.letters.actions.outbox import add_reference
from apps.letters.actions.receiving.posting import Post, post_letter
from apps.letters.actions.settings import settings_of
from apps.letters.models import Address, Correspondent, InLetter, Mailbox, Thread
from apps.letters.rules import rights
from apps.letters.rules.addresses import digest_of, normal
from apps.letters.rules.mailboxes import Ai, bare_subject
from apps.letters.rules.reading import machines
from apps.letters.rules.reading.files import LetterFile
from apps.letters.rules.reading.letters import Letter
from apps.letters.rules.reading.limits import MAX_BODY
from apps.letters.rules.reading.proofs import Proof
from apps.letters.rules.reading.texts import OwnText

MAIL = "mail"


def post_to_thread(
    row: InLetter, letter: Letter, words: OwnText, files: Sequence[LetterFile], thread: Thread
) -> list[PostedMessage]:
    """Posts an answer into the chat of the right that it names. The right lets in, not the From: what another address
    writes is a third person's, of whom nothing is learnt.
    """
    chat = Chat.objects.for_widget(thread.widget_id).select_related("contact").get(pk=thread.chat_id)
    contact = chat.contact
    is_addressee = row.sender == thread.address and (
        normal(contact.email) == thread.address
        or Correspondent.objects.for_widget(thread.widget_id).filter(contact=contact, address=thread.address).exists()
    )
    row.is_third = not is_addressee
    name = gettext("%(sender)s (not %(address)s)") % {"sender": row.sender, "address": thread.address}
    posted = post_letter(
        row, Post(contact, chat.channel, words.text, files, sender_name=None if is_addressee else name[:255])
    )
    if is_addressee:
        _note_life(row, thread, contact)
    _remember(thread, letter, answered=is_addressee)
    _give_to_people(row, chat)
    if machines.is_spam(letter):
        chats.set_chat_state(widget_id=chat.widget_id, chat_id=chat.pk, status=Status.SPAM)
    return posted


def _note_life(row: InLetter, thread: Thread, contact: Contact) -> None:
    """The addressee answered: what was mailed is seen, and a proven letter proves the address."""
    if row.proof == Proof.PASS:
        note_proof(widget_id=thread.widget_id, email=thread.address, by=Address.Proof.LETTER, contact_id=contact.pk)
    note_sign_of_life(widget_id=thread.widget_id, email=thread.address)
    said = Message.objects.for_widget(thread.widget_id).filter(chat_id=thread.chat_id, is_internal=False)
    seen = said.filter(pk__lte=thread.mailed_id).order_by("-pk").values_list("pk", flat=True).first()
    if seen is not None:
        chats.mark_seen(widget_id=thread.widget_id, chat_id=thread.chat_id, message_id=seen, seen_by="USER")


def _remember(thread: Thread, letter: Letter, *, answered: bool) -> None:
    """Keeps what threading needs: the letter's id is the thread's last."""
    if letter.message_id and len(letter.message_id) <= 900:
        add_reference(thread, f"<{letter.message_id}>")
    if answered:
        Thread.objects.for_widget(thread.widget_id).filter(pk=thread.pk).update(answered_at=timezone.now())


def _give_to_people(row: InLetter, chat: Chat) -> None:
    """Has people answer a visitor's letter, unless AI's answers are mailed, too: they would never be seen."""
    is_trusted = row.proof == Proof.PASS and not row.is_third
    row.is_for_people = not (is_trusted and settings_of(chat.widget_id).of_ai)
    if not row.is_for_people or chat.status == Status.SPAM:
        return
    owner = Agent.objects.for_widget(chat.widget_id).filter(pk=chat.agent_id).first() if chat.agent_id else None
    if owner is None or owner.type != Agent.Type.HUMAN:
        chats.request_operator(widget_id=chat.widget_id, chat_id=chat.pk, reason=MAIL)


# --- Mailboxes --------------------------------------------------------------------------------------------------------


def post_to_mailbox(row: InLetter, letter: Letter, words: OwnText, files: Sequence[LetterFile]) -> list[PostedMessage]:
    """Posts a letter to a mailbox into its sender's chat there; the first one makes it."""
    mailbox = row.mailbox
    assert mailbox is not None  # noqa: S101 - the caller asked
    row.widget_id = mailbox.widget_id
    _take_form(row, mailbox, letter)
    known = Correspondent.objects.for_widget(mailbox.widget_id).filter(mailbox=mailbox, address=row.sender)
    correspondent = known.select_related("contact").first()
    is_new = correspondent is None
    if correspondent is None:
        correspondent = _new_correspondent(row, mailbox)
    subject = bare_subject(row.subject)
    text = words.text
    if subject and subject != correspondent.subject:
        text = f"{subject}\n\n{text}"[:MAX_BODY]
        correspondent.subject = subject
        correspondent.save(update_fields=["subject"])
    row.is_for_people = mailbox.ai != Ai.ANSWERS or row.proof != Proof.PASS
    posted = post_letter(
        row, Post(correspondent.contact, mailbox.channel, text, files, department_id=mailbox.department_id)
    )
    chat_id = posted[0].chat_id
    thread = thread_of(mailbox.widget_id, chat_id, row.sender)
    thread.subject = subject[:255] or thread.subject
    ours = {mailbox.address, row.sender}
    thread.copies = [one for one in row.copies if one not in ours][:10]
    thread.save(update_fields=["subject", "copies"])
    row.thread = thread
    _remember(thread, letter, answered=True)
    Mailbox.objects.for_widget(mailbox.widget_id).filter(pk=mailbox.pk).update(last_inbound_at=timezone.now())
    if machines.is_spam(letter) or (is_new and row.proof == Proof.FAIL):
        chats.set_chat_state(widget_id=mailbox.widget_id, chat_id=chat_id, status=Status.SPAM)
    return posted


def _take_form(row: InLetter, mailbox: Mailbox, letter: Letter) -> None:
    """A form of the shop's page writes for somebody: its Reply-To is the sender, of whom nothing is proven."""
    if row.sender in mailbox.form_senders and (found := letter.addresses("reply-to")):
        row.sender, row.sender_name, row.proof = found[0].address, found[0].name, Proof.NONE


def _new_correspondent(row: InLetter, mailbox: Mailbox) -> Correspondent:
    contact = _proven_contact(row, mailbox) or _new_contact(row, mailbox)
    return Correspondent.objects.create(
        widget_id=mailbox.widget_id, mailbox=mailbox, address=row.sender, contact=contact
    )


def _proven_contact(row: InLetter, mailbox: Mailbox) -> Contact | None:
    """The one contact whose proven address it is, where the letter is proven, too."""
    if row.proof != Proof.PASS:
        return None
    proven = Address.objects.for_widget(mailbox.widget_id).filter(digest=digest_of(row.sender), proven_at__isnull=False)
    if not proven.exists():
        return None
    contacts = list(Contact.objects.for_widget(mailbox.widget_id).filter(email__iexact=row.sender)[:2])
    return contacts[0] if len(contacts) == 1 else None


def _new_contact(row: InLetter, mailbox: Mailbox) -> Contact:
    name = row.sender_name.strip() or row.sender.partition("@")[0]
    try:
        return chats.create_contact(widget_id=mailbox.widget_id, about={"name": name, "email": row.sender})
    except Problem:
        # An address that is good for mail, and none for a contact.
        return chats.create_contact(widget_id=mailbox.widget_id, about={"name": row.sender[:255]})


def thread_of(widget_id: int, chat_id: int, address: str) -> Thread:
    """The chat's correspondence with the address, made if there is none."""
    right = rights.new_right()
    row = Thread(
        widget_id=widget_id, chat_id=chat_id, address=normal(address), right=right, digest=rights.digest_of(right)
    )
    Thread.objects.bulk_create([row], ignore_conflicts=True)
    threads = Thread.objects.for_widget(widget_id).filter(chat_id=chat_id, address=normal(address))
    return threads.select_for_update().get()
