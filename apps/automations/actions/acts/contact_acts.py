"""The acts that change the contact."""

from apps.automations.actions.acts.acting import DONE, Acting, Done
from apps.automations.rules.runs import ActResult
from apps.chats import actions as chats
from apps.chats.models import ContactTag
from apps.chats.rules.folding import alike


def tag(acting: Acting) -> Done:
    """The contact has the tag."""
    contact, name = acting.chat.contact, acting.act["name"]
    missing = chats.tag_contact(widget_id=contact.widget_id, guid=contact.guid, names=[name])
    return Done(ActResult.DONE, None, {"tagged": name}) if missing else DONE


def untag(acting: Acting) -> Done:
    """The contact has the tag no more."""
    contact, name = acting.chat.contact, acting.act["name"]
    attached = ContactTag.objects.unscoped("of a contact read with its widget").filter(contact=contact)
    found = [each for each in attached.values_list("tag__name", flat=True) if alike(each) == alike(name)]
    if not chats.untag_contact(widget_id=contact.widget_id, guid=contact.guid, name=name):
        return DONE
    return Done(ActResult.DONE, None, {"untagged": found[0]})


def attribute(acting: Acting) -> Done:
    """The contact's attribute has that value; null: it has none."""
    contact, key, value = acting.chat.contact, acting.act["key"], acting.act["value"]
    was = contact.attributes.get(key)
    changes = {"attributes": {key: value}}
    if not chats.update_contact(widget_id=contact.widget_id, guid=contact.guid, changes=changes):
        return DONE
    return Done(ActResult.DONE, None, {"key": key, "had": was, "set": value})
